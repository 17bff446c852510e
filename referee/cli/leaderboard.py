"""`schmier-referee leaderboard RUN`: the table of a run, finished or still being played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.arguments import RunArgument
from referee.report import Format

__all__ = ["leaderboard"]


def leaderboard(
    run: RunArgument,
    format: Annotated[
        Format, typer.Option("--format", "-f", help="How the table is printed.")
    ] = Format.TEXT,
) -> None:
    """Print the leaderboard of a run; only finished legs are scored."""
    print(leaderboard_text(run, format), end="")


def leaderboard_text(run: Path, format: Format) -> str:
    """Return the leaderboard of a run folder as it stands."""
    from referee.report import render, run_of
    from referee.store import RunReader

    with RunReader(run) as reader, reader.snapshot():
        found = run_of(reader)
    return render(found.standings(), found.facts.meta(closed=found.closed), format)
