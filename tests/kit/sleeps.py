"""Hangs for ever on the first decision of one KIND (call, trump, discard, play) of each process.

One hang is one `timeout`: the rest of its batch is not charged. The process is replaced.
"""

from raw import argument, first_legal, hang, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision


def answer(decision: Decision) -> Action:
    if decision.WhichOneof("question") == argument(1, "play"):
        hang()
    return first_legal(decision)


play(answer)
