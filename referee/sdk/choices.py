"""From a decision's message to the bot's choice, and on to the action's message.

Pure: no stream, no clock. Which question a message holds is looked at here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, cast

from referee.sdk.decision import Decision, DiscardDecision

if TYPE_CHECKING:
    from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2, referee_service_pb2, rules_pb2

__all__ = ["Bot", "UnknownQuestionError", "answer"]


class Bot(Protocol):
    """The four choices a bot makes; any object with these methods will do.

    An answer should depend on the decision alone, its random seed included: then a tournament can
    be repeated to the byte.
    """

    def call(self, decision: Decision, /) -> int:
        """Bid or pass: one of `decision.legal`."""

    def trump(self, decision: Decision, /) -> int:
        """Name the suit of trumps: one of `decision.legal`."""

    def discards(self, decision: DiscardDecision, /) -> Iterable[int]:
        """Choose the cards to put away; `DiscardDecision` says which sets are legal."""

    def play(self, decision: Decision, /) -> int:
        """Play a card: one of `decision.legal`."""


class UnknownQuestionError(Exception):
    """The referee asks what this revision of the protocol does not know."""


def answer(
    bot: Bot,
    message: decision_pb2.Decision,
    actions: referee_service_pb2.Actions,
    *,
    rules: rules_pb2.Rules | None = None,
) -> None:
    """Ask the bot one decision and append its action to `actions`.

    Whether the choice is legal is for the referee to say. Raises TypeError for a choice that is no
    number, ValueError for one that cannot be sent, UnknownQuestionError, and whatever the bot
    raises; `actions` is then as it was.
    """
    kind = message.WhichOneof("question")
    if kind == "play":
        choice = bot.play(Decision(message, tuple(message.play.cards), rules=rules))
        number = _number(choice, "play() must return a card")
        actions.actions.add(decision_id=message.id, play=cast("cards_pb2.Card", number))
    elif kind == "call":
        choice = bot.call(Decision(message, tuple(message.call.bids), rules=rules))
        number = _number(choice, "call() must return a bid")
        actions.actions.add(decision_id=message.id, call=cast("cards_pb2.Bid", number))
    elif kind == "trump":
        choice = bot.trump(Decision(message, tuple(message.trump.suits), rules=rules))
        number = _number(choice, "trump() must return a suit")
        actions.actions.add(decision_id=message.id, trump=cast("cards_pb2.Suit", number))
    elif kind == "discard":
        chosen = bot.discards(DiscardDecision(message, rules=rules))
        if not isinstance(chosen, Iterable):
            raise TypeError(f"discards() must return cards, not {chosen!r}")
        cards = [_number(card, "discards() must return cards") for card in chosen]
        actions.actions.add(
            decision_id=message.id, discard={"cards": cast("list[cards_pb2.Card]", cards)}
        )
    else:
        raise UnknownQuestionError(
            f"decision {message.id} asks what revision 1 of the protocol does not know: "
            "install a newer schmier-referee"
        )


def _number(choice: object, duty: str) -> int:
    """Return the choice if it is a number that fits the protocol, else say what was expected."""
    if not isinstance(choice, int) or isinstance(choice, bool):
        raise TypeError(f"{duty}, a number, not {choice!r}")
    if not 0 <= choice < 2**31:
        raise ValueError(f"{duty}, not {choice!r}")
    return choice
