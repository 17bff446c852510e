"""Real bot processes for the tests of this floor: what is left of them, configurations, runs.

Every bot carries a mark in its environment. When a test is over no process with its mark may live
and no private directory may be left, whatever the test has done to the referee.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from referee.bots import Warden
from referee.report import Evidence
from referee.report.facts import Facts
from referee.runner.members import Member
from referee.runner.sitting import Sitting
from referee.store import RunReader
from referee.table import Fault, FaultKind, GameRecord, replay
from referee.tourney import Config, Fixture

TESTS = Path(__file__).parent.parent
KIT = TESTS / "kit"
SAMPLES = TESTS.parent / "sample_bots" / "python"
DEADLINE_S = 60.0

Command = Sequence[str]
GOOD: Command = ("{python}", str(SAMPLES / "first_legal.py"))
RANDOM: Command = ("{python}", str(SAMPLES / "random_legal.py"))


def kit(name: str, *arguments: str) -> Command:
    """The command of a misbehaving bot."""
    return ("{python}", str(KIT / f"{name}.py"), *arguments)


# --- what must not be left ------------------------------------------------------------------------


def marked(mark: str) -> list[int]:
    """The processes that carry a mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def wait_until(condition: Callable[[], bool], *, what: str, deadline_s: float = 60.0) -> None:
    """Wait for a condition; fails the test after the deadline."""
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, f"waited {deadline_s:g} s in vain: {what}"
        time.sleep(0.01)


@dataclass
class Surroundings:
    """A mark for bots, and the temporary directory of the test's referees."""

    mark: str
    temporary: Path
    swept: bool = True


# --- configurations -------------------------------------------------------------------------------


def toml(
    bots: Mapping[str, Command],
    partnerships: Mapping[str, Sequence[str]],
    *,
    mark: str,
    event: Mapping[str, object] | None = None,
    limits: Mapping[str, int] | None = None,
    rules: Mapping[str, object] | None = None,
    keys: Mapping[str, Mapping[str, object]] | None = None,
) -> str:
    """A configuration as text: `keys` are further keys of single bots."""
    all_limits = {"decision_ms": 2000, "start_ms": 30_000, "stop_ms": 1000} | dict(limits or {})
    all_event = {"id": "test", "name": "Test", "rounds": 1, "seed": "test"} | dict(event or {})
    lines = ["[event]", *_keys(all_event), "[limits]", *_keys(all_limits)]
    lines += ["[rules]", *_keys(rules or {})]
    for name, command in bots.items():
        further = {"env": {"SCHMIER_TEST_MARK": mark}} | dict((keys or {}).get(name, {}))
        lines += [f"[bots.{name}]", *_keys({"command": list(command), **further})]
    for name, members in partnerships.items():
        lines += ["[[partnerships]]", *_keys({"name": name, "bots": list(members)})]
    return "\n".join(lines) + "\n"


def _keys(values: Mapping[str, object]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in values.items()]


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(_keys(value)) + "}"
    return json.dumps(value)


# --- a part of a sitting --------------------------------------------------------------------------


@dataclass
class Played:
    """What a part of a sitting came to."""

    config: Config
    facts: Facts
    games: dict[Fixture, GameRecord] = field(default_factory=dict)
    seen: list[tuple[Fixture, Fault, Evidence]] = field(default_factory=list)
    members: tuple[Member, ...] = ()
    failing: Callable[[], None] | None = None

    def file(
        self, fixture: Fixture, record: GameRecord, seen: list[tuple[Fault, Evidence]]
    ) -> None:
        """Keep a game, and hold its record and its evidence to each other and to the rules."""
        if self.failing is not None:
            self.failing()
        assert fixture not in self.games
        self.games[fixture] = record
        self.seen += [(fixture, fault, evidence) for fault, evidence in seen]
        assert [fault for fault, _ in seen] == list(record.faults)
        replay(
            record,
            rules=self.config.rules,
            seeds=self.facts.seeds(fixture.block.id),
            faults_per_game=self.config.limits.faults_per_game,
        )

    @property
    def faults(self) -> list[tuple[str, FaultKind]]:
        """Who was charged with what, as the records say."""
        entrants = self.facts.entrants()
        return [
            (entrants[fixture.entrants[fault.seat % 3]].name, fault.kind)
            for fixture, record in self.games.items()
            for fault in record.faults
        ]

    @property
    def evidence(self) -> list[Evidence]:
        """What was seen of the faults."""
        return [evidence for _, _, evidence in self.seen]

    def member(self, bot: str) -> Member:
        """The membership of a bot that has only one."""
        (found,) = (member for member in self.members if member.bot.name == bot)
        return found


