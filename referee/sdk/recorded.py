"""Recorded decisions, for trying a bot without a referee."""

from __future__ import annotations

from collections.abc import Mapping

from referee.sdk.decision import Decision, DiscardDecision
from referee.wire.recorded import recorded_decision

__all__ = ["read_decision"]


def read_decision(fields: Mapping[str, object]) -> Decision:
    """Return a decision from its JSON, the `decision` of a line of the recorded ones.

    `decision.message.WhichOneof("question")` says which of the four methods it is for; one for
    `discards` is a DiscardDecision. Raises ValueError for what is none, or asks nothing.
    """
    message = recorded_decision(fields)
    match message.WhichOneof("question"):
        case "play":
            return Decision(message, tuple(message.play.cards))
        case "call":
            return Decision(message, tuple(message.call.bids))
        case "trump":
            return Decision(message, tuple(message.trump.suits))
        case "discard":
            return DiscardDecision(message)
        case _:
            raise ValueError("a decision that asks nothing")
