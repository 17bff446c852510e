"""The gates of quality that are programs of their own: lint, format, strict types."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "gate",
    [("ruff", "check"), ("ruff", "format", "--check"), ("mypy",)],
    ids=" ".join,
)
def test_the_whole_tree_passes_the_gate(gate: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *gate], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
