"""A file that is torn, foreign or newer is refused in one line, and not a byte of it changes."""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.errors import StoreError
from referee.store import (
    APPLICATION_ID,
    RECORD_FORMAT,
    FinishedGame,
    RunFolder,
    RunReader,
    RunWriter,
    Start,
)

GameOf: TypeAlias = Callable[..., FinishedGame]
Edit: TypeAlias = Callable[[Path], None]


@pytest.fixture
def database(folder: RunFolder, game_of: GameOf) -> Path:
    """The database of a run of 300 games that nobody holds."""
    with folder.writer() as writer:
        for number in range(300):
            writer.add_game(game_of(number))
    folder.release()
    return folder.database


def cut(path: Path, *, to: int) -> None:
    path.write_bytes(path.read_bytes()[:to])


def put(path: Path, *, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def emptied(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM run")
        connection.commit()


def without_tables(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("CREATE TABLE t (x)")


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE games (id)")


def of_text(path: Path) -> None:
    path.write_text('{"games": []}\n' * 40)


FRESH = "; --fresh moves it aside and starts anew"

SEEN_AT_ONCE: dict[str, tuple[Edit, str]] = {
    "empty": (lambda path: cut(path, to=0), f"is torn: it is empty{FRESH}"),
    "a few bytes": (lambda path: cut(path, to=10), f"is torn: it is cut short{FRESH}"),
    "half a page": (lambda path: cut(path, to=2000), f"is torn: it is cut short{FRESH}"),
    "all but a page": (
        lambda path: cut(path, to=path.stat().st_size - 4096),
        f"is torn: it is cut short{FRESH}",
    ),
    "all but a byte": (
        lambda path: cut(path, to=path.stat().st_size - 1),
        f"is torn: it is cut short{FRESH}",
    ),
    "text": (of_text, "is no run database"),
    "a database of another program": (of_another_program, "is a database of another program"),
    "a newer format": (
        lambda path: put(path, at=60, data=struct.pack(">I", RECORD_FORMAT + 1)),
        f"is of record format {RECORD_FORMAT + 1}, newer than {RECORD_FORMAT}, the newest known "
        "here; update schmier-referee",
    ),
    "no format": (
        lambda path: put(path, at=60, data=bytes(4)),
        f"is torn: it names no record format{FRESH}",
    ),
    "no tables": (without_tables, f"is torn: it holds no run{FRESH}"),
    "no run": (emptied, f"is torn: it holds no run{FRESH}"),
    "the tables' page": (
        lambda path: put(path, at=100, data=b"\xff" * 3000),
        f"is torn: database disk image is malformed{FRESH}",
    ),
}


@pytest.mark.parametrize("case", SEEN_AT_ONCE)
def test_a_bad_file_is_refused_by_all_and_left_as_it_was(case: str, database: Path) -> None:
    edit, told = SEEN_AT_ONCE[case]
    edit(database)
    before = database.read_bytes()
    for start in (Start.AUTO, Start.RESUME):
        with pytest.raises(StoreError) as caught:
            RunFolder.claim(database.parent, start=start)
        assert str(caught.value) == f"{database}: {told}"
    for opened in (RunReader, RunWriter):
        with pytest.raises(StoreError) as caught:
            opened(database)
        assert str(caught.value) == f"{database}: {told}"
    assert database.read_bytes() == before
    names = sorted(entry.name for entry in database.parent.iterdir())
    assert names == ["run.lock", "run.sqlite"]


@pytest.mark.parametrize("case", SEEN_AT_ONCE)
def test_fresh_moves_a_bad_file_aside_as_it_is(case: str, database: Path) -> None:
    SEEN_AT_ONCE[case][0](database)
    before = database.read_bytes()
    with RunFolder.claim(database.parent, start=Start.FRESH) as folder:
        assert folder.moved_to is not None
        assert (folder.moved_to / "run.sqlite").read_bytes() == before
        assert not folder.has_run


def test_a_torn_page_among_the_games_is_found_before_anything_is_written(database: Path) -> None:
    pages = database.stat().st_size // 4096
    found = 0
    whole = database.read_bytes()
    for page in range(8, pages, 9):
        put(database, at=page * 4096, data=b"\x5a" * 4096)
        before = database.read_bytes()
        with pytest.raises(StoreError) as caught:
            RunWriter(database)
        told = str(caught.value)
        assert told.startswith(f"{database}: is torn: ")
        assert told.endswith(FRESH)
        assert "\n" not in told
        assert database.read_bytes() == before
        database.write_bytes(whole)
        found += 1
    assert found > 3
    RunWriter(database).close()


def test_reading_a_torn_page_is_told_when_it_is_met(database: Path) -> None:
    for page in range(2, database.stat().st_size // 4096):
        put(database, at=page * 4096, data=b"\x5a" * 4096)
    with (
        RunReader(database) as reader,
        pytest.raises(StoreError, match="is torn: database disk image is malformed"),
    ):
        list(reader.games())


def test_a_log_without_its_database_is_not_mixed_into_a_new_run(
    folder: RunFolder, game_of: GameOf
) -> None:
    writer = folder.writer()
    writer.add_game(game_of(0))
    writer.flush().result()
    log = (folder.path / "run.sqlite-wal").read_bytes()
    writer.close()
    with folder.reader() as reader:
        beginning = reader.beginning()
    folder.database.unlink()
    (folder.path / "run.sqlite-wal").write_bytes(log)
    folder.release()
    with pytest.raises(StoreError, match=r"run\.sqlite: no run is there"):
        RunFolder.claim(folder.path)
    with RunFolder.claim(folder.path, start=Start.FRESH) as fresh:
        fresh.begin(beginning)
        with fresh.reader() as reader:
            assert reader.counts().games == 0


def test_a_folder_named_like_a_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").mkdir()
    with pytest.raises(StoreError, match="is a folder, not a run database"):
        RunReader(tmp_path)
