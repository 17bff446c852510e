"""What everybody at the table may see of a hand, and nothing else.

A `PublicHand` only grows: lists are appended to, None becomes a value once, and `out` gains teams.
No card that was not played is ever in it, so whoever holds one cannot leak a hidden card.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.engine.cards import Bid, Card, Suit

__all__ = ["PublicHand", "Trick"]


@dataclass(slots=True)
class Trick:
    """The cards of one trick, clockwise from the seat that led; six when it is complete."""

    leader: int
    cards: list[Card]


@dataclass(slots=True, kw_only=True)
class PublicHand:
    """The public side of one deal.

    `number`: hands before this one in the game; `redeal`: deals thrown in before this one.
    `scores`: the teams' scores before the hand; `out`: teams that have forfeited.
    `calls` and `discard_counts` run clockwise from the dealer's left, the dealer last.
    `bidder` and `bid` are None while the auction runs, `trump` until it is named.
    `tricks` begins a new trick with its first card: none in it is ever empty.
    """

    number: int
    redeal: int
    dealer: int
    scores: tuple[int, int, int]
    out: frozenset[int]
    max_hands: int
    calls: list[Bid] = field(default_factory=list)
    bidder: int | None = None
    bid: Bid | None = None
    trump: Suit | None = None
    discard_counts: list[int] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
