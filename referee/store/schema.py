"""The run database as a file: its tables, how it is told from other files, how it comes to be.

A run database is SQLite with this application id and, as user version, the record format. Both
stand in the first hundred bytes, so a file that is torn, foreign or newer is told by reading them,
before SQLite may touch it. A new one is built under another name, all its conditions in one
transaction, and gets its name when it is complete and on disk: half a beginning does not exist.

Games are kept in the order of round, block and replay (`place`), in which everything is read.
Columns that end in 0, 1, 2 go by seat pair; `faults` is null or counts by seat pair and kind.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from referee.errors import StoreError
from referee.store.rows import Beginning, place, to_text

__all__ = [
    "APPLICATION_ID",
    "RECORD_FORMAT",
    "check_file",
    "connect",
    "create",
    "leave",
    "reading",
    "reason",
]

APPLICATION_ID: Final = 0x5363686D  # "Schm"
RECORD_FORMAT: Final = 1
"""The newest layout of tables and records that this version reads, and the one it writes."""

_MAGIC: Final = b"SQLite format 3\0"
_BUSY_S: Final = 20.0
_ANEW: Final = "--fresh moves it aside and starts anew"

_in_use: Final[Counter[tuple[int, int] | None]] = Counter()
"""How many connections this process has to a file. While there are any nothing else here may open
it: closing any descriptor of a file gives up all locks that SQLite holds on it for this process.
Another process would then think that nobody writes, and take the log away from under the writer."""

_TABLES: Final = f"""
CREATE TABLE run (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  tournament_id TEXT NOT NULL,
  master BLOB NOT NULL CHECK (length(master) = 32),
  commitment BLOB NOT NULL CHECK (length(commitment) = 32),
  plan TEXT NOT NULL,
  is_closed INTEGER NOT NULL DEFAULT 0 CHECK (is_closed IN (0, 1)),
  exit_code INTEGER
);
CREATE TABLE starts (
  number INTEGER PRIMARY KEY,
  conditions TEXT NOT NULL,
  noted TEXT NOT NULL
);
CREATE TABLE roll_call (
  number INTEGER PRIMARY KEY,
  result TEXT NOT NULL
);
CREATE TABLE games (
  place INTEGER PRIMARY KEY CHECK (place = {place("round", "block", "replay")}),
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  leg INTEGER NOT NULL CHECK (leg >= 0),
  sitting INTEGER NOT NULL CHECK (sitting BETWEEN 0 AND 5),
  round INTEGER NOT NULL CHECK (round >= 0),
  block INTEGER NOT NULL CHECK (block >= 0),
  replay INTEGER NOT NULL CHECK (replay BETWEEN 0 AND 5),
  entrant_0 INTEGER NOT NULL,
  entrant_1 INTEGER NOT NULL,
  entrant_2 INTEGER NOT NULL,
  sixths_0 INTEGER NOT NULL,
  sixths_1 INTEGER NOT NULL,
  sixths_2 INTEGER NOT NULL CHECK (sixths_0 + sixths_1 + sixths_2 = 6),
  margin_thirds_0 INTEGER NOT NULL,
  margin_thirds_1 INTEGER NOT NULL,
  margin_thirds_2 INTEGER NOT NULL
    CHECK (margin_thirds_0 + margin_thirds_1 + margin_thirds_2 = 0),
  hands INTEGER NOT NULL,
  forfeit_0 INTEGER NOT NULL CHECK (forfeit_0 IN (0, 1)),
  forfeit_1 INTEGER NOT NULL CHECK (forfeit_1 IN (0, 1)),
  forfeit_2 INTEGER NOT NULL CHECK (forfeit_2 IN (0, 1)),
  faults TEXT,
  record BLOB NOT NULL
);
CREATE INDEX games_of_sitting ON games (leg, sitting);
CREATE TABLE evidence (
  number INTEGER PRIMARY KEY,
  game_id BLOB NOT NULL REFERENCES games (id),
  position INTEGER NOT NULL,
  content TEXT NOT NULL
);
CREATE INDEX evidence_of_game ON evidence (game_id);
CREATE TABLE sittings (
  leg INTEGER NOT NULL,
  sitting INTEGER NOT NULL CHECK (sitting BETWEEN 0 AND 5),
  out TEXT NOT NULL,
  PRIMARY KEY (leg, sitting)
);
CREATE TABLE round_scores (
  round INTEGER PRIMARY KEY,
  scores TEXT NOT NULL
);
CREATE TABLE leaderboards (
  format TEXT PRIMARY KEY,
  text TEXT NOT NULL
);
"""


def create(path: Path, beginning: Beginning) -> None:
    """Write a new run database at `path`, complete or not at all, readable by its owner only.

    Raises `StoreError` if something is there already or the place cannot be written.
    """
    if path.exists() or _beside(path, "-wal").exists():
        raise StoreError(f"{path}: a run is there already")
    new = _beside(path, ".new")
    try:
        for leftover in (new, *(_beside(new, end) for end in ("-journal", "-wal", "-shm"))):
            leftover.unlink(missing_ok=True)
        os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(_connection(new, "mode=rw")) as connection:
            _fill(connection, beginning)
            _use_log(connection, path)
        new.rename(path)
        _sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: cannot be written: {reason(error)}") from None


def check_file(path: Path, *, deep: bool) -> None:
    """Raise `StoreError` if the file is no run database this version can use; change nothing.

    `deep`: every page is looked at, which takes time in proportion to the file.
    """
    if not _in_use[_identity(path)]:  # else it has been looked at
        _check_header(path)
    with reading(path), _briefly(path) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        if not {"run", "starts", "games"} <= tables or not _has_row(connection):
            raise StoreError(f"{path}: is torn: it holds no run; {_ANEW}")
        if deep:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise StoreError(f"{path}: is torn: {_one_line(verdict)}; {_ANEW}")


def leave(connection: sqlite3.Connection, path: Path) -> None:
    """Close a connection that only read, and take away the empty log that reading needed.

    SQLite leaves it beside the file when the last to close may not write.
    """
    connection.close()
    with suppress(OSError, sqlite3.Error):
        if _beside(path, "-wal").stat().st_size == 0:
            with closing(_connection(path, "mode=rw")) as last:
                last.execute("SELECT 1 FROM sqlite_schema").fetchone()


def connect(path: Path, *, is_writer: bool) -> sqlite3.Connection:
    """Open a checked run database, to read it or to be its only writer."""
    if not is_writer:
        return _read_only(path)
    connection = _connection(path, "mode=rw")
    try:
        _use_log(connection, path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA fullfsync = ON")  # macOS; elsewhere it changes nothing
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what SQLite says of a file that cannot be read into one line (`StoreError`)."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: cannot be read: {reason(error)}") from None
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: is torn: {reason(error)}; {_ANEW}") from None


def reason(error: OSError | sqlite3.Error) -> str:
    """Return why, in one line, with the cure when there is a plain one."""
    if isinstance(error, OSError):
        text = error.strerror or str(error)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        forbidden = isinstance(error, PermissionError)
    else:
        text = _one_line(str(error))
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        full, forbidden = code == sqlite3.SQLITE_FULL, code == sqlite3.SQLITE_READONLY
    if full:
        return "the disk is full; make room and give the same command again"
    if forbidden:
        return f"{text}; make the folder writable"
    return text


def _fill(connection: sqlite3.Connection, beginning: Beginning) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {RECORD_FORMAT}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN")
    for statement in _TABLES.split(";"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(
        "INSERT INTO run (one, tournament_id, master, commitment, plan) VALUES (1, ?, ?, ?, ?)",
        (
            beginning.tournament_id,
            beginning.master,
            beginning.commitment,
            to_text(beginning.plan),
        ),
    )
    connection.execute(
        "INSERT INTO starts (number, conditions, noted) VALUES (0, ?, '[]')",
        (to_text(beginning.conditions),),
    )
    connection.executemany(
        "INSERT INTO roll_call (number, result) VALUES (?, ?)",
        [(number, to_text(result)) for number, result in enumerate(beginning.roll_call)],
    )
    connection.execute("COMMIT")


@contextmanager
def _briefly(path: Path) -> Iterator[sqlite3.Connection]:
    connection = _read_only(path)
    try:
        yield connection
    finally:
        leave(connection, path)


def _check_header(path: Path) -> None:
    try:
        if path.is_dir():
            raise StoreError(f"{path}: is a folder, not a run database")
        with path.open("rb") as file:
            header = file.read(100)
            size = file.seek(0, os.SEEK_END)
    except FileNotFoundError:
        raise StoreError(f"{path}: no run is there") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    if not header:
        raise StoreError(f"{path}: is torn: it is empty; {_ANEW}")
    if not header.startswith(_MAGIC[: len(header)]):
        raise StoreError(f"{path}: is no run database")
    if len(header) < 100:
        raise StoreError(f"{path}: is torn: it is cut short; {_ANEW}")
    version, application = struct.unpack_from(">I", header, 60)[0], header[68:72]
    if int.from_bytes(application) != APPLICATION_ID:
        raise StoreError(f"{path}: is a database of another program")
    if version > RECORD_FORMAT:
        raise StoreError(
            f"{path}: is of record format {version}, newer than {RECORD_FORMAT}, "
            "the newest known here; update schmier-referee"
        )
    if version < 1:
        raise StoreError(f"{path}: is torn: it names no record format; {_ANEW}")
    page, pages = struct.unpack_from(">H", header, 16)[0], struct.unpack_from(">I", header, 28)[0]
    wal = _beside(path, "-wal")
    # While a log is there, pages of the file may still be in it.
    if size < (65_536 if page == 1 else page) * pages and not (wal.exists() and wal.stat().st_size):
        raise StoreError(f"{path}: is torn: it is cut short; {_ANEW}")


def _use_log(connection: sqlite3.Connection, path: Path) -> None:
    """Let readers and the writer work side by side; not every file system can."""
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(
            f"{path}: this file system cannot hold a run database; choose an --out on a local disk"
        )


def _has_row(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM run").fetchone() is not None


def _read_only(path: Path) -> sqlite3.Connection:
    connection = _connection(path, "mode=ro")
    try:
        connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
    except sqlite3.Error as error:
        leave(connection, path)
        wal = _beside(path, "-wal")
        is_held_back = isinstance(error, sqlite3.OperationalError) and not (
            os.access(path.parent, os.W_OK) or (wal.exists() and wal.stat().st_size)
        )
        if not is_held_back:
            raise
        # A closed run in a folder that cannot be written: nobody else can write it either.
        connection = _connection(path, "mode=ro&immutable=1")
    return connection


def _connection(path: Path, parameters: str) -> sqlite3.Connection:
    # One thread at a time uses it, but the writer's is opened by the thread that starts it.
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?{parameters}",
        uri=True,
        isolation_level=None,
        timeout=_BUSY_S,
        check_same_thread=False,
        factory=_Counted,
    )
    connection.count(path)
    return connection


class _Counted(sqlite3.Connection):
    """A connection that counts in `_in_use` until it is closed."""

    _file: tuple[int, int] | None = None

    def count(self, path: Path) -> None:
        self._file = _identity(path)
        if self._file is not None:
            _in_use[self._file] += 1

    def close(self) -> None:
        super().close()
        if self._file is not None:
            _in_use[self._file] -= 1
            self._file = None


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
