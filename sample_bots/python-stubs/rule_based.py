"""A sensible bot: it counts what its hand is worth, and weighs each card by what it may win.

Nothing is remembered and nothing is random: an answer depends on the decision alone. It counts in
whole numbers, thousandths of a hand point and millionths of a chance, and rounds down after each
step, so that it comes to the same answers as this strategy in the other languages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from schmier.v1.decision_pb2 import Decision
from trumps import CARD_POINTS, CARDS, JOKER, SUITS, TRUMP_ORDERS, TrumpOrder

POINT = 1000
"""One hand point: worths are counted in thousandths."""
CERTAIN = 1_000_000
"""A chance of 1: chances are counted in millionths."""


# What a holding is worth: calls, trumps and discards


def expected_points(holding: Collection[int], suit: int) -> int:
    """Return about how much of the six points a team wins when this seat names the suit.

    In thousandths. The weights were fitted to what this bot won in some thousand hands against
    itself.
    """
    order = TRUMP_ORDERS[suit]
    ace, king, queen, right, left = order.ranking[:5]
    two, joker = order.ranking[-2:]
    weights = {ace: 1600, king: 700, queen: 700, right: 900, left: 900, two: 900, joker: 300}
    return POINT + sum(weights.get(card, 200) for card in holding if card in order.trumps)


def best_trump(holding: Collection[int]) -> int:
    """Return the suit the holding is worth most with, the first of equal ones."""
    return max(SUITS, key=lambda suit: expected_points(holding, suit))


def lowest_first(cards: Iterable[int]) -> list[int]:
    """Return the cards by rank: the first are those to part with."""
    return sorted(cards, key=lambda card: ((card - 1) % 13, card))


# What a card may win: the play


def worth(card: int, order: TrumpOrder) -> int:
    """Return what taking the card is worth, in thousandths of a hand point.

    The bauers and the joker are a point each. The 81 card points decide one more
    together, so a ten is about a third of a point.
    """
    point = POINT if card in (order.right, order.left, JOKER) else 0
    return point + 30 * CARD_POINTS[card]


def kept_worth(card: int, order: TrumpOrder) -> int:
    """Return what the card will bring if it is kept: what it may win, and its hold on the game."""
    if card not in order.trumps:
        return 35 * worth(card, order) // 100
    place = order.ranking.index(card)
    return (65 - 2 * place) * worth(card, order) // 100 + 500 - 30 * place


class Play:
    """One decision to play a card: the trick so far, and which cards may be in which hand."""

    def __init__(self, decision: Decision) -> None:
        hand = decision.hand
        self.order = order = TRUMP_ORDERS[hand.contract.trump]
        self.seat, self.partner = decision.seat, (decision.seat + 3) % 6
        tricks = [(trick.leader, tuple(trick.cards)) for trick in hand.tricks]
        self.leader, self.trick = tricks[-1]
        self.after = [(self.leader + i) % 6 for i in range(len(self.trick) + 1, 6)]
        # A seat that did not follow has none of what was led.
        self.lacks: list[set[int]] = [set() for _ in range(6)]
        for leader, cards in tricks:
            for i, card in enumerate(cards):
                if card not in order.followers[cards[0]]:
                    self.lacks[(leader + i) % 6] |= order.followers[cards[0]]
        # The chance that a certain other seat that can hold an unseen card does hold it. All
        # trumps are in play, for nobody may discard one; of the rest about half.
        seen = {*decision.holding, *decision.own_discards}
        seen.update(card for _, cards in tricks for card in cards)
        self.odds: dict[int, int] = {}
        for unseen in CARDS:
            if unseen not in seen:
                seats = sum(unseen not in lacks for lacks in self.lacks) - 1
                in_play = CERTAIN if unseen in order.trumps else CERTAIN // 2
                self.odds[unseen] = in_play // max(seats, 1)

    def holds_one(self, seat: int, cards: Set[int]) -> int:
        """Return the chance that another seat holds one of the cards; taken in ascending order."""
        held = cards - self.lacks[seat]
        none = CERTAIN
        for card, odds in self.odds.items():
            if card in held:
                none = none * (CERTAIN - odds) // CERTAIN
        return CERTAIN - none

    def beats(self, seat: int, card: int, led: int) -> int:
        """Return the chance that a seat can and may beat the card that is winning."""
        strength = self.order.strength[led]
        better = {other for other in self.odds if strength[other] > strength[card]}
        following = self.order.followers[led]
        chance = self.holds_one(seat, better & following)
        if led not in self.order.trumps:
            free = CERTAIN - self.holds_one(seat, following)
            ruffs = self.holds_one(seat, better & self.order.trumps)
            chance = max(chance, free * ruffs // CERTAIN)
        return chance

    def value(self, card: int) -> int:
        """Return what playing the card is worth, against what it is worth to keep it."""
        cards = (*self.trick, card)
        winner = self.order.winner(self.leader, cards)
        best = cards[(winner - self.leader) % 6]
        chance = CERTAIN
        for seat in self.after:
            if seat != self.partner:
                chance = chance * (CERTAIN - self.beats(seat, best, cards[0])) // CERTAIN
        if winner not in (self.seat, self.partner):
            helped = self.beats(self.partner, best, cards[0]) if self.partner in self.after else 0
            chance = chance * helped // CERTAIN
        stake = sum(worth(other, self.order) for other in cards)
        return chance * stake // CERTAIN - kept_worth(card, self.order)


class RuleBased:
    """The four choices."""

    def call(self, decision: Decision) -> int:
        the_pass, lowest_bid, *_ = decision.call.bids
        points = expected_points(decision.holding, best_trump(decision.holding))
        return lowest_bid if points >= lowest_bid * POINT else the_pass

    def trump(self, decision: Decision) -> int:
        return best_trump(decision.holding)

    def discards(self, decision: Decision) -> list[int]:
        question = decision.discard
        side = lowest_first(question.side_cards)[: question.max_count - question.trump_count]
        return side + lowest_first(question.trump_cards)[: question.trump_count]

    def play(self, decision: Decision) -> int:
        return max(decision.play.cards, key=Play(decision).value)
