"""The bots that the benchmark plays with, one program a language.

All do the same: bid the minimum if nobody has bid, else the first legal choice. So a figure is the
referee's and the language's, not a thinker's. A bot of another language is one more entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shutil import which

__all__ = ["BOTS", "Program"]

_SAMPLES = Path(__file__).parents[2] / "sample_bots"


@dataclass(frozen=True, slots=True)
class Program:
    """How a benchmark bot is started; `needs` are the programs it takes beside Python."""

    command: tuple[str, ...]
    directory: Path
    needs: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """What it needs and this machine does not have."""
        return tuple(name for name in self.needs if which(name) is None)


BOTS = {
    "python": Program(("{python}", "first_legal.py"), _SAMPLES / "python"),
}
