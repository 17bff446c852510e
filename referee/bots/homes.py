"""Private directories: one per bot process, made empty, gone afterwards.

What lies in them was made by a stranger: nothing in them is opened by name or followed, and they
are removed whatever their depth, modes and links.
"""

# Names here are relative to open directories: plain calls, no path objects.
# ruff: noqa: PTH208

from __future__ import annotations

import errno
import os
import secrets
import stat
import tempfile
from pathlib import Path

from referee.errors import RunFailed

__all__ = ["PREFIX", "Homes"]

PREFIX = "schmier-"
"""How a run's directory is called: this, the process id of the referee, and something random."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Homes:
    """A directory of the run (0700) that holds the private directories of its bot processes."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def create(cls, *, parent: Path | None = None) -> Homes:
        """Make the run's own directory, below the system's temporary one if none is given."""
        return cls(Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent)))

    def new(self) -> Path:
        """Make an empty directory (0700) with a name that says nothing; raises RunFailed."""
        home = self.root / secrets.token_hex(8)
        try:
            home.mkdir(mode=0o700)
        except OSError as error:
            raise RunFailed(f"cannot make a bot's private directory: {error}") from error
        return home

    def remove(self, home: Path) -> None:
        """Remove a private directory; raises OSError if something in it cannot be removed."""
        remove_tree(home)

    def close(self) -> None:
        """Remove the run's directory with all that is left in it."""
        remove_tree(self.root)


def remove_tree(root: Path) -> None:
    """Remove a directory that a stranger has filled, without following a link.

    Directories below are lifted to the top and emptied there, so that depth costs neither stack
    nor descriptors. What cannot be removed is left out, and the first such OSError raised when all
    else is gone; a missing root is fine.
    """
    try:
        top = _open_root(root)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise
        root.unlink()  # a link or a file has been put in its place: only that goes
        return
    stuck: dict[str, OSError] = {}
    try:
        os.fchmod(top, 0o700)
        while names := [name for name in os.listdir(top) if name not in stuck]:
            for name in names:
                try:
                    _remove(name, top)
                except OSError as error:
                    stuck[name] = error
    finally:
        os.close(top)
    if stuck:
        raise next(iter(stuck.values()))
    root.rmdir()


def _remove(name: str, top: int) -> None:
    """Remove one entry of the top; directories in it come to the top instead."""
    if not stat.S_ISDIR(os.stat(name, dir_fd=top, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=top)
        return
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, _DIRECTORY, dir_fd=top)
    try:
        _lift(inner, top)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)


def _open_root(root: Path) -> int:
    try:
        return os.open(root, _DIRECTORY)
    except PermissionError:  # a link would have failed otherwise, so this is the directory itself
        root.chmod(0o700)
        return os.open(root, _DIRECTORY)


def _lift(inner: int, top: int) -> None:
    """Empty one directory: directories go to the top under a new name, the rest is removed."""
    for name in os.listdir(inner):
        if stat.S_ISDIR(os.stat(name, dir_fd=inner, follow_symlinks=False).st_mode):
            os.chmod(name, 0o700, dir_fd=inner)  # one that is closed to writing cannot move
            os.rename(name, secrets.token_hex(16), src_dir_fd=inner, dst_dir_fd=top)
        else:
            os.unlink(name, dir_fd=inner)
