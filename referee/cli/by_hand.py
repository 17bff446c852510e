"""A bot of a match that a person starts: who it is, and how the person is told what it needs."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.runner import Attach
    from referee.tourney import Bot, Limits, Partnership

__all__ = ["DEFAULT_WAIT_S", "ByHand"]

DEFAULT_WAIT_S = 600
MOST_WAIT_S = 86_400


@dataclass(frozen=True, slots=True)
class ByHand:
    """The bot `name` plays both seats of a partnership of its own, in one process.

    It has `wait_s` to say hello, and without `decision_ms` all the time for a decision. Its
    variables go to the terminal and, if one is given, to `env_file`. Raises UsageError for a time
    that is none, and for a file without a folder.
    """

    name: str
    wait_s: int = DEFAULT_WAIT_S
    decision_ms: int | None = None
    env_file: Path | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.wait_s <= MOST_WAIT_S:
            raise UsageError(f"--wait-s must be from 1 to {MOST_WAIT_S}, is {self.wait_s}")
        if self.decision_ms is not None and not 1 <= self.decision_ms <= MOST_WAIT_S * 1000:
            raise UsageError(
                f"--decision-ms must be from 1 to {MOST_WAIT_S * 1000}, is {self.decision_ms}"
            )
        if self.env_file is not None and not self.env_file.absolute().parent.is_dir():
            raise UsageError(f"--env-file {self.env_file}: there is no such folder")
        if self.env_file is not None:
            _write(self.env_file, {})

    def bot(self) -> Bot:
        """Return it as a bot of a configuration."""
        from referee.tourney import ATTACHED, Bot

        return Bot(name=self.name, command=(ATTACHED,), directory=Path.cwd())

    def partnership(self) -> Partnership:
        """Return its entry."""
        from referee.tourney import Partnership

        return Partnership(name=self.name, bots=(self.name, self.name))

    def attach(self, limits: Limits, say: Callable[[str], None]) -> Attach:
        """Return what holds for it where `limits` hold for others, and how the person is told."""
        from referee.runner import Attach
        from referee.tourney import LONGEST_MS

        own = replace(
            limits, decision_ms=self.decision_ms or LONGEST_MS, start_ms=self.wait_s * 1000
        )
        limit = f"{self.decision_ms} ms" if self.decision_ms else "all the time it takes"

        def tell(variables: Mapping[str, str]) -> None:
            say(f"waiting {self.wait_s} s for {self.name}, which then has {limit} for a decision;")
            say("start it with these two variables:")
            for name, value in variables.items():
                say(f"  export {name}={shlex.quote(value)}")
            if self.env_file is not None:
                _write(self.env_file, variables)
                say(f"  or take them from {self.env_file}")

        return Attach(tell, own)


def _write(path: Path, variables: Mapping[str, str]) -> None:
    """Write lines of NAME=VALUE that only the person may read, as the token is a secret."""
    text = "".join(f"{name}={value}\n" for name, value in variables.items())
    try:
        # A pipe that nobody reads would hold up the run, signals included: it is not waited for.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NONBLOCK
        number = os.open(path, flags, 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            if stat.S_ISREG(os.fstat(number).st_mode):
                os.fchmod(number, 0o600)
            file.write(text)
    except OSError as error:
        raise UsageError(f"--env-file {path} cannot be written: {error.strerror}") from None
