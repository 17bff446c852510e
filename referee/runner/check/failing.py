"""How a step of a check fails: with a reason, and with what was asked and came back."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from referee.engine import Decision, Objection
from referee.runner.rulings import Trouble

__all__ = ["OBJECTIONS", "TROUBLES", "Failed", "Limit", "NotTried", "Noted", "counted"]


class Limit(Enum):
    """Which limit of the event a bot did not keep."""

    START = auto()
    DECISION = auto()
    STOP = auto()


class Failed(Exception):  # noqa: N818 (it is what happened, not our error)
    """A step is failed.

    `ended`: its process or stream ended by itself; how is told between `reason` and `suffix` when
    it is known. `limit` is the limit that was not kept, if it was that. `output` is what the bot
    printed, where its process is gone already. `batch` are the decisions that were open, if they
    were several: it is not known which of them did it.
    """

    def __init__(
        self,
        reason: str,
        *,
        decision: Decision | None = None,
        came_back: str = "",
        ended: bool = False,
        suffix: str = "",
        limit: Limit | None = None,
        output: str = "",
        batch: Sequence[Decision] = (),
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.decision = decision
        self.came_back = came_back
        self.ended = ended
        self.suffix = suffix
        self.limit = limit
        self.output = output
        self.batch = batch


class Noted(Exception):  # noqa: N818 (it is what happened, not our error)
    """Something that an author should know, and that no bot is failed for."""

    def __init__(self, text: str, *, decision: Decision, came_back: str) -> None:
        super().__init__(text)
        self.text = text
        self.decision = decision
        self.came_back = came_back


class NotTried(Exception):  # noqa: N818 (it is what happened, not our error)
    """A step cannot be tried; the text says why."""


OBJECTIONS: Final = {
    Objection.WRONG_KIND: "another kind of choice than the question's",
    Objection.NOT_AMONG_CHOICES: "not among the legal choices",
    Objection.REPEATED_CARD: "the same card twice",
    Objection.WRONG_COUNT: "too few or too many cards",
    Objection.WRONG_TRUMP_COUNT: "a wrong number of trumps among the cards",
}
TROUBLES: Final = {
    Trouble.UNREADABLE: "it sent a message that does not parse",
    Trouble.TOO_LARGE: "it sent a message over 64 KiB",
    Trouble.FLOOD: "it sent 1,000 answers to ids that were not open",
    Trouble.SILENT: "it stopped answering",
}


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 decision`, `2 decisions`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
