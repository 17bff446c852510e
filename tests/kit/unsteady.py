"""Plays legal cards that depend on how many decisions its process has had.

No fault, but the roll call stamps it `not reproducible`.
"""

from itertools import count

from raw import first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision

number = count()


def answer(decision: Decision) -> Action:
    action = first_legal(decision)
    if decision.WhichOneof("question") == "play":
        cards = decision.play.cards
        action.play = cards[next(number) % len(cards)]
    return action


play(answer)
