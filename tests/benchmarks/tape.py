"""What referee and bots said to each other, to be said again by a bare gRPC echo.

A tape holds turns: the referee's message to one of the six bots, and the messages it was answered
with before the bot was asked again. Played back, no rule is looked at and nothing is parsed.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Tape", "Turn"]


@dataclass(slots=True)
class Turn:
    """One message to the bot `member`, and what came back."""

    member: int
    decisions: int
    asked: bytes = b""
    answers: list[bytes] = field(default_factory=list)


@dataclass(slots=True)
class Tape:
    """Turns in the order they were asked."""

    turns: list[Turn] = field(default_factory=list)

    @property
    def decisions(self) -> int:
        """How many decisions were asked."""
        return sum(turn.decisions for turn in self.turns)

    def finish(self) -> None:
        """Leave out what was not answered: the recording ended there."""
        self.turns = [turn for turn in self.turns if turn.answers]

    def of(self, member: int) -> list[Turn]:
        """The turns of one bot."""
        return [turn for turn in self.turns if turn.member == member]

    def save(self, path: Path) -> None:
        """Keep the tape in a file of this run."""
        path.write_bytes(pickle.dumps(self))

    @staticmethod
    def load(path: Path) -> Tape:
        """Return what `save` wrote, in another process of the same run."""
        tape = pickle.loads(path.read_bytes())
        assert isinstance(tape, Tape)
        return tape
