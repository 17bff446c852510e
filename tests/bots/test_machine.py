"""Usable cores are read from whatever control groups a machine or container has."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from referee.bots import core_facts, descriptor_facts, descriptors_needed, usable_cores

V2 = "0::/app/bots\n"
V1 = "11:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/\n0::/\n"

CASES: dict[str, tuple[int, str, dict[str, str], float | None, int]] = {
    "no control groups": (4, "", {}, None, 4),
    "v2 without a limit": (4, V2, {"app/bots/cpu.max": "max 100000\n"}, None, 4),
    "v2 with a quota": (8, V2, {"app/bots/cpu.max": "250000 100000\n"}, 2.5, 2),
    "v2 quota above": (
        8,
        V2,
        {"app/bots/cpu.max": "max 100000\n", "app/cpu.max": "300000 100000\n"},
        3.0,
        3,
    ),
    "v2 tightest counts": (
        8,
        V2,
        {"app/bots/cpu.max": "600000 100000\n", "app/cpu.max": "400000 100000\n"},
        4.0,
        4,
    ),
    "v2 in a container": (8, "0::/host/path\n", {"cpu.max": "200000 100000\n"}, 2.0, 2),
    "v2 other period": (8, V2, {"app/bots/cpu.max": "50000 10000\n"}, 5.0, 5),
    "less than one core": (8, V2, {"app/bots/cpu.max": "30000 100000\n"}, 0.3, 1),
    "affinity is smaller": (2, V2, {"app/bots/cpu.max": "700000 100000\n"}, 7.0, 2),
    "v1 with a quota": (
        8,
        V1,
        {
            "cpu,cpuacct/docker/x/cpu.cfs_quota_us": "300000\n",
            "cpu,cpuacct/docker/x/cpu.cfs_period_us": "100000\n",
        },
        3.0,
        3,
    ),
    "v1 without a limit": (
        8,
        V1,
        {
            "cpu,cpuacct/docker/x/cpu.cfs_quota_us": "-1\n",
            "cpu,cpuacct/docker/x/cpu.cfs_period_us": "100000\n",
        },
        None,
        8,
    ),
    "v1 in a container": (
        8,
        V1,
        {"cpu/cpu.cfs_quota_us": "150000\n", "cpu/cpu.cfs_period_us": "100000\n"},
        1.5,
        1,
    ),
    "v1 in a directory named cpu": (
        8,
        "1:cpu:/\n",
        {"cpu/cpu.cfs_quota_us": "600000\n", "cpu/cpu.cfs_period_us": "100000\n"},
        6.0,
        6,
    ),
    "nonsense in the files": (4, V2, {"app/bots/cpu.max": "much\n", "cpu.max": "1 0\n"}, None, 4),
    "cpuset is not cpu": (4, "3:cpuset:/\n", {"cpuset/cpu.cfs_quota_us": "1\n"}, None, 4),
    "climbing out of the tree": (
        4,
        "0::/../../x\n",
        {"cpu.max": "100000 100000\n"},
        1.0,
        1,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_usable_cores_are_the_smaller_of_affinity_and_quota(case: str, tmp_path: Path) -> None:
    affinity, groups, files, quota, usable = CASES[case]
    cgroup = tmp_path / "cgroup"
    cgroup.write_text(groups)
    for name, text in files.items():
        file = tmp_path / "mount" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    facts = core_facts(affinity=affinity, cgroup=cgroup, mount=tmp_path / "mount")
    assert (facts.affinity, facts.quota, facts.usable) == (affinity, quota, usable)


def test_this_machine_has_at_least_one_usable_core_and_not_more_than_it_has() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)


def test_the_descriptor_limits_are_those_of_this_process() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    facts = descriptor_facts()
    assert facts.soft == soft if soft != resource.RLIM_INFINITY else facts.soft == 2**31 - 1
    assert facts.soft <= facts.hard
    assert hard in (facts.hard, resource.RLIM_INFINITY)


def test_sixty_four_descriptors_are_too_few_for_eight_bots() -> None:
    assert descriptors_needed(processes=8) > 64
    assert descriptors_needed(processes=64) < 1024
