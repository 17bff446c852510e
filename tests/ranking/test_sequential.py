"""The sequential test: published numbers, its errors in simulation, and its edges."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from random import Random

import pytest

from referee.ranking.sequential import (
    Verdict,
    log_likelihood_ratio,
    wald_bounds,
)

BOUNDS = wald_bounds(alpha=0.05, beta=0.05)


def test_the_ratio_is_that_of_a_published_pentanomial() -> None:
    """OpenBench, PentanomialSPRT((39, 8843, 26675, 9240, 44), 0.5, 2.5) in normalised Elo."""
    counts = dict(enumerate((39, 8843, 26675, 9240, 44)))
    t0, t1 = (elo * log(10) / 800 * sqrt(2) for elo in (0.5, 2.5))
    ratio = log_likelihood_ratio(counts, t0=t0, t1=t1, centre=2)
    assert ratio == pytest.approx(2.9417, abs=5e-5)


def test_the_bounds_are_walds() -> None:
    assert (BOUNDS.lower, BOUNDS.upper) == pytest.approx((-2.944439, 2.944439))
    assert [BOUNDS.verdict(ratio) for ratio in (-3, 0, 3)] == [Verdict.H0, Verdict.OPEN, Verdict.H1]
    with pytest.raises(ValueError, match="must be between 0 and"):
        wald_bounds(alpha=0.5, beta=0.05)


def test_the_ratio_turns_round_with_the_values() -> None:
    counts = {-12: 20, -6: 30, 0: 100, 6: 45, 12: 25}
    mirrored = {-value: count for value, count in counts.items()}
    ratio = log_likelihood_ratio(counts, t0=0.0, t1=0.1)
    assert ratio == pytest.approx(-log_likelihood_ratio(mirrored, t0=-0.1, t1=0.0))
    assert log_likelihood_ratio(counts, t0=0.1, t1=0.1) == 0
    scaled = {2 * value: count for value, count in counts.items()}
    assert ratio == pytest.approx(log_likelihood_ratio(scaled, t0=0.0, t1=0.1))


def test_nothing_is_known_from_one_value_and_all_on_one_side_is_finite() -> None:
    assert log_likelihood_ratio({6: 1000}, t0=0.0, t1=0.1) == 0
    assert log_likelihood_ratio({}, t0=0.0, t1=0.1) == 0
    one_sided = log_likelihood_ratio({6: 10, 12: 10}, t0=0.0, t1=0.1)
    assert one_sided == one_sided and abs(one_sided) < 1e6


def block_difference(random: Random, mean: float) -> int:
    """A difference of two partnerships in a block, in sixths: even, heavy in the middle."""
    value = random.gauss(mean, 1) * random.choice((4, 4, 8, 14))
    return 2 * round(max(-36.0, min(36.0, value)) / 2)


def verdict_of(random: Random, mean: float, *, blocks: int = 600, leg: int = 50) -> Verdict:
    """Play legs until the test ends or the cap is reached."""
    counts: Counter[int] = Counter()
    for _ in range(blocks // leg):
        counts.update(block_difference(random, mean) for _ in range(leg))
        verdict = BOUNDS.verdict(log_likelihood_ratio(counts, t0=0.0, t1=0.1))
        if verdict is not Verdict.OPEN:
            return verdict
    return Verdict.OPEN


def test_equal_bots_are_rarely_called_different() -> None:
    """5 % of false verdicts are stated; of 80 duels that and three deviations pass."""
    random = Random(1)
    verdicts = Counter(verdict_of(random, 0.0) for _ in range(80))
    assert verdicts[Verdict.H1] <= 80 * (0.05 + 3 * sqrt(0.05 * 0.95 / 80))
    assert verdicts[Verdict.H0] > verdicts[Verdict.OPEN]


def test_a_difference_of_the_stated_size_is_mostly_found() -> None:
    random = Random(2)
    # the spread of block_difference is about 8.5, so this mean is an effect of about 0.1
    verdicts = Counter(verdict_of(random, 0.113) for _ in range(30))
    assert verdicts[Verdict.H1] >= 18
