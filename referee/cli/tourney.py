"""`schmier-referee tourney CONFIG`: play an event, or what is left of it, to its leaderboard."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.versions import versions
from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.store import RunFolder

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
    from referee.cli.playing import play
    from referee.cli.terminal import Terminal
    from referee.runner import Finished, look_at_run, prepare
    from referee.store import RunFolder, Start
    from referee.tourney import load_config

    if resume and fresh:
        raise UsageError("--resume and --fresh exclude each other")
    setup = prepare(load_config(config), versions=versions())
    path = Path("runs") / setup.config.event.id if out is None else out
    start = Start.FRESH if fresh else Start.RESUME if resume else Start.AUTO
    again = f"to go on: {_command('tourney', str(config), *_out(out))}"
    with RunFolder.claim(path, start=start) as folder, Terminal() as terminal:
        if folder.moved_to is not None:
            terminal.say(f"the run that was there is now in {folder.moved_to}")
        noted: tuple[str, ...] = ()
        if folder.has_run:
            anew = _command("tourney", str(config), "--out", str(_free_name(path)))
            found = look_at_run(setup, folder, anew=anew)
            if isinstance(found, Finished):
                terminal.say(f"{path}: this run is finished; to play another: {anew}")
                print(found.leaderboard, end="")
                raise typer.Exit(found.exit_code)
            noted = found
            for change in noted:
                terminal.say(f"changed since the run began: {change}")
        code = play(setup, folder, terminal, noted=noted, again=again)
    if code in (0, 3):
        _print_leaderboard(folder)
    raise typer.Exit(code)


def _print_leaderboard(folder: RunFolder) -> None:
    from referee.report import Format

    print((folder.path / Format.TEXT.file_name).read_text(encoding="utf-8"), end="")


def _out(out: Path | None) -> tuple[str, ...]:
    return () if out is None else ("--out", str(out))


def _command(*words: str) -> str:
    return shlex.join(("schmier-referee", *words))


def _free_name(path: Path) -> Path:
    """The next name beside a run's folder that is free: `demo-2`, `demo-3` and so on."""
    number = 2
    while (other := path.with_name(f"{path.name}-{number}")).exists():
        number += 1
    return other
