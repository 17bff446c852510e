"""The application: its commands, and the one place where exceptions become exit codes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from referee.cli import doctor, export, leaderboard, match, proto, show, tourney, verify
from referee.cli.versions import versions_text
from referee.errors import RefereeError

__all__ = ["app", "main"]

app = typer.Typer(
    name="schmier-referee",
    no_args_is_help=True,
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


app.command("tourney")(tourney.tourney)
app.command("leaderboard")(leaderboard.leaderboard)
app.command("show")(show.show)
app.command("export")(export.export)
app.command("verify")(verify.verify)
app.command("match")(match.match)
app.command("proto")(proto.proto)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        app(prog_name="schmier-referee")
    except RefereeError as error:
        print(f"schmier-referee: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
