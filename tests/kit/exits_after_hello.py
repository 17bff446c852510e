"""Says hello, hears the welcome, and ends with exit code [CODE=0].

The start was good, so the decision asked alone carries `crash`, exit code 0 or not.
"""

import os

from raw import Stream, argument

stream = Stream()
stream.say_hello()
next(stream.messages(), None)
os._exit(int(argument(1, "0")))
