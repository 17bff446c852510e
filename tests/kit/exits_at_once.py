"""Ends at once with exit code [CODE=0].

A failed start: `handshake`, at the roll call "not started"; the evidence shows the exit code and
what it printed.
"""

import sys

print("exits_at_once: this is its last word", file=sys.stderr)
sys.exit(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
