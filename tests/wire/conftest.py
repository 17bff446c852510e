"""What the tests of the wire share."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
NO_INDEX = ("No matching distribution", "Could not find a version", "connection", "retries")


def pip(python: Path | str, *arguments: str | Path) -> None:
    """Run pip; the test is skipped, with the reason, when no package index can be reached."""
    command = [python, "-m", "pip", "--disable-pip-version-check", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode and any(sign in result.stderr for sign in NO_INDEX):
        pytest.skip(f"a package index is missing: pip {arguments[0]} failed, cannot reach one")
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as users install it, from a checkout in which every sample has been built.

    It is a copy: beside these tests others build the samples where they lie, and a builder of
    packages does not like files that come and go.
    """
    checkout = tmp_path_factory.mktemp("checkout")
    for name in _kept_by_git():
        copy = checkout / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)
    for ignored in (checkout / "sample_bots").glob("*/.gitignore"):
        for line in ignored.read_text(encoding="utf-8").split():
            built = ignored.parent / line.strip("/")
            if line.endswith("/"):
                built.mkdir(parents=True)
                built = built / "built"
            built.parent.mkdir(parents=True, exist_ok=True)
            built.touch()
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, checkout)
    (path,) = folder.glob("*.whl")
    return path


def _kept_by_git() -> list[str]:
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


@pytest.fixture(scope="session")
def environment(
    tmp_path_factory: pytest.TempPathFactory, wheel: Path
) -> Callable[[list[str]], Path]:
    """Make a virtual environment with the wheel and the given requirements and nothing else."""

    def make(requirements: list[str]) -> Path:
        folder = tmp_path_factory.mktemp("environment")
        venv.create(folder, with_pip=True)
        python = folder / "bin" / "python"
        pip(python, "install", "--quiet", *requirements)
        pip(python, "install", "--quiet", "--no-deps", wheel)
        return python

    return make
