"""Everything that decides whether an action is legal is here.

A question holds the legal choices of one decision. `only()` is the one legal action if there is
exactly one. `objection(action)` is None exactly for the legal actions. The hand builds questions
from the rules; nothing else in the house judges an action.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from referee.engine.actions import CALLS, PLAYS, TRUMPS, Action, Call, Discard, NameTrump, Play
from referee.engine.cards import Bid, Card, Suit

__all__ = [
    "CallQuestion",
    "DiscardQuestion",
    "IllegalAction",
    "Objection",
    "PlayQuestion",
    "Question",
    "TrumpQuestion",
]


class Objection(StrEnum):
    """Why an action is not legal."""

    WRONG_KIND = "wrong_kind"
    """Another kind of action than the question asks for."""
    NOT_AMONG_CHOICES = "not_among_choices"
    """A bid, suit or card that may not be chosen."""
    REPEATED_CARD = "repeated_card"
    """The same card discarded twice."""
    WRONG_COUNT = "wrong_count"
    """Too few or too many cards discarded."""
    WRONG_TRUMP_COUNT = "wrong_trump_count"
    """As many cards as must go, but too few or too many trumps among them."""


class IllegalAction(ValueError):  # noqa: N818 (it is what happened, as a bot's conduct)
    """An action that the open question does not allow; the state is as it was before."""

    def __init__(self, objection: Objection) -> None:
        super().__init__(objection.value)
        self.objection = objection


@dataclass(frozen=True, slots=True)
class CallQuestion:
    """Which call? `bids` are the legal ones, ascending, a pass first (R16, R17)."""

    bids: tuple[Bid, ...]

    def only(self) -> Call | None:
        """Return the one legal call: the dealer's forced bid (A20), else None."""
        return CALLS[self.bids[0]] if len(self.bids) == 1 else None

    def objection(self, action: Action) -> Objection | None:
        """Return why the action is not legal, None if it is."""
        if not isinstance(action, Call):
            return Objection.WRONG_KIND
        return None if action.bid in self.bids else Objection.NOT_AMONG_CHOICES


@dataclass(frozen=True, slots=True)
class TrumpQuestion:
    """Which suit is trump? Any, held or not (R20, A19)."""

    suits: tuple[Suit, ...]

    def only(self) -> NameTrump | None:
        """Return the one legal naming if there is only one suit, else None."""
        return TRUMPS[self.suits[0]] if len(self.suits) == 1 else None

    def objection(self, action: Action) -> Objection | None:
        """Return why the action is not legal, None if it is."""
        if not isinstance(action, NameTrump):
            return Objection.WRONG_KIND
        return None if action.suit in self.suits else Objection.NOT_AMONG_CHOICES


@dataclass(frozen=True, slots=True)
class DiscardQuestion:
    """Which cards go? From `min_count` to `max_count` of `cards`, `trump_count` of them trumps.

    `cards` are all that may go, ascending; `trump_cards` are those of them that are trumps.
    A non-dealer has no trumps among them (R21). The dealer has only when he holds more than six
    trumps: then the excess must go, after all his other cards (R22, R23, A7).
    """

    cards: tuple[Card, ...]
    trump_cards: tuple[Card, ...]
    min_count: int
    max_count: int
    trump_count: int

    def only(self) -> Discard | None:
        """Return the one legal discard if there is exactly one, else None."""
        if self.max_count == 0:
            return Discard(())
        if self.min_count == len(self.cards):
            return Discard(self.cards)
        return None

    def objection(self, action: Action) -> Objection | None:
        """Return why the action is not legal, None if it is."""
        if not isinstance(action, Discard):
            return Objection.WRONG_KIND
        chosen = set(action.cards)
        if not chosen.issubset(self.cards):
            return Objection.NOT_AMONG_CHOICES
        if len(chosen) != len(action.cards):
            return Objection.REPEATED_CARD
        if not self.min_count <= len(chosen) <= self.max_count:
            return Objection.WRONG_COUNT
        if len(chosen.intersection(self.trump_cards)) != self.trump_count:
            return Objection.WRONG_TRUMP_COUNT
        return None


@dataclass(frozen=True, slots=True)
class PlayQuestion:
    """Which card? `cards` are the legal ones, ascending (R25, A10)."""

    cards: tuple[Card, ...]

    def only(self) -> Play | None:
        """Return the one legal play if there is exactly one, else None."""
        return PLAYS[self.cards[0]] if len(self.cards) == 1 else None

    def objection(self, action: Action) -> Objection | None:
        """Return why the action is not legal, None if it is."""
        if not isinstance(action, Play):
            return Objection.WRONG_KIND
        return None if action.card in self.cards else Objection.NOT_AMONG_CHOICES


Question: TypeAlias = CallQuestion | TrumpQuestion | DiscardQuestion | PlayQuestion
