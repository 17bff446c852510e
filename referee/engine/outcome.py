"""Who has won: the end of a game after a hand, at the last hand, and by forfeit.

A team that has forfeited is no candidate for anything here: it gets no sixths (a win is worth six
sixths, shared ones 3+3 or 2+2+2), and its margin counts as if it had not been ahead of anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from referee.engine.cards import TEAMS, team_of
from referee.engine.rules import FinalTie, Rules

__all__ = ["Ending", "Outcome", "decide", "game_outcome", "leaders", "winners_by_target"]


class Ending(StrEnum):
    """What ended a game."""

    TARGET = "target"
    """A team reached the target score (R32, R33)."""
    MAX_HANDS = "max_hands"
    """The last hand allowed was played without a winner (A20)."""
    FORFEIT = "forfeit"
    """At most one team had not forfeited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A finished game.

    `sixths`: the win, in sixths, by team, summing to 6. `margin_thirds`: three times each team's
    score less the sum of the scores, so they sum to 0; a team that has forfeited counts with the
    lower of its own and the lowest other score. `hands`: hands played to the end and scored.
    """

    scores: tuple[int, int, int]
    sixths: tuple[int, int, int]
    margin_thirds: tuple[int, int, int]
    hands: int
    ending: Ending
    out: frozenset[int]


def leaders(scores: Sequence[int], candidates: Collection[int]) -> tuple[int, ...]:
    """Return the candidates with the highest score among them, ascending; () for no candidates."""
    best = max((scores[team] for team in candidates), default=0)
    return tuple(team for team in sorted(candidates) if scores[team] == best)


def winners_by_target(
    rules: Rules, *, scores: Sequence[int], bidder: int, out: Collection[int]
) -> tuple[int, ...]:
    """Return who has won after a hand, () if the game goes on (R32, R33, A14).

    Among the teams not out with the target score: the most points, then the bidding team, then
    `final_tie`. `bidder` is the seat that bid in the hand just scored; if its team is out,
    `bidding_team` is as `play_on`.
    """
    team = team_of(bidder)
    reached = [t for t in TEAMS if t not in out and scores[t] >= rules.target_score]
    tied = leaders(scores, reached)
    if len(tied) <= 1:
        return tied
    if team in tied:
        return (team,)
    match rules.final_tie:
        case FinalTie.PLAY_ON:
            return ()
        case FinalTie.BIDDING_TEAM:
            return () if team in out else (team,)
        case FinalTie.SHARED:
            return tied
        case FinalTie.SEAT_ORDER:
            return (min(tied, key=lambda t: (t - bidder - 1) % 3),)
        case _:
            assert_never(rules.final_tie)


def decide(
    rules: Rules, *, scores: tuple[int, int, int], bidder: int, hands: int, out: frozenset[int]
) -> Outcome | None:
    """Return the outcome after a scored hand, None if the game goes on.

    `hands` counts it. The target comes first; at `max_hands` the highest score wins and equal ones
    share, the bidding team has no precedence (A20).
    """
    winners = winners_by_target(rules, scores=scores, bidder=bidder, out=out)
    ending = Ending.TARGET
    if not winners and hands >= rules.max_hands:
        winners = leaders(scores, set(TEAMS) - out)
        ending = Ending.MAX_HANDS
    if not winners:
        return None
    return game_outcome(scores=scores, winners=winners, hands=hands, ending=ending, out=out)


def game_outcome(
    *,
    scores: tuple[int, int, int],
    winners: Collection[int],
    hands: int,
    ending: Ending,
    out: frozenset[int],
) -> Outcome:
    """Return the outcome for given winners, who share the six sixths equally."""
    share = 6 // len(winners)
    first, second, third = (share if team in winners else 0 for team in TEAMS)
    return Outcome(
        scores=scores,
        sixths=(first, second, third),
        margin_thirds=_margin_thirds(scores, out),
        hands=hands,
        ending=ending,
        out=out,
    )


def _margin_thirds(scores: tuple[int, int, int], out: Collection[int]) -> tuple[int, int, int]:
    """The lower of its own and the lowest other score is the lowest of all three."""
    lowest = min(scores)
    counted = [lowest if team in out else scores[team] for team in TEAMS]
    total = sum(counted)
    first, second, third = (3 * score - total for score in counted)
    return (first, second, third)
