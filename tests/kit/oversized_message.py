"""Sends a message of [BYTES=70000] in place of the answer to one decision in [ONE_IN=50].

It would parse, but over 64 KiB the process is replaced; asked alone it carries `malformed`.
"""

from raw import actions, argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Decision


def answer(decision: Decision) -> bytes:
    if decision.random_seed % int(argument(2, "50")):
        return actions(first_legal(decision))
    # The answer, then an unknown field (number 1000) that fills the rest.
    rest = int(argument(1, "70000"))
    size = bytes([rest & 127 | 128, rest >> 7 & 127 | 128, rest >> 14 & 127 | 128, rest >> 21])
    return actions(first_legal(decision)) + b"\xc2\x3e" + size + bytes(rest)


play(answer)
