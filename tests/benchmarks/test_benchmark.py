"""The benchmark runs; what it measures is never judged by a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from referee.wire.samples import Sample
from tests.benchmarks.bots import Program


def test_the_benchmark_runs_in_a_tiny_size_and_prints_each_of_its_tables() -> None:
    command = [sys.executable, "-m", "tests.benchmarks", "--quick"]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for heading in ("in one process", "six bot processes", "starting"):
        assert heading in done.stdout


def test_a_bot_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    project = Sample(
        name="x",
        folder=tmp_path,
        language="X",
        needs=("xc", "make"),
        install="apt install xc make",
        build=("make", "bot"),
        command=("./bot",),
    )
    program = Program(("./bot", "random"), tmp_path, project)
    folder = str(tmp_path)
    assert program.problem == (
        f"{folder}/bot is not built: in {folder} run make bot (it takes xc, make)"
    )
    (tmp_path / "bot").touch()
    assert program.problem == ""
