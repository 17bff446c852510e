"""What a process and all below it use."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.bots import Usage, usage_of

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc is missing")

PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import sys; print(len(bytearray(50_000_000)), "
                          "flush=True); sys.stdin.read()"])
while True:
    pass
"""


def usage(pid: int) -> Usage:
    found = usage_of(pid)
    assert found is not None
    return found


def test_memory_and_time_of_a_process_include_its_children() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None and parent.stdin is not None
        parent.stdout.readline()
        before = usage(parent.pid)
        assert before.processes == 2
        assert before.peak_kib > 50_000_000 / 1024
        deadline = time.monotonic() + 60
        while usage(parent.pid).cpu_s < before.cpu_s + 0.1:
            assert time.monotonic() < deadline
        after = usage(parent.pid)
        assert after.wanted_s >= after.cpu_s > before.cpu_s
        parent.kill()
        parent.stdin.close()


def test_nothing_is_known_of_a_process_that_is_gone() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert usage_of(gone.pid) is None
    assert usage(os.getpid()).peak_kib > 0
