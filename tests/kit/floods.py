"""Sends actions with unknown decision ids for ever, right after its hello, and answers nothing.

They are counted and ignored; the 1,000th replaces the process. What is asked meanwhile is charged
like any decision without an answer, and the other bots do not pay.
"""

from itertools import repeat

from raw import Stream, actions

from referee.wire.pb.schmier.v1.decision_pb2 import Action

stream = Stream(flood=repeat(actions(Action(decision_id=2**31 - 1))))
stream.say_hello()
for _ in stream.messages():
    pass
