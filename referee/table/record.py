"""What a game can be recomputed from, and nothing else: no time, no path, no host, no deck.

The decks follow from the board's seeds, so a record holds only the first dealer, the teams out
before the first hand, what was done, the faults and the outcome. Equal games have equal records,
and equal records have equal bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.engine import Outcome
from referee.errors import RefereeError
from referee.table.faults import Fault

__all__ = ["Difference", "GameRecord", "RecordError"]


class Difference(StrEnum):
    """In what a record is not what it should be."""

    UNREADABLE = "unreadable"
    """It is torn, changed, or no record at all."""
    FIRST_DEALER = "first dealer"
    """The board says another first dealer."""
    OUT = "teams out"
    """Other teams were out before the first hand."""
    ILLEGAL_ACTION = "illegal action"
    """An action that the open question does not allow."""
    OTHER_ACTION = "other action"
    """Not the action the referee itself plays here: forced, or a substitute."""
    MISSING_ACTION = "missing action"
    """The record, or a deal of it, ends where an action is due."""
    UNEXPECTED_ACTION = "unexpected action"
    """An action or a deal where none is due."""
    FAULT = "fault"
    """A fault where nobody was asked, or not as its consequences say."""
    OUTCOME = "outcome"
    """Other scores, sixths, margins, hands, ending or teams out."""


class RecordError(RefereeError):
    """The first difference between a record and the game it claims to be, on one line."""

    def __init__(
        self, difference: Difference, detail: str, *, action_index: int | None = None
    ) -> None:
        self.difference, self.detail, self.action_index = difference, detail, action_index
        place = "" if action_index is None else f" at action {action_index}"
        super().__init__(f"{difference}{place}: {detail}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A finished game.

    `out` are the teams that were out before the first hand; the outcome's are those at the end.
    `actions` are all actions of all deals, forced and substitute ones included, as written by
    `actions`. `faults` are in the order of their actions.
    """

    first_dealer: int
    out: frozenset[int]
    actions: bytes
    faults: tuple[Fault, ...]
    outcome: Outcome
