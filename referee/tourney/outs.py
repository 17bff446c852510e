"""Who is out to the end of the run: decided at the end of a sitting, from its results only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from referee.tourney.scores import GameLine

__all__ = ["out_after"]


def out_after(sitting: Iterable[GameLine]) -> frozenset[int]:
    """Return the entrants that forfeited more than half of their games of one sitting."""
    games: Counter[int] = Counter()
    forfeits: Counter[int] = Counter()
    for line in sitting:
        for entrant, forfeited in zip(line.entrants, line.forfeits, strict=True):
            games[entrant] += 1
            forfeits[entrant] += forfeited
    return frozenset(entrant for entrant in games if 2 * forfeits[entrant] > games[entrant])
