"""What becomes of results and talk when streams are closed, full, cut or of another encoding."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from referee.cli.streams import one_line
from tests.cli.referees import FinishedRun, Place

SIGPIPE = 128 + 13


def shell(place: Place, line: str) -> subprocess.CompletedProcess[str]:
    """Carry out a line of bash, in which `referee` is the console script."""
    script = f'referee() {{ "{place.script}" "$@"; }}\n{line}'
    return subprocess.run(
        ["bash", "-c", script],
        cwd=place.path,
        env=place.environment(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "command", ["export runs/demo", "export runs/demo --evidence", "show runs/demo 0.0.0"]
)
def test_a_reader_who_has_enough_ends_the_command_in_silence(
    finished: FinishedRun, command: str
) -> None:
    line = f"referee {command} | head -n 1 | wc -l; exit ${{PIPESTATUS[0]}}"
    ended = shell(finished.place, line)
    assert (ended.stdout.strip(), ended.stderr) == ("1", "")
    assert ended.returncode in (0, SIGPIPE)


def test_results_that_nobody_takes_end_with_the_code_of_the_signal(finished: FinishedRun) -> None:
    ended = shell(finished.place, "exec 3> >(:); wait $!; referee export runs/demo >&3")
    assert (ended.returncode, ended.stdout, ended.stderr) == (SIGPIPE, "", "")


@pytest.mark.parametrize("command", ["export runs/demo", "leaderboard runs/demo", "--version"])
def test_results_for_which_there_is_no_room_are_told_in_one_line(
    finished: FinishedRun, command: str
) -> None:
    ended = shell(finished.place, f"referee {command} > /dev/full")
    assert ended.returncode == 1
    assert ended.stderr == (
        "schmier-referee: the output cannot be written: no space left on device\n"
    )


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_to_fail(finished: FinishedRun, closed: str) -> None:
    for command in ("export runs/demo", "leaderboard runs/demo"):
        ended = shell(finished.place, f"referee {command} {closed}")
        assert (ended.returncode, ended.stderr) == (0, "")


def test_results_are_utf_8_whatever_the_locale(place: Place, finished: FinishedRun) -> None:
    path = finished.copy_to(place, "Größe")
    ended = place.run("verify", f"runs/{path.name}", env={"PYTHONIOENCODING": "ascii"})
    assert ended.code == 0
    assert ended.stdout.startswith("runs/Größe: ")


def test_a_path_that_is_no_text_is_told_harmlessly(place: Place) -> None:
    ended = place.run("verify", Path(b"runs/\xff\xfe".decode("utf-8", "surrogateescape")))
    assert ended.code == 2
    assert ended.stderr == "schmier-referee: runs/\\udcff\\udcfe: no run and no export is there\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("two\nlines", "two\\nlines"),
        ("\x1b[31mred\x1b[0m\a\b\r", "\\x1b[31mred\\x1b[0m\\x07\\x08\\r"),
        ("\x9b31m", "\\x9b31m"),
        ("a\u2028b", "a\\u2028b"),
        ("a\u202eb", "a\\u202eb"),
        ("Größe [bold]x[/bold] 七", "Größe [bold]x[/bold] 七"),
        (r"C:\new", r"C:\new"),
    ],
)
def test_a_line_of_talk_is_one_line_and_moves_nothing(text: str, shown: str) -> None:
    assert one_line(text) == shown
