"""Prints bytes that are no UTF-8, terminal codes and markup, then answers as it should.

No fault; wherever its output is shown it is escaped.
"""

import sys

from raw import play

TEXT = b"\xff\xfe\xc3( \x1b[31mred\x1b]0;title\x07 [bold]markup[/bold] <b>html</b> | =1+1 \x00\n"
for output in (sys.stdout, sys.stderr):
    output.buffer.write(TEXT)
    output.flush()
play()
