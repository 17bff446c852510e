"""What the referee says besides decisions: welcome, game ended, goodbye.

These are rare, so they are built as protobuf messages, and nothing is kept.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from referee.engine import Ending, FinalTie, GameTie, LowPoint, Outcome, RedealWhen, Rules
from referee.wire.pb.schmier.v1 import referee_service_pb2 as pb
from referee.wire.pb.schmier.v1 import rules_pb2
from referee.wire.requests import MAX_MESSAGE_BYTES

__all__ = [
    "MAX_IGNORED_ACTIONS",
    "REVISION",
    "GoodbyeReason",
    "game_ended",
    "goodbye",
    "welcome",
]

REVISION: Final = 1
"""The revision of the protocol this referee speaks."""
MAX_IGNORED_ACTIONS: Final = 1000
"""So many actions for ids that are not open replace the process."""


class GoodbyeReason(IntEnum):
    """Why a stream ends; the numbers are those of the wire."""

    SITTING_OVER = 1
    RUN_OVER = 2
    REFUSED = 3
    REPLACED = 4


_LOW_POINT: Final = {
    LowPoint.PLAYER: rules_pb2.LOW_POINT_PLAYER,
    LowPoint.TAKER: rules_pb2.LOW_POINT_TAKER,
}
_REDEAL_WHEN: Final = {
    RedealWhen.ALL_SIX_PASS: rules_pb2.REDEAL_WHEN_ALL_SIX_PASS,
    RedealWhen.FIVE_NONDEALERS_PASS: rules_pb2.REDEAL_WHEN_FIVE_NONDEALERS_PASS,
}
_GAME_TIE: Final = {
    GameTie.NONE: rules_pb2.GAME_TIE_NONE,
    GameTie.BIDDER: rules_pb2.GAME_TIE_BIDDER,
    GameTie.ALL_TIED: rules_pb2.GAME_TIE_ALL_TIED,
}
_FINAL_TIE: Final = {
    FinalTie.PLAY_ON: rules_pb2.FINAL_TIE_PLAY_ON,
    FinalTie.BIDDING_TEAM: rules_pb2.FINAL_TIE_BIDDING_TEAM,
    FinalTie.SHARED: rules_pb2.FINAL_TIE_SHARED,
    FinalTie.SEAT_ORDER: rules_pb2.FINAL_TIE_SEAT_ORDER,
}
_ENDING: Final = {
    Ending.TARGET: pb.GAME_ENDED_REASON_TARGET_SCORE,
    Ending.MAX_HANDS: pb.GAME_ENDED_REASON_MAX_HANDS,
    Ending.FORFEIT: pb.GAME_ENDED_REASON_FORFEIT,
}


def welcome(
    *,
    name: str,
    rules: Rules,
    decision_ms: int,
    stop_ms: int,
    faults_per_game: int,
    max_batch: int,
) -> bytes:
    """Return the answer to an accepted hello.

    `name` is the bot's own in the configuration, `max_batch` what its hello asked for.
    """
    message = pb.Welcome(
        name=name,
        rules=_rules(rules),
        limits=rules_pb2.Limits(
            decision_ms=decision_ms,
            stop_ms=stop_ms,
            faults_per_game=faults_per_game,
            max_message_bytes=MAX_MESSAGE_BYTES,
            max_ignored_actions=MAX_IGNORED_ACTIONS,
            max_batch=max_batch,
        ),
        revision=pb.REVISION_ONE,
    )
    return pb.PlayResponse(welcome=message).SerializeToString()


def game_ended(*, table: str, seat: int, outcome: Outcome) -> bytes:
    """Return the notice that a game is over, for the bot that sat at `seat`."""
    message = pb.GameEnded(
        table=table,
        seat=seat,
        scores=outcome.scores,
        winners=[team for team, sixths in enumerate(outcome.sixths) if sixths],
        teams_out=sorted(outcome.out),
        hands=outcome.hands,
        reason=_ENDING[outcome.ending],
    )
    return pb.PlayResponse(game_ended=message).SerializeToString()


def goodbye(reason: GoodbyeReason, text: str) -> bytes:
    """Return the last message of a stream; `text` is for a human reader."""
    message = pb.Goodbye(reason=pb.GoodbyeReason.Name(reason), text=text)
    return pb.PlayResponse(goodbye=message).SerializeToString()


def _rules(rules: Rules) -> rules_pb2.Rules:
    return rules_pb2.Rules(
        low_point=_LOW_POINT[rules.low_point],
        redeal_when=_REDEAL_WHEN[rules.redeal_when],
        game_tie=_GAME_TIE[rules.game_tie],
        set_keeps_points=rules.set_keeps_points,
        final_tie=_FINAL_TIE[rules.final_tie],
        target_score=rules.target_score,
        max_hands=rules.max_hands,
        max_consecutive_redeals=rules.max_consecutive_redeals,
    )
