"""Plays as it should, but ignores the goodbye, the end of its stream, SIGTERM, SIGINT and SIGHUP.

No fault; it is killed stop_ms after the goodbye.
"""

import signal

from raw import hang, play

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
play()
hang()
