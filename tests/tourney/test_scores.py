"""Scores: whole numbers that add up alike in any order, and rounds that count only when whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine import Ending, Outcome
from referee.table import Fault, FaultKind, GameRecord
from referee.tourney import (
    FAULT_KINDS,
    GameLine,
    Plan,
    RoundScore,
    RoundScores,
    Tally,
    finished_rounds,
    line_of,
    out_after,
)

MakePlan = Callable[..., Plan]
PlayAll = Callable[..., list[GameLine]]

COUNTS = st.integers(0, 10**6)
SCORES = st.builds(
    RoundScore,
    sixths=COUNTS,
    margin_thirds=st.integers(-(10**6), 10**6),
    games=COUNTS,
    hands=COUNTS,
    forfeits=COUNTS,
    faults=st.tuples(*[COUNTS] * len(FAULT_KINDS)),
)
LINE = GameLine(
    round=0,
    index=0,
    replay=0,
    entrants=(0, 2, 1),
    sixths=(3, 0, 3),
    margin_thirds=(9, -18, 9),
    hands=11,
    forfeits=(False, True, False),
    faults=((0, 0, 0, 0, 0), (1, 0, 0, 2, 0), (0, 1, 0, 0, 0)),
)


def _tally(*lines: GameLine) -> Tally:
    tally = Tally(entrants=4, blocks_per_round=4)
    for line in lines:
        tally.add(line)
    return tally


def test_faults_are_counted_in_the_order_of_the_table_floor() -> None:
    assert FAULT_KINDS == ("timeout", "illegal", "malformed", "crash", "handshake")


def test_a_record_gives_its_line_by_seat_pair(plan_of: MakePlan) -> None:
    fixture = plan_of(4).fixture(1, 2, 3)
    crash = Fault(action_index=9, hand=0, redeal=0, seat=4, kind=FaultKind.CRASH)
    late = Fault(action_index=3, hand=0, redeal=0, seat=1, kind=FaultKind.TIMEOUT)
    illegal = Fault(action_index=7, hand=0, redeal=0, seat=2, kind=FaultKind.ILLEGAL)
    outcome = Outcome(
        scores=(21, 3, 9),
        sixths=(6, 0, 0),
        margin_thirds=(30, -24, -6),
        hands=12,
        ending=Ending.TARGET,
        out=frozenset({1}),
    )
    record = GameRecord(
        first_dealer=fixture.first_dealer,
        out=frozenset(),
        actions=b"",
        faults=(late, illegal, crash, crash),
        outcome=outcome,
    )
    assert line_of(fixture, record) == GameLine(
        round=1,
        index=2,
        replay=3,
        entrants=fixture.entrants,
        sixths=(6, 0, 0),
        margin_thirds=(30, -24, -6),
        hands=12,
        forfeits=(False, True, False),
        faults=((0, 0, 0, 0, 0), (1, 0, 0, 2, 0), (0, 1, 0, 0, 0)),
    )


def test_a_line_adds_to_the_entrants_of_its_seat_pairs() -> None:
    first, second, third, fourth = _tally(LINE).raw()
    assert first == RoundScore(3, 9, 1, 11, 0, (0, 0, 0, 0, 0))
    assert third == RoundScore(0, -18, 1, 11, 1, (1, 0, 0, 2, 0))
    assert second == RoundScore(3, 9, 1, 11, 0, (0, 1, 0, 0, 0))
    assert fourth == RoundScore()


def test_shuffled_lines_and_any_split_among_workers_give_equal_rounds(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(6, rounds=12, leg_rounds=4)
    lines = play(plan)
    expected = finished_rounds(plan, lines)
    assert [scores.round for scores in expected] == list(range(12))
    for seed in range(3):
        shuffled = lines.copy()
        Random(seed).shuffle(shuffled)
        assert finished_rounds(plan, shuffled) == expected
        workers = [Tally(entrants=6, blocks_per_round=10) for _ in range(3)]
        for number, line in enumerate(shuffled):
            workers[number % 3].add(line)
        for worker in workers[1:]:
            workers[0].merge(worker)
        assert tuple(workers[0].scores(round) for round in range(12)) == expected


def test_rounds_equal_an_independent_recount(plan_of: MakePlan, play: PlayAll) -> None:
    plan = plan_of(5, rounds=4, leg_rounds=2)
    lines = play(plan)
    for scores in finished_rounds(plan, lines):
        for entrant, score in enumerate(scores.scores):
            own = [
                (line, line.entrants.index(entrant))
                for line in lines
                if line.round == scores.round and entrant in line.entrants
            ]
            assert score.games == len(own)
            assert score.sixths == sum(line.sixths[pair] for line, pair in own)
            assert score.margin_thirds == sum(line.margin_thirds[pair] for line, pair in own)
            assert score.hands == sum(line.hands for line, _ in own)


def test_a_round_is_scored_only_when_its_whole_leg_is_there(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(4, rounds=7, leg_rounds=3)
    lines = play(plan)
    for missing, scored in [("0.0.0", range(3, 7)), ("4.2.5", [0, 1, 2, 6]), ("6.0.1", range(6))]:
        rest = [ln for ln in lines if f"{ln.round}.{ln.index}.{ln.replay}" != missing]
        assert [scores.round for scores in finished_rounds(plan, rest)] == list(scored)
    assert finished_rounds(plan, []) == ()


def test_a_round_with_a_missing_game_has_no_scores(plan_of: MakePlan, play: PlayAll) -> None:
    tally = _tally(*play(plan_of(4, rounds=1))[:-1])
    assert not tally.is_complete(0)
    with pytest.raises(ValueError, match="round 0 has 23 of 24 games"):
        tally.scores(0)


def test_a_game_counts_once() -> None:
    with pytest.raises(ValueError, match=r"game 0\.0\.0 is there twice"):
        _tally(LINE, LINE)
    with pytest.raises(ValueError, match="in both tallies"):
        _tally(LINE).merge(_tally(LINE))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sixths": (6, 6, 0)}, "do not sum to 6"),
        ({"margin_thirds": (1, 0, 0)}, "not to 0"),
        ({"entrants": (0, 0, 1)}, "not three of the plan"),
        ({"entrants": (0, 1, 4)}, "not three of the plan"),
        ({"entrants": (0, 1, -1)}, "not three of the plan"),
        ({"index": 4}, "not in the plan"),
        ({"replay": 6}, "not in the plan"),
        ({"round": -1}, "not in the plan"),
    ],
)
def test_a_line_that_can_be_no_result_is_refused_and_counts_nothing(
    change: dict[str, object], message: str
) -> None:
    tally = _tally()
    with pytest.raises(ValueError, match=message):
        tally.add(replace(LINE, **change))  # type: ignore[arg-type]
    assert tally.raw() == _tally().raw()


def test_tallies_of_different_plans_do_not_merge() -> None:
    with pytest.raises(ValueError, match="different plans"):
        _tally().merge(Tally(entrants=5, blocks_per_round=10))


@given(SCORES, SCORES, SCORES)
def test_scores_add_in_any_order(a: RoundScore, b: RoundScore, c: RoundScore) -> None:
    assert a.plus(b) == b.plus(a)
    assert a.plus(b).plus(c) == a.plus(b.plus(c))
    assert a.plus(RoundScore()) == a


@given(st.integers(0, 10**6), st.lists(SCORES, min_size=3, max_size=6))
def test_a_finished_round_survives_json(round: int, scores: list[RoundScore]) -> None:
    finished = RoundScores(round, tuple(scores))
    assert RoundScores.from_json(json.loads(json.dumps(finished.to_json()))) == finished


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"round": 0},
        {"round": "0", "scores": []},
        {"round": 0, "scores": [[1, 2]]},
        {"round": 0, "scores": [[0.5] * 10]},
        {"round": 0, "scores": [7]},
        {"round": 0, "scores": [[True] * 10]},
    ],
)
def test_what_is_no_finished_round_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"finished round|whole numbers"):
        RoundScores.from_json(data)


@pytest.mark.parametrize(("forfeits", "out"), [(3, False), (4, True), (6, True), (0, False)])
def test_more_than_half_of_a_sittings_games_forfeited_puts_an_entrant_out(
    forfeits: int, out: bool
) -> None:
    lines = [
        replace(LINE, index=index, forfeits=(False, False, index < forfeits)) for index in range(6)
    ]
    assert out_after(lines) == (frozenset({1}) if out else frozenset())


def test_an_empty_sitting_puts_nobody_out() -> None:
    assert out_after([]) == frozenset()
