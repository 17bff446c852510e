"""`schmier-referee verify RUN|EXPORT`: recompute everything, name the first difference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["verify"]


def verify(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="RUN|EXPORT", help="The folder of a run, or an export.", show_default=False
        ),
    ],
) -> None:
    """Recompute decks, legality, faults, scores and standings; exit code 1 at a difference."""
    from referee.report import verify as verify_source

    verdict = verify_source(source)
    for line in verdict.lines():
        print(line)
    raise typer.Exit(0 if verdict.ok else 1)
