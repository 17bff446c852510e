"""A sensible bot: it counts what its hand is worth, and weighs each card by what it may win.

    rule_based.py [--boldness POINTS]

Boldness is added to the points it expects before it compares them with a bid: 1 bids one higher
than a sober player, -1 one lower. Two settings of it make a partnership of two different bots.

Nothing is remembered and nothing is random: an answer depends on the decision alone. The thinking
is in plain functions of cards and seats, so that it can be tried without a referee. It counts in
whole numbers, thousandths of a hand point and millionths of a chance, and rounds down after each
step: the samples of the other languages play the same strategy, and come to the same answers.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Set

from referee.sdk import CARD_POINTS, TRUMP_ORDERS, Decision, DiscardDecision, Suit, TrumpOrder, run

JOKER = 53
POINT = 1000
"""One hand point: worths are counted in thousandths."""
CERTAIN = 1_000_000
"""A chance of 1: chances are counted in millionths."""


# What a holding is worth: calls, trumps and discards


def expected_points(holding: Collection[int], suit: Suit) -> int:
    """Return about how much of the six points a team wins when this seat names the suit.

    In thousandths. The weights were fitted to what this bot won in some thousand hands against
    itself.
    """
    order = TRUMP_ORDERS[suit]
    ace, king, queen = order.ranking[:3]
    weights = {ace: 1600, king: 700, queen: 700, order.right: 900, order.left: 900}
    weights |= {order.two: 900, JOKER: 300}
    return POINT + sum(weights.get(card, 200) for card in holding if card in order.trumps)


def best_trump(holding: Collection[int]) -> Suit:
    """Return the suit the holding is worth most with, the first of equal ones."""
    return max(Suit, key=lambda suit: expected_points(holding, suit))


def lowest_first(cards: Collection[int]) -> list[int]:
    """Return the cards by rank: the first are those to part with."""
    return sorted(cards, key=lambda card: ((card - 1) % 13, card))


# What a card may win: the play


def worth(card: int, order: TrumpOrder) -> int:
    """Return what taking the card is worth, in thousandths of a hand point.

    The bauers and the joker are a point each (R11, R12). The 81 card points decide one more
    together (R13), so a ten is about a third of a point.
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
        assert hand.trump is not None
        self.order = order = TRUMP_ORDERS[Suit(hand.trump)]
        self.seat, self.partner = decision.seat, decision.partner
        self.leader, self.trick = hand.tricks[-1]
        self.after = [(self.leader + i) % 6 for i in range(len(self.trick) + 1, 6)]
        # A seat that did not follow has none of what was led.
        self.lacks: list[set[int]] = [set() for _ in range(6)]
        for leader, cards in hand.tricks:
            for i, card in enumerate(cards):
                if card not in order.followers[cards[0]]:
                    self.lacks[(leader + i) % 6] |= order.followers[cards[0]]
        # The chance that a certain other seat that can hold an unseen card does hold it. All
        # trumps are in play, for nobody may discard one (R21, R23); of the rest about half.
        seen = {*decision.holding, *decision.own_discards}
        seen.update(card for _, cards in hand.tricks for card in cards)
        self.odds: dict[int, int] = {}
        for card in range(1, 54):
            if card not in seen:
                seats = sum(card not in lacks for lacks in self.lacks) - 1
                in_play = CERTAIN if card in order.trumps else CERTAIN // 2
                self.odds[card] = in_play // max(seats, 1)

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
    """The four choices; `boldness` is in points."""

    def __init__(self, boldness: float = 0.0) -> None:
        self.boldness = round(boldness * POINT)

    def call(self, decision: Decision) -> int:
        the_pass, *bids = decision.legal
        suit = best_trump(decision.holding)
        points = expected_points(decision.holding, suit) + self.boldness
        return bids[0] if points >= bids[0] * POINT else the_pass

    def trump(self, decision: Decision) -> int:
        return best_trump(decision.holding)

    def discards(self, decision: DiscardDecision) -> list[int]:
        side = lowest_first(decision.side_cards)[: decision.max_count - decision.trump_count]
        return side + lowest_first(decision.trump_cards)[: decision.trump_count]

    def play(self, decision: Decision) -> int:
        play = Play(decision)
        return max(decision.legal, key=play.value)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A sensible bot.")
    parser.add_argument("--boldness", type=float, default=0.0, metavar="POINTS")
    boldness = parser.parse_args().boldness
    run(RuleBased(boldness), name=f"rule based {boldness:+g}", version="1")
