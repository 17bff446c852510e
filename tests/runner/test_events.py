"""Whole events through the command line: honest and broken bots, signals, resumes, side by side.

Each test starts `schmier-referee tourney` as a process of its own. A broken bot costs itself; the
games of all others are played, and a run that is stopped goes on.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import chain
from pathlib import Path

from referee.table import FaultKind
from tests.runner.real_bots import (
    GOOD,
    RANDOM,
    Event,
    MakeEvent,
    Surroundings,
    kit,
    marked,
    wait_until,
)

TIMEOUT, ILLEGAL, MALFORMED = FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.MALFORMED
CRASH, HANDSHAKE = FaultKind.CRASH, FaultKind.HANDSHAKE

SHORT = {"target_score": 4, "max_hands": 6}
GOOD_THREE = {"a": GOOD, "b": GOOD, "c": GOOD}

FORMATS = ("txt", "md", "csv", "json")


def leaderboards(event: Event) -> list[bytes]:
    return [(event.out / f"leaderboard.{ending}").read_bytes() for ending in FORMATS]


def game_lines(event: Event) -> list[str]:
    """The games of an export; the manifest before them holds the number of tables."""
    program = "from referee.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "export", str(event.out)],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[1:-1]


def verified(event: Event) -> None:
    """The run recounts to what it says."""
    program = "from referee.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "verify", str(event.out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def interrupt(event: Event, process: subprocess.Popen[str], number: int, *, games: int) -> int:
    """Send a signal when so many more games are stored; return the exit code."""
    games += event.games()
    wait_until(lambda: event.games() >= games or process.poll() is not None, what="games")
    process.send_signal(number)
    return event.end_of(process).code


# --- a zoo ----------------------------------------------------------------------------------------

ONCE = """
import os, pathlib, sys
been = pathlib.Path(__file__).with_name("been")
if not been.exists():
    been.touch()
    sys.exit("not at the first call")
sys.path.insert(0, {kit!r})
from raw import play
play()
"""

ABORTS = """
import os, sys
sys.path.insert(0, {kit!r})
from raw import first_legal, play

def answer(decision):
    if decision.hand.number % 2 and decision.WhichOneof("question") == "play":
        os.abort()
    return first_legal(decision)

