"""`schmier-referee show RUN [GAME]`: one game for people, or the games with faults."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from referee.cli.arguments import RunArgument
from referee.cli.streams import say

__all__ = ["show"]


def show(
    run: RunArgument,
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="ROUND.INDEX.REPLAY, all from 0, or the game's id in hex; without it the games "
            "with faults are listed.",
            show_default=False,
        ),
    ] = None,
    open_boards: Annotated[
        bool,
        typer.Option("--open-boards", help="Also a board that others have still to play."),
    ] = False,
) -> None:
    """Print a game card by card, and for each fault what was asked and what came back."""
    from referee.report import faulty_games, parse_game, show_game

    if game is not None:
        for line in show_game(run, parse_game(game), open_boards=open_boards):
            print(line)
        return
    count = 0
    for faulty in faulty_games(run):
        print(f"{faulty.place.text}  {faulty.text}")
        count += 1
    if not count:
        say("no faults in any game")
        return
    games = "1 game" if count == 1 else f"{count} games"
    command = shlex.join(("schmier-referee", "show", str(run)))
    say(f"{games} with faults; to see one: {command} GAME")
