"""A bot for the tests of `run`: first legal, or what its first argument says."""

from __future__ import annotations

import sys

from referee.sdk import Decision, DiscardDecision, run
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

MODE = sys.argv[1] if len(sys.argv) > 1 else "plain"


class UnderTest:
    def call(self, decision: Decision) -> int:
        return 3 if 3 in decision.legal else decision.legal[0]

    def trump(self, decision: Decision) -> int:
        return decision.legal[0]

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        return next(decision.sets())

    def play(self, decision: Decision) -> int:
        if MODE == "raises" and decision.random_seed == 13:
            raise LookupError("thirteen is no number to play by")
        if MODE == "rules":
            print("target score", decision.rules.target_score, flush=True)
        return decision.legal[0]


def on_welcome(welcome: service.Welcome) -> None:
    print("welcome", welcome.name, flush=True)


def on_game_ended(notice: service.GameEnded) -> None:
    print("game ended", list(notice.scores), flush=True)


if MODE == "notices":
    run(UnderTest(), on_welcome=on_welcome, on_game_ended=on_game_ended)
elif MODE == "batch":
    run(UnderTest(), max_batch=int(sys.argv[2]))
else:
    run(UnderTest(), name="under test", version="1.2")
print("after run", flush=True)
