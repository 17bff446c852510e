"""A bot that chooses at random, but calls with care.

All its randomness comes from the decision's random seed, so the same decision always gets the same
answer. It passes three calls in four and bids no more than it must: six bots that bid anything at
random are set hand after hand and hardly ever finish a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from schmier.v1.decision_pb2 import Decision


class RandomLegal:
    """Random choices, the same for the same decision."""

    def call(self, decision: Decision) -> int:
        the_pass, lowest_bid, *_ = decision.call.bids
        return lowest_bid if Random(decision.random_seed).random() < 0.25 else the_pass

    def trump(self, decision: Decision) -> int:
        return Random(decision.random_seed).choice(decision.trump.suits)

    def discards(self, decision: Decision) -> Sequence[int]:
        question, random = decision.discard, Random(decision.random_seed)
        count = random.randint(question.min_count, question.max_count)
        side = random.sample(question.side_cards, count - question.trump_count)
        return side + random.sample(question.trump_cards, question.trump_count)

    def play(self, decision: Decision) -> int:
        return Random(decision.random_seed).choice(decision.play.cards)
