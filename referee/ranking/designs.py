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

from referee.ranking.steiner import has_triple_system, triple_system

__all__ = [
    "DESIGNS",
    "FEWEST_ENTRANTS",
    "Triple",
    "design_problem",
    "design_triples",
    "pair_counts",
]

Triple: TypeAlias = tuple[int, int, int]

DESIGNS = ("auto", "cyclic", "balanced", "full")
"""Names of the designs that can be asked for; `auto` takes the usual one for the field's size."""

MOST_IN_FULL = 40
"""A full round of more would have more than 60,000 games."""

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

    With `auto` three to five entrants play all trios in lexicographic order, six a list in which
    every pair meets twice, seven and more the cyclic design {i, i+1, i+3} mod N in order of i, in
    which a pair meets at most once. `cyclic` begins at seven: a smaller field has its list above.
    `balanced`: every pair meets once, a Steiner triple system; `full`: all trios.
    Raises `ValueError` for an unknown design or one that such a field cannot have.
    """
    if design not in DESIGNS:
        raise ValueError(f"design must be one of {', '.join(DESIGNS)}, is {design!r}")
    if problem := design_problem(entrants, design=design):
        raise ValueError(problem)
    return _triples(entrants, design)


def design_problem(entrants: int, *, design: str) -> str:
    """Return why so many entrants cannot have a round of a known design, "" if they can."""
    if entrants < FEWEST_ENTRANTS:
        return f"a round needs at least {FEWEST_ENTRANTS} entrants, has {entrants}"
    if design == "balanced" and not has_triple_system(entrants):
        below = next((n for n in range(entrants, 2, -1) if has_triple_system(n)), 3)
        above = next(n for n in range(entrants, entrants + 6) if has_triple_system(n))
        return (
            f"a balanced round is for 3, 7, 9, 13, 15, 19 ... entrants, not for {entrants}; "
            f"the next are {below} and {above}"
        )
    if design == "full" and entrants > MOST_IN_FULL:
        return f"a full round is for at most {MOST_IN_FULL} entrants, not for {entrants}"
    return ""


def pair_counts(triples: Sequence[Triple]) -> Counter[tuple[int, int]]:
    """Count how many triples hold each pair of positions (lower first); absent pairs are 0."""
    counts: Counter[tuple[int, int]] = Counter()
    for triple in triples:
        counts.update(combinations(sorted(triple), 2))
    return counts


@lru_cache(maxsize=8)
def _triples(entrants: int, design: str) -> tuple[Triple, ...]:
    if design == "balanced":
        return _checked(triple_system(entrants), entrants, each=(entrants - 1) // 2, pairs={1})
    if entrants <= 5 or design == "full":
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
