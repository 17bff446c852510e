"""The same games without processes: what the floors below the streams cost, one put on the other.

Each figure is microseconds of processor time an asked decision, forced ones included in it as the
table plays them by itself. The choices are those of the benchmark's bots.
"""

from __future__ import annotations

from time import process_time
from typing import NamedTuple

from referee.engine import (
    CALLS,
    PLAYS,
    TRUMPS,
    Action,
    Bid,
    BoardSeeds,
    CallQuestion,
    Discard,
    PlayQuestion,
    Question,
    Rules,
    TrumpQuestion,
)
from referee.sdk import Decision, DiscardDecision, answer
from referee.table import Table
from referee.wire import DecisionEncoder, decisions_message, read_request
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

__all__ = ["OnWire", "on_wire", "table_us"]

_RULES = Rules()


class OnWire(NamedTuple):
    """Microseconds a decision on either side of the wire: table and codec, parser and bot."""

    referee_us: float
    bot_us: float


def table_us(games: int) -> float:
    """The table alone, the opening of the games included."""
    started, decisions = process_time(), 0
    for number in range(games):
        table = _open_table(number)
        while (decision := table.decision) is not None:
            table.answer(_first_legal(decision.question))
            decisions += 1
    return (process_time() - started) / decisions * 1e6


def on_wire(games: int, *, batch: int) -> OnWire:
    """Play `batch` tables in step through both codecs, in one process and without a stream."""
    bot = _FirstLegal()
    referee_s = bot_s = 0.0
    decisions = 0
    for first in range(0, games, batch):
        opening = process_time()
        tables = [_open_table(number) for number in range(first, min(games, first + batch))]
        encoders = [DecisionEncoder() for _ in tables]
        referee_s += process_time() - opening
        while True:
            asking = process_time()
            asked = [
                (table, encoder, decision)
                for table, encoder in zip(tables, encoders, strict=True)
                if (decision := table.decision) is not None
            ]
            if not asked:
                break
            message = decisions_message(
                [
                    encoder.encode(decision, id=number, table=_TEXT, limit_ms=1000)
                    for number, (_, encoder, decision) in enumerate(asked, start=1)
                ]
            )
            thinking = process_time()
            request = service.PlayRequest()
            for put in service.PlayResponse.FromString(message).decisions.decisions:
                answer(bot, put, request.actions)
            data = request.SerializeToString()
            hearing = process_time()
            answers = read_request(data)
            assert isinstance(answers, list)
            for (table, _, _), given in zip(asked, answers, strict=True):
                assert given.action is not None
                table.answer(given.action)
            decisions += len(asked)
            referee_s += process_time() - hearing + thinking - asking
            bot_s += hearing - thinking
    return OnWire(referee_s / decisions * 1e6, bot_s / decisions * 1e6)


_TEXT = "0123456789abcdef" * 2


def _open_table(number: int) -> Table:
    seeds = BoardSeeds(number.to_bytes(32), number.to_bytes(32, "little"))
    return Table(rules=_RULES, seeds=seeds, first_dealer=number % 6, faults_per_game=3)


def _first_legal(question: Question) -> Action:
    """Three if nobody has bid, else the first legal choice."""
    match question:
        case PlayQuestion(cards):
            return PLAYS[cards[0]]
        case CallQuestion(bids):
            return CALLS[Bid.THREE if Bid.THREE in bids else bids[0]]
        case TrumpQuestion(suits):
            return TRUMPS[suits[0]]
    trumps = question.trump_cards[: question.trump_count]
    sides = [card for card in question.cards if card not in question.trump_cards]
    return Discard((*sides[: question.min_count - question.trump_count], *trumps))


class _FirstLegal:
    """The same choices as a bot of the SDK."""

    def call(self, decision: Decision) -> int:
        return 3 if 3 in decision.legal else decision.legal[0]

    def trump(self, decision: Decision) -> int:
        return decision.legal[0]

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        return next(decision.sets())

    def play(self, decision: Decision) -> int:
        return decision.legal[0]
