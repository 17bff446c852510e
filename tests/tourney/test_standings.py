"""Standings: what the table says, recomputed by other means, and that it says nothing untrue."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.ranking import HalfWidth, Range, t_quantile
from referee.tourney import (
    Entrant,
    GameLine,
    NotStarted,
    Plan,
    RoundScore,
    RoundScores,
    Sibling,
    Standings,
    finished_rounds,
    sibling_pairs,
    standings_of,
)

MakePlan = Callable[..., Plan]
PlayAll = Callable[..., list[GameLine]]

PLACE_WORDS = (
    "Place 2-4: in the long run, against this field, between second and fourth. All places of "
    "this table hold together in at least 95 of 100 such events. +- belongs to one row; do not "
    "compare two rows by it."
)


def _all_texts(table: Standings) -> str:
    cells = [f"{row.place_text} {row.interval_text}" for row in table.rows]
    return " ".join([*cells, *table.words, *table.stamps])


def _numbers(value: object) -> list[float]:
    match value:
        case dict():
            return [number for item in value.values() for number in _numbers(item)]
        case list() | tuple():
            return [number for item in value for number in _numbers(item)]
        case float():
            return [value]
        case _:
            return []


def _assert_finite_and_labelled(table: Standings) -> None:
    numbers = _numbers(asdict(table))
    assert all(math.isfinite(number) for number in numbers)
    assert all(number == round(number, 6) for number in numbers)
    text = _all_texts(table)
    assert "nan" not in text.split()
    assert "inf" not in text.split()
    assert "+- 0 " not in f"{text} "
    assert "+- 0.0" not in text


def _same(plan: Plan, sixths: tuple[int, int, int]) -> list[GameLine]:
    """Return lines in which the seat pairs always get these sixths."""
    return [
        GameLine(
            round=round,
            index=block.index,
            replay=replay,
            entrants=plan.fixture(round, block.index, replay).entrants,
            sixths=sixths,
            margin_thirds=(0, 0, 0),
            hands=10,
        )
        for round in range(plan.rounds)
        for block in plan.blocks(round)
        for replay in range(6)
    ]


def _always(plan: Plan, order: Sequence[int]) -> list[GameLine]:
    """Return lines in which the entrant that comes first in this order wins every game."""
    lines = []
    for line in _same(plan, (2, 2, 2)):
        best = min(line.entrants, key=order.index)
        first, second, third = (6 * (entrant == best) for entrant in line.entrants)
        a, b, c = (40 if entrant == best else -20 for entrant in line.entrants)
        lines.append(replace(line, sixths=(first, second, third), margin_thirds=(a, b, c)))
    return lines


def _forfeited_by(entrant: int, line: GameLine) -> GameLine:
    a, b, c = (other == entrant for other in line.entrants)
    return replace(
        line,
        sixths=(3 * (not a), 3 * (not b), 3 * (not c)),
        margin_thirds=(15 - 45 * a, 15 - 45 * b, 15 - 45 * c),
        forfeits=(a, b, c),
    )


def _table(plan: Plan, lines: Sequence[GameLine]) -> Standings:
    return standings_of(plan, finished_rounds(plan, lines))


# Numbers.


@pytest.mark.parametrize("entrants", [3, 4, 5, 6, 7, 8])
def test_rows_equal_an_independent_recount_by_name(
    plan_of: MakePlan, play: PlayAll, entrants: int
) -> None:
    plan = plan_of(entrants, rounds=12)
    lines = play(plan, [1 + 0.2 * i for i in range(entrants)])
    table = _table(plan, lines)
    assert sorted(row.name for row in table.rows) == sorted(e.name for e in plan.entrants)
    for row in table.rows:
        own: list[list[tuple[int, int, int]]] = [[] for _ in range(12)]
        for line in lines:
            names = plan.partnership_names(plan.fixture(line.round, line.index, line.replay))
            if row.name in names:
                pair = names.index(row.name)
                own[line.round].append((line.sixths[pair], line.margin_thirds[pair], line.hands))
        shares = [mean(win / 6 for win, _, _ in games) for games in own]
        games = [game for of_round in own for game in of_round]
        assert row.total.games == len(games)
        assert row.total.sixths == sum(win for win, _, _ in games)
        assert row.wins == pytest.approx(row.total.sixths / 6, abs=1e-6)
        assert row.win_share == pytest.approx(mean(shares), abs=1e-6)
        assert row.margin_per_game == pytest.approx(mean(m / 3 for _, m, _ in games), abs=1e-6)
        assert row.hands_per_game == pytest.approx(mean(hands for _, _, hands in games), abs=1e-6)
        if min(row.total.sixths, 6 * row.total.games - row.total.sixths) < 120:
            assert isinstance(row.interval, Range)
            continue
        assert isinstance(row.interval, HalfWidth)
        width = t_quantile(0.975, df=11) * stdev(shares) / math.sqrt(12)
        assert row.interval.value == pytest.approx(width, abs=1e-6)


def test_shares_and_margins_of_a_field_sum_to_what_was_at_stake(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(7)
    table = _table(plan, play(plan))
    assert sum(row.total.sixths for row in table.rows) == 6 * plan.games
    assert sum(row.total.margin_thirds for row in table.rows) == 0
    assert sum(row.win_share or 0 for row in table.rows) == pytest.approx(7 / 3, abs=1e-5)


@given(st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_shuffled_records_give_the_identical_table(
    plan_of: MakePlan, play: PlayAll, random: Random
) -> None:
    plan = plan_of(6, rounds=10)
    lines = play(plan)
    expected = _table(plan, lines)
    shuffled = lines.copy()
    random.shuffle(shuffled)
    rounds = list(finished_rounds(plan, shuffled))
    random.shuffle(rounds)
    assert standings_of(plan, rounds) == expected


# Order.


def test_rows_go_by_wins_then_margin_then_name_by_code_points(plan_of: MakePlan) -> None:
    plan = plan_of(5, names=["zeta", "Zeta", "éa", "10", "9"], rounds=10)
    table = _table(plan, _same(plan, (2, 2, 2)))
    assert [row.name for row in table.rows] == ["10", "9", "Zeta", "zeta", "éa"]
    assert [row.equal_to_above for row in table.rows] == [False, True, True, True, True]
    lines = _same(plan, (2, 2, 2))
    for number, line in enumerate(lines):
        if line.entrants[0] == 2:
            lines[number] = replace(line, margin_thirds=(2, -1, -1))
    table = _table(plan, lines)
    assert table.rows[0].name == "éa"
    assert len({row.total.sixths for row in table.rows}) == 1


def test_the_strongest_is_above_wherever_its_name_sorts(plan_of: MakePlan) -> None:
    for order in [(0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)]:
        plan = plan_of(4, names=["zz", "mm", "aa", "kk"], rounds=10)
        table = _table(plan, _always(plan, order))
        assert [row.entrant for row in table.rows][:2] == list(order[:2])
        assert table.rows[0].name == plan.entrants[order[0]].name
        assert table.rows[0].win_share == 1.0


# Places and words.


def test_a_clear_winner_is_alone_on_place_1(plan_of: MakePlan, play: PlayAll) -> None:
    plan = plan_of(4)
    table = _table(plan, play(plan, [1.0, 1.0, 4.0, 1.0]))
    assert [row.place_text for row in table.rows] == ["1", "2-4", "2-4", "2-4"]
    assert (table.winner, table.leaders) == ("alpha", ("alpha",))
    assert table.words == ("Winner: alpha.", PLACE_WORDS)
    assert {lower for upper, lower in table.separated if upper == "alpha"} == {
        "Zeta",
        "Careful pair",
        "Émile",
    }


def test_two_that_may_be_first_are_co_leaders_and_none_is_winner(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(4)
    table = _table(plan, play(plan, [5.0, 1.0, 5.0, 1.0]))
    assert [row.place_text for row in table.rows[:2]] == ["1-2", "1-2"]
    assert set(table.leaders) == {"Zeta", "alpha"}
    assert table.winner is None
    assert table.words == (f"Co-leaders: {', '.join(table.leaders)}.", PLACE_WORDS)


def test_an_unfinished_event_has_places_and_no_winner(plan_of: MakePlan, play: PlayAll) -> None:
    plan = plan_of(4, rounds=30)
    lines = [line for line in play(plan, [1.0, 1.0, 6.0, 1.0]) if line.round < 20]
    table = _table(plan, lines)
    assert table.rows[0].place_text == "1"
    assert table.winner is None
    assert table.words == (PLACE_WORDS,)
    assert table.stamps == ("not finished: 20 of 30 rounds scored",)
    assert (table.games_scored, table.games_planned) == (480, 720)


def test_nothing_separated_says_how_many_games_would_show_the_gap(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(4)
    table = _table(plan, play(plan))
    assert {row.place_text for row in table.rows} == {"1-4"}
    assert table.words[1] == PLACE_WORDS
    start, end = (
        "If the gap seen between the first two is real, about ",
        " more games would show it.",
    )
    assert table.words[2].startswith(f"No one is separated yet. {start}")
    assert table.words[2].endswith(end)
    about = int(table.words[2].split(start)[1].removesuffix(end).replace(",", ""))
    first, second = (row.entrant for row in table.rows[:2])
    rounds = finished_rounds(plan, play(plan))
    gaps = [
        float(Fraction(r.scores[first].sixths - r.scores[second].sixths, 6 * 18)) for r in rounds
    ]
    needed = math.ceil(((2.638257 + 0.841621) * stdev(gaps) / mean(gaps)) ** 2)
    assert about == pytest.approx((needed - 20) * 24, rel=0.05)


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        (3, "3 rounds scored: places and +- from round 10 (about 170 games more)."),
        (1, "1 round scored: places and +- from round 10 (about 220 games more)."),
        (9, "9 rounds scored: places and +- from round 10 (about 24 games more)."),
    ],
)
def test_below_ten_rounds_there_are_shares_and_no_places(
    plan_of: MakePlan, play: PlayAll, rounds: int, said: str
) -> None:
    plan = plan_of(4, rounds=rounds)
    table = _table(plan, play(plan, [9.0, 1.0, 1.0, 1.0]))
    assert {(row.place_text, row.interval_text) for row in table.rows} == {("-", "-")}
    assert table.rows[0].win_share is not None
    assert table.words == (said,)
    assert (table.winner, table.leaders, table.separated) == (None, (), ())
    _assert_finite_and_labelled(table)


# Degenerate fields.


def test_without_a_scored_round_rows_stand_by_name_with_nothing_in_them(
    plan_of: MakePlan,
) -> None:
    table = standings_of(plan_of(4), [])
    assert [row.name for row in table.rows] == ["Careful pair", "Zeta", "alpha", "Émile"]
    assert all(row.win_share is None and row.margin_per_game is None for row in table.rows)
    assert not any(row.equal_to_above for row in table.rows)
    assert table.words == ("0 rounds scored: places and +- from round 10 (about 240 games more).",)
    assert table.stamps == (
        "too few rounds for places: 0 of 10",
        "not finished: 0 of 20 rounds scored",
    )
    _assert_finite_and_labelled(table)


@pytest.mark.parametrize("entrants", [3, 4, 6, 7, 9])
def test_copies_of_one_program_are_exact_ties(plan_of: MakePlan, entrants: int) -> None:
    # Every block of a reproducible bot against itself is 2-2-2: the same seat pair always wins.
    plan = plan_of(entrants, rounds=10)
    table = _table(plan, _same(plan, (6, 0, 0)))
    assert {row.win_share for row in table.rows} == {0.333333}
    assert {row.place for row in table.rows} == {(1, entrants)}
    assert all(isinstance(row.interval, Range) for row in table.rows)
    assert [row.equal_to_above for row in table.rows] == [False] + [True] * (entrants - 1)
    assert table.words[-1] == "No one is separated yet."
    _assert_finite_and_labelled(table)


def test_an_undefeated_entrant_has_a_range_and_place_1(plan_of: MakePlan) -> None:
    plan = plan_of(3, rounds=10)
    table = _table(plan, _always(plan, (1, 0, 2)))
    assert [row.place_text for row in table.rows] == ["1", "2-3", "2-3"]
    assert [row.interval_text for row in table.rows] == ["94.0-100 %", "0-6.0 %", "0-6.0 %"]
    assert table.winner == "Careful pair"
    assert table.rows[2].equal_to_above
    _assert_finite_and_labelled(table)


def test_a_field_in_which_all_forfeit_every_game_is_all_shared(plan_of: MakePlan) -> None:
    plan = plan_of(4, rounds=10)
    lines = [replace(line, forfeits=(True, True, True)) for line in _same(plan, (2, 2, 2))]
    table = _table(plan, lines)
    assert all(row.total.forfeits == row.total.games == 180 for row in table.rows)
    assert {row.place_text for row in table.rows} == {"1-4"}
    _assert_finite_and_labelled(table)


def test_an_entrant_that_is_out_keeps_its_forfeited_games(plan_of: MakePlan, play: PlayAll) -> None:
    plan = plan_of(5, rounds=10)
    lines = [_forfeited_by(0, line) if 0 in line.entrants else line for line in play(plan)]
    table = standings_of(plan, finished_rounds(plan, lines), out=["Zeta"])
    last = table.rows[-1]
    assert (last.name, last.out, last.place_text) == ("Zeta", True, "5")
    assert last.total.forfeits == last.total.games == 360
    assert last.interval_text == "0-1.1 %"
    assert not any(row.out for row in table.rows[:-1])
    assert table.stamps == ("out before the end: Zeta",)
    _assert_finite_and_labelled(table)


def test_a_gap_without_spread_that_is_not_separated_has_an_estimate(plan_of: MakePlan) -> None:
    # 2^(1-10) is above 5 % / 78, the first level of Holm for 13 entrants; 2^(1-12) is below it.
    plan = plan_of(13, rounds=10)
    scores = [RoundScore(sixths=36 + 4 * (i == 5), games=18, hands=180) for i in range(13)]
    table = standings_of(plan, [RoundScores(round, tuple(scores)) for round in range(10)])
    assert table.rows[0].entrant == 5
    assert {row.place_text for row in table.rows} == {"1-13"}
    assert table.words[-1] == (
        "No one is separated yet. If the gap seen between the first two is real, "
        "about 160 more games would show it."
    )
    _assert_finite_and_labelled(table)


def test_who_never_started_is_listed_with_the_reason_and_no_score(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(3, rounds=10)
    absent = [NotStarted("zed", "no hello in 10 s, twice"), NotStarted("abe", "exit code 1")]
    table = standings_of(plan, finished_rounds(plan, play(plan)), not_started=absent)
    assert [entry.name for entry in table.not_started] == ["abe", "zed"]
    assert {row.name for row in table.rows} == {entrant.name for entrant in plan.entrants}


# Stamps.


def test_given_stamps_come_first_and_none_is_printed_twice(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(3, rounds=10)
    table = standings_of(
        plan,
        finished_rounds(plan, play(plan)),
        stamps=["isolation: none", "deals known to whoever knows the seed", "isolation: none"],
        siblings=[Sibling("Zeta", "alpha", "same owner")],
        not_reproducible=["alpha", "Zeta"],
    )
    assert table.stamps == (
        "isolation: none",
        "deals known to whoever knows the seed",
        "siblings together: Zeta, alpha (same owner)",
        "not reproducible: Zeta",
        "not reproducible: alpha",
    )


def test_siblings_share_an_owner_a_bot_or_a_program_and_are_pairs() -> None:
    entrants = [
        Entrant("A", ("a1", "a2")),
        Entrant("B", ("b1", "b1")),
        Entrant("C", ("a2", "c2")),
        Entrant("D", ("d1", "d2")),
    ]
    pairs = sibling_pairs(
        entrants,
        owners={"A": "ann", "B": "ann", "D": "dot"},
        fingerprints={"a1": "1", "a2": "2", "b1": "3", "c2": "4", "d1": "4", "d2": "5"},
    )
    assert pairs == (
        Sibling("A", "B", "same owner"),
        Sibling("A", "C", "shared bot"),
        Sibling("C", "D", "same program"),
    )


def test_strangers_are_no_siblings() -> None:
    entrants = [Entrant("A", ("a", "a")), Entrant("B", ("b", "b"))]
    assert sibling_pairs(entrants, owners={}, fingerprints={}) == ()


# Refusals.


def test_a_round_that_is_given_twice_or_is_not_planned_is_refused(
    plan_of: MakePlan, play: PlayAll
) -> None:
    plan = plan_of(3, rounds=10)
    rounds = finished_rounds(plan, play(plan))
    with pytest.raises(ValueError, match="given twice"):
        standings_of(plan, [*rounds, rounds[3]])
    with pytest.raises(ValueError, match="round 10 is not in the plan"):
        standings_of(plan, [*rounds, RoundScores(10, rounds[0].scores)])
    with pytest.raises(ValueError, match="round 9 lacks an entrant"):
        standings_of(plan, [*rounds[:9], RoundScores(9, rounds[9].scores[:2])])


def test_a_stranger_cannot_be_out(plan_of: MakePlan) -> None:
    with pytest.raises(ValueError, match="out, but not of the plan: nobody"):
        standings_of(plan_of(3), [], out=["nobody", "Zeta"])
