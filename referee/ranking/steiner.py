"""Steiner triple systems: triples in which every pair of N positions meets exactly once.

They exist for N = 1 and 3 mod 6, and only for those (Kirkman 1847). Built are Bose's (1939) for
N = 6t + 3 and Skolem's (1958) for N = 6t + 1. Positions of a layer l = 0, 1, 2 are x + m*l with x
below m; `plus` and `times` are the quasigroups on x that the constructions rest on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TypeAlias

__all__ = ["has_triple_system", "triple_system"]

_Triple: TypeAlias = tuple[int, int, int]
_Operation: TypeAlias = Callable[[int, int], int]


def has_triple_system(positions: int) -> bool:
    """Return whether every pair of so many positions can meet exactly once in triples."""
    return positions >= 3 and positions % 6 in (1, 3)


def triple_system(positions: int) -> tuple[_Triple, ...]:
    """Return N(N-1)/6 ascending triples in ascending order, in which every pair is once.

    Raises ValueError unless N is 1 or 3 mod 6 and at least 3.
    """
    if not has_triple_system(positions):
        raise ValueError(f"no triple system of {positions} positions: 3, 7, 9, 13, 15, 19 ...")
    triples = _bose(positions) if positions % 6 == 3 else _skolem(positions)
    return tuple(sorted(map(_ascending, triples)))


def _bose(positions: int) -> Iterator[_Triple]:
    """N = 6t + 3: m = 2t + 1, where half of a sum can be taken modulo m."""
    m = positions // 3
    half = (m + 1) // 2
    for x in range(m):
        yield x, x + m, x + 2 * m
    yield from _between_layers(m, lambda x, y: (x + y) * half % m)


def _skolem(positions: int) -> Iterator[_Triple]:
    """N = 6t + 1: m = 2t, with one point more that is in no layer."""
    m = positions // 3
    t, beyond = m // 2, positions - 1

    def times(x: int, y: int) -> int:
        total = (x + y) % m
        return total // 2 if total % 2 == 0 else (total - 1) // 2 + t

    for x in range(t):
        yield x, x + m, x + 2 * m
        for layer in range(3):
            yield beyond, x + t + m * layer, x + m * ((layer + 1) % 3)
    yield from _between_layers(m, times)


def _between_layers(m: int, combined: _Operation) -> Iterator[_Triple]:
    """Two of one layer, and the one of the next layer that the quasigroup gives."""
    for x, y in combinations(range(m), 2):
        for layer in range(3):
            yield x + m * layer, y + m * layer, combined(x, y) + m * ((layer + 1) % 3)


def _ascending(triple: _Triple) -> _Triple:
    first, second, third = sorted(triple)
    return first, second, third
