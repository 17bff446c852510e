"""Sends bytes that do not parse in place of the answer to one decision in [ONE_IN=50].

The process is replaced; asked alone the decision carries `malformed`, in a batch nobody is charged.
"""

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision


def answer(decision: Decision) -> Action | bytes:
    if decision.random_seed % int(argument(1, "50")) == 0:
        return b"\xff\xfe this is no message \x00\xff"
    return first_legal(decision)


play(answer)
