from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee.engine import Ending, Outcome
from referee.report.audit.boards import BoardError, InferredBoards, PlannedBoards
from referee.report.export.entries import Entry
from referee.table import GameRecord
from referee.tourney import Entrant, Plan


def plan_of(entrants: int, *, design: str = "auto") -> Plan:
    names = tuple(Entrant(f"Pair {n}", (f"a{n}", f"b{n}")) for n in range(entrants))
    return Plan("demo", bytes(range(32)), names, 3, design)


def entries(plan: Plan) -> Iterator[Entry]:
    outcome = Outcome(
        scores=(0, 0, 0),
        sixths=(2, 2, 2),
        margin_thirds=(0, 0, 0),
        hands=0,
        ending=Ending.FORFEIT,
        out=frozenset(),
    )
    for round in range(plan.rounds):
        for block in plan.blocks(round):
            for replay in range(6):
                record = GameRecord(
                    first_dealer=block.first_dealer,
                    out=frozenset(),
                    actions=b"\0",
                    faults=(),
                    outcome=outcome,
                )
                fixture = plan.fixture(round, block.index, replay)
                yield Entry.of(plan, fixture, id=bytes(16), record=record)


SHAPES = [(3, "auto"), (4, "auto"), (5, "auto"), (6, "auto"), (7, "auto"), (12, "cyclic")]


@pytest.mark.parametrize(("entrants", "design"), SHAPES)
def test_without_the_key_all_seats_follow_from_the_first_game_of_a_block(
    entrants: int, design: str
) -> None:
    plan = plan_of(entrants, design=design)
    inferred, planned = InferredBoards(plan), PlannedBoards(plan)
    for entry in entries(plan):
        found, known = inferred.fixture(entry), planned.fixture(entry)
        assert found.seats == known.seats
        assert (found.leg, found.sitting, found.first_dealer) == (
            known.leg,
            known.sitting,
            known.first_dealer,
        )


def run_through(plan: Plan, changed: dict[int, Entry]) -> None:
    boards = InferredBoards(plan)
    for number, entry in enumerate(entries(plan)):
        boards.fixture(changed.get(number, entry))


def test_a_sitting_that_comes_twice_in_a_block_is_found() -> None:
    plan = plan_of(3)
    first, second, *_ = entries(plan)
    with pytest.raises(BoardError, match="sitting"):
        run_through(plan, {1: replace(second, sitting=first.sitting)})


def test_a_trio_that_is_not_of_the_design_is_found() -> None:
    plan = plan_of(7)
    listed = list(entries(plan))
    third = listed[12]
    stranger = next(
        entrant.name for entrant in plan.entrants if entrant.name not in third.partnerships
    )
    changed = replace(third, partnerships=(stranger, *third.partnerships[1:]))
    with pytest.raises(BoardError):
        run_through(plan, {12: changed})


WRONG = {
    "a partnership twice": {"partnerships": ("Pair 0", "Pair 0", "Pair 1")},
    "a stranger": {"partnerships": ("Pair 0", "Pair 1", "Nobody")},
    "a third member": {"members": (2, 0, 0, 0, 1, 1)},
}


@pytest.mark.parametrize("case", WRONG)
def test_a_first_game_between_the_wrong_ones_is_found(case: str) -> None:
    plan = plan_of(3)
    first = next(entries(plan))
    with pytest.raises(BoardError):
        run_through(plan, {0: replace(first, **WRONG[case])})  # type: ignore[arg-type]
