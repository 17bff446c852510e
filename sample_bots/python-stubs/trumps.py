"""What a trump suit makes of the cards: who is a trump, who follows what, which card beats which.

Cards are numbers: 1 to 13 the clubs from two to ace, then diamonds, hearts and spades; the joker is
53. The jack of the trump suit is the right bauer and the other jack of its colour the left: both
are trumps. Trumps rank ace, king, queen, right bauer, left bauer, ten to two, joker.
"""

from __future__ import annotations

from collections.abc import Sequence

JOKER = 53
CARDS = range(1, 54)
SUITS = range(1, 5)
CARD_POINTS = [0] + [0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4] * 4 + [1]
"""What each card counts for game: A 4, K 3, Q 2, J 1, ten 10, joker 1."""


class TrumpOrder:
    """The cards under one trump suit.

    `ranking` holds the 15 trumps, highest first; `followers[led]` the cards that follow a led card,
    and `strength[led][card]` what a card is worth in its trick, 0 if it cannot win.
    """

    def __init__(self, suit: int) -> None:
        two, jack = 13 * suit - 12, 13 * suit - 3
        self.right, self.left = jack, 13 * (5 - suit) - 3  # clubs and spades are of one colour
        low = range(jack - 1, two - 1, -1)
        self.ranking = (*range(jack + 3, jack, -1), self.right, self.left, *low, JOKER)
        self.trumps = frozenset(self.ranking)
        suits = [self.trumps]
        suits += [frozenset(range(13 * n - 12, 13 * n + 1)) - self.trumps for n in SUITS]
        self.followers: dict[int, frozenset[int]] = {}
        self.strength: dict[int, dict[int, int]] = {}
        for cards in suits:
            row = self._strengths(cards)
            self.followers.update(dict.fromkeys(cards, cards))
            self.strength.update(dict.fromkeys(cards, row))

    def _strengths(self, led_suit: frozenset[int]) -> dict[int, int]:
        """Trumps beat all, cards of a led side suit the rest, which can win nothing."""
        row = dict.fromkeys(CARDS, 0)
        row.update({card: 1 + (card - 1) % 13 for card in led_suit})
        row.update({card: 14 + place for place, card in enumerate(reversed(self.ranking))})
        return row

    def winner(self, leader: int, cards: Sequence[int]) -> int:
        """Return the seat that wins the cards, played clockwise from the leader."""
        strength = self.strength[cards[0]]
        values = [strength[card] for card in cards]
        return (leader + values.index(max(values))) % 6


TRUMP_ORDERS = {suit: TrumpOrder(suit) for suit in SUITS}
"""The order of each trump suit."""
