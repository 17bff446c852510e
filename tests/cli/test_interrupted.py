"""Runs that are stopped by a person or the system, and what the same command makes of them then.

One run is stopped again and again: in the roll call, in a game, at the end of a sitting. Bots stop
where the test wants them to, so each signal comes at the moment it is meant for.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.referees import FIRST, HELD, RULES, Ended, Golden, Place, Running, contents

BOTS = {"first": FIRST, "held": HELD, "rules": RULES}
RESULTS = ("leaderboard.txt", "leaderboard.md", "leaderboard.csv", "leaderboard.json")


@dataclass(frozen=True)
class Story:
    """How each start of the interrupted run ended, and the results of it and an undisturbed one."""

    starts: dict[str, Ended]
    after_roll_call: dict[str, bytes | None]
    open_board: Ended
    open_board_opened: Ended
    early_leaderboard: Ended
    late_change: Ended
    results: dict[str, bytes]
    expected: dict[str, bytes]
    last: Ended
    undisturbed: Ended


def stopped(running: Running, number: signal.Signals) -> Ended:
    running.process.send_signal(number)
    return running.end()


def results(place: Place, folder: str) -> dict[str, bytes]:
    files = {name: (place.path / folder / name).read_bytes() for name in RESULTS}
    return files | {"export": place.run("export", folder).stdout.encode()}


@pytest.fixture(scope="module")
def story(module_place: Place) -> Iterator[Story]:
    """Interrupt one run at four moments, play it to its end, and play another undisturbed."""
    place = module_place
    config = place.configure(BOTS)
    starts: dict[str, Ended] = {}

    def start() -> Running:
        return place.start("tourney", config)

    place.stop_bots_at("start")
    running = start()
    place.wait_for_bot_at("start")
    starts["roll call"] = stopped(running, signal.SIGINT)
    after_roll_call = contents(place.path / "runs" / "demo")
    place.let_bots_go()

    place.stop_bots_at("decision")
    running = start()
    place.wait_for_bot_at("decision")
    starts["game"] = stopped(running, signal.SIGTERM)
    place.let_bots_go()

    running = start()
    running.says("sitting 3 of 6: 2 of 6 games")
    starts["sitting"] = stopped(running, signal.SIGHUP)
    first = next(
        f"0.0.{replay}" for replay in range(6) if f"0.0.{replay}" in shown_games(place, replay)
    )
    open_board = place.run("show", "runs/demo", first)
    open_board_opened = place.run("show", "runs/demo", first, "--open-boards")
    early_leaderboard = place.run("leaderboard", "runs/demo")
    late_change = changed(place, config)

    place.stop_bots_at("decision")
    running = start()
    place.wait_for_bot_at("decision")
    running.process.send_signal(signal.SIGINT)
    running.says("stopping after SIGINT")
    starts["twice"] = stopped(running, signal.SIGINT)
    place.let_bots_go()

    last = place.run("tourney", config, "--resume")
    undisturbed = place.run("tourney", config, "--out", "undisturbed")
    yield Story(
        starts=starts,
        after_roll_call=after_roll_call,
        open_board=open_board,
        open_board_opened=open_board_opened,
        early_leaderboard=early_leaderboard,
        late_change=late_change,
        results=results(place, "runs/demo"),
        expected=results(place, "undisturbed"),
        last=last,
        undisturbed=undisturbed,
    )


def shown_games(place: Place, replay: int) -> str:
    """What `show` says of a replay of the open board; empty if it is not played yet."""
    return place.run("show", "runs/demo", f"0.0.{replay}", "--open-boards").stdout


def changed(place: Place, config: Path) -> Ended:
    text = (place.path / config).read_text(encoding="utf-8")
    (place.path / "changed.toml").write_text(
        text.replace("decision_ms = 60000", "decision_ms = 60001"), encoding="utf-8"
    )
    return place.run("tourney", "changed.toml", "--out", "runs/demo")


@pytest.mark.parametrize(
    ("moment", "code"), [("roll call", 130), ("game", 143), ("sitting", 129), ("twice", 130)]
)
def test_the_code_of_a_stopped_run_is_that_of_the_signal_and_stdout_is_empty(
    story: Story, moment: str, code: int
) -> None:
    ended = story.starts[moment]
    assert (ended.code, ended.stdout) == (code, ""), ended.stderr


@pytest.mark.parametrize("moment", ["roll call", "game"])
def test_a_stopped_run_tells_how_far_it_came_and_the_command_that_goes_on(
    story: Story, golden: Golden, moment: str
) -> None:
    golden(f"stopped-{moment.replace(' ', '-')}.txt", story.starts[moment].stderr)


def test_a_run_that_is_stopped_between_games_counts_those_that_are_stored(story: Story) -> None:
    said = story.starts["sitting"].lines
    counts = said.index("raw counts, not yet scored:")
    games = [int(line.split(": ")[1].split()[0]) for line in said[counts + 1 : counts + 4]]
    assert games[0] >= 2 and games == games[:1] * 3
    assert said[counts + 4] == f"{6 - games[0]} of 6 games are missing"
    assert said[-1] == "to go on: schmier-referee tourney demo.toml"


def test_a_run_that_is_stopped_in_the_roll_call_has_not_begun(story: Story) -> None:
    assert set(story.after_roll_call) <= {"referee.log"}


def test_a_run_that_was_stopped_at_four_moments_ends_with_the_bytes_of_an_undisturbed_one(
    story: Story,
) -> None:
    assert (story.last.code, story.undisturbed.code) == (0, 0)
    assert story.last.stdout == story.undisturbed.stdout
    assert story.results == story.expected


def test_a_game_of_a_board_that_others_have_still_to_play_is_shown_only_when_asked_for(
    story: Story,
) -> None:
    assert (story.open_board.code, story.open_board.stdout) == (2, "")
    assert "shows cards of a board that others have still to play" in story.open_board.stderr
    assert story.open_board_opened.code == 0
    assert story.open_board_opened.stdout.startswith("game 0.0.")


def test_the_leaderboard_of_a_run_without_a_finished_leg_says_so(story: Story) -> None:
    assert story.early_leaderboard.code == 0
    assert "0 of 1 rounds" in story.early_leaderboard.stdout


def test_a_run_that_is_not_finished_is_not_taken_up_under_other_conditions(story: Story) -> None:
    assert (story.late_change.code, story.late_change.stdout) == (2, "")
    assert "limits.decision_ms was 60000, is 60001" in story.late_change.stderr


def test_a_signal_that_is_to_be_ignored_is_ignored(place: Place) -> None:
    config = place.configure(BOTS)
    place.stop_bots_at("start")
    nohup = ("/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh")
    running = place.start("tourney", config, prefix=nohup)
    place.wait_for_bot_at("start")
    running.process.send_signal(signal.SIGHUP)
    running.process.send_signal(signal.SIGTERM)
    assert running.end().code == 143


def test_a_match_that_is_stopped_says_that_it_is_not_taken_up_again(place: Place) -> None:
    config = place.configure(BOTS)
    place.stop_bots_at("decision")
    running = place.start("match", "first", "held", "rules", "--config", config)
    place.wait_for_bot_at("decision")
    ended = stopped(running, signal.SIGINT)
    assert (ended.code, ended.stdout) == (130, "")
    assert ended.lines[-1] == (
        "a match is not taken up again; what was played of it is in runs/match-1"
    )


def test_a_run_goes_on_and_is_stopped_as_always_when_nobody_hears_its_talk(place: Place) -> None:
    config = place.configure(BOTS)
    place.stop_bots_at("start")
    running = place.start("tourney", config, stderr=subprocess.PIPE)
    place.wait_for_bot_at("start")
    assert running.process.stderr is not None
    running.process.stderr.close()
    place.stop_bots_at("decision")
    (place.hold() / "start").unlink()
    place.wait_for_bot_at("decision")
    assert stopped(running, signal.SIGTERM) == Ended(143, "", "")
