"""What a seat can do: four kinds of action, plain values.

An action says nothing about its legality; a question decides that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.engine.cards import CARDS, Bid, Card, Suit

__all__ = ["CALLS", "PLAYS", "TRUMPS", "Action", "Call", "Discard", "NameTrump", "Play"]


@dataclass(frozen=True, slots=True)
class Call:
    """Bid or pass (R16)."""

    bid: Bid


@dataclass(frozen=True, slots=True)
class NameTrump:
    """Name the trump suit, as the bidder (R20)."""

    suit: Suit


@dataclass(frozen=True, slots=True)
class Discard:
    """Put cards away, none included (R21, R22); kept ascending, whatever the order given."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick (R24, R25)."""

    card: Card


Action: TypeAlias = Call | NameTrump | Discard | Play

CALLS: Final = {bid: Call(bid) for bid in Bid}
"""The one call of each bid: actions are values, and making these again costs time."""
TRUMPS: Final = {suit: NameTrump(suit) for suit in Suit}
"""The one naming of each suit."""
PLAYS: Final = {card: Play(card) for card in CARDS}
"""The one play of each card."""
