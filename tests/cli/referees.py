"""The console script as a user starts it: in a folder, with bots, its streams and its ending kept.

Every referee here has a temporary directory of its own. When a test is over, no process of it may
live, bots included, and no private directory may be left.
"""

from __future__ import annotations

import itertools
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent.parent
SAMPLES = TESTS.parent / "sample_bots" / "python"
KIT = TESTS / "kit"
SCRIPT = Path(sys.executable).with_name("schmier-referee")
DEADLINE_S = 120.0

Command = Sequence[str]
Golden = Callable[[str, str], None]
"""Compares a text with the golden file of a name."""
FIRST: Command = ("{python}", str(SAMPLES / "first_legal.py"))
RANDOM: Command = ("{python}", str(SAMPLES / "random_legal.py"))
RULES: Command = ("{python}", str(SAMPLES / "rule_based.py"))
HELD: Command = ("{python}", str(Path(__file__).parent / "held_bot.py"))
"""A bot that stops where a test wants it to: see `Place.hold`."""


def wait_until(condition: Callable[[], bool], *, what: str, deadline_s: float = 60.0) -> None:
    """Wait for a condition; fails the test after the deadline."""
    end = time.monotonic() + deadline_s
    while not condition():
        assert time.monotonic() < end, f"waited {deadline_s:g} s in vain: {what}"
        time.sleep(0.01)


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    stdout: str
    stderr: str

    @property
    def lines(self) -> list[str]:
        """What was said on stderr."""
        return self.stderr.splitlines()


@dataclass
class Running:
    """A command that may still run; its streams go to files, so that nothing can block it."""

    process: subprocess.Popen[bytes]
    stdout: Path
    stderr: Path

    def says(self, text: str) -> None:
        """Wait until it has said something on stderr."""
        wait_until(lambda: text in self.said, what=f"{text!r} in {self.said!r}")

    @property
    def said(self) -> str:
        """What it has said on stderr so far."""
        return self.stderr.read_text(encoding="utf-8")

    def end(self) -> Ended:
        """Wait for its end."""
        code = self.process.wait(DEADLINE_S)
        return Ended(code, self.stdout.read_text(encoding="utf-8"), self.said)


@dataclass
class Place:
    """A folder to give commands in."""

    path: Path
    temporary: Path
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def script(self) -> Path:
        """The console script."""
        return SCRIPT

    @property
    def python(self) -> Path:
        """The interpreter of the referees, in its folder of programs."""
        return Path(sys.executable)

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """Environment variables of a referee; those that change what is printed are left out."""
        unwanted = ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "LINES")
        kept = {name: value for name, value in os.environ.items() if name not in unwanted}
        return kept | {
            "TMPDIR": str(self.temporary),
            "COLUMNS": "80",
            "TERM": "xterm-256color",
            **(more or {}),
        }

    def start(
        self,
        *words: str | Path,
        env: Mapping[str, str] | None = None,
        prefix: Command = (),
        **settings: Any,
    ) -> Running:
        """Start a command."""
        number = next(self.numbers)
        files = [self.temporary.with_name(f"{number}.{name}") for name in ("stdout", "stderr")]
        with files[0].open("wb") as stdout, files[1].open("wb") as stderr:
            process = subprocess.Popen(
                [*prefix, SCRIPT, *words],
                cwd=self.path,
                stdin=subprocess.DEVNULL,
                stdout=settings.pop("stdout", stdout),
                stderr=settings.pop("stderr", stderr),
                env=self.environment(env),
                **settings,
            )
        self.started.append(process)
        return Running(process, *files)

    def run(self, *words: str | Path, **settings: Any) -> Ended:
        """Carry a command out to its end."""
        return self.start(*words, **settings).end()

    def type(self, line: str) -> Ended:
        """Carry out a command as a message of the referee gives it."""
        name, *words = shlex.split(line)
        assert name == "schmier-referee"
        return self.run(*words)

    def configure(
        self,
        bots: Mapping[str, Command] | None = None,
        *,
        file: str = "demo.toml",
        partnerships: Mapping[str, Sequence[str]] | None = None,
        **sections: Mapping[str, object],
    ) -> Path:
        """Write a configuration; every bot is a partnership of its own unless said otherwise."""
        bots = {"first": FIRST, "random": RANDOM, "rules": RULES} if bots is None else bots
        pairs = partnerships or {name.capitalize(): [name] for name in bots}
        event: dict[str, object] = {"id": "demo", "name": "Demo", "rounds": 1, "leg_rounds": 1}
        event |= {"seed": "demo"} | dict(sections.pop("event", {}))
        limits = {"decision_ms": 60_000, "start_ms": 60_000, "stop_ms": 1000}
        sections = {"event": event, "limits": limits | dict(sections.pop("limits", {})), **sections}
        lines = []
        for section, values in sections.items():
            lines += [f"[{section}]", *_keys(values)]
        for name, command in bots.items():
            hold = {"HOLD": str(self.hold())} if command == HELD else {}
            lines += [f"[bots.{json.dumps(name)}]", *_keys({"command": list(command), "env": hold})]
        for name, members in pairs.items():
            lines += ["[[partnerships]]", *_keys({"name": name, "bots": list(members)})]
        (self.path / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
        return Path(file)

    def hold(self) -> Path:
        """The folder by which held bots are told where to stop, and tell that they are there."""
        folder = self.temporary.with_name("hold")
        folder.mkdir(exist_ok=True)
        return folder

    def stop_bots_at(self, point: str) -> None:
        """Let held bots stop at their `start` or at a `decision` until they are let go."""
        (self.hold() / point).touch()

    def wait_for_bot_at(self, point: str) -> None:
        """Wait until a held bot has stopped there."""
        reached = self.hold() / f"{point}.reached"
        wait_until(reached.exists, what=f"a bot at its {point}")

    def let_bots_go(self) -> None:
        """Let held bots go on."""
        for file in self.hold().iterdir():
            file.unlink()

    def is_left(self) -> bool:
        """Whether a process of these referees lives."""
        mark = f"TMPDIR={self.temporary}".encode()
        for entry in Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in entry.read_bytes():
                    return True
            except OSError:
                continue
        return False


@dataclass(frozen=True)
class FinishedRun:
    """A run that was played to its end in `runs/demo`, and how its command ended."""

    place: Place
    config: Path
    ended: Ended

    @property
    def path(self) -> Path:
        """The folder of the run."""
        return self.place.path / "runs" / "demo"

    def copy_to(self, place: Place, name: str = "demo") -> Path:
        """Copy configuration and run to another place; return the run's folder there."""
        shutil.copy(self.place.path / self.config, place.path)
        return Path(shutil.copytree(self.path, place.path / "runs" / name))


def contents(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder with its bytes; None stands for a folder, locks are left out."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
        if path.name != "run.lock"
    }


def _keys(values: Mapping[str, object]) -> list[str]:
    return [f"{key} = {_value(value)}" for key, value in values.items()]


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(_keys(value)) + "}"
    return json.dumps(value)
