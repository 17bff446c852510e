"""Answers every decision of one KIND (call, trump, discard, play) as if another had been asked.

Each one, asked alone, carries `malformed`: another kind of choice.
"""

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision


def answer(decision: Decision) -> Action:
    kind = decision.WhichOneof("question")
    if kind != argument(1, "play"):
        return first_legal(decision)
    if kind == "trump":
        return Action(decision_id=decision.id, play=decision.holding[0])
    return Action(decision_id=decision.id, trump=1)  # type: ignore[arg-type]


play(answer)
