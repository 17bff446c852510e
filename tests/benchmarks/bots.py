"""The bots that the benchmark plays with, one program a language.

The Python bot bids the minimum if nobody has bid and else takes the first legal choice, so a figure
is the referee's and the SDK's, not a thinker's. Those of the sample projects play at random, and
`python-random` does the same in Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from shutil import which

from referee.wire.samples import Sample, sample_bots

__all__ = ["BOTS", "Program"]

_PYTHON = sample_bots()["python"].folder


@dataclass(frozen=True, slots=True)
class Program:
    """How a benchmark bot is started, and the sample project it has to be built from, if any."""

    command: tuple[str, ...]
    directory: Path
    project: Sample | None = None

    @property
    def problem(self) -> str:
        """Why it cannot play, and what to do; empty if it can."""
        if self.project is None:
            return ""
        if unbuilt := self.project.unbuilt:
            return (
                f"{self.directory / unbuilt[0]} is not built: in {self.directory} run "
                f"{' '.join(self.project.build)} (it takes {', '.join(self.project.needs)})"
            )
        if "/" not in self.command[0] and which(self.command[0]) is None:
            return f"{self.command[0]} is not on the PATH: {self.project.install}"
        return ""


BOTS = {
    "python": Program(("{python}", "first_legal.py"), _PYTHON),
    "python-random": Program(("{python}", "random_legal.py"), _PYTHON),
    **{
        name: Program((*project.command, "random"), project.folder, project)
        for name, project in sample_bots().items()
        if project.build
    },
}
