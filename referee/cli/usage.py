"""How commands are written in `--help`, and a command line that cannot be read told in one line."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand

from referee.cli.streams import results

__all__ = ["Command", "UsageMistake", "told"]

UsageMistake: type[Exception] = typer.BadParameter.__mro__[1]
"""What is raised for a command line that cannot be read; typer gives only one kind of it a name."""


class Command(TyperCommand):
    """A command whose usage line has the arguments as they are typed: `show [OPTIONS] RUN GAME`."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words after the command's name."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece.replace("{", "").replace("}", "") for piece in pieces]

    def invoke(self, ctx: Any) -> Any:
        """Carry the command out; raises `OutputLost` when its results could not be written."""
        with results():
            return super().invoke(ctx)


def told(mistake: Exception) -> str:
    """Return the line for a command line that cannot be read: where, what, and where help is."""
    context = getattr(mistake, "ctx", None)
    command = "schmier-referee" if context is None else context.command_path
    message = mistake.format_message()  # type: ignore[attr-defined]
    first, rest = message[:1].lower(), message[1:].removesuffix(".")
    return f"{command}: {first}{rest} (see {command} --help)"
