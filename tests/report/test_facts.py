from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.errors import StoreError
from referee.report import Findings, run_of
from referee.store import RunReader
from referee.tourney import NotStarted, Sibling

FOUND = Findings(
    not_started=(NotStarted("A", "no hello"), NotStarted("B", "")),
    not_reproducible=("C", "D"),
    siblings=(Sibling("C", "D", "same owner, shared bot"),),
    stamps=("deals known to whoever knows the seed",),
)


def test_findings_come_back_from_json() -> None:
    assert Findings.from_json(json.loads(json.dumps(FOUND.to_json()))) == FOUND
    assert Findings.from_json(()) == Findings()


def test_other_results_of_the_roll_call_are_passed_over() -> None:
    others: list[object] = [{"kind": "presence", "bot": "x"}, {"bot": "y"}, "z", 1, None]
    assert Findings.from_json([*others, *FOUND.to_json()]) == FOUND


BROKEN = [
    {"kind": "not_started", "partnership": "A"},
    {"kind": "not_reproducible", "partnership": 1},
    {"kind": "siblings", "partnerships": ["A"], "reason": "x"},
    {"kind": "stamp"},
]


@pytest.mark.parametrize("entry", BROKEN, ids=range(len(BROKEN)))
def test_a_finding_that_is_broken_is_refused(entry: object) -> None:
    with pytest.raises(ValueError, match="no finding"):
        Findings.from_json([entry])


def test_a_closed_run_is_read_with_its_facts(closed_run: Path) -> None:
    with RunReader(closed_run) as reader, reader.snapshot():
        run = run_of(reader)
    assert run.closed and run.legs == 2 and run.rounds_finished == 2
    assert [entrant.name for entrant in run.facts.entrants()] == [
        "Careful pair",
        "Mixed|pair",
        "漢字",
    ]
    assert run.out_names() == ("漢字",)
    assert run.facts.meta(closed=run.closed).master == run.facts.master


def test_an_open_run_is_read_up_to_its_last_finished_leg(open_run: Path) -> None:
    with RunReader(open_run) as reader, reader.snapshot():
        run = run_of(reader)
    assert not run.closed and run.legs == 1
    assert run.standings().rounds_scored == 1
    assert run.facts.meta(closed=run.closed).master is None


DAMAGED = {
    "no configuration": "UPDATE starts SET conditions = '{}'",
    "a finding": 'UPDATE roll_call SET result = \'{"kind": "stamp"}\' WHERE number = 1',
    "a stranger out": "UPDATE sittings SET out = '[7]'",
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_run_is_refused_in_one_line(case: str, closed_run: Path, tmp_path: Path) -> None:
    shutil.copytree(closed_run, tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run" / "run.sqlite")) as connection, connection:
        connection.execute(DAMAGED[case])
    with RunReader(tmp_path / "run") as reader, pytest.raises(StoreError, match=r"run\.sqlite"):
        run_of(reader)
