"""What may be discarded, and what must be: the exchange and the dealer's pick-up (R21-R23)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.engine.cards import Card
from referee.engine.questions import DiscardQuestion
from referee.engine.trumps import TrumpOrder

__all__ = ["dealer_discards", "exchange_discards"]

_MAX_DISCARDS: Final = 3
_HOLDING: Final = 6


def exchange_discards(order: TrumpOrder, holding: Sequence[Card]) -> DiscardQuestion:
    """Return what a non-dealer may discard: up to three cards, no trumps (R21)."""
    cards = tuple([card for card in holding if card not in order.trumps])
    return DiscardQuestion(
        cards=cards,
        trump_cards=(),
        min_count=0,
        max_count=min(_MAX_DISCARDS, len(cards)),
        trump_count=0,
    )


def dealer_discards(order: TrumpOrder, holding: Sequence[Card]) -> DiscardQuestion:
    """Return what the dealer must discard: down to six cards, trumps only in excess of six.

    With more than six trumps all other cards go, and as many unprotected trumps as exceed six
    (R22, R23, A7).
    """
    count = len(holding) - _HOLDING
    excess = len([card for card in holding if card in order.trumps]) - _HOLDING
    kept = order.protected if excess > 0 else order.trumps
    cards = tuple([card for card in holding if card not in kept])
    return DiscardQuestion(
        cards=cards,
        trump_cards=tuple([card for card in cards if card in order.trumps]),
        min_count=count,
        max_count=count,
        trump_count=max(0, excess),
    )
