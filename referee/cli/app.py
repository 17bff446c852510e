"""The application: its commands, and the one place where exceptions become exit codes."""

from __future__ import annotations

import signal
import sys
from contextlib import redirect_stdout
from typing import Annotated

import typer

from referee.cli import (
    check,
    doctor,
    duel,
    export,
    leaderboard,
    match,
    new_bot,
    proto,
    show,
    tourney,
    verify,
)
from referee.cli.streams import open_streams, results, say
from referee.cli.usage import Command, UsageMistake, told
from referee.cli.versions import versions_text
from referee.errors import RefereeError

__all__ = ["app", "main"]

NAME = "schmier-referee"
USAGE = 2

app = typer.Typer(
    name=NAME,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(versions_text())
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print all versions and exit."
        ),
    ] = False,
) -> None:
    """Tournaments of six-player Schmier between bots in any language."""


COMMANDS = (
    (tourney.tourney, "Play an event to its leaderboard, or go on where it stopped."),
    (leaderboard.leaderboard, "Print the leaderboard of a run."),
    (show.show, "Print a game card by card, and what was seen of each fault."),
    (export.export, "Print a run as JSON lines, with all that recomputes it."),
    (verify.verify, "Recompute a run or an export; name the first difference."),
    (match.match, "Play three bots against each other on the same boards."),
    (duel.duel, "Ask whether a new bot is better, and play until it is known."),
    (new_bot.new_bot, "Write a bot's project in a language of your choice."),
    (check.check, "Tell the author of a bot whether it plays as it must."),
    (proto.proto, "Write the .proto files out, to generate stubs from."),
    (doctor.doctor, "Print versions, cores, limits, leftovers, a round trip."),
)
"""Each command with the line it has in the list of commands."""

for command, line in COMMANDS:
    app.command(command.__name__.replace("_", "-"), cls=Command, short_help=line)(command)


def main() -> None:
    """Run the command line and exit with its code."""
    open_streams()
    sys.exit(_run())


def _run() -> int:
    """Run the command line; return its exit code."""
    try:
        if len(sys.argv) == 1:
            with redirect_stdout(sys.stderr):
                app(["--help"], prog_name=NAME, standalone_mode=False)
            return USAGE
        with results():
            code = app(prog_name=NAME, standalone_mode=False)
    except UsageMistake as mistake:
        say(told(mistake))
        return USAGE
    except RefereeError as error:
        if str(error):
            say(f"{NAME}: {error}")
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    return int(code or 0)
