"""What a trump suit makes of the cards: who is a trump, who follows what, who wins a trick.

The four orders are computed once, at import. Tables are indexed by card number, so that a hand
looks up instead of reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.engine.cards import CARDS, JOKER, RANKS, Card, Suit, card_of, printed_suit

__all__ = ["SAME_COLOUR", "TRUMP_ORDERS", "TrumpOrder"]

SAME_COLOUR: Final = {
    Suit.CLUBS: Suit.SPADES,
    Suit.SPADES: Suit.CLUBS,
    Suit.DIAMONDS: Suit.HEARTS,
    Suit.HEARTS: Suit.DIAMONDS,
}
"""The other suit of a suit's colour: the left bauer's printed suit (R6)."""


@dataclass(frozen=True, slots=True)
class TrumpOrder:
    """The cards under one trump suit.

    `ranking`: the 15 trumps, highest first (R5). `plain`: the same without the joker, as a set.
    `protected`: ace, right, left, 2 and joker, which nobody may discard (R23).
    `followers[led]`: the led card's suit, bauers and joker counted as trumps (R6, R25).
    `strength[led][card]`: what a card is worth in a trick led with `led`, 0 if it cannot win (R26).
    """

    suit: Suit
    right: Card
    left: Card
    ace: Card
    two: Card
    ranking: tuple[Card, ...]
    trumps: frozenset[Card]
    plain: frozenset[Card]
    protected: frozenset[Card]
    followers: tuple[frozenset[Card], ...]
    strength: tuple[tuple[int, ...], ...]

    def legal_cards(self, holding: Sequence[Card], led: Card | None) -> tuple[Card, ...]:
        """Return what may be played, in the holding's order: follow if able, else anything (R25).

        `led` is None for the seat that leads, who may play any card (A10).
        """
        if led is None:
            return tuple(holding)
        suit = self.followers[led]
        return tuple([card for card in holding if card in suit] or holding)

    def winner(self, leader: int, cards: Sequence[Card]) -> int:
        """Return the seat that wins six cards played clockwise from the leader (R26)."""
        strength = self.strength[cards[0]]
        values = [strength[card] for card in cards]
        return (leader + values.index(max(values))) % 6


def _order(suit: Suit) -> TrumpOrder:
    right, left = card_of(suit, "J"), card_of(SAME_COLOUR[suit], "J")
    high, low = [card_of(suit, rank) for rank in "AKQ"], [card_of(suit, r) for r in "T98765432"]
    ranking = (*high, right, left, *low, JOKER)
    trumps = frozenset(ranking)
    suits = {
        other: frozenset(c for c in CARDS if printed_suit(c) is other) - trumps
        for other in Suit
        if other is not suit
    }
    followers: list[frozenset[Card]] = [frozenset()]
    strength: list[tuple[int, ...]] = [()]
    rows = {cards: _strengths(ranking, cards) for cards in (trumps, *suits.values())}
    for led in CARDS:
        printed = printed_suit(led)
        cards = trumps if led in trumps or printed is None else suits[printed]
        followers.append(cards)
        strength.append(rows[cards])
    return TrumpOrder(
        suit=suit,
        right=right,
        left=left,
        ace=high[0],
        two=low[-1],
        ranking=ranking,
        trumps=trumps,
        plain=trumps - {JOKER},
        protected=frozenset({high[0], right, left, low[-1], JOKER}),
        followers=tuple(followers),
        strength=tuple(strength),
    )


def _strengths(ranking: tuple[Card, ...], led_suit: frozenset[Card]) -> tuple[int, ...]:
    """Trumps 14..28 from the joker up, cards of a led side suit 1..13 by rank, others 0 (R7)."""
    values = [0] * 54
    for card in led_suit:
        values[card] = 1 + (card - 1) % len(RANKS)
    for place, card in enumerate(reversed(ranking)):
        values[card] = 1 + len(RANKS) + place
    return tuple(values)


TRUMP_ORDERS: Final = {suit: _order(suit) for suit in Suit}
"""The order of each trump suit."""
