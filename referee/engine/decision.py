"""Hidden cards are removed here: a decision holds what the seat to act may know, and no more.

Whoever asks a seat does it with a `Decision`, and with nothing else. Changing only cards hidden
from the seat does not change it, and it needs no memory of earlier ones.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.engine.cards import Card
from referee.engine.hand import Hand
from referee.engine.public import PublicHand
from referee.engine.questions import Question

__all__ = ["Decision", "decision_of"]


class Decision(NamedTuple):
    """The question put to a seat, with all the seat may know.

    `public` is live: it grows with the hand, and the decision is the seat's view of it only while
    it is open. `holding` and `discards` (of this hand) are the seat's own, ascending.
    `random_seed` is 1..2**31-1, the same at the same place in every replay of the board.
    """

    seat: int
    public: PublicHand
    holding: tuple[Card, ...]
    discards: tuple[Card, ...]
    question: Question
    random_seed: int


def decision_of(hand: Hand, random_seed: int) -> Decision:
    """Return the decision of the seat to act; RuntimeError if the hand is over."""
    question, seat = hand.question(), hand.seat
    assert seat is not None
    holding, discards = hand.holding(seat), hand.discards(seat)
    return Decision(seat, hand.public, holding, discards, question, random_seed)
