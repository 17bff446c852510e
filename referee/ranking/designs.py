"""Which trios a round plays: every design is a list of triples of positions, in a fixed order.

Positions are 0..N-1; the plan maps them to entrants afresh each round, so a design only has to
treat positions alike: each one is in equally many triples. What a design promises about pairs is
counted after every construction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

__all__ = ["DESIGNS", "FEWEST_ENTRANTS", "Triple", "design_triples", "pair_counts"]

Triple: TypeAlias = tuple[int, int, int]

DESIGNS = ("auto", "cyclic")
"""Names of the designs that can be asked for; `auto` takes the usual one for the field's size."""

FEWEST_ENTRANTS = 3

_SIX: tuple[Triple, ...] = (
    (0, 1, 3),
    (0, 1, 4),
    (0, 2, 4),
    (0, 2, 5),
    (0, 3, 5),
    (1, 2, 3),
    (1, 2, 5),
    (1, 4, 5),
    (2, 3, 4),
    (3, 4, 5),
)


def design_triples(entrants: int, *, design: str = "auto") -> tuple[Triple, ...]:
    """Return the triples of one round for so many entrants, each with ascending positions.

    Three to five entrants play all trios in lexicographic order, six a list in which every pair
    meets twice, seven and more the cyclic design {i, i+1, i+3} mod N in order of i, in which a
    pair meets at most once. `cyclic` begins at seven: a smaller field has its list above.
    Raises `ValueError` for an unknown design or fewer than three entrants.
    """
    if design not in DESIGNS:
        raise ValueError(f"design must be one of {', '.join(DESIGNS)}, is {design!r}")
    if entrants < FEWEST_ENTRANTS:
        raise ValueError(f"a round needs at least {FEWEST_ENTRANTS} entrants, has {entrants}")
    return _triples(entrants)


def pair_counts(triples: Sequence[Triple]) -> Counter[tuple[int, int]]:
    """Count how many triples hold each pair of positions (lower first); absent pairs are 0."""
    counts: Counter[tuple[int, int]] = Counter()
    for triple in triples:
        counts.update(combinations(sorted(triple), 2))
    return counts


@lru_cache(maxsize=8)
def _triples(entrants: int) -> tuple[Triple, ...]:
    if entrants <= 5:
        triples = tuple(combinations(range(entrants), 3))
        return _checked(triples, entrants, each=_choose_2(entrants - 1), pairs={entrants - 2})
    if entrants == 6:
        return _checked(_SIX, entrants, each=5, pairs={2})
    triples = tuple(_cyclic_triple(i, entrants) for i in range(entrants))
    return _checked(triples, entrants, each=3, pairs={1} if entrants == 7 else {0, 1})


def _cyclic_triple(i: int, entrants: int) -> Triple:
    first, second, third = sorted((i, (i + 1) % entrants, (i + 3) % entrants))
    return first, second, third


def _choose_2(n: int) -> int:
    return n * (n - 1) // 2


def _checked(
    triples: tuple[Triple, ...], entrants: int, *, each: int, pairs: set[int]
) -> tuple[Triple, ...]:
    """Return the triples if they keep what the design promises; a breach is a bug of ours.

    Checked are: distinct triples, `each` triples for every position, and only pair counts that
    are among `pairs`. Absent pairs are counted by subtraction, so that the work is linear.
    """
    counts = pair_counts(triples)
    seen = set(counts.values())
    if len(counts) < _choose_2(entrants):
        seen.add(0)
    uses = Counter(position for triple in triples for position in triple)
    if len(set(triples)) != len(triples) or not seen <= pairs:
        raise AssertionError(f"pair counts {sorted(seen)} for {entrants} entrants, not {pairs}")
    if sorted(uses) != list(range(entrants)) or set(uses.values()) != {each}:
        raise AssertionError(f"positions of {entrants} entrants are not used {each} times each")
    return triples
