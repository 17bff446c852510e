"""Dies by signal [SIGNAL=6] on decision number [N=20] of its process, before it answers.

Asked alone: `crash`, the evidence names the signal. In a batch: replaced without a charge.
"""

import os
from itertools import count

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision

number = count(1)


def answer(decision: Decision) -> Action:
    if next(number) == int(argument(2, "20")):
        os.kill(os.getpid(), int(argument(1, "6")))
    return first_legal(decision)


play(answer)