play(answer)
"""


def script(folder: Path, name: str, text: str) -> tuple[str, ...]:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.py"
    file.write_text(text.format(kit=kit("raw")[1].rpartition("/")[0]), encoding="utf-8")
    return ("{python}", str(file))


def test_every_kind_of_broken_bot_costs_itself_and_all_games_are_played(
    make_event: MakeEvent, tmp_path: Path
) -> None:
    zoo = {
        ("late", "sometimes"): (
            kit("answers_late", "1.5", "30"),
            kit("crashes_sometimes", "60"),
        ),
        ("in_batches", "mid_game"): (kit("dies_in_batches"), kit("dies_mid_game", "6", "30")),
        ("daemon", "garbage"): (kit("forks_daemon"), kit("garbage_bytes", "40")),
        ("half", "illegal"): (kit("half_closes", "30"), kit("illegal", "play")),
        ("empty", "other"): (kit("no_choice", "call"), kit("wrong_question", "trump")),
        ("large", "prints"): (kit("oversized_message", "70000", "40"), kit("prints_for_ever")),
        ("bytes", "stays"): (kit("prints_invalid_utf8"), kit("refuses_to_end")),
        ("sleeps", "spins"): (kit("sleeps", "trump"), kit("spins")),
        ("long", "ids"): (kit("strange_name", "long"), kit("too_many_ids", "20")),
        ("unsteady", "second"): (kit("unsteady"), kit("wrong_token", "spent")),
        ("once", "aborts"): (
            script(tmp_path / "once", "once", ONCE),
            script(tmp_path / "aborts", "aborts", ABORTS),
        ),
        ("good", "random"): (GOOD, RANDOM),
        ("no_hello", "no_answer"): (kit("exits_at_once", "4"), kit("exits_after_hello")),
        ("never", "wrong"): (kit("never_starts"), kit("wrong_token", "wrong")),
        ("hangs", "deaf"): (kit("hangs_forever"), kit("never_reads")),
        ("floods", "invalid"): (kit("floods"), kit("strange_name", "invalid")),
    }
    allowed = {
        "late": {TIMEOUT},
        "sometimes": {CRASH},
        "mid_game": {CRASH},
        "garbage": {MALFORMED},
        "half": {CRASH},
        "illegal": {ILLEGAL},
        "empty": {MALFORMED},
        "other": {MALFORMED},
        "large": {MALFORMED},
        "sleeps": {TIMEOUT},
        "aborts": {CRASH},
    }
    bots = {
        name: command
        for names, commands in zoo.items()
        for name, command in zip(names, commands, strict=True)
    }
    event = make_event(
        bots,
        {" and ".join(pair): pair for pair in zoo},
        event={"clock_slots": 8},
        limits={"decision_ms": 1500, "start_ms": 6000, "stop_ms": 100},
        rules=SHORT,
    )
    ended = event.play()
    assert ended.code == 3, ended.stderr
    for first, second in list(zoo)[-4:]:
        assert f"not started: {first} and {second}: {first}: " in ended.stderr
        assert f"; {second}: " in ended.stderr
        assert f"{first} and {second}" in ended.stdout
    assert "Traceback" not in ended.stderr
    with event.reader() as reader:
        assert reader.counts().games == 12 * 6
    found: dict[str, set[FaultKind]] = {}
    for evidence in chain(*event.faults().values()):
        found.setdefault(evidence.bot, set()).add(evidence.kind)
    for bot, kinds in found.items():
        assert kinds <= allowed.get(bot, set()), bot
    assert set(found) >= {"late", "sometimes", "garbage", "illegal", "empty", "other", "aborts"}
    verified(event)


# --- what may not matter --------------------------------------------------------------------------


def test_killed_or_interrupted_at_any_moment_a_run_goes_on_to_the_same_bytes_beside_another(
    make_event: MakeEvent, surroundings: Surroundings
) -> None:
    """The other run has the same bots, one table and one core.

    Daemons of the bots are gone after every ending of a referee.
    """
    bots = {"daemon": kit("forks_daemon"), "random": RANDOM, "good": GOOD}
    event, other = (
        make_event(
            bots,
            name=name,
            event={"tables": tables},
            rules=SHORT,
            limits={"decision_ms": 10_000},
        )
        for name, tables in (("event", 64), ("other", 1))
    )
    surroundings.swept = False  # a referee that is killed sweeps nothing
    undisturbed = other.start(prefix=("taskset", "-c", "0"))
    assert interrupt(event, event.start(), signal.SIGKILL, games=1) == -signal.SIGKILL
    assert interrupt(event, event.start(), signal.SIGTERM, games=1) == 143
    assert interrupt(event, event.start("--resume"), signal.SIGHUP, games=1) == 129
    assert interrupt(event, event.start(), signal.SIGKILL, games=1) == -signal.SIGKILL
    ended = event.play()
    assert ended.code == 0, ended.stderr
    assert event.end_of(undisturbed).code == 0
    assert leaderboards(event) == leaderboards(other)
    assert game_lines(event) == game_lines(other)
    assert event.faults() == other.faults() == {}
    verified(event)


def test_the_daemons_of_a_bot_are_gone_when_the_referee_was_killed(
    make_event: MakeEvent, tmp_path: Path, surroundings: Surroundings
) -> None:
    file = tmp_path / "daemon"
    event = make_event({"daemon": kit("forks_daemon", str(file)), "b": GOOD, "c": GOOD})
    surroundings.swept = False
    process = event.start()
    wait_until(file.exists, what="a daemon")
    assert marked(surroundings.mark)
    process.kill()
    wait_until(lambda: not marked(surroundings.mark), what="the end of all bots")
    assert event.end_of(process).code == -signal.SIGKILL


def test_a_referee_that_is_stopped_now_and_then_charges_nobody(make_event: MakeEvent) -> None:
    """Of the bots one takes half of its limit for each fifth decision.

    The one place where a fixed pause is what is tested.
    """
    event = make_event(
        {"half": kit("answers_late", "0.5", "5"), "b": RANDOM, "c": GOOD},
        limits={"decision_ms": 250, "start_ms": 5000},
        rules=SHORT,
    )
    process = event.start()
    stops = 0
    while process.poll() is None:
        time.sleep(0.15 + stops % 5 * 0.05)
        if (event.out / "referee.log").exists():
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.3)
            process.send_signal(signal.SIGCONT)
            stops += 1
    ended = event.end_of(process)
    assert ended.code == 0, ended.stderr
    assert stops > 5
    assert event.faults() == {}


# --- bots that do not start, hang, or change ------------------------------------------------------


def test_fewer_than_three_partnerships_that_start_are_no_event(make_event: MakeEvent) -> None:
    event = make_event({"a": GOOD, "b": GOOD, "c": kit("exits_at_once", "3")})
    ended = event.play()
    assert ended.code == 1
    assert "not started: C: c: the process ended before its hello: exit code 3" in ended.stderr
    assert ended.stderr.splitlines()[-1].startswith("schmier-referee: only 2 partnerships")
    assert not (event.out / "run.sqlite").exists()


def test_a_design_that_those_who_started_cannot_have_stops_the_event(
    make_event: MakeEvent,
) -> None:
    bots = dict.fromkeys("abcdef", GOOD) | {"g": kit("exits_at_once", "3")}
    event = make_event(bots, event={"design": "balanced"})
    ended = event.play()
    assert ended.code == 1
    assert ended.stderr.splitlines()[-1] == (
        "schmier-referee: a balanced round is for 3, 7, 9, 13, 15, 19 ... entrants, not for 6; "
        "the next are 3 and 7 (those that could be started); change [event] design"
    )


def test_a_bot_that_is_late_with_every_answer_is_not_started(make_event: MakeEvent) -> None:
    late = kit("answers_late", "3.5", "1")  # late even if the referee is held up now and then
    event = make_event({"a": GOOD, "b": GOOD, "late": late}, limits={"decision_ms": 300})
    ended = event.play()
    assert ended.code == 1
    assert "not started: Late: late: no answer in time" in ended.stderr


def test_a_bot_that_hangs_for_ever_is_out_after_one_sitting_and_not_asked_again(
    make_event: MakeEvent,
) -> None:
    limits = {"decision_ms": 500, "faults_per_game": 2}
    event = make_event(
        {"hangs": kit("sleeps", "play"), "b": GOOD, "c": GOOD}, rules=SHORT, limits=limits
    )
    ended = event.play()
    assert ended.code == 3, ended.stderr
    assert "out: Hangs forfeited more than half of its games" in ended.stderr
    assert set(event.faults()) == {"Hangs"}
    assert [evidence.kind for evidence in event.faults()["Hangs"]] == [TIMEOUT] * 2
    verified(event)


def test_a_bot_that_is_changed_between_sittings_stops_the_run_until_it_is_put_back(
    make_event: MakeEvent, tmp_path: Path
) -> None:
    source = "import sys\nsys.path.insert(0, {kit!r})\nfrom raw import play\nplay()\n"
    changing = script(tmp_path / "bot", "changing", source)
    file = Path(changing[1])
    original = file.read_text(encoding="utf-8")
    event = make_event({"changing": changing, "b": GOOD, "c": GOOD}, rules=SHORT)

    process = event.start()
    wait_until(lambda: event.games() >= 1, what="a game")
    second = event.play()
    assert second.code == 2 and f"process {process.pid} is playing in it" in second.stderr
    file.write_text(original + "# rebuilt\n", encoding="utf-8")
    ended = event.end_of(process)
    assert ended.code == 1
    assert "changing" in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr

    refused = event.play("--resume")
    assert refused.code == 2 and "changing" in refused.stderr

    file.write_text(original, encoding="utf-8")
    process = event.start()
    games = event.games()
    wait_until(lambda: event.games() > games or process.poll() is not None, what="a game")
    file.unlink()
    ended = event.end_of(process)
    assert ended.code == 1, ended.stderr
    assert "changing.py" in ended.stderr.splitlines()[-1]


# --- before anything is started -------------------------------------------------------------------


def test_too_few_descriptors_are_refused_with_the_numbers(make_event: MakeEvent) -> None:
    event = make_event(GOOD_THREE)
    ended = event.play(prefix=("sh", "-c", 'ulimit -n 64; exec "$@"', "sh"))
    assert ended.code == 2
    assert "file descriptors" in ended.stderr and "64" in ended.stderr
    assert "Traceback" not in ended.stderr and not event.out.exists()


def test_a_bot_with_more_threads_than_clock_slots_is_refused(make_event: MakeEvent) -> None:
    event = make_event(GOOD_THREE, event={"clock_slots": 2}, keys={"b": {"threads": 3}})
    ended = event.play()
    assert ended.code == 2
    assert "[bots.b] threads is 3, more than the 2 clock slots" in ended.stderr


def test_the_lock_of_a_dead_process_does_not_count(make_event: MakeEvent) -> None:
    event = make_event({"a": GOOD, "b": kit("exits_at_once"), "c": kit("exits_at_once")})
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    event.out.mkdir()
    (event.out / "run.lock").write_text(f"{dead.pid}\n", encoding="ascii")
    assert event.play().code == 1, "the roll call was reached"


def test_a_bot_that_does_not_start_shows_what_it_printed(make_event: MakeEvent) -> None:
    event = make_event({"a": GOOD, "b": GOOD, "c": (sys.executable, "-c", "raise SystemError(7)")})
    ended = event.play()
    assert ended.code == 1
    assert "last output of c:" in ended.stderr
    assert "  | SystemError: 7" in ended.stderr
