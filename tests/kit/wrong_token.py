"""Says hello with a token of its own making: [WHAT=wrong|empty|spent].

Refused, which is no hello: a failed start, `handshake`. With `spent` it opens a second stream with
its right token after it was welcomed: that stream is refused, and it plays on, on the first one.
"""

import os

from raw import Stream, argument, play

what = argument(1, "wrong")
stream = Stream()
if what == "spent":
    stream.say_hello()
    next(stream.messages())
    second = Stream()
    second.say_hello()
    for message in second.messages():
        print("the second stream heard:", message.WhichOneof("content"), flush=True)
    play(stream=stream)
else:
    right = os.environ["SCHMIER_TOKEN"]
    stream.say_hello(token="" if what == "empty" else "0" * len(right))
    for message in stream.messages():
        print("the referee said:", message.WhichOneof("content"), flush=True)
