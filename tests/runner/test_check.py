"""A check passes every correct bot, and finds what is wrong with every other, with its reason."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from pathlib import Path
from typing import Protocol

import pytest

from referee.bots import Warden
from referee.engine import Rules
from referee.report import CheckReport, StepResult, StepVerdict
from referee.runner import Interrupted, Pace, check_bot
from referee.runner.check.steps import STEPS
from referee.tourney import Bot, Config, Event, Limits
from tests.runner.real_bots import DEADLINE_S, KIT, SAMPLES, Command, Surroundings, kit

LIMITS = Limits(decision_ms=5000, start_ms=30_000, stop_ms=10_000)
"""Room for a machine that is busy with other tests."""
SHORT = Limits(decision_ms=400, start_ms=30_000, stop_ms=10_000)
"""For bots that are waited for in vain."""


class Check(Protocol):
    def __call__(
        self,
        command: Command,
        *,
        limits: Limits = LIMITS,
        hands: int = 12,
        seconds: float = DEADLINE_S,
        stop_at_first: bool = True,
        rules: Rules | None = None,
        interrupt_at: int = 0,
    ) -> CheckReport: ...


@pytest.fixture
def check(surroundings: Surroundings) -> Check:
    """Check a bot with few recorded hands."""

    def run(
        command: Command,
        *,
        limits: Limits = LIMITS,
        hands: int = 12,
        seconds: float = DEADLINE_S,
        stop_at_first: bool = True,
        rules: Rules | None = None,
        interrupt_at: int = 0,
    ) -> CheckReport:
        bot = Bot(
            name="bot",
            command=tuple(command),
            directory=Path.cwd(),
            env=(("SCHMIER_TEST_MARK", surroundings.mark),),
        )
        config = Config(
            path=Path("test.toml"),
            event=Event(id="test", name="Test"),
            limits=limits,
            rules=rules or Rules(),
            bots=(bot,),
            partnerships=(),
        )
        warden = Warden.start()

        async def main() -> CheckReport:
            stop: asyncio.Future[int] = asyncio.get_running_loop().create_future()

            def on_step(step: StepResult) -> None:
                if step.number == interrupt_at:
                    stop.set_result(signal.SIGTERM)

            async with asyncio.timeout(DEADLINE_S):
                return await check_bot(
                    config,
                    bot,
                    limits_of="the test",
                    warden=warden,
                    stop=stop,
                    pace=Pace(hands, seconds, seconds, seconds),
                    stop_at_first=stop_at_first,
                    on_step=on_step,
                )

        try:
            return asyncio.run(main())
        finally:
            warden.end()

    return run


def failures(report: CheckReport) -> list[StepResult]:
    return [step for step in report.steps if step.verdict is StepVerdict.FAIL]


def failure(report: CheckReport) -> StepResult:
    (failed,) = failures(report)
    return failed


# --- correct bots ---------------------------------------------------------------------------------


NEEDS_STUBS = "without_sdk.py"
"""Played where there are stubs for it: see `tests.samples`."""
SCRIPTS = sorted(path.name for path in SAMPLES.glob("*.py") if path.name != NEEDS_STUBS)


@pytest.mark.parametrize("words", [*SCRIPTS, "rule_based.py --boldness 1"])
def test_every_sample_passes_every_step(check: Check, words: str) -> None:
    script, *options = words.split()
    report = check(("{python}", str(SAMPLES / script), *options))
    assert failures(report) == []
    assert report.passed
    assert [step.verdict for step in report.steps] == [StepVerdict.PASS] * len(STEPS)
    assert report.reproducible is True
    assert report.keeps_limits is True
    assert report.notes == ()
    assert len(report.slowest) == 5
    assert report.slowest[0].ms >= report.slowest[4].ms > 0
    assert report.peak_memory_kib is None or report.peak_memory_kib > 1000
    assert (report.peak_memory_kib is None) == (sys.platform != "linux")


def test_a_bot_passes_under_other_rules(check: Check) -> None:
    rules = Rules(max_hands=1, target_score=1, max_consecutive_redeals=0)
    report = check(("{python}", str(SAMPLES / "first_legal.py")), rules=rules, hands=3)
    assert failures(report) == []


NOT_AT_FAULT: dict[tuple[str, ...], str] = {
    ("strange_name", "long"): "name or version of its hello was changed for print",
    ("strange_name", "control"): "name or version of its hello was changed for print",
    ("prints_invalid_utf8",): "what it prints is not all text in UTF-8",
}


@pytest.mark.parametrize("words", NOT_AT_FAULT, ids=" ".join)
def test_what_is_strange_and_no_fault_is_noted(check: Check, words: tuple[str, ...]) -> None:
    report = check(kit(*words), hands=3)
    assert failures(report) == []
    assert NOT_AT_FAULT[words] in "".join(report.notes)


def test_a_bot_that_answers_differently_is_told_and_not_failed(check: Check) -> None:
    report = check(kit("unsteady"))
    assert report.passed
    assert report.reproducible is False
    (noted,) = [step for step in report.steps if step.verdict is StepVerdict.NOTE]
    assert re.match(r"not reproducible: [\d,]+ of [\d,]+ answers changed", noted.text)
    assert noted.asked and ", then " in noted.came_back


def test_a_bot_that_is_slow_but_in_time_passes(check: Check) -> None:
    limits = Limits(decision_ms=1000, start_ms=30_000, stop_ms=10_000)
    report = check(kit("answers_late", "0.1", "10"), limits=limits, hands=2)
    assert failures(report) == []
    assert report.slowest[0].ms >= 100


# --- the kit --------------------------------------------------------------------------------------

START, HELLO, EACH, RARE, TABLES, BATCHES, AGAIN, RECORDED = (step.name for step in STEPS[:8])
SAME, REST, GOODBYE, NEWER, RESTART, GONE, LEFT = (step.name for step in STEPS[8:])

FOUND: dict[tuple[str, ...], tuple[str, str]] = {
    ("answers_after_goodbye",): (GOODBYE, "it sent 1 answer after the goodbye"),
    ("answers_late", "1.3", "30"): ("", r"timeout: no answer within decision_ms \(400 ms\)"),
    ("calls_another_method",): (
        HELLO,
        r"it called /schmier\.v1\.RefereeService/Connect; the one method is .*/Play$",
    ),
    ("calls_another_method", "/chess.v1.Chess/Play"): (HELLO, r"it called /chess\.v1\.Chess/Play"),
    ("crashes_sometimes", "50"): ("", r"crash: the process ended \(exit code 1\)"),
    ("dies_in_batches",): (
        TABLES,
        r"the process ended \(exit code 1\), asked 4 .*; asked one by one it was fine",
    ),
    ("dies_mid_game",): ("", r"crash: the process ended \(signal 6\)"),
    ("exits_after_hello",): (EACH, r"crash: the process ended \(exit code 0\)"),
    ("exits_at_once", "3"): (
        START,
        r"the process ended \(exit code 3\) before its hello: it never",
    ),
    ("floods",): (EACH, "it sent 1,000 answers to ids that were not open"),
    ("forks_daemon",): (LEFT, r"\d process(es)? outlived it"),
    ("garbage_bytes",): ("", "malformed: 24 bytes that are no PlayRequest"),
    ("half_closes",): ("", "crash: the bot ended its stream and its process lived on"),
    ("hangs_forever",): (EACH, "timeout: no answer within decision_ms"),
    ("illegal", "call"): (EACH, "illegal: not among the legal choices"),
    ("illegal", "discard"): (EACH, "illegal: "),
    ("illegal", "repeat"): (EACH, "illegal: the same card twice"),
    ("illegal", "play"): (EACH, "illegal: not among the legal choices"),
    ("never_reads",): (EACH, "timeout: no answer within decision_ms"),
    ("never_starts",): (
        START,
        r"no hello within start_ms \(300 ms\): it never connected to the address",
    ),
    ("no_choice", "play", "empty"): (EACH, "malformed: no choice"),
    ("no_choice", "play", "zero"): (EACH, "malformed: play: no card has the number 0"),
    ("no_choice", "call", "unknown"): (EACH, "malformed: play: no card has the number 99"),
    ("oversized_message",): ("", "malformed: a message of 7[0-9]{4} bytes, 65536 are allowed"),
    ("prints_for_ever",): (REST, r"it prints while nothing is asked: [\d,]+ bytes in 0\.3 s"),
    ("refuses_to_end",): (GOODBYE, r"it still ran stop_ms \(300 ms\) after the goodbye"),
    ("sleeps", "discard"): (EACH, "timeout: no answer within decision_ms"),
    ("speaks_another_protocol", "http"): (
        HELLO,
        r"it speaks HTTP/1 to the port \(GET /play HTTP/1\.1\); a bot speaks gRPC",
    ),
    ("speaks_another_protocol", "http", "stay"): (HELLO, "it speaks HTTP/1 to the port"),
    ("speaks_another_protocol", "tls"): (HELLO, "it speaks TLS to the port"),
    ("speaks_another_protocol", "text"): (HELLO, "it speaks something else than gRPC"),
    ("speaks_another_protocol", "nothing"): (HELLO, "it connected to the port and said nothing"),
    ("spins",): (REST, r"it keeps the processor busy while nothing is asked: \d+% of a core"),
    ("strange_name", "invalid"): (HELLO, "its first message was no hello"),
    ("too_many_ids",): ("", "it sent 1,000 answers to ids that were not open"),
    ("too_many_ids", "0"): (REST, r"it sent \d+ answers to ids that were not open"),
    ("wrong_question", "trump"): (EACH, "malformed: another kind of choice than the question's"),
    ("wrong_token", "wrong"): (HELLO, "wrong token: its hello must have the text of SCHMIER_TOKEN"),
    ("wrong_token", "empty"): (HELLO, "wrong token"),
    ("wrong_token", "spent"): (REST, "it said hello a second time"),
}
"""For each bot of the kit the step that finds it (empty: one of those that ask) and the reason."""

OTHER_LIMITS = {
    "never_starts": Limits(start_ms=300),
    "refuses_to_end": Limits(decision_ms=5000, start_ms=30_000, stop_ms=300),
    "speaks_another_protocol": Limits(start_ms=1500),
} | dict.fromkeys(("answers_late", "hangs_forever", "never_reads", "sleeps"), SHORT)


@pytest.mark.parametrize("words", FOUND, ids=" ".join)
def test_each_bot_of_the_kit_is_found_with_its_reason(check: Check, words: tuple[str, ...]) -> None:
    step, reason = FOUND[words]
    report = check(kit(*words), limits=OTHER_LIMITS.get(words[0], LIMITS), hands=8)
    assert not report.passed
    failed = failure(report)
    assert re.match(reason, failed.text), failed.text
    assert failed.name == step or (not step and failed.name in (EACH, RARE, TABLES, RECORDED))


def test_no_bot_of_the_kit_is_left_out() -> None:
    tried = {words[0] for words in (*FOUND, *NOT_AT_FAULT, ("unsteady",))}
    assert tried == {path.stem for path in KIT.glob("*.py")} - {"raw"}


# --- what is told of a failure --------------------------------------------------------------------


def test_a_failure_shows_what_was_asked_what_came_back_and_what_was_printed(check: Check) -> None:
    illegal = failure(check(kit("illegal", "repeat")))
    assert illegal.came_back == "4C 4C"
    assert "held         4C 2H JH KH AH 9S" in illegal.asked
    assert "legal        0 to 2 of 4C 9S" in illegal.asked
    crashed = failure(check(kit("crashes_sometimes", "50")))
    assert "RuntimeError: this bot does not like the number" in crashed.output_tail
    assert failure(check(kit("exits_at_once"))).output_tail.endswith("this is its last word\n")


def test_of_a_batch_that_goes_wrong_the_decision_that_does_it_is_found(check: Check) -> None:
    crashed = failure(check(kit("crashes_sometimes", "700")))
    assert re.match(
        r"the process ended \(exit code 1\), asked \d+ decisions at once; "
        r"asked alone, one of them does it: crash: the process ended \(exit code 1\)",
        crashed.text,
    )
    asked, *_ = crashed.asked
    number = int(asked.rpartition(" ")[2])
    assert f"does not like the number {number}" in crashed.output_tail


def test_after_a_failure_the_other_steps_are_tried_with_new_processes(check: Check) -> None:
    report = check(kit("illegal", "discard"), hands=4, stop_at_first=False)
    verdicts = {step.name: step.verdict for step in report.steps}
    assert verdicts[EACH] is verdicts[RECORDED] is StepVerdict.FAIL
    assert verdicts[GOODBYE] is verdicts[GONE] is verdicts[LEFT] is StepVerdict.PASS
    assert report.keeps_limits is True


def test_a_bot_that_hangs_is_given_up_after_three_times(check: Check) -> None:
    report = check(kit("hangs_forever"), limits=SHORT, stop_at_first=False)
    assert [step.number for step in failures(report)] == [3, 4, 5]
    assert {step.verdict for step in report.steps[5:]} == {StepVerdict.NOT_TRIED}
    assert report.keeps_limits is False
    assert report.keeps_limits_text == "decision_ms was passed"
    assert report.reproducible is None


def test_nothing_more_is_tried_of_a_bot_that_says_no_hello(check: Check) -> None:
    report = check(kit("exits_at_once"), stop_at_first=False)
    assert failure(report).number == 1
    assert {step.text for step in report.steps[1:]} == {"the bot did not say hello"}
    assert report.keeps_limits is None
    assert report.max_batch is None and report.calls_itself == ""


def test_a_program_that_cannot_be_started_says_so(check: Check, tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_bytes(b"this is no program")
    program.chmod(0o700)
    assert failure(check((str(program),))).text.startswith("cannot start program")


def test_a_signal_ends_a_check_and_nothing_is_left(check: Check) -> None:
    with pytest.raises(Interrupted):
        check(("{python}", str(SAMPLES / "first_legal.py")), interrupt_at=4)


# --- bots of our own making -----------------------------------------------------------------------

BOT = """
import sys
sys.path.insert(0, {kit!r})
from raw import Stream, actions, first_legal
stream = Stream()
stream.say_hello(max_batch={max_batch})
{body}
"""
STRICT = """
for message in stream.messages():
    fields = message.WhichOneof("content")
    if fields is None:
        sys.exit("a message of no kind")
    if fields == "decisions":
        stream.send(actions(*map(first_legal, message.decisions.decisions)))
