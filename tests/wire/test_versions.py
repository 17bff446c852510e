"""The committed code runs with the lowest and the newest grpcio and protobuf the package allows."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SMOKE = Path(__file__).parent / "smoke.py"
BOUNDS = [
    line
    for line in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    if line.startswith(("grpcio", "protobuf"))
]


def lowest(bound: str) -> str:
    """`grpcio>=1.73.1,<2` becomes `grpcio==1.73.1`."""
    return re.sub(r">=([\d.]+).*", r"==\1", bound)


@pytest.mark.parametrize(
    "requirements",
    [
        pytest.param([lowest(bound) for bound in BOUNDS], id="lowest"),
        pytest.param(BOUNDS, id="newest"),
    ],
)
def test_a_bot_of_nothing_but_the_stub_plays_with_this_grpcio_and_protobuf(
    environment: Callable[[list[str]], Path], requirements: list[str], tmp_path: Path
) -> None:
    assert len(requirements) == 2
    python = environment(requirements)
    result = subprocess.run(
        [python, SMOKE], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert result.returncode == 0, result.stderr
    print(result.stdout)
    for name, _, version in (bound.partition("==") for bound in requirements):
        if version:
            assert f"{name} {version}" in result.stdout


def test_an_older_protobuf_is_refused_in_one_line_instead_of_a_trace_from_generated_code(
    environment: Callable[[list[str]], Path], tmp_path: Path
) -> None:
    python = environment(["protobuf==5.29.5"])
    program = (
        "try:\n import referee.wire.pb.schmier.v1.decision_pb2\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    result = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert result.stdout.startswith("UsageError protobuf 5.29.5 is too old, 6.31.1 is needed")
    assert result.stdout.count("\n") == 1
