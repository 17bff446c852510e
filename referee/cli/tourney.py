"""`schmier-referee tourney CONFIG`: play an event, or what is left of it, to its leaderboard."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.going_on import Place, command, play_or_go_on
from referee.cli.versions import versions

__all__ = ["tourney"]


def tourney(
    config: Annotated[
        Path,
        typer.Argument(metavar="CONFIG", help="The configuration of the event, a TOML file."),
    ],
    out: Annotated[
        Path | None, typer.Option(help="The folder of the run.", show_default="runs/ID")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Refuse unless there is a run to take up again.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Move a run that is there aside and start anew.")
    ] = False,
) -> None:
    """Play an event to its leaderboard; given again, go on where it stopped."""
    from referee.runner import prepare
    from referee.tourney import load_config

    event = load_config(config)
    path = Path("runs") / event.event.id if out is None else out
    place = Place(path=path, resume=resume, fresh=fresh)
    setup = prepare(event, versions=versions())
    words = ("tourney", str(config))
    again = f"to go on: {command(*words, *(() if out is None else ('--out', str(out))))}"
    raise typer.Exit(play_or_go_on(setup, place, words=words, again=again))
