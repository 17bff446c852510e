"""The maths of a leaderboard on plain numbers: who meets whom, and what may be claimed after.

Whole numbers stay whole as long as they can (sums of sixths, sums of squares), so that the same
records give the same table on every platform. `scipy` is loaded inside the functions that need it.
"""

from referee.ranking.blocks import REPLAYS, Seat, seat_pairs, seats
from referee.ranking.designs import (
    DESIGNS,
    FEWEST_ENTRANTS,
    Triple,
    design_problem,
    design_triples,
    pair_counts,
)
from referee.ranking.intervals import (
    FEWEST_WINS,
    HalfWidth,
    Interval,
    Range,
    clopper_pearson,
    mean,
    shared_games_interval,
    standard_error,
    t_half_width,
    t_quantile,
    win_share_interval,
)
from referee.ranking.places import (
    FAMILY_ALPHA,
    PairTest,
    Places,
    claim_places,
    holm,
    pair_tests,
    paired_p,
)
from referee.ranking.planning import POWER, rounds_needed
from referee.ranking.sequential import (
    Bounds,
    Verdict,
    log_likelihood_ratio,
    wald_bounds,
)

__all__ = [
    "DESIGNS",
    "FAMILY_ALPHA",
    "FEWEST_ENTRANTS",
    "FEWEST_WINS",
    "POWER",
    "REPLAYS",
    "Bounds",
    "HalfWidth",
    "Interval",
    "PairTest",
    "Places",
    "Range",
    "Seat",
    "Triple",
    "Verdict",
    "claim_places",
    "clopper_pearson",
    "design_problem",
    "design_triples",
    "holm",
    "log_likelihood_ratio",
    "mean",
    "pair_counts",
    "pair_tests",
    "paired_p",
    "rounds_needed",
    "seat_pairs",
    "seats",
    "shared_games_interval",
    "standard_error",
    "t_half_width",
    "t_quantile",
    "wald_bounds",
    "win_share_interval",
]
