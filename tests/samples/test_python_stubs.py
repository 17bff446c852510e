"""The Python sample on generated stubs: what its own tools say of it, apart from how it plays."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2] / "sample_bots" / "python-stubs"


@pytest.fixture(scope="module")
def built() -> Path:
    """The project, built; that takes no time when it is built already."""
    subprocess.run([sys.executable, "build.py"], cwd=PROJECT, check=True, timeout=600)
    return PROJECT


def test_its_types_are_right(built: Path, tmp_path: Path) -> None:
    files = sorted(path.name for path in built.glob("*.py"))
    mypy = (sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path))
    done = subprocess.run(
        [*mypy, *files], cwd=built, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout


def test_without_its_stubs_it_says_how_to_make_them(tmp_path: Path) -> None:
    for path in PROJECT.glob("*.py"):
        shutil.copy(path, tmp_path)
    done = subprocess.run(
        [sys.executable, "bot.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("schmier is missing: run `python3 build.py`")
    assert done.stderr.count("\n") == 1


def test_nothing_of_it_comes_from_the_package_of_the_referee() -> None:
    for path in PROJECT.glob("*.py"):
        assert "referee" not in {
            word.split(".")[0]
            for line in path.read_text(encoding="utf-8").splitlines()
            if line.startswith(("import ", "from "))
            for word in line.split()[1:2]
        }, path.name
