"""When the referee itself is in trouble: signals, a dead warden, a full disk, a bug of ours.

A run that cannot go on says why in one line, leaves no process behind, and can be taken up again.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.bots import Warden
from referee.errors import RunFailed
from referee.runner.sitting import Sitting
from tests.runner.real_bots import (
    GOOD,
    Ended,
    MakeEvent,
    Sit,
    Surroundings,
    kit,
    marked,
    wait_until,
)

SHORT = {"target_score": 4, "max_hands": 6}
GOOD_THREE = {"a": GOOD, "b": GOOD, "c": GOOD}


def told_in_one_line(ended: Ended, words: str) -> None:
    assert ended.code == 1
    assert "Traceback" not in ended.stderr
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("schmier-referee: ") and words in last, ended.stderr


def warden_of(process: subprocess.Popen[str]) -> int | None:
    """The process id of a referee's warden."""
    for thread in Path(f"/proc/{process.pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            if b"warden_main.py" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
    return None


# --- signals --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_during_the_roll_call_ends_it_with_nothing_stored(
    make_event: MakeEvent, surroundings: Surroundings, number: signal.Signals
) -> None:
    event = make_event({"a": GOOD, "b": GOOD, "c": kit("never_starts")})
    process = event.start()
    wait_until(lambda: bool(marked(surroundings.mark)), what="a bot")
    process.send_signal(number)
    ended = event.end_of(process)
    assert ended.code == 128 + number
    assert "Traceback" not in ended.stderr
    assert not (event.out / "run.sqlite").exists()


def test_a_second_signal_ends_the_run_at_once_and_no_bot_is_left(
    make_event: MakeEvent, surroundings: Surroundings
) -> None:
    bots = {"a": kit("refuses_to_end"), "b": GOOD, "c": GOOD}
    event = make_event(bots, limits={"stop_ms": 1000})
    surroundings.swept = False
    process = event.start()
    wait_until(lambda: event.games() >= 1, what="a game")
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    while "stopping after SIGINT" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert event.end_of(process).code == 143


# --- the warden -----------------------------------------------------------------------------------


def test_a_run_whose_warden_is_killed_says_so_and_goes_on_when_started_again(
    make_event: MakeEvent, surroundings: Surroundings
) -> None:
    event = make_event({"a": kit("illegal", "play"), "b": GOOD, "c": GOOD}, rules=SHORT)
    process = event.start()
    wait_until(lambda: event.games() >= 1, what="a game")
    warden = warden_of(process)
    assert warden is not None
    os.kill(warden, signal.SIGKILL)
    told_in_one_line(event.end_of(process), "warden")
    wait_until(lambda: not marked(surroundings.mark), what="the end of all bots")
    games = event.games()
    process = event.start("--resume")
    wait_until(lambda: event.games() > games or process.poll() is not None, what="another game")
    process.send_signal(signal.SIGTERM)
    assert event.end_of(process).code == 143


def test_a_warden_that_is_killed_during_the_roll_call_is_told_in_one_line(
    make_event: MakeEvent, surroundings: Surroundings
) -> None:
    event = make_event({"a": GOOD, "b": kit("never_starts"), "c": kit("hangs_forever")})
    process = event.start()
    wait_until(lambda: bool(marked(surroundings.mark)), what="a bot")
    warden = warden_of(process)
    assert warden is not None
    os.kill(warden, signal.SIGKILL)
    told_in_one_line(event.end_of(process), "warden")


def test_a_sitting_whose_warden_is_killed_ends_whatever_its_bots_do(sit: Sit) -> None:
    def kill(_sitting: Sitting, warden: Warden) -> None:
        os.kill(warden.pid, signal.SIGKILL)

    with pytest.raises(RunFailed, match="warden"):
        sit(kit("hangs_forever"), partner=kit("never_starts"), during=kill)


# --- what must not be swallowed -------------------------------------------------------------------


