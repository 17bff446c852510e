"""What a Python bot imports: four choices in, the conversation with the referee done for you.

    from referee.sdk import run

    class FirstLegal:
        def call(self, decision): return decision.legal[0]
        def trump(self, decision): return decision.legal[0]
        def discards(self, decision): return next(decision.sets())
        def play(self, decision): return decision.legal[0]

    run(FirstLegal(), name="first legal")

Names of the game (cards, bids, suits, what a trump suit makes of the cards) are those of
`referee.engine`, loaded when they are first used: a bot that does not need them starts sooner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.sdk.running import DEFAULT_MAX_BATCH, run

if TYPE_CHECKING:
    from referee.engine import (
        CARD_POINTS,
        TRUMP_ORDERS,
        Bid,
        Suit,
        TrumpOrder,
        bid_text,
        card_text,
        parse_card,
        suit_text,
        team_of,
    )
    from referee.sdk.choices import Bot, UnknownQuestionError, answer
    from referee.sdk.decision import Decision, DiscardDecision, PublicHand, Trick
    from referee.sdk.recorded import read_decision

__all__ = [
    "CARD_POINTS",
    "DEFAULT_MAX_BATCH",
    "TRUMP_ORDERS",
    "Bid",
    "Bot",
    "Decision",
    "DiscardDecision",
    "PublicHand",
    "Suit",
    "Trick",
    "TrumpOrder",
    "UnknownQuestionError",
    "answer",
    "bid_text",
    "card_text",
    "parse_card",
    "read_decision",
    "run",
    "suit_text",
    "team_of",
]

_HOMES = {
    "referee.sdk.choices": {"Bot", "UnknownQuestionError", "answer"},
    "referee.sdk.decision": {"Decision", "DiscardDecision", "PublicHand", "Trick"},
    "referee.sdk.recorded": {"read_decision"},
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = next((home for home, names in _HOMES.items() if name in names), "referee.engine")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value
