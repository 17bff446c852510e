"""Leaves a daemon of its own session behind (double fork, setsid), then plays as it should.

No fault; when its sitting is over nothing of it lives. The process id of the daemon is
written to the file [PATH] if one is given.
"""

import os
import sys
import time
from pathlib import Path

# Forked before gRPC is loaded: a process that has used gRPC must not fork.
if os.fork() == 0:
    os.setsid()
    daemon = os.fork()
    while daemon == 0:
        time.sleep(3600)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(str(daemon), encoding="ascii")
    os._exit(0)
os.wait()

from raw import play  # noqa: E402

play()
