"""The question put to a seat, with all the seat may know; it needs no memory of earlier ones.

Hidden cards are removed by the engine's seat view, from which alone a decision is made.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.engine import Card, PublicHand, Question

__all__ = ["Decision"]


class Decision(NamedTuple):
    """An open decision of one table.

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
