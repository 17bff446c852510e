"""What dead runs have left on this machine: private directories, and processes started in them.

A run's directory is named after the process that made it, so one whose process is gone is left
over. Nothing is removed here: it is told, with the command that removes it.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.bots.homes import PREFIX

__all__ = ["Leftover", "leftovers"]


@dataclass(frozen=True, slots=True)
class Leftover:
    """A directory of a dead run, and the processes that still live in it."""

    directory: Path
    pids: tuple[int, ...]

    @property
    def text(self) -> str:
        """What it is and how to be rid of it."""
        remove = f"rm -r {shlex.quote(str(self.directory))}"
        if not self.pids:
            return f"{self.directory}: a dead run's directory; remove it: {remove}"
        pids = " ".join(map(str, self.pids))
        return f"{self.directory}: processes of a dead run live on; kill {pids} && {remove}"


def leftovers(*, parent: Path | None = None) -> tuple[Leftover, ...]:
    """Return what runs of this user have left below the system's temporary directory."""
    place = Path(tempfile.gettempdir()) if parent is None else parent
    found = []
    for directory in sorted(place.glob(f"{PREFIX}*")):
        name = re.fullmatch(rf"{PREFIX}(\d+)-.+", directory.name)
        if name is None or directory.stat().st_uid != os.getuid() or _is_alive(int(name[1])):
            continue
        found.append(Leftover(directory, tuple(_processes_in(directory))))
    return tuple(found)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _processes_in(directory: Path) -> Iterator[int]:
    """The processes whose environment names a place in the directory (Linux only)."""
    wanted = f"SCHMIER_DIR={directory}/".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if any(text.startswith(wanted) for text in environment.split(b"\0")):
            yield int(entry.name)
