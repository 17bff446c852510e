"""Hidden cards are removed here: what the seat to act may see of a hand.

Whoever asks a seat builds the question from a `SeatView`, and from nothing else. Changing only
cards hidden from the seat does not change its view.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.engine.cards import Card
from referee.engine.hand import Hand
from referee.engine.public import PublicHand
from referee.engine.questions import Question

__all__ = ["SeatView", "seat_view"]


class SeatView(NamedTuple):
    """All that a seat may know when it is asked; `public` is live, it goes on growing."""

    seat: int
    public: PublicHand
    holding: tuple[Card, ...]
    discards: tuple[Card, ...]
    question: Question


def seat_view(hand: Hand) -> SeatView:
    """Return the view of the seat to act; RuntimeError if the hand is over."""
    question, seat = hand.question(), hand.seat
    assert seat is not None
    return SeatView(seat, hand.public, hand.holding(seat), hand.discards(seat), question)
