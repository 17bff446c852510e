"""Ends whenever it is sent more than one decision at once.

Replaced without a charge; after three of these it is asked one at a time, and never has a fault.
"""

import os

from raw import Stream, actions, first_legal

stream = Stream()
stream.say_hello()
for batch in stream.batches():
    if len(batch) > 1:
        os._exit(1)
    stream.send(actions(first_legal(batch[0])))
