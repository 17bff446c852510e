"""Answers every decision of one KIND with an action that lacks a choice, or holds number 99.

[WHAT=empty|zero|unknown]: asked alone, each carries `malformed`; in a batch its id stays open.
"""

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision


def answer(decision: Decision) -> Action:
    if decision.WhichOneof("question") != argument(1, "play"):
        return first_legal(decision)
    match argument(2, "empty"):
        case "zero":
            return Action(decision_id=decision.id, play=0)  # type: ignore[arg-type]
        case "unknown":
            return Action(decision_id=decision.id, play=99)  # type: ignore[arg-type]
        case _:
            return Action(decision_id=decision.id)


play(answer)
