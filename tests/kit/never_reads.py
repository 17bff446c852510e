"""Says hello and never reads a message.

Each decision asked carries `timeout`; however much is sent, the referee neither blocks nor grows.
"""

from raw import Stream, hang

stream = Stream()
stream.say_hello()
hang()
