"""`check`: a bot from a command, a file or a configuration, its findings and the exit code."""

from __future__ import annotations

import json
import shutil
import signal

import jsonschema

from referee.report import check_schema
from referee.runner.check.steps import STEPS
from tests.cli.referees import FIRST, KIT, RANDOM, RULES, SAMPLES, Place, wait_until

FEW = ("--hands", "3")
LIMITS = {"decision_ms": 30_000, "start_ms": 60_000, "stop_ms": 20_000}


def test_a_good_bot_passes_line_by_line_and_the_code_is_0(place: Place) -> None:
    shutil.copy(FIRST[1], place.path)
    ended = place.run("check", *FEW, "--", "{python}", "first_legal.py")
    assert (ended.code, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    assert lines[0] == "checking '{python}' first_legal.py"
    assert lines[1].startswith("limits of the defaults: 1000 ms a decision, 10000 ms to start")
    for number, (step, line) in enumerate(zip(STEPS, lines[2:], strict=False), 1):
        assert line.startswith(f"{number:>2}  pass  {step.name}")
    assert lines[-1] == f"PASSED all {len(STEPS)} steps"
    assert "reproducible: yes" in lines


def test_a_file_and_a_command_in_quotes_are_commands_too(place: Place) -> None:
    shutil.copy(RULES[1], place.path)
    for words in (("rule_based.py",), ("rule_based.py --boldness 1",)):
        ended = place.run("check", *words, *FEW)
        assert (ended.code, ended.stderr) == (0, ""), ended.stdout
    assert "says hello: rule based +1 1" in ended.stdout


def test_a_bad_bot_fails_with_what_was_asked_and_the_code_is_1(place: Place) -> None:
    ended = place.run("check", *FEW, "--", "{python}", str(KIT / "illegal.py"), "repeat")
    assert (ended.code, ended.stderr) == (1, "")
    lines = ended.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if "FAIL" in line)
    assert lines[at].startswith(" 3  FAIL  answers each kind of question: illegal: the same card")
    block = lines[at : at + 12]
    assert "          legal        0 to 2 of 4C 9S" in block
    assert "          came back    4C 4C" in block
    assert any("it printed nothing that arrived" in line for line in block)
    assert lines[-1].startswith("FAILED steps 3, ")


def test_it_stops_at_the_first_failure_if_asked(place: Place) -> None:
    bot = ("{python}", str(KIT / "exits_after_hello.py"))
    ended = place.run("check", "--stop-at-first", *FEW, "--", *bot)
    assert ended.code == 1
    assert ended.stdout.count("FAIL  ") == 1
    assert "the check stops at the first failure" in ended.stdout


def test_a_bot_of_a_configuration_is_checked_under_its_limits_and_rules(place: Place) -> None:
    config = place.configure(limits=LIMITS, rules={"max_hands": 3})
    ended = place.run("check", "random", "--config", config, *FEW)
    assert (ended.code, ended.stderr) == (0, ""), ended.stdout
    lines = ended.stdout.splitlines()
    assert lines[0].startswith("checking random: ")
    assert lines[1] == (
        "limits of demo.toml: 30000 ms a decision, 60000 ms to start, 20000 ms to stop"
    )
    assert any(line.startswith("would keep the limits of demo.toml: yes (") for line in lines)


def test_another_bot_is_checked_under_the_limits_of_a_configuration(place: Place) -> None:
    limits = {"decision_ms": 60, "start_ms": 60_000, "stop_ms": 5000}
    config = place.configure(limits=limits)
    bot = ("{python}", str(KIT / "answers_late.py"), "3", "1")
    ended = place.run("check", "--config", config, "--stop-at-first", *FEW, "--", *bot)
    assert ended.code == 1
    assert "timeout: no answer within decision_ms (60 ms)" in ended.stdout
    assert "would keep the limits of demo.toml: no (decision_ms was passed)" in ended.stdout


def test_the_json_is_one_document_as_its_schema_says(place: Place) -> None:
    bots = {"good": FIRST, "bad": ("{python}", str(KIT / "wrong_token.py")), "third": RANDOM}
    config = place.configure(bots, limits=LIMITS)
    for name, code in (("good", 0), ("bad", 1)):
        ended = place.run("check", name, "--config", config, "--json", *FEW)
        assert (ended.code, ended.stderr) == (code, "")
        data = json.loads(ended.stdout)
        jsonschema.Draft202012Validator(json.loads(check_schema())).validate(data)
        assert data["bot"] == name
        assert data["passed"] is (code == 0)
        assert data["limits"]["of"] == "demo.toml"
        assert len(data["steps"]) == len(STEPS)


def test_a_signal_ends_a_check_and_its_bots(place: Place) -> None:
    running = place.start("check", str(SAMPLES / "first_legal.py"), "--hands", "500")
    wait_until(lambda: "says hello" in running.stdout.read_text(encoding="utf-8"), what="a hello")
    running.process.send_signal(signal.SIGTERM)
    assert running.end().code == 128 + signal.SIGTERM
    wait_until(lambda: not place.is_left(), what="its processes are gone")
    assert list(place.temporary.iterdir()) == []
