"""The folder of a run: one run at a time in it, nothing in it is ever deleted or half written.

A run folder is for its owner only (0700). Who plays in it holds a lock, which ends with the
process, however that ends; the lock's file names the process for whoever comes second. To start
anew the whole folder is moved aside to the first free of `NAME.1`, `NAME.2` and so on.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from enum import Enum, auto
from pathlib import Path
from typing import Final, Self

from referee.errors import RunFailed, StoreError
from referee.store.reader import DATABASE, RunReader
from referee.store.rows import Beginning
from referee.store.schema import check_file, create, reason
from referee.store.writer import RunWriter

__all__ = ["RunFolder", "Start", "write_whole"]

_LOCK: Final = "run.lock"
_TRIES: Final = 100


class Start(Enum):
    """What to do with a run that is there already."""

    AUTO = auto()
    """Take it up again; without one, begin."""
    RESUME = auto()
    """Take it up again; without one, refuse."""
    FRESH = auto()
    """Move it aside and begin."""


class RunFolder:
    """A run folder held by this process, from `claim` to `release`."""

    def __init__(self, path: Path, lock: int, *, moved_to: Path | None = None) -> None:
        self._path = path
        self._lock: int | None = lock
        self._moved_to = moved_to

    @classmethod
    def claim(cls, path: Path, *, start: Start = Start.AUTO) -> Self:
        """Make the folder if need be, and lock it for one run.

        Raises `StoreError`, with nothing changed, when another process plays in it, when it holds
        something else, when its run is torn, foreign or newer (unless that is moved aside), or
        when there is nothing to resume.
        """
        moved_to = None
        for _ in range(_TRIES):
            if start is Start.RESUME and not (path / DATABASE).exists():
                raise StoreError(f"{path}: nothing to resume; leave --resume out to start")
            _make(path)
            lock = _locked(path)
            if not _is_current(path, lock):
                os.close(lock)  # somebody moved the folder aside meanwhile
                continue
            try:
                if not (start is Start.FRESH and moved_to is None and _holds_run(path)):
                    if _holds_run(path):
                        check_file(path / DATABASE, deep=False)
                    return cls(path, lock, moved_to=moved_to)
                moved_to = _move_aside(path)
            except BaseException:
                os.close(lock)
                raise
            os.close(lock)
        raise StoreError(f"{path}: other processes keep moving it; try again")

    @property
    def path(self) -> Path:
        """The folder."""
        return self._path

    @property
    def database(self) -> Path:
        """The run database in it."""
        return self._path / DATABASE

    @property
    def log(self) -> Path:
        """The referee's log in it."""
        return self._path / "referee.log"

    @property
    def moved_to(self) -> Path | None:
        """Where the folder went that was here before, if one was moved aside."""
        return self._moved_to

    @property
    def has_run(self) -> bool:
        """Whether there is a run to take up again."""
        return self.database.exists()

    def check_is_there(self) -> None:
        """Raise `RunFailed` if the folder, its lock or its database was moved or removed meanwhile.

        What is written then goes to files that have no name any more, and to no other place.
        """
        if self._lock is None or not _is_current(self._path, self._lock) or not self.has_run:
            raise RunFailed(
                f"{self._path}: the run's folder was moved, or files in it removed, while it was "
                "played; put them back and give the same command again"
            )

    def begin(self, beginning: Beginning) -> None:
        """Store a new run's beginning, in one piece; raises `StoreError` if it cannot be."""
        create(self.database, beginning)

    def reader(self) -> RunReader:
        """Open the run for reading."""
        return RunReader(self.database)

    def writer(self) -> RunWriter:
        """Open the run for writing, after looking at every page of it."""
        return RunWriter(self.database)

    def release(self) -> None:
        """Let others play in the folder; a second call does nothing."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.release()


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is never seen half: under another name first, then renamed.

    Line ends are written as they are. Raises `RunFailed` if it cannot be written.
    """
    new: str | None = None
    try:
        number, new = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
        with open(number, "w", encoding="utf-8", newline="") as file:  # noqa: PTH123
            file.write(text)
            file.flush()
            os.fsync(number)
            os.fchmod(number, 0o644)
        Path(new).rename(path)
    except OSError as error:
        if new is not None:
            Path(new).unlink(missing_ok=True)
        raise RunFailed(f"{path}: cannot be written: {reason(error)}") from None


def _make(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.mkdir(mode=0o700)
        names = sorted(entry.name for entry in path.iterdir())
        if names and DATABASE not in names and _LOCK not in names:
            raise StoreError(f"{path}: is no run folder, it holds {names[0]}; choose another --out")
        path.chmod(0o700)
    except (FileExistsError, NotADirectoryError):
        raise StoreError(f"{path}: cannot be used: a file is in the way") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot be used: {reason(error)}") from None


def _locked(path: Path) -> int:
    """Return the descriptor of the lock's file, locked, with this process named in it."""
    file = path / _LOCK
    try:
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreError(f"{file}: cannot be used: {reason(error)}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    except BlockingIOError:
        found = re.match(rb"\d{1,10}\n", os.pread(lock, 20, 0))
        os.close(lock)
        who = f"process {int(found[0])}" if found else "another process"
        raise StoreError(
            f"{path}: {who} is playing in it; wait for it, or choose another --out"
        ) from None
    except OSError as error:
        os.close(lock)
        raise StoreError(f"{file}: cannot be locked: {reason(error)}") from None
    return lock


def _is_current(path: Path, lock: int) -> bool:
    try:
        there = (path / _LOCK).stat()
    except FileNotFoundError:
        return False
    mine = os.fstat(lock)
    return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)


def _holds_run(path: Path) -> bool:
    return any((path / f"{DATABASE}{ending}").exists() for ending in ("", "-wal"))


def _move_aside(path: Path) -> Path:
    number = 1
    while os.path.lexists(target := path.with_name(f"{path.name}.{number}")):
        number += 1
    try:
        return path.rename(target)
    except OSError as error:
        raise StoreError(f"{path}: cannot be moved aside: {reason(error)}") from None
