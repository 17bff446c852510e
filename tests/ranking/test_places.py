"""Places: paired t over rounds, Holm's step-down, and the ranges they allow."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ranking import claim_places, holm, pair_tests, paired_p

SERIES = st.integers(2, 5).flatmap(
    lambda entrants: st.integers(2, 12).flatmap(
        lambda rounds: st.lists(
            st.lists(st.integers(0, 108), min_size=rounds, max_size=rounds),
            min_size=entrants,
            max_size=entrants,
        )
    )
)


def test_a_paired_test_gives_the_p_value_of_the_textbook() -> None:
    # Student's sleep data (1908): t = -4.0621 with 9 degrees of freedom, p = 0.002833.
    first = [7, -16, -2, -12, -1, 34, 37, 8, 0, 20]
    second = [19, 8, 11, 1, -1, 44, 55, 16, 46, 34]
    assert paired_p(first, second) == pytest.approx(0.002833, abs=5e-7)


@given(SERIES)
def test_every_p_value_equals_the_t_distribution_of_the_round_differences(
    series: list[list[int]],
) -> None:
    from scipy.special import stdtr

    for test in pair_tests(series):
        differences = [a - b for a, b in zip(series[test.first], series[test.second], strict=True)]
        assert test.difference == sum(differences)
        if len(set(differences)) == 1:
            continue
        t = mean(differences) / (stdev(differences) / sqrt(len(differences)))
        expected = 2 * float(stdtr(len(differences) - 1, -abs(t)))
        assert test.p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("rounds", [2, 10, 20])
def test_equal_rounds_are_not_separated(rounds: int) -> None:
    assert paired_p([5] * rounds, [5] * rounds) == 1
    assert paired_p(list(range(rounds)), list(range(rounds))) == 1


@pytest.mark.parametrize("rounds", [2, 10, 20])
def test_a_constant_difference_has_the_p_value_of_the_sign_test(rounds: int) -> None:
    assert paired_p(list(range(1, rounds + 1)), list(range(rounds))) == 2 ** (1 - rounds)


@pytest.mark.parametrize(
    ("p_values", "rejected"),
    [
        ([], []),
        ([0.05], [True]),
        ([0.050001], [False]),
        ([0.01, 0.04, 0.03, 0.005], [True, False, False, True]),
        ([0.02, 0.025, 0.01], [True, True, True]),
        ([0.02, 0.02, 0.02], [False, False, False]),
        ([0.04, 0.001, 0.03], [False, True, False]),
        ([0.04, 0.001, 0.025], [True, True, True]),
    ],
)
def test_holm_steps_down_as_computed_by_hand(p_values: list[float], rejected: list[bool]) -> None:
    assert list(holm(p_values, alpha=0.05)) == rejected


@given(st.lists(st.floats(0, 1), max_size=30))
def test_holm_rejects_what_bonferroni_rejects_and_only_small_p_values(
    p_values: list[float],
) -> None:
    rejected = holm(p_values)
    for p, gone in zip(p_values, rejected, strict=True):
        assert gone or p > 0.05 / len(p_values)
        assert not gone or p <= 0.05
    fallen = [p for p, gone in zip(p_values, rejected, strict=True) if gone]
    standing = [p for p, gone in zip(p_values, rejected, strict=True) if not gone]
    assert not fallen or not standing or max(fallen) <= min(standing)


def test_a_clear_order_gives_one_place_each() -> None:
    noise = [0, 1, 0, 2, 1, 0, 1, 2, 0, 1, 1, 2]
    claims = claim_places([[20 + a for a in noise], [90 - a for a in noise], [50] * 12])
    assert claims.ranges == ((3, 3), (1, 1), (2, 2))
    assert claims.above == {(1, 2), (1, 0), (2, 0)}


def test_nothing_separated_gives_every_place_to_everyone() -> None:
    claims = claim_places([[1, 2, 3, 4], [4, 3, 2, 1], [2, 3, 2, 3]])
    assert claims.ranges == ((1, 3), (1, 3), (1, 3))
    assert not claims.above


def test_two_equal_leaders_share_the_first_places() -> None:
    noise = [0, 1, 0, 2, 1, 0, 1, 2, 0, 1, 1, 2]
    claims = claim_places(
        [[90 - a for a in noise], [20 + a for a in noise], [90 - a for a in noise]]
    )
    assert claims.ranges == ((1, 2), (3, 3), (1, 2))


@given(SERIES)
def test_places_agree_with_what_is_above_and_below(series: list[list[int]]) -> None:
    claims = claim_places(series)
    count = len(series)
    for i, (best, worst) in enumerate(claims.ranges):
        assert best == 1 + sum((j, i) in claims.above for j in range(count))
        assert worst == count - sum((i, j) in claims.above for j in range(count))
        assert 1 <= best <= worst <= count
    for i, j in combinations(range(count), 2):
        assert not {(i, j), (j, i)} <= claims.above
    for upper, lower in claims.above:
        assert sum(series[upper]) > sum(series[lower])
    alone = [r for r in claims.ranges if r == (1, 1)]
    assert not alone or sum(best == 1 for best, _ in claims.ranges) == 1


@given(SERIES, st.integers(1, 1000))
def test_places_do_not_depend_on_the_unit(series: list[list[int]], unit: int) -> None:
    scaled = [[value * unit for value in row] for row in series]
    assert claim_places(scaled) == claim_places(series)


@given(SERIES, st.randoms(use_true_random=False))
def test_places_follow_the_entrants_wherever_they_stand(
    series: list[list[int]], random: object
) -> None:
    order = list(range(len(series)))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = claim_places([series[i] for i in order])
    expected = claim_places(series)
    assert [moved.ranges[place] for place in range(len(order))] == [
        expected.ranges[i] for i in order
    ]


def test_rows_of_unequal_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same rounds, two or more"):
        claim_places([[1, 2], [1, 2, 3]])
    with pytest.raises(ValueError, match="same rounds, two or more"):
        claim_places([[1], [2]])
