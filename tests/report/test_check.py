"""A check as text and as JSON: everything is told, and what came from the bot acts on nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import jsonschema
import pytest

from referee.report import (
    CHECK_FORMAT,
    CHECK_VERSION,
    CheckReport,
    SlowDecision,
    StepResult,
    StepVerdict,
    check_head_lines,
    check_json,
    check_schema,
    check_step_lines,
    check_summary_lines,
)
from referee.tourney import Limits

ASKED = (
    "asked        seat 1, random seed 7",
    "scores       0 0 0",
    "dealer       0, calls from its left: 3 P P P P P",
    "held         4C 2H JH KH AH 9S",
    "legal        0 to 2 of 4C 9S",
)
PASSED = StepResult(number=1, name="starts in time", verdict=StepVerdict.PASS, text="12 ms")
FAILED = StepResult(
    number=3,
    name="answers each kind of question",
    verdict=StepVerdict.FAIL,
    text="illegal: the same card twice",
    asked=ASKED,
    came_back="4C 4C",
    output_tail="first line\n\x1b[31mred\x1b[0m\n",
    took_ms=17,
)
LEFT = StepResult(number=4, name="ends", verdict=StepVerdict.NOT_TRIED, text="no process")
REPORT = CheckReport(
    bot="mine",
    command=("{python}", "my bot.py"),
    calls_itself="mine 1.0",
    max_batch=64,
    limits=Limits(),
    limits_of="the defaults",
    steps=(PASSED, FAILED, LEFT),
    decisions=1234,
    slowest=(SlowDecision(12.34, "discard", ASKED), SlowDecision(0.5, "discard", ASKED)),
    peak_memory_kib=40_000,
    keeps_limits=True,
    keeps_limits_text="the slowest answer took 12.3 ms of 1000",
    reproducible=True,
    notes=("a note",),
)
GOOD = replace(REPORT, steps=(PASSED,), notes=())
NOTHING = CheckReport(
    bot="",
    command=("./bot",),
    calls_itself="",
    max_batch=None,
    limits=Limits(),
    limits_of="the defaults",
    steps=(replace(FAILED, asked=(), came_back="", output_tail=""),),
    decisions=0,
    slowest=(),
    peak_memory_kib=None,
    keeps_limits=None,
    keeps_limits_text="not all steps could be tried",
    reproducible=None,
)


def test_the_head_tells_what_is_checked_and_the_limits_that_hold() -> None:
    head = check_head_lines(
        bot="mine", command=REPORT.command, limits=Limits(decision_ms=250), limits_of="a.toml"
    )
    assert list(head) == [
        "checking mine: '{python}' 'my bot.py'",
        "limits of a.toml: 250 ms a decision, 10000 ms to start, 1000 ms to stop",
    ]


def test_a_pass_is_one_line() -> None:
    assert list(check_step_lines(PASSED)) == [" 1  pass  starts in time: 12 ms"]
    assert list(check_step_lines(replace(PASSED, text=""))) == [" 1  pass  starts in time"]
    assert list(check_step_lines(LEFT)) == [" 4  ----  ends: no process"]


def test_a_failure_shows_question_answer_and_output_which_acts_on_nothing() -> None:
    assert list(check_step_lines(FAILED)) == [
        " 3  FAIL  answers each kind of question: illegal: the same card twice",
        *(f"          {line}" for line in ASKED),
        "          came back    4C 4C",
        "          last output",
        "          | first line",
        r"          | \x1b[31mred\x1b[0m",
    ]


def test_a_failure_that_was_there_before_is_one_line() -> None:
    assert len(list(check_step_lines(FAILED, brief=True))) == 1


def test_only_the_end_of_a_long_output_is_shown() -> None:
    long = replace(FAILED, output_tail="".join(f"line {n}\n" for n in range(1000)) + "x" * 9999)
    lines = list(check_step_lines(long))
    assert lines[-2] == "          | line 999"
    assert len(lines) < 30 and max(map(len, lines)) < 500


def test_the_summary_tells_speed_memory_limits_and_the_verdict() -> None:
    assert list(check_summary_lines(REPORT)) == [
        "note: a note",
        "slowest of 1,234 answers:",
        "      12.3 ms  discard: held 4C 2H JH KH AH 9S; legal 0 to 2 of 4C 9S",
        "       0.5 ms  discard: held 4C 2H JH KH AH 9S; legal 0 to 2 of 4C 9S",
        "peak memory: 39 MiB",
        "would keep the limits of the defaults: yes (the slowest answer took 12.3 ms of 1000)",
        "reproducible: yes",
        "FAILED step 3 of 3; 1 could not be tried",
    ]
    assert list(check_summary_lines(GOOD))[-1] == "PASSED all 1 steps"
    assert list(check_summary_lines(NOTHING)) == [
        "would keep the limits of the defaults: cannot be said (not all steps could be tried)",
        "reproducible: cannot be said",
        "FAILED step 3 of 1",
    ]


@pytest.mark.parametrize("report", [REPORT, GOOD, NOTHING])
def test_the_json_is_as_its_schema_says(report: CheckReport) -> None:
    schema, text = json.loads(check_schema()), check_json(report)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    assert "\x1b" not in text
    data = json.loads(text)
    assert (data["format"], data["version"]) == (CHECK_FORMAT, CHECK_VERSION)
    assert data["passed"] is report.passed
    assert [step["verdict"] for step in data["steps"]] == [step.verdict for step in report.steps]


def test_the_schema_names_every_key_that_is_written() -> None:
    schema, data = json.loads(check_schema()), json.loads(check_json(REPORT))
    assert schema["required"] == list(data)
    assert schema["$defs"]["step"]["required"] == list(data["steps"][0])
    assert schema["properties"]["limits"]["required"] == list(data["limits"])
    assert schema["properties"]["slowest"]["items"]["required"] == list(data["slowest"][0])
