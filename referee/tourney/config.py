"""What a configuration says, as values: every default filled in, every name in NFC, nothing else.

A `Config` is right by construction: `load_config` checks all that the text alone can show, and what
only the machine can show (programs, folders, files) is checked by `resolve_commands` and
`fingerprint`, before the first process starts. Bots stand in the order of their names and
partnerships in the order of the file, so the order of keys in the file never matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from referee.engine import Rules
from referee.errors import ConfigError
from referee.tourney.identity import Json, rules_json
from referee.tourney.toml_lines import Place

__all__ = [
    "ATTACHED",
    "AUTO",
    "LONGEST_MS",
    "Bot",
    "Config",
    "Duel",
    "Event",
    "Limits",
    "Origin",
    "Partnership",
    "effective",
    "threads_problem",
]

ATTACHED: Final = "{attached}"
"""The command of a bot that a person starts: of a match, never of a file."""
LONGEST_MS: Final = 86_400_000
"""A day: the highest value of every limit in milliseconds."""
AUTO: Final = "auto"
"""What `tables` and `clock_slots` say when the machine decides."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where a configuration was read: the file as its user names it, and the line of each place."""

    file: str = "command line"
    lines: Mapping[Place, int] = field(default_factory=lambda: MappingProxyType({}))

    def error(self, message: str, *, place: Place, key: str) -> ConfigError:
        """Return the error for a place, with its line or that of the nearest place around it."""
        return ConfigError(message, file=self.file, line=self.line(place), key=key)

    def line(self, place: Place) -> int | None:
        """Return the line of a place, or of the nearest place around it, if any is known."""
        while place:
            if place in self.lines:
                return self.lines[place]
            place = place[:-1]
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What is played. `seed` None: 32 random bytes; `tables`, `clock_slots` None: auto."""

    id: str
    name: str
    rounds: int = 20
    seed: str | None = None
    design: str = AUTO
    leg_rounds: int = 10
    tables: int | None = None
    clock_slots: int | None = None
    processes: int = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a bot is allowed: milliseconds to decide, to say hello, to stop; faults in a game."""

    decision_ms: int = 1000
    start_ms: int = 10_000
    stop_ms: int = 1000
    faults_per_game: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A program with its settings.

    `command` is as written, `{python}` included; `directory` absolute, `written_directory` as in
    the file; `files` are what else decides how it plays, as written, relative to `directory`;
    `env` is sorted by name; `threads` is how many clock slots it takes.
    """

    name: str
    command: tuple[str, ...]
    directory: Path
    written_directory: str = "."
    files: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    threads: int = 1
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)

    @property
    def is_attached(self) -> bool:
        """Whether a person starts it, and the referee only waits for it."""
        return self.command == (ATTACHED,)

    def error(self, message: str, *, key: str, entry: int | None = None) -> ConfigError:
        """Return the error for one of its keys, or for one entry of a list, with its line."""
        place: Place = ("bots", self.name, key)
        if entry is not None:
            place = (*place, entry)
        return self.origin.error(message, place=place, key=f"[bots.{self.name}] {key}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Partnership:
    """An entrant as configured: two bots, which may be one program twice, and who enters it."""

    name: str
    bots: tuple[str, str]
    owner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Is the partnership `new` better than `old`? Asked after each leg until it is known.

    The effect of H1 is in thousandths of the standard deviation of a block, the error of either
    kind in thousandths.
    """

    new: str
    old: str
    effect_permille: int = 100
    error_permille: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """One event: `bots` by name, `partnerships` in the order of the file."""

    path: Path
    event: Event
    limits: Limits
    rules: Rules
    bots: tuple[Bot, ...]
    partnerships: tuple[Partnership, ...]
    duel: Duel | None = None
    origin: Origin = field(default_factory=Origin, compare=False, repr=False)

    def bot(self, name: str) -> Bot:
        """Return the bot of that name; raises `KeyError` if there is none."""
        for bot in self.bots:
            if bot.name == name:
                return bot
        raise KeyError(name)


def effective(config: Config) -> dict[str, Json]:
    """Return the configuration as written plus defaults, as JSON without machine or versions.

    Two files that mean the same give the same value, whatever the order of their keys. What is
    not set and has no default is null. `load_effective` reads it back.
    """
    event, limits, duel = config.event, config.limits, config.duel
    return {
        "event": {
            "id": event.id,
            "name": event.name,
            "rounds": event.rounds,
            "seed": event.seed,
            "design": event.design,
            "leg_rounds": event.leg_rounds,
            "tables": AUTO if event.tables is None else event.tables,
            "clock_slots": AUTO if event.clock_slots is None else event.clock_slots,
            "processes": event.processes,
        },
        "limits": {
            "decision_ms": limits.decision_ms,
            "start_ms": limits.start_ms,
            "stop_ms": limits.stop_ms,
            "faults_per_game": limits.faults_per_game,
        },
        "rules": rules_json(config.rules),
        "bots": [
            {
                "name": bot.name,
                "command": list(bot.command),
                "directory": bot.written_directory,
                "files": list(bot.files),
                "env": dict(bot.env),
                "threads": bot.threads,
            }
            for bot in config.bots
        ],
        "partnerships": [
            {"name": entry.name, "bots": list(entry.bots), "owner": entry.owner}
            for entry in config.partnerships
        ],
        **({} if duel is None else {"duel": asdict(duel)}),
    }


def threads_problem(bot: Bot, *, clock_slots: int) -> str | None:
    """Return why a bot cannot be put on the clock where there are so many slots, or None."""
    if bot.threads <= clock_slots:
        return None
    slots = f"{clock_slots} clock slot" + ("s" if clock_slots > 1 else "")
    return (
        f"is {bot.threads}, more than the {slots}; lower it, or play where more cores may be used"
    )
