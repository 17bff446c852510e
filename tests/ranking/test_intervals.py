"""Intervals: Student t over rounds and Clopper-Pearson over games, against published numbers."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from statistics import mean as float_mean
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ranking import (
    HalfWidth,
    Range,
    clopper_pearson,
    mean,
    shared_games_interval,
    standard_error,
    t_half_width,
    t_quantile,
    win_share_interval,
)


@pytest.mark.parametrize(
    ("df", "table"),
    [(1, 12.706), (2, 4.303), (9, 2.262), (10, 2.228), (19, 2.093), (30, 2.042), (120, 1.980)],
)
def test_t_quantiles_are_those_of_the_tables(df: int, table: float) -> None:
    assert t_quantile(0.975, df=df) == pytest.approx(table, abs=6e-4)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0.0, 0.30850),
        (10, 10, 0.69150, 1.0),
        (1, 10, 0.00253, 0.44502),
        (5, 10, 0.18709, 0.81291),
        (4, 20, 0.05733, 0.43661),
        (50, 100, 0.39832, 0.60168),
    ],
)
def test_clopper_pearson_gives_the_published_limits(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert clopper_pearson(successes, trials) == pytest.approx((low, high), abs=6e-6)


@given(st.integers(1, 400), st.data())
def test_clopper_pearson_inverts_the_binomial_tails(trials: int, data: st.DataObject) -> None:
    from scipy.special import bdtr, bdtrc

    successes = data.draw(st.integers(0, trials))
    low, high = clopper_pearson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    if successes > 0:
        assert float(bdtrc(successes - 1, trials, low)) == pytest.approx(0.025, rel=1e-6)
    if successes < trials:
        assert float(bdtr(successes, trials, high)) == pytest.approx(0.025, rel=1e-6)


def test_a_shared_win_counts_down_for_the_lower_and_up_for_the_upper_bound() -> None:
    low, high = shared_games_interval(6 * 3 + 2, 60)
    assert low == clopper_pearson(3, 60)[0]
    assert high == clopper_pearson(4, 60)[1]
    assert shared_games_interval(6 * 3, 60) == clopper_pearson(3, 60)


@pytest.mark.parametrize(("sixths", "games"), [(0, 60), (360, 60)])
def test_all_or_nothing_has_a_range_with_width(sixths: int, games: int) -> None:
    low, high = shared_games_interval(sixths, games)
    assert 0 < high - low < 0.07


@pytest.mark.parametrize(("sixths", "games"), [(-1, 60), (361, 60), (0, 0)])
def test_wins_beyond_the_games_are_refused(sixths: int, games: int) -> None:
    with pytest.raises(ValueError, match="sixths in"):
        shared_games_interval(sixths, games)


@given(st.lists(st.integers(0, 108), min_size=2, max_size=60))
def test_mean_and_standard_error_equal_the_textbook_formula(values: list[int]) -> None:
    floats = [value / 108 for value in values]
    assert mean(values, scale=108) == Fraction(sum(values), 108 * len(values))
    assert float(mean(values, scale=108)) == pytest.approx(float_mean(floats))
    expected = stdev(floats) / sqrt(len(values))
    assert standard_error(values, scale=108) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 108), st.integers(2, 60))
def test_equal_rounds_have_a_standard_error_of_exactly_zero(value: int, rounds: int) -> None:
    assert standard_error([value] * rounds, scale=108) == 0.0


@given(st.permutations([3, 9, 27, 81, 100, 7, 7, 50, 64, 1]))
def test_the_order_of_rounds_leaves_every_bit_of_the_half_width(values: list[int]) -> None:
    expected = t_half_width([1, 3, 7, 7, 9, 27, 50, 64, 81, 100], scale=108)
    assert t_half_width(values, scale=108) == expected


def test_one_round_has_a_mean_and_no_standard_error() -> None:
    assert mean([5], scale=10) == Fraction(1, 2)
    with pytest.raises(ValueError, match="two values or more"):
        standard_error([5], scale=10)
    with pytest.raises(ValueError, match="no mean"):
        mean([], scale=10)


def test_nineteen_wins_get_a_range_and_twenty_a_half_width() -> None:
    nineteen = [9, 14, 11, 13, 8, 10, 12, 15, 10, 12]
    twenty = [value + (k == 0) * 6 for k, value in enumerate(nineteen)]
    assert (sum(nineteen), sum(twenty)) == (114, 120)
    few = win_share_interval(nineteen, scale=36, sixths=114, games=60)
    enough = win_share_interval(twenty, scale=36, sixths=120, games=60)
    assert isinstance(few, Range)
    assert isinstance(enough, HalfWidth)
    lost = win_share_interval([36 - v for v in nineteen], scale=36, sixths=360 - 114, games=60)
    assert lost == Range(round(1 - few.high, 6), round(1 - few.low, 6))


def test_rounds_without_spread_get_a_range_however_many_wins() -> None:
    interval = win_share_interval([12] * 10, scale=36, sixths=120, games=60)
    assert interval == Range(*(round(bound, 6) for bound in clopper_pearson(20, 60)))


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (HalfWidth(0.021), "+- 2.1"),
        (HalfWidth(0.021001), "+- 2.2"),
        (HalfWidth(0.000001), "+- 0.1"),
        (HalfWidth(0.1), "+- 10.0"),
        (Range(0.9816, 1.0), "98.1-100 %"),
        (Range(0.0, 0.0591), "0-6.0 %"),
        (Range(0.23, 0.46), "23.0-46.0 %"),
        (Range(0.000001, 0.999999), "0-100 %"),
    ],
)
def test_error_bars_are_rounded_outwards_and_never_read_as_zero(
    interval: HalfWidth | Range, text: str
) -> None:
    assert interval.text == text
