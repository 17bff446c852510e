"""What must be right before anything is started: programs, clock slots, descriptors, fingerprints.

Nothing is started and nothing is written here; each mistake is one line that names its cure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.bots import descriptor_facts, descriptors_needed, usable_cores
from referee.errors import UsageError
from referee.runner.attachment import Attach
from referee.tourney import (
    ATTACHED,
    Config,
    Fingerprint,
    Json,
    check_threads,
    conditions,
    fingerprints,
    resolve_commands,
)

__all__ = ["Setup", "prepare"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A configuration whose programs are there, with the clock slots it gets on this machine.

    `attach` is how a bot that a person starts is waited for, if there may be one.
    """

    config: Config
    clock_slots: int
    fingerprints: Mapping[str, Fingerprint]
    versions: Mapping[str, str]
    attach: Attach | None = None

    def conditions(self) -> dict[str, Json]:
        """Return what is stored of a run's conditions, and compared when it is resumed."""
        return conditions(self.config, fingerprints=self.fingerprints, versions=self.versions)


def prepare(config: Config, *, versions: Mapping[str, str], attach: Attach | None = None) -> Setup:
    """Check all that only the machine can show.

    Without `attach` there may be no bot that a person starts. Raises ConfigError for a program,
    file or thread count, UsageError for too few descriptors.
    """
    for bot in config.bots if attach is None else ():
        if bot.is_attached:
            raise bot.error(f"{ATTACHED} is for `match --attach` alone", key="command", entry=0)
    resolve_commands(config)
    clock_slots = config.event.clock_slots or usable_cores()
    check_threads(config, clock_slots=clock_slots)
    alive = min(config.event.processes, 2 * len(config.partnerships))
    needed, limit = descriptors_needed(processes=alive), descriptor_facts().soft
    if limit < needed:
        raise UsageError(
            f"too few file descriptors: this event needs {needed}, the limit is {limit}; "
            f"raise it (ulimit -n {needed}) or lower [event] processes"
        )
    return Setup(
        config=config,
        clock_slots=clock_slots,
        fingerprints=fingerprints(config),
        versions=versions,
        attach=attach,
    )
