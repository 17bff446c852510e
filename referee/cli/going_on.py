"""Plays an event into its folder, or goes on where it stopped; what `tourney` and `duel` share."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.runner import Setup

__all__ = ["Place", "command", "play_or_go_on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The folder of a run, and what to do with a run that is there: go on unless told otherwise.

    Raises UsageError if the options contradict each other.
    """

    path: Path
    resume: bool = False
    fresh: bool = False

    def __post_init__(self) -> None:
        if self.resume and self.fresh:
            raise UsageError("--resume and --fresh exclude each other")


def play_or_go_on(setup: Setup, place: Place, *, words: tuple[str, ...], again: str) -> int:
    """Play, print the leaderboard, and return the exit code; that of a finished run is its own.

    `words` is the command without `--out`, for starting anew beside the run, `again` what to do
    after an interruption.
    """
    from referee.cli.playing import play
    from referee.cli.terminal import Terminal
    from referee.report import Format
    from referee.runner import Finished, look_at_run
    from referee.store import RunFolder, Start

    start = Start.FRESH if place.fresh else Start.RESUME if place.resume else Start.AUTO
    with RunFolder.claim(place.path, start=start) as folder, Terminal() as terminal:
        if folder.moved_to is not None:
            terminal.say(f"the run that was there is now in {folder.moved_to}")
        noted: tuple[str, ...] = ()
        if folder.has_run:
            anew = command(*words, "--out", str(_free_name(place.path)))
            found = look_at_run(setup, folder, anew=anew)
            if isinstance(found, Finished):
                terminal.say(f"{place.path}: this run is finished; to play another: {anew}")
                print(found.leaderboard, end="")
                return found.exit_code
            noted = found
            for change in noted:
                terminal.say(f"changed since the run began: {change}")
        code = play(setup, folder, terminal, noted=noted, again=again)
    if code in (0, 3):
        print((folder.path / Format.TEXT.file_name).read_text(encoding="utf-8"), end="")
    return code


def command(*words: str) -> str:
    """Return a command of ours as a line to copy."""
    return shlex.join(("schmier-referee", *words))


def _free_name(path: Path) -> Path:
    """The next name beside a run's folder that is free: `demo-2`, `demo-3` and so on."""
    number = 2
    while (other := path.with_name(f"{path.name}-{number}")).exists():
        number += 1
    return other
