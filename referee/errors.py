"""Every exception that crosses a package border, in one tree.

    RefereeError                what the command line turns into one line and an exit code
    ├── UsageError              the user's mistake: exit code 2, nothing was started or overwritten
    │   ├── ConfigError         in a configuration: file, line, key and cure
    │   └── StoreError          a run folder or file that cannot be used as asked
    ├── RunFailed               the run itself failed: exit code 1, what was played is kept
    └── RecordError             a record is not the game it claims to be; lives in `referee.table`

A bot's conduct is never an exception: it is a `referee.table.Fault` and the tournament goes on.
A bug of ours is any other exception: it crashes loudly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ConfigError", "RefereeError", "RunFailed", "StoreError", "UsageError"]


class RefereeError(Exception):
    """Something the user must know; `str()` is one line that says what, where and what to do."""

    exit_code = 1


class RunFailed(RefereeError):  # noqa: N818 (it says what happened)
    """The run cannot go on; all that was played is kept and the same command resumes it."""


class UsageError(RefereeError):
    """A command that cannot be carried out as given; nothing was started or overwritten."""

    exit_code = 2


class StoreError(UsageError):
    """A run folder or file that is locked, torn, foreign, newer, or of another event."""


class ConfigError(UsageError):
    """A mistake in a configuration, printed as `file:line: [section] key message`."""

    def __init__(
        self, message: str, *, file: Path | str, line: int | None = None, key: str | None = None
    ) -> None:
        self.message, self.file, self.line, self.key = message, file, line, key
        place = f"{file}:{line}" if line is not None else f"{file}"
        super().__init__(f"{place}: {key} {message}" if key else f"{place}: {message}")
