"""Takes [FACTOR=1.3] of its limit for one decision in [ONE_IN=100], chosen by the random seed.

Above 1: that decision carries `timeout`, its late answer is ignored, and the next ones are in time.
Below 1: no fault.
"""

import time

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision


def answer(decision: Decision) -> Action:
    if decision.random_seed % int(argument(2, "100")) == 0:
        time.sleep(float(argument(1, "1.3")) * decision.limit_ms / 1000)
    return first_legal(decision)


play(answer)
