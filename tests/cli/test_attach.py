"""`match --attach`: a bot that a person starts plays against house bots."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from tests.cli.referees import FIRST, RANDOM, SAMPLES, Place, Running, wait_until


def variables(file: Path) -> dict[str, str]:
    """The variables of a file of lines NAME=VALUE."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def start_by_hand(place: Place, match: Running, *, times: int = 1) -> subprocess.Popen[bytes]:
    """Start the smallest bot with the variables that the match has told `times` times."""
    waiting = "start it with these two variables:"
    wait_until(lambda: match.said.count(waiting) == times, what=f"told {times} times")
    file = place.path / "mine.env"
    wait_until(lambda: match.said.count("take them from") == times, what="the file")
    return subprocess.Popen(
        [sys.executable, SAMPLES / "first_legal.py"],
        env={**place.environment(), **variables(file)},
        stdin=subprocess.DEVNULL,
    )


def test_a_bot_started_by_hand_plays_all_seatings_against_house_bots_in_one_process(
    place: Place,
) -> None:
    (place.path / "mine.env").touch(mode=0o644)
    match = place.start("match", "--attach", "mine", "--seed", "x", "--env-file", "mine.env")
    bot = start_by_hand(place, match)
    ended = match.end()
    assert (ended.code, bot.wait(60)) == (0, 0), ended.stderr
    told = [line.strip() for line in ended.lines if "export" in line]
    assert [line.split("=")[0] for line in told] == [
        "export SCHMIER_REFEREE",
        "export SCHMIER_TOKEN",
    ]
    assert "waiting 600 s for mine, which then has all the time it takes" in ended.stderr
    assert "the attached bot is here: first legal" in ended.stderr
    assert stat.S_IMODE((place.path / "mine.env").stat().st_mode) == 0o600
    games = [line for line in ended.stdout.splitlines() if line.startswith("game ")]
    assert len(games) == 6 and all("mine" in line and "rule_based" in line for line in games)
    assert "not fingerprinted: mine" in ended.stdout
    assert place.run("verify", "runs/match-1").code == 0


def test_a_debugger_that_is_stopped_costs_a_fault_and_the_bot_is_waited_for_again(
    place: Place,
) -> None:
    rivals = [" ".join(command[1:]) for command in (FIRST, RANDOM)]
    words = ("--attach", "mine", *rivals, "--seed", "x", "--env-file", "mine.env")
    match = place.start("match", *words)
    stopped = start_by_hand(place, match)
    wait_until(lambda: "sitting 2 of 6" in match.said or stopped.poll() is not None, what="a game")
    stopped.kill()
    stopped.wait()
    bot = start_by_hand(place, match, times=2)
    ended = match.end()
    assert (ended.code, bot.wait(60)) == (0, 0), ended.stderr
    assert place.run("verify", "runs/match-1").code == 0


def test_until_the_bot_is_there_nothing_is_played(place: Place) -> None:
    words = ("--attach", "mine", "--wait-s", "1", "--seed", "x", FIRST[1], RANDOM[1])
    ended = place.run("match", *words)
    assert (ended.code, ended.stdout) == (1, "")
    assert ended.stderr.count("waiting 1 s for mine") == 1
    assert (
        "did not say hello within 1 s, so nothing was played; give the command again"
        in (ended.lines[-1])
    )
    assert not (place.path / "runs" / "match-1" / "run.sqlite").exists()


def test_what_cannot_be_attached_is_told_in_one_line(place: Place) -> None:
    place.configure({"by_hand": ("{attached}",), "first": FIRST, "random": RANDOM})
    os.mkfifo(place.path / "pipe")
    for words, told in (
        (("--attach", "mine", "one.py"), "a match needs 2 bots beside mine, 1 are given"),
        (("--attach", "mine", "--wait-s", "0"), "--wait-s must be from 1 to 86400, is 0"),
        (("--attach", "mine", "--env-file", "no/v.env"), "--env-file no/v.env: there is no such"),
        (("--attach", "mine", "--env-file", "pipe"), "--env-file pipe cannot be written: "),
        (("--attach", "first", "--config", "demo.toml"), "has a bot of that name"),
        (("--env-file", "v.env", "a", "b", "c"), "are for --attach NAME, which is missing"),
        (("--attach", "m", "--decision-ms", "0"), "--decision-ms must be from 1 to 86400000, is 0"),
        (("--config", "demo.toml", "frist", "random", "first"), "frist: no program, and no name"),
        (("--config", "demo.toml", "by_hand", "random", "first"), "is for `match --attach` alone"),
    ):
        ended = place.run("match", *words)
        assert ended.code == 2 and len(ended.lines) == 1, ended.stderr
        assert told in ended.stderr
    assert not (place.path / "runs").exists()
    assert "SCHMIER_TOKEN" not in os.environ
