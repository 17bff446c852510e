"""What may change within a run and what may not, told by name with the old and the new value."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.tourney import (
    Changes,
    Fingerprint,
    Part,
    changed_conditions,
    conditions,
    parse_config,
)

TEXT = """\
[event]
id = "cup"
name = "Cup"
[bots.one]
command = ["{python}", "one.py"]
[bots.two]
command = ["./two"]
[[partnerships]]
name = "A"
bots = ["one"]
[[partnerships]]
name = "B"
bots = ["one", "two"]
[[partnerships]]
name = "C"
bots = ["two"]
"""

PRINTS = {
    "one": Fingerprint("d1", True, (Part("command", "c"), Part("argument one.py", "a" * 64))),
    "two": Fingerprint("d2", True, (Part("command", "c"), Part("program", "b" * 64))),
}

Edit = Callable[[str], str]


def conditions_of(
    text: str = TEXT, prints: dict[str, Fingerprint] = PRINTS, python: str = "3.11.7"
) -> dict[str, Any]:
    config = parse_config(text, path=Path("/x/cup.toml"))
    now = conditions(config, fingerprints=prints, versions={"python": python})
    stored: dict[str, Any] = json.loads(json.dumps(now))
    return stored


def after(old: str, new: str) -> Changes:
    assert old in TEXT
    return changed_conditions(conditions_of(), conditions_of(TEXT.replace(old, new, 1)))


def test_the_same_file_changes_nothing_whatever_the_order_of_its_keys() -> None:
    reordered = TEXT.replace('id = "cup"\nname = "Cup"', 'name = "Cup"\nid = "cup"')
    bots = '[bots.one]\ncommand = ["{python}", "one.py"]\n'
    reordered = reordered.replace(bots, "") + bots + "[limits]\ndecision_ms = 1000\n"
    assert reordered != TEXT
    assert changed_conditions(conditions_of(), conditions_of(reordered)) == Changes()


REFUSED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a limit": (
        "[event]",
        "[limits]\ndecision_ms = 500\n[event]",
        ("limits.decision_ms was 1000, is 500",),
    ),
    "a rule": (
        "[event]",
        '[rules]\ngame_tie = "bidder"\nset_keeps_points = true\n[event]',
        ('rules.game_tie was "none", is "bidder"', "rules.set_keeps_points was false, is true"),
    ),
    "rounds": ("[event]", "[event]\nrounds = 30", ("event.rounds was 20, is 30",)),
    "design": ("[event]", '[event]\ndesign = "cyclic"', ('event.design was "auto", is "cyclic"',)),
    "rounds of a leg": ("[event]", "[event]\nleg_rounds = 5", ("event.leg_rounds was 10, is 5",)),
    "id": ('"cup"', '"cup-2"', ('event.id was "cup", is "cup-2"',)),
    "seed": ("[event]", '[event]\nseed = "x"', ('event.seed was not set, is "x"',)),
    "a command": (
        '["./two"]',
        '["./two", "-v"]',
        ('bots.two.command was ["./two"], is ["./two", "-v"]',),
    ),
    "the environment": (
        '["./two"]',
        '["./two"]\nenv = { A = "1" }',
        ('bots.two.env was {}, is {A = "1"}',),
    ),
    "who plays": (
        'name = "B"\nbots = ["one", "two"]',
        'name = "B"\nbots = ["two", "one"]',
        ('partnership "B": bots was ["one", "two"], is ["two", "one"]',),
    ),
    "a name": ('"B"', '"D"', ('partnership "B" is gone', 'partnership "D" is new')),
    "an owner": (
        'name = "B"',
        'name = "B"\nowner = "Ada"',
        ('partnership "B": owner was not set, is "Ada"',),
    ),
    "the order of partnerships": (
        '[[partnerships]]\nname = "A"\nbots = ["one"]\n'
        '[[partnerships]]\nname = "B"\nbots = ["one", "two"]\n',
        '[[partnerships]]\nname = "B"\nbots = ["one", "two"]\n'
        '[[partnerships]]\nname = "A"\nbots = ["one"]\n',
        ('order of partnerships was "A", "B", "C", is "B", "A", "C"',),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_decides_the_games_is_refused_by_name(case: str) -> None:
    old, new, told = REFUSED[case]
    assert after(old, new) == Changes(refused=told)


NOTED = {
    "name": ('"Cup"', '"The Cup"', 'event.name was "Cup", is "The Cup"'),
    "tables": ("[event]", "[event]\ntables = 4", 'event.tables was "auto", is 4'),
    "slots": ("[event]", "[event]\nclock_slots = 2", 'event.clock_slots was "auto", is 2'),
    "processes": ("[event]", "[event]\nprocesses = 9", "event.processes was 64, is 9"),
    "path": (
        '["./two"]',
        '["./two"]\ndirectory = "x"',
        'bots.two.directory was ".", is "x"',
    ),
    "files": ('["./two"]', '["./two"]\nfiles = ["x"]', 'bots.two.files was [], is ["x"]'),
    "threads": ('["./two"]', '["./two"]\nthreads = 2', "bots.two.threads was 1, is 2"),
}


@pytest.mark.parametrize("case", NOTED)
def test_what_only_decides_speed_or_place_is_noted(case: str) -> None:
    old, new, told = NOTED[case]
    assert after(old, new) == Changes(noted=(told,))


def test_a_version_is_noted() -> None:
    changes = changed_conditions(conditions_of(), conditions_of(python="3.12.0"))
    assert changes == Changes(noted=('version of python was "3.11.7", is "3.12.0"',))


def test_a_rebuilt_program_is_refused_by_its_file() -> None:
    built = Fingerprint("d3", True, (Part("command", "c"), Part("program", "c" * 64)))
    changes = changed_conditions(conditions_of(), conditions_of(prints=PRINTS | {"two": built}))
    assert changes.refused == (
        f"bots.two is another program: program changed (SHA-256 was {'b' * 12}, is {'c' * 12})",
    )


def test_files_that_came_or_went_are_told() -> None:
    new = Fingerprint("d4", True, (Part("command", "c"), Part("file m", "c" * 64)))
    changes = changed_conditions(conditions_of(), conditions_of(prints=PRINTS | {"two": new}))
    assert changes.refused == ("bots.two is another program: program is gone, file m is new",)


def test_a_change_among_files_of_one_name_is_not_lost() -> None:
    def prints(second: str) -> dict[str, Fingerprint]:
        parts = (Part("file m", "a" * 64), Part("file m", second * 64))
        return PRINTS | {"two": Fingerprint(f"d{second}", True, parts)}

    changes = changed_conditions(
        conditions_of(prints=prints("b")), conditions_of(prints=prints("c"))
    )
    (told,) = changes.refused
    assert "file m changed" in told
    swapped = Fingerprint("d9", True, tuple(reversed(prints("b")["two"].parts)))
    changes = changed_conditions(
        conditions_of(prints=prints("b")), conditions_of(prints=PRINTS | {"two": swapped})
    )
    assert changes.refused


def test_a_changed_command_is_told_once() -> None:
    new = Fingerprint("d5", True, (Part("command", "x"), Part("program", "b" * 64)))
    text = TEXT.replace('["./two"]', '["./two", "-v"]')
    changes = changed_conditions(conditions_of(), conditions_of(text, PRINTS | {"two": new}))
    assert changes.refused == ('bots.two.command was ["./two"], is ["./two", "-v"]',)


def test_a_bot_that_came_or_went_is_told() -> None:
    text = TEXT.replace("[bots.two]", "[bots.three]").replace('"two"', '"three"')
    prints = {"one": PRINTS["one"], "three": PRINTS["two"]}
    refused = changed_conditions(conditions_of(), conditions_of(text, prints)).refused
    assert "bots.two was there, is gone" in refused
    assert "bots.three was not there, is new" in refused


def test_what_is_no_conditions_is_refused() -> None:
    with pytest.raises(ValueError, match="not the conditions of a run"):
        changed_conditions({"config": 3}, conditions_of())
    with pytest.raises(ValueError, match="not the conditions of a run"):
        changed_conditions({"config": {"bots": {"a": 1}}}, conditions_of())
