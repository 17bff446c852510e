"""Crashes on one decision in [ONE_IN=1000], chosen by the random seed: the same in every run.

Each such decision carries `crash` once, whatever the batch size; the games go on.
"""

import sys
import traceback

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision


def answer(decision: Decision) -> Action:
    if decision.random_seed % int(argument(1, "1000")) == 0:
        raise RuntimeError(f"this bot does not like the number {decision.random_seed}")
    return first_legal(decision)


try:
    play(answer)
except RuntimeError:
    traceback.print_exc()
    sys.exit(1)
