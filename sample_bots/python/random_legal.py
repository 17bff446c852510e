"""A bot that chooses at random, but calls with care.

All its randomness comes from `decision.rng`, so the same decision always gets the same answer. It
passes three calls in four and bids no more than it must: six bots that bid anything at random are
set hand after hand, sink below zero and hardly ever finish a game.
"""

from __future__ import annotations

from referee.sdk import Decision, DiscardDecision, run


class RandomLegal:
    """Random choices, the same for the same decision."""

    def call(self, decision: Decision) -> int:
        the_pass, lowest_bid, *_ = decision.legal
        return lowest_bid if decision.rng.random() < 0.25 else the_pass

    def trump(self, decision: Decision) -> int:
        return decision.rng.choice(decision.legal)

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        return decision.draw()

    def play(self, decision: Decision) -> int:
        return decision.rng.choice(decision.legal)


if __name__ == "__main__":
    run(RandomLegal(), name="random legal", version="1")
