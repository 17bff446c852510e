"""The benchmark runs; what it measures is never judged by a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_benchmark_runs_in_a_tiny_size_and_prints_each_of_its_tables() -> None:
    command = [sys.executable, "-m", "tests.benchmarks", "--quick"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for heading in ("in one process", "six bot processes", "starting"):
        assert heading in done.stdout
