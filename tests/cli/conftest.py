"""Fixtures of the command line's tests: places to give commands in, and one run that is finished.

The machinery is in `referees`, a plain module beside the tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.referees import FIRST, KIT, RULES, FinishedRun, Golden, Place, wait_until

GOLDEN = Path(__file__).parent / "golden"


def place_in(folder: Path) -> Iterator[Place]:
    """A place; at its end nothing of its referees may be left."""
    (folder / "here").mkdir()
    (folder / "temporary").mkdir()
    place = Place(folder / "here", folder / "temporary")
    yield place
    for process in place.started:
        if process.poll() is None:
            process.kill()
        process.wait()
    wait_until(lambda: not place.is_left(), what="all processes of the referees are gone")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """An empty folder to give commands in."""
    yield from place_in(tmp_path)


@pytest.fixture(scope="module")
def module_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """An empty folder for all tests of a module."""
    yield from place_in(tmp_path_factory.mktemp("module"))


@pytest.fixture(scope="session")
def session_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """An empty folder for all tests."""
    yield from place_in(tmp_path_factory.mktemp("session"))


@pytest.fixture(scope="session")
def finished(session_place: Place) -> FinishedRun:
    """A run of three bots and one round, one of which answers with cards it does not have."""
    odd = ("{python}", str(KIT / "illegal.py"), "play")
    config = session_place.configure({"first": FIRST, "odd": odd, "rules": RULES})
    ended = session_place.run("tourney", config)
    return FinishedRun(session_place, config, ended)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text with a golden file, or write the file with `--regenerate`."""

    def compare(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--regenerate"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8"), f"{file}: see pytest --regenerate"

    return compare
