"""The Python sample on generated stubs: what its own tools say of it, apart from how it plays."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from referee.wire import new_bot
from tests.sdk.scripted_referee import OpenTable, finish, over_the_stream, started

NO_INDEX = ("No matching distribution", "Could not find a version", "connection", "retries")
PROJECT = Path(__file__).parents[2] / "sample_bots" / "python-stubs"


@pytest.fixture(scope="module")
def built() -> Path:
    """The project, built; that takes no time when it is built already."""
    build = (sys.executable, "build.py")
    done = subprocess.run(
        build, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=600
    )
    if done.returncode and any(sign in done.stderr for sign in NO_INDEX):
        pytest.skip("a package index is missing: build.py cannot reach one")
    assert done.returncode == 0, done.stdout + done.stderr
    return PROJECT


def test_its_types_are_right(built: Path, tmp_path: Path) -> None:
    files = sorted(path.name for path in built.glob("*.py"))
    mypy = (sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path))
    done = subprocess.run(
        [*mypy, *files], cwd=built, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout


def test_a_copy_of_it_makes_its_own_stubs_and_plays(built: Path, tmp_path: Path) -> None:
    """With the virtual environment of the original, for to make one takes long."""
    new_bot("python-stubs", tmp_path)
    python = str(built / ".venv" / "bin" / "python")
    code = "import sys, build; build.PYTHON = sys.executable; build.make_stubs()"
    subprocess.run([python, "-c", code], cwd=tmp_path, check=True, timeout=60)
    command = (python, str(tmp_path / "bot.py"), "random")
    with started("-c", f"import os; os.execv({python!r}, {command!r})") as (referee, bot):
        assert referee.welcome().name == "random legal python-stubs"
        assert finish([OpenTable(6)], over_the_stream(referee), batch=1) == []
        referee.goodbye()
        assert bot.end() == (0, "", "")


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
