"""`schmier-referee leaderboard RUN`: the table of a run, finished or still being played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.arguments import RunArgument
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.report import Format

__all__ = ["leaderboard"]


def leaderboard(
    run: RunArgument,
    format: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="FORMAT", help="How it is printed: text, md, csv or json."
        ),
    ] = "text",
) -> None:
    """Print the leaderboard of a run; only finished legs are scored."""
    print(leaderboard_text(run, _format(format)), end="")


def _format(word: str) -> Format:
    from referee.report import Format

    try:
        return Format(word)
    except ValueError:
        known = ", ".join(format.value for format in Format)
        raise UsageError(f"--format must be one of {known}, is {word!r}") from None


def leaderboard_text(run: Path, format: Format) -> str:
    """Return the leaderboard of a run folder as it stands."""
    from referee.report import render, run_of
    from referee.store import RunReader

    with RunReader(run) as reader, reader.snapshot():
        found = run_of(reader)
    return render(found.standings(), found.facts.meta(closed=found.closed), format)
