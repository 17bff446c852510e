"""Error bars of one row: Student t over rounds, Clopper-Pearson over games where t is too narrow.

A row's rounds come as whole numbers over one scale: the value of round k is values[k] / scale.
Sums and sums of squares stay whole; a float appears only in the last steps, each of them correctly
rounded except the quantile itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TypeAlias

__all__ = [
    "FEWEST_WINS",
    "HalfWidth",
    "Interval",
    "Range",
    "clopper_pearson",
    "mean",
    "shared_games_interval",
    "standard_error",
    "t_half_width",
    "t_quantile",
    "win_share_interval",
]

FEWEST_WINS = 20
"""Wins, or games not won, below which a win share gets the exact binomial range."""


@dataclass(frozen=True, slots=True)
class HalfWidth:
    """An error bar `+-`: half the width of the t interval of a win share, as a fraction of 1."""

    value: float

    @property
    def text(self) -> str:
        """In points of win share, rounded up to a tenth: it never reads as 0."""
        return f"+- {_tenths_up(self.value)}"


@dataclass(frozen=True, slots=True)
class Range:
    """An error bar with two unequal arms: the Clopper-Pearson interval of a win share."""

    low: float
    high: float

    @property
    def text(self) -> str:
        """In percent, rounded outwards to a tenth."""
        return f"{_tenths_down(self.low)}-{_tenths_up(self.high)} %"


Interval: TypeAlias = HalfWidth | Range


def win_share_interval(
    values: Sequence[int], *, scale: int, sixths: int, games: int, alpha: float = 0.05
) -> Interval:
    """Return the error bar of a row, rounded to six decimals.

    It is the t interval over its rounds, values[k] / scale, two or more of them. Where that would
    be false (fewer than `FEWEST_WINS` wins or games not won), or nothing at all (no spread between
    rounds), it is the exact range of its games, in which it won so many sixths.
    """
    half_width = round(t_half_width(values, scale=scale, alpha=alpha), 6)
    if min(sixths, 6 * games - sixths) < 6 * FEWEST_WINS or half_width == 0:
        low, high = shared_games_interval(sixths, games, alpha=alpha)
        return Range(round(low, 6), round(high, 6))
    return HalfWidth(half_width)


def mean(values: Sequence[int], *, scale: int) -> Fraction:
    """Return the exact mean of values[k] / scale; raises `ValueError` when there is none."""
    if not values:
        raise ValueError("no values, no mean")
    return Fraction(sum(values), len(values) * scale)


def standard_error(values: Sequence[int], *, scale: int) -> float:
    """Return s / sqrt(K) of values[k] / scale, K >= 2; exactly 0.0 when all are equal."""
    count = len(values)
    if count < 2:
        raise ValueError(f"a standard error needs two values or more, has {count}")
    total = sum(values)
    spread = count * sum(value * value for value in values) - total * total
    return sqrt(Fraction(spread, count * count * (count - 1) * scale * scale))


def t_quantile(probability: float, *, df: int) -> float:
    """Return the point below which Student's t with df degrees of freedom has this probability."""
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))


def t_half_width(values: Sequence[int], *, scale: int, alpha: float = 0.05) -> float:
    """Return the half width of the two-sided t interval of the mean, K - 1 degrees of freedom."""
    error = standard_error(values, scale=scale)
    return error * t_quantile(1 - alpha / 2, df=len(values) - 1)


def clopper_pearson(successes: int, trials: int, *, alpha: float = 0.05) -> tuple[float, float]:
    """Return the exact two-sided binomial interval (Clopper and Pearson 1934), within 0..1."""
    return _lower(successes, trials, alpha), _upper(successes, trials, alpha)


def shared_games_interval(sixths: int, games: int, *, alpha: float = 0.05) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a win share whose wins are counted in sixths.

    Shared games make the count of wins no whole number: the lower bound takes it rounded down,
    the upper bound rounded up, so the interval only grows.
    """
    if games < 1 or not 0 <= sixths <= 6 * games:
        raise ValueError(f"{sixths} sixths in {games} games")
    return _lower(sixths // 6, games, alpha), _upper(-(-sixths // 6), games, alpha)


def _lower(successes: int, trials: int, alpha: float) -> float:
    from scipy.special import betaincinv

    _check(successes, trials)
    if successes == 0:
        return 0.0
    return float(betaincinv(successes, trials - successes + 1, alpha / 2))


def _upper(successes: int, trials: int, alpha: float) -> float:
    from scipy.special import betaincinv

    _check(successes, trials)
    if successes == trials:
        return 1.0
    return float(betaincinv(successes + 1, trials - successes, 1 - alpha / 2))


def _check(successes: int, trials: int) -> None:
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} successes in {trials} trials")


def _tenths_up(share: float) -> str:
    return _tenths(-(-round(share * 1_000_000) // 1000))


def _tenths_down(share: float) -> str:
    return _tenths(round(share * 1_000_000) // 1000)


def _tenths(tenths_of_percent: int) -> str:
    if tenths_of_percent in (0, 1000):
        return f"{tenths_of_percent // 10}"
    return f"{tenths_of_percent // 10}.{tenths_of_percent % 10}"
