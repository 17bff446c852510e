"""What `--help` and `--version` print, and how little they load for it."""

from __future__ import annotations

import platform
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from referee.cli import app
from referee.store import RECORD_FORMAT
from tests.cli.referees import Golden, Place

COMMANDS = (
    *("tourney", "leaderboard", "show", "export", "verify", "match", "duel", "new-bot", "check"),
    *("proto", "doctor"),
)


def help_of(*words: str) -> str:
    result = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).invoke(
        app, [*words, "--help"], prog_name="schmier-referee"
    )
    assert result.exit_code == 0
    return result.stdout


def test_the_help_of_the_program_is_as_stored(golden: Golden) -> None:
    golden("help.txt", help_of())


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_is_as_stored(golden: Golden, command: str) -> None:
    golden(f"help-{command}.txt", help_of(command))


def test_the_list_of_commands_is_complete_and_its_lines_are_whole() -> None:
    listed = help_of().partition("Commands:\n")[2].splitlines()
    assert tuple(line.split()[0] for line in listed) == COMMANDS
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


def test_without_a_word_the_help_comes_as_talk_and_the_code_is_that_of_wrong_usage(
    place: Place, golden: Golden
) -> None:
    ended = place.run()
    assert (ended.code, ended.stdout) == (2, "")
    golden("help.txt", ended.stderr)


def test_the_version_names_all_that_decides_how_a_run_is_read(place: Place) -> None:
    ended = place.run("--version")
    assert ended.code == 0 and ended.stderr == ""
    assert ended.stdout.splitlines() == [
        f"schmier-referee {version('schmier-referee')}",
        f"record format {RECORD_FORMAT}",
        f"grpcio {version('grpcio')}",
        f"protobuf {version('protobuf')}",
        f"python {platform.python_version()}",
    ]


def test_the_help_loads_nothing_that_plays_draws_or_computes() -> None:
    program = "import sys; from referee.cli import app; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    slow = ["grpc", "google.protobuf", "rich.live", "asyncio", "sqlite3", "tabulate", "scipy"]
    slow += ["importlib.metadata", "referee.engine", "referee.report", "referee.runner"]
    assert [name for name in slow if name in loaded] == []
