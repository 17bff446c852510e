"""What a bot's processes use, as /proc tells it; nothing is known on systems without it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Usage", "usage_of"]

_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Usage:
    """A process and all below it.

    `cpu_s` is the processor time they had so far, `wanted_s` that and the time they waited for it,
    which on a busy machine is more; `peak_kib` sums the most memory that each of them ever held.
    """

    processes: int
    cpu_s: float
    wanted_s: float
    peak_kib: int


def usage_of(pid: int) -> Usage | None:
    """Return what a process and its descendants use; None if it is gone or /proc is missing."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for entry in _PROC.glob("[0-9]*/stat"):
        try:
            # The name of the program stands in brackets and may hold anything.
            words = entry.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        number = int(entry.parent.name)
        children.setdefault(int(words[1]), []).append(number)
        ticks[number] = int(words[11]) + int(words[12])
    if pid not in ticks:
        return None
    tree, waiting = [], [pid]
    while waiting:
        tree.append(waiting.pop())
        waiting += children.get(tree[-1], [])
    cpu_s = sum(ticks[number] for number in tree) / os.sysconf("SC_CLK_TCK")
    wanted_s = max(cpu_s, sum(map(_wanted_s, tree)))
    return Usage(len(tree), cpu_s, wanted_s, sum(map(_peak_kib, tree)))


def _wanted_s(pid: int) -> float:
    """What the scheduler counts of a process's threads: nanoseconds on a core, and in the queue."""
    total = 0
    for file in (_PROC / str(pid) / "task").glob("*/schedstat"):
        try:
            had, waited, *_ = file.read_text(encoding="ascii").split()
        except (OSError, ValueError):
            continue
        total += int(had) + int(waited)
    return total / 1e9


def _peak_kib(pid: int) -> int:
    try:
        lines = (_PROC / str(pid) / "status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    for line in lines.split("\n"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0
