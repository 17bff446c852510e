"""Whether a run that is there may be taken up again under a configuration."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import StoreError
from referee.report import Format
from referee.runner.setup import Setup
from referee.store import RunFolder
from referee.tourney import changed_conditions

__all__ = ["Finished", "look_at_run"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A run in which nothing is left to play: its stored leaderboard and exit code."""

    leaderboard: str
    exit_code: int


def look_at_run(setup: Setup, folder: RunFolder, *, anew: str) -> Finished | tuple[str, ...]:
    """Return the result of a finished run, else the changes since it began that do not matter.

    `anew` is the command that starts another run. Raises StoreError, naming each, for changes that
    would make it another event.
    """
    with folder.reader() as reader:
        changes = changed_conditions(reader.beginning().conditions, setup.conditions())
        if changes.refused:
            raise StoreError(
                f"{folder.path}: this run was begun differently: {'; '.join(changes.refused)}; "
                f"undo the change, or start another run: {anew}"
            )
        state = reader.state()
        if state.is_closed and state.exit_code is not None:
            return Finished(reader.leaderboards()[Format.TEXT.value], state.exit_code)
        return changes.noted
