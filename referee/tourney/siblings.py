"""Which partnerships belong together: one owner, one bot in both, or one program.

Siblings are pairs, not groups: that A goes with B and B with C says nothing about A and C. They
play together by default, and the table says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from referee.tourney.plan import Entrant

__all__ = ["Sibling", "sibling_pairs"]


@dataclass(frozen=True, slots=True)
class Sibling:
    """Two partnerships that belong together, by name, and what ties them."""

    first: str
    second: str
    reason: str


def sibling_pairs(
    entrants: Sequence[Entrant], *, owners: Mapping[str, str], fingerprints: Mapping[str, str]
) -> tuple[Sibling, ...]:
    """Return the sibling pairs in the order of the entrants, each with all its reasons.

    `owners` holds the owner of those partnerships that name one, `fingerprints` the digest of
    each bot; bots of one partnership may be equal without making siblings.
    """
    pairs = []
    for first, second in combinations(entrants, 2):
        reasons = []
        owner = owners.get(first.name)
        if owner is not None and owner == owners.get(second.name):
            reasons.append("same owner")
        if set(first.bots) & set(second.bots):
            reasons.append("shared bot")
        elif _programs(first, fingerprints) & _programs(second, fingerprints):
            reasons.append("same program")
        if reasons:
            pairs.append(Sibling(first.name, second.name, ", ".join(reasons)))
    return tuple(pairs)


def _programs(entrant: Entrant, fingerprints: Mapping[str, str]) -> set[str]:
    return {fingerprints[bot] for bot in entrant.bots if bot in fingerprints}
