"""What this machine lets the referee use: cores and descriptors.

A container's share of the processor is not in the number of its cores: the smaller of the
scheduler's affinity and the control group's quota counts, whole cores, at least one.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "CoreFacts",
    "DescriptorFacts",
    "core_facts",
    "descriptor_facts",
    "descriptors_needed",
    "usable_cores",
]

_DESCRIPTORS_FIXED = 64
_DESCRIPTORS_A_BOT = 4


@dataclass(frozen=True, slots=True)
class CoreFacts:
    """Cores by affinity, by quota (None: no quota), and how many of them can be counted on."""

    affinity: int
    quota: float | None
    usable: int


def core_facts(
    *,
    affinity: int | None = None,
    cgroup: Path = Path("/proc/self/cgroup"),
    mount: Path = Path("/sys/fs/cgroup"),
) -> CoreFacts:
    """Read the affinity and the tightest quota of our control group and those above it."""
    cores = _affinity() if affinity is None else affinity
    quota = min(_quotas(cgroup, mount), default=None)
    usable = cores if quota is None else min(cores, int(quota))
    return CoreFacts(affinity=cores, quota=quota, usable=max(1, usable))


def usable_cores() -> int:
    """How many cores can be counted on here, at least 1."""
    return core_facts().usable


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _quotas(cgroup: Path, mount: Path) -> Iterator[float]:
    """The quotas in cores, v1 and v2, from our group up to the mounted root."""
    for line in _lines(cgroup):
        number, controllers, path = line.split(":", 2)
        if number == "0" and not controllers:
            for directory in _upwards(mount, path):
                yield from _cores(_lines(directory / "cpu.max"))
        elif "cpu" in controllers.split(","):
            for name in dict.fromkeys((controllers, "cpu", "cpu,cpuacct")):
                for directory in _upwards(mount / name, path):
                    quota = _lines(directory / "cpu.cfs_quota_us")
                    yield from _cores([*quota, *_lines(directory / "cpu.cfs_period_us")])


def _upwards(root: Path, path: str) -> Iterator[Path]:
    """The directory of a group and all above it; in a container its path may not be mounted."""
    directory = root / path.lstrip("/")
    while directory != root and root in directory.parents:
        yield directory
        directory = directory.parent
    yield root


def _cores(lines: list[str]) -> Iterator[float]:
    """Quota and period, in one line or in two; `max` and negative numbers are no quota."""
    words = " ".join(lines).split()
    if len(words) == 2 and words[0].isdigit() and words[1].isdigit() and int(words[1]) > 0:
        yield int(words[0]) / int(words[1])


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="ascii", errors="replace")
    except OSError:
        return []
    return [line for line in text.split("\n") if line]


@dataclass(frozen=True, slots=True)
class DescriptorFacts:
    """Limits on open files: what applies, and up to what it can be raised without privileges."""

    soft: int
    hard: int


def descriptor_facts() -> DescriptorFacts:
    """The limits of this process, which the warden and the bots inherit; unlimited is 2^31 - 1."""
    soft, hard = (
        2**31 - 1 if limit == resource.RLIM_INFINITY else limit
        for limit in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    return DescriptorFacts(soft=soft, hard=hard)


def descriptors_needed(*, processes: int) -> int:
    """How many open files a run with so many bot processes can need in one process of ours.

    The warden holds two for a bot and two more while it starts one, the referee an address and a
    stream; a bot that is being replaced exists twice.
    """
    return _DESCRIPTORS_FIXED + _DESCRIPTORS_A_BOT * processes
