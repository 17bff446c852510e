"""Is the new bot better than the old one? A duel is asked between legs, and ends when it knows.

Three partnerships play blocks on fresh boards: the new one, the old one, and one of the house. Of
each block counts the difference of new and old in sixths of games won. The verdict follows from the
scored rounds of finished legs alone, so it is the same for whoever holds them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from referee.ranking import (
    REPLAYS,
    Bounds,
    Verdict,
    log_likelihood_ratio,
    mean,
    standard_error,
    t_half_width,
    wald_bounds,
)
from referee.tourney.config import Config, Duel
from referee.tourney.scores import RoundScores

__all__ = ["DuelLook", "look_at_duel"]

_BLOCK_SIXTHS = 6 * REPLAYS
_FEWEST = 2
_TRACE = {-_BLOCK_SIXTHS: 0.001, 0: 0.001, _BLOCK_SIXTHS: 0.001}
"""A trace of what could have come: without it blocks that are all alike would say nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelLook:
    """What the finished legs of a duel say.

    `difference` and `half_width` are of the win share, new less old, in percent; the interval is
    the plain one of independent blocks, and after a sequential test it is a little too narrow.
    `effect_points` is the effect of H1 in the same points. Both are None for fewer than two blocks.
    """

    duel: Duel
    blocks: int
    cap: int
    ratio: float
    bounds: Bounds
    verdict: Verdict
    difference: float
    half_width: float | None
    effect_points: float | None

    @property
    def ended(self) -> bool:
        """Whether no more is to be played."""
        return self.verdict is not Verdict.OPEN or self.blocks >= self.cap

    def line(self) -> str:
        """Say in one line how it stands."""
        interval = "" if self.half_width is None else f" +- {self.half_width:.1f}"
        return (
            f"{self.blocks} blocks: log-likelihood ratio {self.ratio:+.2f} "
            f"({self.bounds.lower:.2f} to {self.bounds.upper:.2f}), "
            f"win share {self.difference:+.1f}{interval} points"
        )

    def answer(self) -> str:
        """Say in plain words what is known."""
        new, old = self.duel.new, self.duel.old
        games = f"{self.blocks} blocks, {REPLAYS * self.blocks} games"
        match self.verdict:
            case Verdict.H1:
                return f"BETTER: {new} is better than {old} ({games})"
            case Verdict.H0:
                return f"NOT BETTER: {new} is not shown to be better than {old} ({games})"
            case Verdict.OPEN if self.ended:
                return f"UNDECIDED between {new} and {old} after all {games}"
            case Verdict.OPEN:
                return f"NOT ENDED: {new} and {old} have played {games}"

    def words(self) -> str:
        """Say what is known and from what, in a sentence for a table."""
        size = f"{self.duel.effect_permille / 1000:g} deviations of a block"
        if self.effect_points:
            size += f", {self.effect_points:.1f} points"
        return (
            f"duel: {self.answer()}; sequential test of no effect against {size}; {self.line()}, "
            "an interval after a sequential test"
        )


def look_at_duel(
    config: Config, duel: Duel, names: Sequence[str], rounds: Sequence[RoundScores]
) -> DuelLook:
    """Return what the rounds of the finished legs say; `names` are the entrants of the plan.

    Raises ValueError if the new or the old partnership is none of them.
    """
    new, old = names.index(duel.new), names.index(duel.old)
    differences = [each.scores[new].sixths - each.scores[old].sixths for each in rounds]
    error = duel.error_permille / 1000
    bounds = wald_bounds(alpha=error, beta=error)
    seen: Counter[int] = Counter(differences)
    counts = {value: seen[value] + _TRACE.get(value, 0.0) for value in {*seen, *_TRACE}}
    ratio = log_likelihood_ratio(counts, t0=0.0, t1=duel.effect_permille / 1000)
    count = len(differences)
    error_share = standard_error(differences, scale=_BLOCK_SIXTHS) if count >= _FEWEST else None
    return DuelLook(
        duel=duel,
        blocks=count,
        cap=config.event.rounds,
        ratio=ratio,
        bounds=bounds,
        verdict=bounds.verdict(ratio),
        difference=float(100 * mean(differences, scale=_BLOCK_SIXTHS)) if count else 0.0,
        half_width=(
            100 * t_half_width(differences, scale=_BLOCK_SIXTHS) if count >= _FEWEST else None
        ),
        effect_points=(
            None
            if error_share is None
            else 100 * error_share * sqrt(count) * duel.effect_permille / 1000
        ),
    )
