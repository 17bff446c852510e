"""`schmier-referee show RUN GAME`: one game for people, each fault with all that was seen."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli.arguments import RunArgument

__all__ = ["show"]


def show(
    run: RunArgument,
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="ROUND.INDEX.REPLAY, all from 0, or the game's id in hex.",
            show_default=False,
        ),
    ],
    open_boards: Annotated[
        bool,
        typer.Option("--open-boards", help="Also a board that others have still to play."),
    ] = False,
) -> None:
    """Print a game card by card, and for each fault what was asked and what came back."""
    from referee.report import parse_game, show_game

    for line in show_game(run, parse_game(game), open_boards=open_boards):
        print(line)
