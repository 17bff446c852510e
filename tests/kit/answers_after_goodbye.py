"""Plays as it should, but after the goodbye it sends one more answer, to its first decision.

No fault in an event, where nobody listens any more; a check says so.
"""

import time

from raw import Stream, actions, first_legal

from referee.wire.pb.schmier.v1.decision_pb2 import Action

stream = Stream()
stream.say_hello()
for message in stream.messages():
    if message.HasField("decisions"):
        stream.send(actions(*map(first_legal, message.decisions.decisions)))
    elif message.HasField("goodbye"):
        stream.send(actions(Action(decision_id=1, play=1)))  # type: ignore[arg-type]
        time.sleep(0.1)  # what is on its way when the channel is closed is lost
