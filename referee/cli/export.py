"""`schmier-referee export RUN`: a run as JSON lines that a stranger can recompute."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from referee.cli.arguments import RunArgument

__all__ = ["export"]


def export(
    run: RunArgument,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Add what was seen around each fault.")
    ] = False,
) -> None:
    """Print the games of all finished legs as JSON lines, with all that recomputes them."""
    from referee.report import export_lines

    for line in export_lines(run, evidence=evidence):
        sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
