"""What a person sees on a terminal while a run goes on, and what is left of it at the end."""

from __future__ import annotations

import os
import re
import signal

import pytest

from tests.cli.referees import FIRST, HELD, KIT, RULES, FinishedRun, Place
from tests.cli.screen import screen

NAMES = {"[bold]A[/bold]": ["first"], ":smile: B": ["held"], "C" * 64: ["strange"]}
BOTS = {
    "first": FIRST,
    "held": HELD,
    "strange": ("{python}", str(KIT / "strange_name.py"), "control"),
}
FOOT = " tables, "
"""In the last line of the picture: when it is there, all of it is."""

SIZE = {"COLUMNS": "", "LINES": ""}


@pytest.mark.parametrize(("columns", "name"), [(120, "C" * 64), (44, "…")])
def test_a_run_is_drawn_from_the_start_and_nothing_of_the_picture_is_left(
    place: Place, columns: int, name: str
) -> None:
    config = place.configure(BOTS, partnerships=NAMES)
    with screen(columns=columns) as (shown, terminal):
        place.stop_bots_at("start")
        running = place.start("tourney", config, stderr=terminal, env=SIZE)
        os.close(terminal)
        place.wait_for_bot_at("start")
        shown.wait_for("roll call")
        place.let_bots_go()
        shown.wait_for("commitment: ")
        place.stop_bots_at("decision")
        place.wait_for_bot_at("decision")
        shown.wait_for(FOOT)
        picture = shown.text
        place.let_bots_go()
        shown.read_to_the_end()
        ended = running.end()

    assert ended.code == 0
    assert ended.stdout == (place.path / "runs/demo/leaderboard.txt").read_text(encoding="utf-8")
    assert all(part in picture for part in ("[bold]A[/bold]", ":smile: B", name, "of 6 games"))
    assert shown.cursor_is_shown
    left = shown.text.replace("\n", "").strip()  # the terminal breaks the one long line
    assert left.startswith("commitment: ") and len(left) == len("commitment: ") + 64
    assert "\x1b[31m" not in shown.raw


def test_a_finished_run_prints_its_table_where_stdout_goes_and_not_on_the_terminal(
    place: Place, finished: FinishedRun
) -> None:
    finished.copy_to(place)
    with screen(columns=60) as (shown, terminal):
        again = place.start("tourney", finished.config, stderr=terminal, env=SIZE)
        os.close(terminal)
        shown.read_to_the_end()
        ended = again.end()
    assert (ended.code, ended.stdout) == (finished.ended.code, finished.ended.stdout)
    told = "runs/demo: this run is finished; to play another: schmier-referee tourney demo.toml"
    assert shown.text.replace("\n", "").strip() == f"{told} --out runs/demo-2"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_leaves_its_last_words_and_the_cursor(
    place: Place, number: signal.Signals
) -> None:
    config = place.configure({"first": FIRST, "rules": RULES, "held": HELD})
    place.stop_bots_at("start")
    with screen() as (shown, terminal):
        running = place.start("tourney", config, stderr=terminal, env=SIZE)
        os.close(terminal)
        place.wait_for_bot_at("start")
        shown.wait_for("roll call")
        running.process.send_signal(number)
        shown.read_to_the_end()
        assert running.end().code == 128 + number
    assert shown.cursor_is_shown
    assert [line for line in shown.text.splitlines() if line] == [
        f"stopping after {number.name}; what was played is kept, a second one ends it at once",
        "to go on: schmier-referee tourney demo.toml",
    ]


def test_a_terminal_whose_window_is_closed_ends_the_run_like_any_hangup(place: Place) -> None:
    config = place.configure({"first": FIRST, "rules": RULES, "held": HELD})
    place.stop_bots_at("start")
    with screen() as (shown, terminal):
        name = os.ttyname(terminal)
        leads = f'exec 2<>{name}; exec "$@"'  # who leads a session and opens a terminal gets it
        running = place.start(
            *("tourney", config), prefix=("/bin/sh", "-c", leads, "sh"), start_new_session=True
        )
        place.wait_for_bot_at("start")
        shown.wait_for("roll call")
        os.close(terminal)
        shown.hang_up()
        assert running.end().code == 128 + signal.SIGHUP


@pytest.mark.parametrize(
    "env", [{"TERM": "dumb"}, {"TERM": ""}], ids=["a dumb terminal", "a nameless terminal"]
)
def test_a_terminal_that_cannot_draw_gets_plain_lines(place: Place, env: dict[str, str]) -> None:
    config = place.configure({"first": FIRST, "rules": RULES, "held": HELD})
    place.stop_bots_at("start")
    with screen() as (shown, terminal):
        running = place.start("tourney", config, stderr=terminal, env=SIZE | env)
        os.close(terminal)
        place.wait_for_bot_at("start")
        running.process.send_signal(signal.SIGTERM)
        shown.read_to_the_end()
        assert running.end().code == 143
    assert "\x1b" not in shown.raw
    assert shown.text.startswith("starting 3 bots\nroll call\n")


@pytest.mark.parametrize("name", ["FORCE_COLOR", "TTY_COMPATIBLE", "CLICOLOR_FORCE"])
def test_without_a_terminal_there_is_no_code_even_where_colours_are_wished_for(
    place: Place, name: str
) -> None:
    place.configure({"first": FIRST, "gone": ("false",), "rules": RULES})
    ended = place.run("tourney", "demo.toml", env={name: "1"})
    assert ended.code == 1
    assert "\x1b" not in ended.stderr


def test_where_colours_are_not_wished_for_none_are_drawn(place: Place) -> None:
    config = place.configure({"first": FIRST, "rules": RULES, "held": HELD})
    with screen() as (shown, terminal):
        running = place.start("tourney", config, stderr=terminal, env=SIZE | {"NO_COLOR": "1"})
        os.close(terminal)
        shown.wait_for("commitment: ")
        place.stop_bots_at("decision")
        place.wait_for_bot_at("decision")
        shown.wait_for(FOOT)
        running.process.send_signal(signal.SIGINT)
        shown.read_to_the_end()
        assert running.end().code == 130
    assert re.findall(r"\x1b\[(?:\d+;)*[349]\d(?:;\d+)*m", shown.raw) == []