class Sit(Protocol):
    def __call__(
        self,
        odd: Command,
        *,
        partner: Command = GOOD,
        games: int = 1,
        good: int = 2,
        good_bot: Command = GOOD,
        max_batch: int = 64,
        tables: int = 64,
        slots: int = 8,
        event: Mapping[str, object] | None = None,
        limits: Mapping[str, int] | None = None,
        during: Callable[[Sitting, Warden], Any] | None = None,
        failing: Callable[[], None] | None = None,
    ) -> Played: ...


# --- whole events ---------------------------------------------------------------------------------


@dataclass
class Event:
    """A configuration on disk, and the referees that were started on it."""

    config: Path
    out: Path
    surroundings: Surroundings
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self, *options: str, prefix: Command = (), **settings: Any) -> subprocess.Popen[str]:
        """Start `schmier-referee tourney`."""
        program = "from referee.cli import main; main()"
        command = [*prefix, sys.executable, "-c", program, "tourney", str(self.config)]
        process = subprocess.Popen(
            [*command, "--out", str(self.out), *options],
            stdin=subprocess.DEVNULL,
            stdout=settings.pop("stdout", subprocess.PIPE),
            stderr=settings.pop("stderr", subprocess.PIPE),
            text=True,
            env={**os.environ, "TMPDIR": str(self.surroundings.temporary)},
            **settings,
        )
        self.started.append(process)
        return process

    def play(self, *options: str, prefix: Command = (), **settings: Any) -> Ended:
        """Start `schmier-referee tourney` and wait for its end."""
        return self.end_of(self.start(*options, prefix=prefix, **settings))

    @staticmethod
    def end_of(process: subprocess.Popen[str]) -> Ended:
        """Wait for a referee's end."""
        stdout, stderr = process.communicate(timeout=5 * DEADLINE_S)
        return Ended(process.returncode, stdout or "", stderr or "")

    def reader(self) -> RunReader:
        """The run, also while it is played."""
        return RunReader(self.out)

    def games(self) -> int:
        """How many games are stored by now."""
        if not (self.out / "run.sqlite").exists():
            return 0
        with self.reader() as reader:
            return reader.counts().games

    def faults(self) -> dict[str, list[Evidence]]:
        """The evidence of all faults by partnership."""
        found: dict[str, list[Evidence]] = {}
        with self.reader() as reader:
            for game in reader.games():
                for stored in reader.evidence(game.id):
                    assert isinstance(stored.content, Mapping)
                    evidence = Evidence.from_json(stored.content)
                    found.setdefault(evidence.partnership, []).append(evidence)
        return found

    @property
    def log(self) -> str:
        """The referee's log."""
        return (self.out / "referee.log").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Ended:
    """How a referee ended, and what it said."""

    code: int
    stdout: str
    stderr: str


class MakeEvent(Protocol):
    def __call__(
        self,
        bots: Mapping[str, Command],
        partnerships: Mapping[str, Sequence[str]] | None = None,
        *,
        name: str = "event",
        event: Mapping[str, object] | None = None,
        limits: Mapping[str, int] | None = None,
        rules: Mapping[str, object] | None = None,
        keys: Mapping[str, Mapping[str, object]] | None = None,
    ) -> Event: ...
