"""How many rounds a difference needs before it shows: the planning formula."""

from __future__ import annotations

from math import ceil, log2

__all__ = ["POWER", "rounds_needed"]

POWER = 0.8
"""Chance that a real difference of the planned size is found."""


def rounds_needed(
    *, difference: float, deviation: float, alpha: float, power: float = POWER
) -> int:
    """Return K = ceil(((z_{1-alpha/2} + z_{power}) * deviation / difference)^2), at least 1.

    `deviation` is the standard deviation of a round's difference in the unit of `difference`;
    alpha is the level of one test (family-wise level divided by the number of pairs). Without
    spread the test is 2^(1-K) <= alpha, and K follows from it.
    Raises `ValueError` when the difference is 0: no number of rounds shows it.
    """
    from scipy.special import ndtri

    if difference == 0:
        raise ValueError("a difference of 0 is not shown by any number of rounds")
    if deviation == 0:
        return 1 + ceil(-log2(alpha))
    z = float(ndtri(1 - alpha / 2)) + float(ndtri(power))
    return max(1, ceil((z * deviation / difference) ** 2))
