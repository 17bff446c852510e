"""Prints as fast as it can to both outputs, and answers as it should.

No fault: the first and last 32 KiB of each are kept, the pipe never blocks it, the disk never
fills.
"""

import sys
import threading
from typing import TextIO

from raw import play


def print_to(output: TextIO) -> None:
    line = "Schmier! " * 100 + "\n"
    while True:
        output.write(line)


for output in (sys.stdout, sys.stderr):
    threading.Thread(target=print_to, args=(output,), daemon=True).start()
play()
