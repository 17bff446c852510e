"""What the leaderboard may claim, computed from the finished rounds alone.

The unit of evidence is the round: a row's win share is the mean over rounds of the round mean,
its error bar and all places come from the spread between rounds. Rows are told
apart by entrant number, never by sorted name. Sums are whole numbers; what leaves as a float was
rounded to six decimals once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import lcm, sqrt

from referee import ranking
from referee.tourney import words
from referee.tourney.plan import Plan
from referee.tourney.scores import RoundScore, RoundScores
from referee.tourney.siblings import Sibling

__all__ = [
    "FEWEST_ROUNDS",
    "NotStarted",
    "Row",
    "Standings",
    "standings_of",
]

FEWEST_ROUNDS = 10
"""Rounds below which neither places nor error bars are given."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """A partnership that failed the roll call: listed with the reason, without a score."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant of the table.

    `entrant` is its number in the plan. `total` holds the exact sums over the scored rounds.
    `win_share` and `margin_per_game` are means over rounds, `hands_per_game` a ratio of sums; all
    three are None before the first scored round. `place` and `interval` are None below ten rounds.
    `equal_to_above` marks a row with the wins and margin of the row printed before it.
    """

    entrant: int
    name: str
    place: tuple[int, int] | None
    win_share: float | None
    interval: ranking.Interval | None
    margin_per_game: float | None
    hands_per_game: float | None
    total: RoundScore
    equal_to_above: bool
    out: bool

    @property
    def place_text(self) -> str:
        """`1`, `2-4`, or `-` while there are too few rounds."""
        if self.place is None:
            return "-"
        best, worst = self.place
        return f"{best}" if best == worst else f"{best}-{worst}"

    @property
    def interval_text(self) -> str:
        """`+- 2.1`, `98.1-100 %`, or `-` while there are too few rounds."""
        return "-" if self.interval is None else self.interval.text

    @property
    def wins(self) -> float:
        """Games won, shared games in parts."""
        return _six_decimals(Fraction(self.total.sixths, 6))


@dataclass(frozen=True, slots=True)
class Standings:
    """The table: rows in printed order, who never started, and what must be said with it.

    `leaders` are the names whose best place is 1, in printed order, empty below ten rounds;
    `winner` is the one with place 1 alone once every planned round is scored. `separated` are the
    pairs (upper, lower) of names behind the places. `words` are the sentences under the table in
    order, `stamps` the conditions of the result.
    """

    rows: tuple[Row, ...]
    not_started: tuple[NotStarted, ...]
    rounds_scored: int
    rounds_planned: int
    games_scored: int
    games_planned: int
    leaders: tuple[str, ...]
    winner: str | None
    separated: tuple[tuple[str, str], ...]
    words: tuple[str, ...]
    stamps: tuple[str, ...]
    closed: bool
    """Nothing is left to play: all planned rounds are scored, or a duel has ended."""


def standings_of(
    plan: Plan,
    rounds: Sequence[RoundScores],
    *,
    not_started: Sequence[NotStarted] = (),
    out: Collection[str] = (),
    siblings: Sequence[Sibling] = (),
    not_reproducible: Sequence[str] = (),
    stamps: Sequence[str] = (),
    ended_early: bool = False,
) -> Standings:
    """Return the standings after these finished rounds, given in any order.

    `out` and `not_reproducible` name partnerships; `stamps` are printed before the computed ones.
    `ended_early`: no more rounds will be played, though more were planned.
    Raises `ValueError` if a round is given twice, is not of the plan or lacks an entrant, or if
    a name in `out` is not of the plan.
    """
    field = _Field(plan, rounds)
    if strangers := sorted(set(out) - set(field.names)):
        raise ValueError(f"out, but not of the plan: {', '.join(strangers)}")
    claims = field.places() if field.count >= FEWEST_ROUNDS else None
    rows = _rows(field, claims, out=frozenset(out))
    leaders = tuple(row.name for row in rows if row.place is not None and row.place[0] == 1)
    finished = field.count == plan.rounds
    return Standings(
        rows=rows,
        not_started=tuple(sorted(not_started, key=lambda entry: entry.name)),
        rounds_scored=field.count,
        rounds_planned=plan.rounds,
        games_scored=field.count * plan.games_per_round,
        games_planned=plan.games,
        leaders=leaders,
        winner=leaders[0] if finished and len(leaders) == 1 else None,
        separated=_separated(rows, claims),
        words=_words(field, rows, claims, finished=finished),
        stamps=_stamps(
            field, rows, stamps, siblings, not_reproducible, closed=finished or ended_early
        ),
        closed=finished or ended_early,
    )


class _Field:
    """The finished rounds as whole numbers: `series[i][k] / scale` is a round's win share."""

    def __init__(self, plan: Plan, rounds: Sequence[RoundScores]) -> None:
        self.plan = plan
        self.names = [entrant.name for entrant in plan.entrants]
        ordered = sorted(rounds, key=lambda scores: scores.round)
        for scores in ordered:
            _check_round(scores, plan)
        if len({scores.round for scores in ordered}) < len(ordered):
            raise ValueError("a round is given twice")
        self.count = len(ordered)
        self.by_entrant = [[scores.scores[i] for scores in ordered] for i in range(len(self.names))]
        games = {score.games for scores in self.by_entrant for score in scores}
        self.scale = 6 * lcm(*games)
        self.series = [
            [score.sixths * (self.scale // (6 * score.games)) for score in scores]
            for scores in self.by_entrant
        ]
        self.totals = [reduce(RoundScore.plus, scores, RoundScore()) for scores in self.by_entrant]

    def places(self) -> ranking.Places:
        return ranking.claim_places(self.series)

    def win_share(self, entrant: int) -> Fraction:
        return ranking.mean(self.series[entrant], scale=self.scale)

    def margin(self, entrant: int) -> Fraction:
        scores = self.by_entrant[entrant]
        means = (Fraction(score.margin_thirds, 3 * score.games) for score in scores)
        return sum(means, Fraction(0)) / self.count

    def interval(self, entrant: int) -> ranking.Interval:
        total = self.totals[entrant]
        return ranking.win_share_interval(
            self.series[entrant], scale=self.scale, sixths=total.sixths, games=total.games
        )

    def games_to_show(self, first: int, second: int) -> int | None:
        """Return how many games more would separate two entrants if the gap seen is real."""
        differences = [a - b for a, b in zip(self.series[first], self.series[second], strict=True)]
        gap = abs(ranking.mean(differences, scale=self.scale))
        if gap == 0:
            return None
        deviation = ranking.standard_error(differences, scale=self.scale) * sqrt(self.count)
        pairs = len(self.names) * (len(self.names) - 1) // 2
        needed = ranking.rounds_needed(
            difference=float(gap), deviation=deviation, alpha=ranking.FAMILY_ALPHA / pairs
        )
        return max(1, needed - self.count) * self.plan.games_per_round


def _check_round(scores: RoundScores, plan: Plan) -> None:
    if not 0 <= scores.round < plan.rounds:
        raise ValueError(f"round {scores.round} is not in the plan: it has {plan.rounds}")
    if len(scores.scores) != len(plan.entrants) or any(s.games < 1 for s in scores.scores):
        raise ValueError(f"round {scores.round} lacks an entrant")


def _rows(field: _Field, claims: ranking.Places | None, *, out: frozenset[str]) -> tuple[Row, ...]:
    if field.count == 0:
        order = sorted(range(len(field.names)), key=field.names.__getitem__)
        return tuple(_row(field, i, None, out=out, equal_to_above=False) for i in order)
    strength = [(field.win_share(i), field.margin(i)) for i in range(len(field.names))]
    order = sorted(
        range(len(field.names)), key=lambda i: (-strength[i][0], -strength[i][1], field.names[i])
    )
    return tuple(
        _row(
            field,
            i,
            claims,
            out=out,
            equal_to_above=position > 0 and strength[order[position - 1]] == strength[i],
        )
        for position, i in enumerate(order)
    )


def _row(
    field: _Field,
    entrant: int,
    claims: ranking.Places | None,
    *,
    out: frozenset[str],
    equal_to_above: bool,
) -> Row:
    total = field.totals[entrant]
    scored = field.count > 0
    return Row(
        entrant=entrant,
        name=field.names[entrant],
        place=claims.ranges[entrant] if claims else None,
        win_share=_six_decimals(field.win_share(entrant)) if scored else None,
        interval=field.interval(entrant) if claims else None,
        margin_per_game=_six_decimals(field.margin(entrant)) if scored else None,
        hands_per_game=_six_decimals(Fraction(total.hands, total.games)) if scored else None,
        total=total,
        equal_to_above=equal_to_above,
        out=field.names[entrant] in out,
    )


def _separated(rows: Sequence[Row], claims: ranking.Places | None) -> tuple[tuple[str, str], ...]:
    above = claims.above if claims else frozenset[tuple[int, int]]()
    return tuple(
        (upper.name, lower.name)
        for upper in rows
        for lower in rows
        if (upper.entrant, lower.entrant) in above
    )


def _words(
    field: _Field, rows: Sequence[Row], claims: ranking.Places | None, *, finished: bool
) -> tuple[str, ...]:
    if claims is None:
        more_games = (FEWEST_ROUNDS - field.count) * field.plan.games_per_round
        return (words.too_few_words(field.count, needed=FEWEST_ROUNDS, more_games=more_games),)
    said = []
    if finished:
        said.append(
            words.leader_words([row.name for row in rows if row.place and row.place[0] == 1])
        )
    said.append(words.PLACE_WORDS)
    if not claims.above:
        more = field.games_to_show(rows[0].entrant, rows[1].entrant)
        said.append(words.not_separated_words(more))
    return tuple(said)


def _stamps(
    field: _Field,
    rows: Sequence[Row],
    given: Sequence[str],
    siblings: Sequence[Sibling],
    not_reproducible: Sequence[str],
    *,
    closed: bool,
) -> tuple[str, ...]:
    computed = list(given)
    if field.count < FEWEST_ROUNDS:
        computed.append(f"too few rounds for places: {field.count} of {FEWEST_ROUNDS}")
    if not closed:
        computed.append(f"not finished: {field.count} of {field.plan.rounds} rounds scored")
    for pair in siblings:
        computed.append(f"siblings together: {pair.first}, {pair.second} ({pair.reason})")
    for name in sorted(not_reproducible):
        computed.append(f"not reproducible: {name}")
    for row in sorted(rows, key=lambda row: row.name):
        if row.out:
            computed.append(f"out before the end: {row.name}")
    return tuple(dict.fromkeys(computed))


def _six_decimals(value: Fraction) -> float:
    return float(round(value, 6))
