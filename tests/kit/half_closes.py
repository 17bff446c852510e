"""Ends its side of the stream at decision number [N=20] of its process, and lives on, listening.

A stream that ended without a goodbye: asked alone the decision carries `crash`, and the process,
still alive, is ended and replaced.
"""

from itertools import count

from raw import Stream, actions, argument, first_legal, hang

stream = Stream()
stream.say_hello()
number = count(1)
for batch in stream.batches():
    for decision in batch:
        if next(number) == int(argument(1, "20")):
            stream.close()
        stream.send(actions(first_legal(decision)))
hang()
