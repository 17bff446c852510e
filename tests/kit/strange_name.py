"""Says hello with a strange name: [WHAT=long|control|invalid], then plays as it should.

long (10,000 characters) and control (terminal codes, line breaks, markup): no fault, shown cut and
escaped. invalid is no UTF-8, so the hello does not parse: a failed start, `handshake`.
"""

import os

from raw import Stream, argument, play

from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

stream = Stream()
match argument(1, "long"):
    case "control":
        stream.say_hello(name="\x1b[31mred\x1b[0m\r\n| [bold]x[/bold] <b> =1+1 \u202ereversed")
    case "invalid":
        token = os.environ["SCHMIER_TOKEN"]
        hello = service.Hello(token=token, max_batch=64).SerializeToString()
        hello += b"\x12\x04\xff\xfe\xfd\xfc"
        stream.send(b"\x0a" + bytes([len(hello)]) + hello)
    case _:
        stream.say_hello(name="long " * 2000)
play(stream=stream)
