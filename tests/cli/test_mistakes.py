"""Mistakes of the user: one line on stderr, exit code 2, nothing started, nothing written.

All cases run in one folder, which holds configurations, a finished run and folders that are no run.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.referees import (
    FIRST,
    RANDOM,
    RULES,
    Ended,
    FinishedRun,
    Golden,
    Place,
    contents,
)

NO_RUNS = ("nothing", "file.txt", "folder", "empty", "torn", "foreign", "newer")
BOT = "bot.py"

CASES: dict[str, tuple[str, ...]] = {
    "words": (
        "tourny demo.toml",
        "--colour",
        "tourney",
        "tourney demo.toml demo.toml",
        "tourney --outt x demo.toml",
        "tourney demo.toml --out",
        "tourney demo.toml --resume --fresh",
        "leaderboard",
        "leaderboard runs/demo --format pdf",
        "leaderboard runs/demo --format ''",
        "show",
        "show runs/demo 0.0.0 0.0.1",
        "export",
        "verify",
        "verify runs/demo runs/demo",
        "proto",
        "doctor now",
    ),
    "runs": tuple(
        f"{command} {run}{game}"
        for command, game in (
            ("leaderboard", ""),
            ("show", " 0.0.0"),
            ("show", ""),
            ("export", ""),
            ("verify", ""),
        )
        for run in NO_RUNS
    ),
    "games": (
        "show runs/demo 0.0",
        "show runs/demo 0.0.6",
        "show runs/demo 7.0.0",
        "show runs/demo -- -1.0.0",
        "show runs/demo ''",
        "show runs/demo 00112233445566778899aabbccddeeff",
        "show runs/demo 00112233445566778899aabbccddeef",
        "show runs/demo game",
    ),
    "configurations": (
        "tourney nothing.toml",
        "tourney folder",
        "tourney file.txt",
        "tourney empty.toml",
        "tourney latin.toml",
        "tourney typo.toml",
        "tourney negative.toml",
        "tourney text.toml",
        "tourney two.toml",
        "tourney gone.toml",
        "tourney threads.toml",
        "tourney $'\\x1b[31mred\\x1b[0m.toml'",
    ),
    "folders": (
        "tourney demo.toml --out file.txt",
        "tourney demo.toml --out file.txt/run",
        "tourney demo.toml --out folder",
        "tourney demo.toml --out ''",
        "tourney demo.toml --out torn",
        "tourney demo.toml --out foreign",
        "tourney demo.toml --out newer",
        "tourney demo.toml --out locked",
        "tourney demo.toml --out locked --fresh",
        "tourney demo.toml --out nothing --resume",
        "tourney demo.toml --out empty --resume",
        "tourney changed.toml",
        "tourney changed.toml --resume",
    ),
    "matches": (
        "match",
        f"match {BOT} {BOT}",
        f"match {BOT} {BOT} {BOT} {BOT}",
        f"match {BOT} {BOT} {BOT} --blocks 0",
        f"match {BOT} {BOT} {BOT} --blocks -1",
        f"match {BOT} {BOT} {BOT} --blocks 1000001",
        f"match {BOT} {BOT} {BOT} --blocks many",
        f"match {BOT} {BOT} {BOT} --seed ''",
        f"match {BOT} {BOT} nothing.py",
        f"match {BOT} {BOT} nosuchprogram",
        f"match {BOT} {BOT} ./nosuchprogram",
        f"match {BOT} {BOT} ''",
        f"match {BOT} {BOT} ' '",
        f'match {BOT} {BOT} "bot.py \'"',
        f"match {BOT} {BOT} $'\\x1b[31mred'",
        f"match {BOT} {BOT} $'two\\nlines'",
        f"match {BOT} {BOT} folder",
        f"match {BOT} {BOT} {BOT} --config nothing.toml",
        f"match {BOT} {BOT} {BOT} --config typo.toml",
        f"match {BOT} {BOT} Rulez --config demo.toml",
        f"match {BOT} {BOT} {BOT} --out runs/demo",
        f"match {BOT} {BOT} {BOT} --out folder",
    ),
    "checks": (
        "check",
        f"check {BOT} --hands 0",
        f"check {BOT} --hands many",
        "check nothing.py",
        "check nosuchprogram",
        "check ./nosuchprogram",
        "check ./file.txt",
        "check ./folder",
        "check ''",
        "check ' '",
        "check -- python3 nothing.py",
        f'check "{BOT} \'"',
        f"check {BOT} --config nothing.toml",
        f"check {BOT} --config typo.toml",
        "check Rulez --config demo.toml",
        f"check $'\\x1b[31mred' {BOT}",
    ),
    "protocol": (
        "proto file.txt",
        "proto file.txt/below",
        "proto other",
    ),
}


@dataclass(frozen=True)
class Mistakes:
    """How each case ended, and what the folder held before and after all of them."""

    ended: dict[str, Ended]
    before: dict[str, bytes | None]
    after: dict[str, bytes | None]


def furnish(place: Place, finished: FinishedRun) -> None:
    """Fill a folder with all that the cases name."""
    here = place.path
    finished.copy_to(place)
    good = {"first": FIRST, "random": RANDOM, "rules": RULES}
    text = (here / "demo.toml").read_text(encoding="utf-8")

    def write(name: str, old: str, new: str) -> None:
        assert old in text
        (here / name).write_text(text.replace(old, new), encoding="utf-8")

    write("changed.toml", "\nrounds = 1", "\nrounds = 2")
    write("typo.toml", "decision_ms", "descision_ms")
    write("negative.toml", "stop_ms = 1000", "stop_ms = -5")
    write("text.toml", "rounds = 1", 'rounds = "1"')
    place.configure(dict(list(good.items())[:2]), file="two.toml")
    place.configure(good | {"rules": ("nosuchprogram",)}, file="gone.toml")
    place.configure(good, file="threads.toml")
    threads = (here / "threads.toml").read_text(encoding="utf-8")
    threads = threads.replace("[bots.", "threads = 9\n[bots.", 2).replace("threads = 9\n", "", 1)
    threads = threads.replace("[limits]", "clock_slots = 2\n[limits]")
    (here / "threads.toml").write_text(threads, encoding="utf-8")
    (here / "empty.toml").write_bytes(b"")
    (here / "latin.toml").write_bytes("[event]\nname = 'Größe'\n".encode("latin-1"))
    (here / "file.txt").write_text("a file\n", encoding="utf-8")
    shutil.copy(FIRST[1], here / BOT)
    for name in ("folder", "empty", "torn", "foreign", "newer", "locked"):
        (here / name).mkdir()
    (here / "folder" / "thesis.txt").write_text("not to be lost\n", encoding="utf-8")
    whole = (here / "runs" / "demo" / "run.sqlite").read_bytes()
    (here / "torn" / "run.sqlite").write_bytes(whole[: len(whole) // 2])
    with closing(sqlite3.connect(here / "foreign" / "run.sqlite")) as database:
        database.execute("CREATE TABLE run (x)")
    (here / "newer" / "run.sqlite").write_bytes(whole)
    with closing(sqlite3.connect(here / "newer" / "run.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    (here / "locked" / "run.lock").write_text("4711\n", encoding="utf-8")
    protos = here / "other" / "schmier" / "v1"
    protos.mkdir(parents=True)
    (protos / "referee_service.proto").write_text("other\n", encoding="utf-8")


@pytest.fixture(scope="module")
def mistakes(module_place: Place, finished: FinishedRun) -> Iterator[Mistakes]:
    """Make all mistakes in one folder, two at a time."""
    place = module_place
    furnish(place, finished)
    before = contents(place.path)
    lines = [line for group in CASES.values() for line in group]

    def make(line: str) -> Ended:
        words = shlex.split(line.replace("$'", "'"))
        words = [word.encode().decode("unicode_escape") for word in words]
        return place.run(*words, env={"PATH": "/usr/bin:/bin"})

    lock = os.open(place.path / "locked" / "run.lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        with ThreadPoolExecutor(2) as pool:
            ended = dict(zip(lines, pool.map(make, lines), strict=True))
    finally:
        os.close(lock)
    yield Mistakes(ended, before, contents(place.path))


@pytest.mark.parametrize("line", [line for group in CASES.values() for line in group])
def test_a_mistake_is_told_in_one_line_and_the_code_is_2(mistakes: Mistakes, line: str) -> None:
    ended = mistakes.ended[line]
    assert (ended.code, ended.stdout) == (2, ""), ended.stderr
    assert len(ended.lines) == 1
    assert ended.stderr.startswith("schmier-referee")
    assert ended.stderr.rstrip("\n").isprintable()


@pytest.mark.parametrize("group", CASES)
def test_the_texts_for_mistakes_are_as_stored(
    mistakes: Mistakes, golden: Golden, group: str, module_place: Place
) -> None:
    told = "".join(f"$ {line}\n{mistakes.ended[line].stderr}\n" for line in CASES[group])
    golden(f"mistakes-{group}.txt", told.replace(str(module_place.path), "HERE"))


def test_no_mistake_writes_or_changes_anything(mistakes: Mistakes) -> None:
    assert mistakes.after == mistakes.before


def test_too_few_descriptors_are_told_with_the_number_that_is_needed(place: Place) -> None:
    config = place.configure()
    ended = place.run("tourney", config, prefix=("/bin/sh", "-c", 'ulimit -n 40; exec "$@"', "sh"))
    assert (ended.code, ended.stdout, len(ended.lines)) == (2, "", 1)
    assert "the limit is 40" in ended.stderr and "ulimit -n" in ended.stderr
    assert contents(place.path).keys() == {str(config)}


def test_a_folder_that_cannot_be_made_is_told(place: Place) -> None:
    config = place.configure()
    ended = place.run("tourney", config, "--out", Path("/proc/run"))
    assert (ended.code, len(ended.lines)) == (2, 1)
    assert "/proc" in ended.stderr
