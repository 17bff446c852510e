"""The smallest bot: it bids three if nobody has bid, and otherwise takes the first legal choice."""

from __future__ import annotations

from referee.sdk import Decision, DiscardDecision, run


class FirstLegal:
    """Every choice in one line."""

    def call(self, decision: Decision) -> int:
        return 3 if 3 in decision.legal else decision.legal[0]

    def trump(self, decision: Decision) -> int:
        return decision.legal[0]

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        return next(decision.sets())

    def play(self, decision: Decision) -> int:
        return decision.legal[0]


if __name__ == "__main__":
    run(FirstLegal(), name="first legal", version="1")
