"""When answers go out: together when none is left, or after 5 ms of choices."""

from __future__ import annotations

import asyncio

import pytest

from referee.sdk import Decision, DiscardDecision
from referee.sdk.stream import answer_all
from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service


class Slow:
    """Plays the lowest card; choice i takes `choice_ms[i]` of a clock of its own, None fails."""

    def __init__(self, choice_ms: list[float | None]) -> None:
        self.choice_ms = iter(choice_ms)
        self.now = 0.0

    def call(self, decision: Decision) -> int:
        return decision.legal[0]

    def trump(self, decision: Decision) -> int:
        return decision.legal[0]

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        return ()

    def play(self, decision: Decision) -> int:
        taken = next(self.choice_ms)
        if taken is None:
            raise LookupError("the bot is at a loss")
        self.now += taken / 1000
        return decision.legal[0]


def ids_sent(choice_ms: list[float | None]) -> list[list[int]]:
    """The decision ids of each message sent; a failing bot's error is swallowed."""
    question = decision_pb2.PlayQuestion(cards=[cards_pb2.CARD_CLUBS_TWO, cards_pb2.CARD_JOKER])
    decisions = [decision_pb2.Decision(id=id, play=question) for id in range(1, len(choice_ms) + 1)]
    bot = Slow(choice_ms)
    sent: list[list[int]] = []

    async def write(request: service.PlayRequest) -> None:
        sent.append([action.decision_id for action in request.actions.actions])

    async def converse() -> None:
        await answer_all(bot, decisions, write, clock=lambda: bot.now)

    if None in choice_ms:
        with pytest.raises(LookupError):
            asyncio.run(converse())
    else:
        asyncio.run(converse())
    return sent


@pytest.mark.parametrize(
    ("choice_ms", "sent"),
    [
        ([], []),
        ([0], [[1]]),
        ([0, 0, 0], [[1, 2, 3]]),
        ([1, 1, 1, 1], [[1, 2, 3, 4]]),
        ([2, 2, 2, 2, 2, 2], [[1, 2, 3], [4, 5, 6]]),
        ([5, 5, 5], [[1], [2], [3]]),
        ([900, 0, 0, 900, 0], [[1], [2, 3, 4], [5]]),
    ],
)
def test_answers_go_out_when_none_is_left_or_after_5_ms(
    choice_ms: list[float | None], sent: list[list[int]]
) -> None:
    assert ids_sent(choice_ms) == sent


def test_an_exception_loses_only_what_was_not_sent_yet() -> None:
    assert ids_sent([0, 0, None, 0]) == []
    assert ids_sent([3, 3, 0, None]) == [[1, 2]]
