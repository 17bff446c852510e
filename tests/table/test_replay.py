"""Laws of whole games under any conduct; replay passes what was played, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import (
    Action,
    BoardSeeds,
    Decision,
    FinalTie,
    Play,
    RedealWhen,
    Rules,
    card_text,
    team_of,
)
from referee.table import (
    Difference,
    FaultKind,
    GameRecord,
    RecordError,
    Table,
    decode_actions,
    transcript,
)

OpenTable = Callable[..., Table]
Conduct = Callable[..., GameRecord]
Recompute = Callable[..., None]
RandomBot = Callable[[Random], Callable[[Decision], Action]]

NUMBERS = st.integers(0, 2**32)
RULES = st.builds(
    Rules,
    redeal_when=st.sampled_from(RedealWhen),
    final_tie=st.sampled_from(FinalTie),
    set_keeps_points=st.booleans(),
    target_score=st.integers(1, 8),
    max_hands=st.integers(1, 4),
    max_consecutive_redeals=st.integers(0, 3),
)
SETTINGS = st.fixed_dictionaries(
    {
        "rules": RULES,
        "faults_per_game": st.integers(1, 5),
        "out": st.frozensets(st.integers(0, 2), max_size=2),
    }
)
FAULTS = st.sampled_from([0.0, 0.01, 0.05, 0.2, 1.0])


@given(NUMBERS, SETTINGS, FAULTS)
@settings(max_examples=150)
def test_a_recomputed_record_equals_the_game_whatever_the_bots_do(
    open_table: OpenTable,
    conduct: Conduct,
    recompute: Recompute,
    number: int,
    setting: dict[str, object],
    faults: float,
) -> None:
    record = conduct(open_table(number, **setting), Random(number), faults=faults)
    recompute(record, number, **setting)
    outcome = record.outcome
    assert sum(outcome.sixths) == 6
    assert sum(outcome.margin_thirds) == 0
    assert record.out <= outcome.out
    assert all(outcome.sixths[team] == 0 for team in outcome.out) or len(outcome.out) == 3
    assert [fault.action_index for fault in record.faults] == sorted(
        fault.action_index for fault in record.faults
    )


@given(NUMBERS, SETTINGS, FAULTS)
@settings(max_examples=60)
def test_nobody_is_asked_who_is_out_or_has_no_choice(
    open_table: OpenTable,
    random_bot: RandomBot,
    number: int,
    setting: dict[str, Any],
    faults: float,
) -> None:
    table, random = open_table(number, **setting), Random(number)
    out = setting["out"]
    while table.decision is not None:
        assert table.record is None
        counts = [team_of(fault.seat) for fault in table.faults]
        forfeited = {team for team in range(3) if counts.count(team) >= table.faults_per_game}
        assert table.decision.public.out == out | forfeited
        assert team_of(table.decision.seat) not in table.decision.public.out
        assert table.decision.question.only() is None
        if random.random() < faults:
            table.charge(FaultKind.TIMEOUT)
        else:
            table.answer(random_bot(random)(table.decision))
    assert table.record is not None


# --- what replay finds ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def number() -> int:
    return 3


@pytest.fixture(scope="module")
def record(open_table: OpenTable, conduct: Conduct, number: int) -> GameRecord:
    """A game with some faults, and no forfeit."""
    table = open_table(number, faults_per_game=9)
    record = conduct(table, Random(number), faults=0.05)
    assert len(record.faults) >= 2 and not record.outcome.out
    return record


def difference(recompute: Recompute, record: GameRecord, number: int) -> RecordError:
    with pytest.raises(RecordError) as caught:
        recompute(record, number, faults_per_game=9)
    assert "\n" not in str(caught.value)
    return caught.value


def test_another_first_dealer_is_found(
    recompute: Recompute, record: GameRecord, number: int
) -> None:
    error = difference(recompute, replace(record, first_dealer=4), number)
    assert str(error) == "first dealer: the board says 3, the record 4"


def test_other_teams_out_are_found(recompute: Recompute, record: GameRecord, number: int) -> None:
    error = difference(recompute, replace(record, out=frozenset({0, 1})), number)
    assert str(error) == "teams out: none were, the record says T0 T1"


def test_an_illegal_action_is_found_with_its_place(
    recompute: Recompute, record: GameRecord, number: int
) -> None:
    plays = [
        step
        for deal in decode_actions(record.actions, first_dealer=3)
        for step in deal.steps
        if isinstance(step.action, Play)
    ]
    first, second = (step.action for step in plays[:2])
    assert isinstance(first, Play) and isinstance(second, Play)
    trick = bytes([first.card, second.card])
    changed = replace(record, actions=record.actions.replace(trick, trick[:1] * 2))
    error = difference(recompute, changed, number)
    assert str(error) == (
        f"illegal action at action {plays[1].index}: "
        f"seat {plays[1].seat} in hand 1 cannot play {card_text(first.card)} here"
    )


def test_a_missing_action_is_found(recompute: Recompute, record: GameRecord, number: int) -> None:
    for length in range(len(record.actions)):
        error = difference(recompute, replace(record, actions=record.actions[:length]), number)
        assert error.difference in (Difference.MISSING_ACTION, Difference.UNREADABLE)


def test_an_action_behind_the_end_is_found(
    recompute: Recompute, record: GameRecord, number: int
) -> None:
    for extra in (b"\x00", b"\x41", b"\x01"):
        changed = replace(record, actions=record.actions + extra)
        error = difference(recompute, changed, number)
        assert error.difference is Difference.UNEXPECTED_ACTION


def test_a_deal_that_is_not_due_or_left_out_is_found(
    recompute: Recompute, record: GameRecord, number: int
) -> None:
    actions = record.actions
    error = difference(recompute, replace(record, actions=b"\x00" + actions), number)
    assert (error.difference, error.action_index) == (Difference.MISSING_ACTION, 0)
    error = difference(recompute, replace(record, actions=actions[1:]), number)
    assert (error.difference, error.action_index) == (Difference.UNEXPECTED_ACTION, 0)


def test_another_action_than_the_substitute_is_found(
    recompute: Recompute, open_table: OpenTable
) -> None:
    table = open_table(0)
    table.charge(FaultKind.TIMEOUT)
    record = GameRecord(
        first_dealer=0,
        out=frozenset(),
        actions=b"\x00\x43",
        faults=table.faults,
        outcome=open_table(0, out=frozenset({0, 1})).record.outcome,  # type: ignore[union-attr]
    )
    with pytest.raises(RecordError) as caught:
        recompute(record, 0)
    assert str(caught.value) == (
        "other action at action 0: seat 1 in hand 1 must call P, recorded is 3"
    )


def test_a_fault_where_nobody_was_asked_is_found(
    recompute: Recompute, record: GameRecord, number: int
) -> None:
    asked = forced_index(record)
    stray = replace(record.faults[0], action_index=asked)
    faults = tuple(sorted((stray, *record.faults), key=lambda fault: fault.action_index))
    error = difference(recompute, replace(record, faults=faults), number)
    assert error.difference in (Difference.FAULT, Difference.OTHER_ACTION)
    late = replace(record.faults[-1], action_index=10**6)
    error = difference(recompute, replace(record, faults=(*record.faults, late)), number)
    assert str(error).endswith("but nobody was asked there")


def forced_index(record: GameRecord) -> int:
    """The index of the last card of the first hand: never a choice."""
    for deal in decode_actions(record.actions, first_dealer=record.first_dealer):
        if len(deal.steps) > 40:
            return deal.steps[-1].index
    raise AssertionError("no hand was played")


@pytest.mark.parametrize("field", ["hand", "redeal", "seat", "action_index"])
def test_a_fault_at_another_place_is_found(
    recompute: Recompute, record: GameRecord, number: int, field: str
) -> None:
    fault = record.faults[0]
    moved = replace(fault, **{field: getattr(fault, field) + 1})
    error = difference(recompute, replace(record, faults=(moved, *record.faults[1:])), number)
    assert error.difference in (Difference.FAULT, Difference.OTHER_ACTION)


@given(NUMBERS, st.data())
@settings(max_examples=60)
def test_a_dropped_fault_that_made_a_team_forfeit_is_found(
    open_table: OpenTable,
    conduct: Conduct,
    recompute: Recompute,
    number: int,
    data: st.DataObject,
) -> None:
    record = conduct(open_table(number), Random(number), faults=0.3)
    if not record.outcome.out:
        return
    decisive = [fault for fault in record.faults if team_of(fault.seat) in record.outcome.out]
    gone = data.draw(st.sampled_from(decisive))
    faults = tuple(fault for fault in record.faults if fault is not gone)
    with pytest.raises(RecordError):
        recompute(replace(record, faults=faults), number)


def test_a_changed_outcome_is_found_and_named(
    recompute: Recompute, record: GameRecord, number: int
) -> None:
    first, second, third = record.outcome.scores
    changes: dict[str, object] = {
        "scores": (first, second, third + 1),
        "sixths": (2, 2, 2),
        "margin_thirds": (0, 0, 0),
        "hands": 99,
        "ending": "forfeit",
        "out": frozenset({1}),
    }
    for name, value in changes.items():
        outcome = replace(record.outcome, **{name: value})  # type: ignore[arg-type]
        error = difference(recompute, replace(record, outcome=outcome), number)
        assert error.difference is Difference.OUTCOME
        assert error.detail.startswith(f"{name} recorded")


@given(NUMBERS, st.data())
@settings(max_examples=100)
def test_a_changed_byte_of_the_actions_is_found_or_makes_a_lawful_game(
    open_table: OpenTable,
    conduct: Conduct,
    recompute: Recompute,
    number: int,
    data: st.DataObject,
) -> None:
    record = conduct(open_table(number), Random(number))
    position = data.draw(st.integers(0, len(record.actions) - 1))
    code = data.draw(st.integers(0, 255).filter(lambda code: code != record.actions[position]))
    actions = bytearray(record.actions)
    actions[position] = code
    changed = replace(record, actions=bytes(actions))
    try:
        recompute(changed, number)
    except RecordError:
        return
    # A call that is outbid anyway: another game than was played, but one that could have been.
    assert record.actions[position] in range(65, 71)
    assert code in range(65, 71)


def test_any_other_board_is_found(
    open_table: OpenTable, conduct: Conduct, recompute: Recompute
) -> None:
    record = conduct(open_table(6), Random(6))
    with pytest.raises(RecordError):
        recompute(record, 12)


def test_a_transcript_of_a_record_that_is_no_game_stops_with_the_reason(
    open_table: OpenTable, conduct: Conduct, board: Callable[[int], BoardSeeds]
) -> None:
    record = conduct(open_table(6), Random(6))
    lines = transcript(record, rules=Rules(), seeds=board(7), faults_per_game=3)
    with pytest.raises(RecordError):
        list(lines)


@pytest.mark.parametrize("faults_per_game", [1, 9])
def test_a_transcript_stops_where_a_team_out_would_forfeit_again(
    open_table: OpenTable, board: Callable[[int], BoardSeeds], faults_per_game: int
) -> None:
    table = open_table(0, faults_per_game=1)
    table.charge(FaultKind.CRASH)
    table.charge(FaultKind.CRASH)
    assert table.record is not None
    record = replace(table.record, out=frozenset({1}))
    lines = transcript(record, rules=Rules(), seeds=board(0), faults_per_game=faults_per_game)
    with pytest.raises(RecordError):
        list(lines)