"""
FORGETS = """
seen = set()
for batch in stream.batches():
    for decision in batch:
        if decision.id not in seen:
            seen.add(decision.id)
            stream.send(actions(first_legal(decision)))
"""
REMEMBERS = """
last = 0
for batch in stream.batches():
    for decision in batch:
        if decision.table == "restart" and len(decision.hand.calls) > last + 1:
            sys.exit("where are the calls before this one?")
        last = len(decision.hand.calls)
        stream.send(actions(first_legal(decision)))
"""
LINGERS = """
import time
said_goodbye = False
for message in stream.messages():
    if message.HasField("decisions"):
        stream.send(actions(*map(first_legal, message.decisions.decisions)))
    said_goodbye = message.HasField("goodbye")
while not said_goodbye:
    time.sleep(1)
"""
COMPLAINS = """
for message in stream.messages():
    if message.HasField("decisions"):
        stream.send(actions(*map(first_legal, message.decisions.decisions)))
sys.exit(7)
"""

TIRES = """
import os, threading
tired = None
for batch in stream.batches():
    if tired is None and batch[0].table.startswith("x"):  # the last ones before it rests
        tired = threading.Timer(0.2, os._exit, (5,))
        tired.start()
    stream.send(actions(*map(first_legal, batch)))
"""


def test_a_bot_that_ends_while_nothing_is_asked_is_found(check: Check, tmp_path: Path) -> None:
    script = tmp_path / "bot.py"
    script.write_text(BOT.format(kit=str(KIT), max_batch=64, body=TIRES), encoding="utf-8")
    failed = failure(check(("{python}", str(script)), hands=1))
    assert failed.text == "the process ended (exit code 5) while nothing was asked"
    assert failed.name in (SAME, REST)  # a busy machine may not have come to the rest by then
    assert failed.asked == ()


OWN: dict[str, tuple[str, str, str]] = {
    "stops at a message of no kind": (STRICT, NEWER, r"(crash: )?the process ended"),
    "answers an id only once": (FORGETS, AGAIN, "timeout"),
    "counts on what its process has seen": (REMEMBERS, RESTART, "crash"),
    "waits for ever for a referee that is gone": (LINGERS, GONE, "it still ran stop_ms"),
    "ends with a code of failure": (COMPLAINS, GOODBYE, r"it ended with exit code 7"),
}


@pytest.mark.parametrize("case", OWN)
def test_each_promise_of_the_protocol_is_tried(check: Check, tmp_path: Path, case: str) -> None:
    body, step, reason = OWN[case]
    script = tmp_path / "bot.py"
    script.write_text(BOT.format(kit=str(KIT), max_batch=8, body=body), encoding="utf-8")
    limits = Limits(decision_ms=2000, start_ms=30_000, stop_ms=2000)
    report = check(("{python}", str(script)), limits=limits, hands=4)
    failed = failure(report)
    assert (failed.name, bool(re.match(reason, failed.text))) == (step, True), failed


def test_a_bot_that_takes_one_decision_at_a_time_is_never_sent_more(
    check: Check, tmp_path: Path
) -> None:
    body = (
        "for batch in stream.batches():\n"
        "    assert len(batch) == 1\n"
        "    stream.send(actions(first_legal(batch[0])))\n"
    )
    script = tmp_path / "bot.py"
    script.write_text(BOT.format(kit=str(KIT), max_batch=1, body=body), encoding="utf-8")
    report = check(("{python}", str(script)), hands=4)
    assert failures(report) == []
    (batches,) = [step for step in report.steps if step.name == BATCHES]
    assert batches.text == "it takes one decision at a time (max_batch 1)"


def test_a_slow_bot_does_not_make_the_check_long(check: Check) -> None:
    """At 20 ms an answer, 100 hands would take minutes."""
    limits = Limits(decision_ms=2000, start_ms=30_000, stop_ms=10_000)
    report = check(kit("answers_late", "0.01", "1"), limits=limits, hands=100, seconds=0.5)
    assert failures(report) == []
    (recorded,) = [step for step in report.steps if step.name == RECORDED]
    assert "as many as it could answer in 0.5 s" in recorded.text
