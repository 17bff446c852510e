"""Which places may be claimed, all together right in 95 of 100 events.

For every pair a two-sided paired t test over the rounds, Holm's step-down over all pairs, and the
place of i = [1 + number above i, N - number below i]. No random draws: a stranger gets the same
places with any statistics package.

With D the sum of the round differences, Q the sum of their squares and K rounds, t squared is
D^2 (K-1) / (KQ - D^2), whatever the unit of the values. Its two-sided p value is the regularised
incomplete beta function I_x((K-1)/2, 1/2) at x = 1 - D^2 / (KQ), a ratio of whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import mul

__all__ = ["FAMILY_ALPHA", "PairTest", "Places", "claim_places", "holm", "pair_tests", "paired_p"]

FAMILY_ALPHA = 0.05
"""Share of events in which any place of the table may be wrong."""


@dataclass(frozen=True, slots=True)
class PairTest:
    """The paired test of two entrants: sum of first minus second over the rounds, and p value."""

    first: int
    second: int
    difference: int
    p: float


@dataclass(frozen=True, slots=True)
class Places:
    """What is separated: `ranges[i]` = (best, worst) place of i, `above` = pairs (upper, lower)."""

    ranges: tuple[tuple[int, int], ...]
    above: frozenset[tuple[int, int]]


def paired_p(first: Sequence[int], second: Sequence[int]) -> float:
    """Return the two-sided p value of the paired t test over the rounds, K >= 2 of them.

    When all round differences are equal there is no spread to judge by: differences of 0 give 1,
    others 2^(1-K), as the sign test would.
    """
    return pair_tests((first, second))[0].p


def pair_tests(series: Sequence[Sequence[int]]) -> tuple[PairTest, ...]:
    """Test every pair of entrants; series[i][k] is the value of entrant i in round k, one scale.

    The pairs come in lexicographic order. Raises `ValueError` for fewer than two rounds, or rows
    of unequal length.
    """
    if not series:
        return ()
    rounds = len(series[0])
    if rounds < 2 or any(len(row) != rounds for row in series):
        raise ValueError("every entrant needs the same rounds, two or more")
    sums = [sum(row) for row in series]
    squares = [sum(map(mul, row, row)) for row in series]
    pairs = list(combinations(range(len(series)), 2))
    differences = []
    tails = []
    for i, j in pairs:
        difference = sums[i] - sums[j]
        square_sum = squares[i] + squares[j] - 2 * sum(map(mul, series[i], series[j]))
        differences.append(difference)
        tails.append((rounds * square_sum - difference * difference, rounds * square_sum))
    p_values = _p_values(tails, rounds)
    return tuple(
        PairTest(i, j, difference, p)
        for (i, j), difference, p in zip(pairs, differences, p_values, strict=True)
    )


def holm(p_values: Sequence[float], *, alpha: float = FAMILY_ALPHA) -> tuple[bool, ...]:
    """Tell which hypotheses fall in Holm's step-down (1979), family-wise error at most alpha."""
    count = len(p_values)
    rejected = [False] * count
    for step, index in enumerate(sorted(range(count), key=p_values.__getitem__)):
        if p_values[index] > alpha / (count - step):
            break
        rejected[index] = True
    return tuple(rejected)


def claim_places(series: Sequence[Sequence[int]], *, alpha: float = FAMILY_ALPHA) -> Places:
    """Return the place ranges of all entrants from their rounds (see `pair_tests`)."""
    tests = pair_tests(series)
    rejected = holm([test.p for test in tests], alpha=alpha)
    above = frozenset(
        (test.first, test.second) if test.difference > 0 else (test.second, test.first)
        for test, separated in zip(tests, rejected, strict=True)
        if separated and test.difference != 0
    )
    count = len(series)
    best, worst = [1] * count, [count] * count
    for upper, lower in above:
        best[lower] += 1
        worst[upper] -= 1
    return Places(tuple(zip(best, worst, strict=True)), above)


def _p_values(tails: Sequence[tuple[int, int]], rounds: int) -> list[float]:
    """Turn pairs (KQ - D^2, KQ) into two-sided p values; the ratio is formed from whole numbers."""
    from scipy.special import betainc

    points = [spread / total if total else 1.0 for spread, total in tails]
    p_values: list[float] = betainc((rounds - 1) / 2, 0.5, points).tolist() if points else []
    no_spread = 2.0 ** (1 - rounds)
    return [
        no_spread if spread == 0 and total > 0 else p
        for (spread, total), p in zip(tails, p_values, strict=True)
    ]
