"""Leaves a daemon of its own session behind (double fork, setsid), then plays as it should.

No fault; when its sitting is over nothing of it lives. The daemon writes its process id to the
file [PATH] if one is given.
"""

import os
import sys
import time
from pathlib import Path

# Forked before gRPC is loaded: a process that has used gRPC must not fork.
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        if len(sys.argv) > 1:
            Path(sys.argv[1]).write_text(str(os.getpid()), encoding="ascii")
        while True:
            time.sleep(3600)
    os._exit(0)
os.wait()

from raw import play  # noqa: E402

play()
