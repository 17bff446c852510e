"""Is the difference real, asked again and again: a sequential test whose errors stay as stated.

The generalised sequential probability ratio test (GSPRT) on the normalised effect t, which is the
mean of independent differences in standard deviations: H0 says t = t0, H1 says t = t1. The
log-likelihood ratio is that of the two distributions on the values seen which are likeliest under
each hypothesis; with the bounds of Wald the chances of a wrong verdict are about alpha (H1 although
H0 holds) and beta.
Source: M. Van den Bergh, "Normalized Elo" and "The generalized maximum likelihood ratio for the
expectation value of a distribution" (2020); A. Wald, Sequential Analysis (1947).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import fsum, log, sqrt
from typing import Final

__all__ = ["Bounds", "Verdict", "log_likelihood_ratio", "wald_bounds"]

_ROUNDS: Final = 50
_CLOSE: Final = 1e-12
_HALVINGS: Final = 200


class Verdict(StrEnum):
    """What a look at the data says."""

    H1 = "h1"
    H0 = "h0"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The test goes on while the log-likelihood ratio is between the two."""

    lower: float
    upper: float

    def verdict(self, ratio: float) -> Verdict:
        """Return what a log-likelihood ratio says."""
        if ratio >= self.upper:
            return Verdict.H1
        return Verdict.H0 if ratio <= self.lower else Verdict.OPEN


def wald_bounds(*, alpha: float, beta: float) -> Bounds:
    """Return log(beta/(1-alpha)) and log((1-beta)/alpha): +-2.944 for 0.05 and 0.05."""
    if not (0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"alpha and beta must be between 0 and 0.5, are {alpha} and {beta}")
    return Bounds(log(beta / (1 - alpha)), log((1 - beta) / alpha))


def log_likelihood_ratio(
    counts: Mapping[int, float], *, t0: float, t1: float, centre: float = 0.0
) -> float:
    """Return the log-likelihood ratio of t = t1 against t = t0, given how often each value came.

    t is (mean - `centre`) / standard deviation. Values that never came are left out; give them a
    small count to regularise. With fewer than two different values the ratio is 0: nothing is
    known of the spread.
    """
    seen = {value: count for value, count in counts.items() if count > 0}
    if len(seen) < 2:
        return 0.0
    total = fsum(seen.values())
    values = [value - centre for value in sorted(seen)]
    shares = [seen[value] / total for value in sorted(seen)]
    under0 = _likeliest(values, shares, t0)
    under1 = _likeliest(values, shares, t1)
    return total * fsum(
        share * (log(p1) - log(p0)) for share, p0, p1 in zip(shares, under0, under1, strict=True)
    )


def _likeliest(values: list[float], shares: list[float], t: float) -> list[float]:
    """The distribution on the values with effect t under which the shares seen are likeliest.

    Fixed-point iteration: mean = t * deviation is made linear at the present guess, and the linear
    constraint is met exactly by weights share / (1 + x * c) with one unknown x. Where the effect
    cannot be reached, because all values lie on one side, the guess stays as near as it gets.
    """
    guess = [1 / len(values)] * len(values)
    for _ in range(_ROUNDS):
        mean, variance = _moments(list(zip(values, guess, strict=True)))
        deviation = sqrt(variance)
        constraint = [
            value - t * deviation * (1 + ((mean - value) / deviation) ** 2) / 2 for value in values
        ]
        if not min(constraint) < 0 < max(constraint):
            break
        x = _multiplier(constraint, shares)
        improved = [share / (1 + x * c) for share, c in zip(shares, constraint, strict=True)]
        change = max(abs(new - old) for new, old in zip(improved, guess, strict=True))
        guess = improved
        if change < _CLOSE:
            break
    return guess


def _multiplier(constraint: list[float], shares: list[float]) -> float:
    """The x with sum(share * c / (1 + x * c)) = 0: the sum falls with x, so halving finds it."""
    low, high = -1 / max(constraint), -1 / min(constraint)
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        if x in (low, high):
            break
        if fsum(s * c / (1 + x * c) for s, c in zip(shares, constraint, strict=True)) > 0:
            low = x
        else:
            high = x
    return (low + high) / 2


def _moments(weighted: list[tuple[float, float]]) -> tuple[float, float]:
    mean = fsum(weight * value for value, weight in weighted)
    return mean, fsum(weight * (value - mean) ** 2 for value, weight in weighted)
