"""Adds [COUNT=100] actions with unknown ids, and one repeated, to each right answer.

No fault: they are counted and ignored. With the 1,000th in a sitting the process is replaced.
"""

from raw import actions, argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision

unknown = [Action(decision_id=1_000_000_000 + i) for i in range(int(argument(1, "100")))]


def answer(decision: Decision) -> bytes:
    action = first_legal(decision)
    return actions(action, action, *unknown)


play(answer)