class OurBugError(Exception):
    pass


@pytest.mark.parametrize(
    ("odd", "error"),
    [
        pytest.param(GOOD, RunFailed("the disk is full"), id="heard"),
        pytest.param(GOOD, OurBugError("a bug"), id="heard, a bug"),
        pytest.param(kit("illegal", "play"), RunFailed("the disk is full"), id="with evidence"),
        pytest.param(kit("hangs_forever"), OurBugError("a bug"), id="in a timer"),
        pytest.param(kit("exits_after_hello"), OurBugError("a bug"), id="at an ending"),
    ],
)
def test_what_fails_when_a_game_is_filed_ends_the_run_wherever_it_was_called_from(
    sit: Sit, odd: tuple[str, ...], error: Exception
) -> None:
    def fail() -> None:
        raise error

    limits = {"decision_ms": 300, "faults_per_game": 1, "stop_ms": 100}
    with pytest.raises(type(error), match=str(error)):
        sit(odd, failing=fail, limits=limits)


def test_a_game_with_faults_that_cannot_be_kept_ends_the_run_before_the_next_game(
    sit: Sit,
) -> None:
    """Such a game is filed in a task of its own, when the evidence of its faults is there."""
    tried: list[None] = []

    def fail() -> None:
        tried.append(None)
        raise RunFailed("the disk is full")

    with pytest.raises(RunFailed, match="the disk is full"):
        sit(kit("illegal", "play"), failing=fail, games=4, tables=1)
    assert len(tried) == 1


def test_what_fails_when_a_bot_is_started_ends_the_run(
    sit: Sit, surroundings: Surroundings
) -> None:
    """The place of the private directories goes away, as on a full disk."""
    hidden = surroundings.temporary.with_name("hidden")

    def take_away(_sitting: Sitting, _warden: Warden) -> None:
        surroundings.temporary.rename(hidden)

    with pytest.raises(RunFailed, match="private directory"):
        sit(kit("dies_mid_game", "9", "5"), during=take_away)
    surroundings.temporary.mkdir(exist_ok=True)


def test_a_full_disk_is_told_in_one_line_and_the_run_goes_on_when_there_is_room(
    make_event: MakeEvent,
) -> None:
    event = make_event(GOOD_THREE, rules=SHORT)
    process = event.start()
    wait_until(lambda: event.games() >= 1, what="a game")
    _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, most))  # no file may grow any more
    told_in_one_line(event.end_of(process), "cannot be written")
    games = event.games()
    process = event.start()
    wait_until(lambda: event.games() > games or process.poll() is not None, what="another game")
    process.send_signal(signal.SIGTERM)
    assert event.end_of(process).code == 143


# --- what a bot leaves behind ---------------------------------------------------------------------


@contextmanager
def unremovable(root: Path) -> Iterator[None]:
    """Make a folder one that its owner cannot remove, and undo it."""
    stone = root / "stone"
    if os.geteuid():
        root.parent.chmod(0o500)
    else:
        stone.touch()
        made = subprocess.run(["chattr", "+i", stone], check=False, capture_output=True)
        if made.returncode:
            pytest.skip(f"immutable files are missing: {made.stderr!r}")
    try:
        yield
    finally:
        if os.geteuid():
            root.parent.chmod(0o700)
        else:
            subprocess.run(["chattr", "-i", stone], check=True)
        shutil.rmtree(root)


def test_what_a_bot_leaves_that_cannot_be_removed_is_logged_and_ends_no_run(
    make_event: MakeEvent, surroundings: Surroundings
) -> None:
    event = make_event(GOOD_THREE, rules=SHORT)
    process = event.start()
    wait_until(lambda: event.games() >= 1, what="a game")
    (root,) = surroundings.temporary.iterdir()
    with unremovable(root):
        ended = event.end_of(process)
        assert ended.code == 0, ended.stderr
        assert "cannot remove" in (event.out / "referee.log").read_text()
