"""From result lines to whole-number sums per entrant and round, the only food of the standings.

A finished round is ten integers an entrant, so standings never go back to games. Integers add up
alike in any order: shuffled lines, any number of workers and a resumed run give equal sums. A game
counts once, and a round is scored only when every game of it is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import add

from referee.engine import team_of
from referee.ranking import REPLAYS, Triple
from referee.table import FaultKind, GameRecord
from referee.tourney.plan import Fixture, Plan

__all__ = [
    "FAULT_KINDS",
    "GameLine",
    "RoundScore",
    "RoundScores",
    "Tally",
    "finished_rounds",
    "line_of",
]

FAULT_KINDS = tuple(kind.value for kind in FaultKind)
"""The order in which faults by kind are counted."""

_NO_FAULTS = (0,) * len(FAULT_KINDS)


@dataclass(frozen=True, slots=True)
class GameLine:
    """The result of one finished game; what has three parts goes by seat pair.

    `entrants` are numbers in the plan, `sixths` the win in sixths of a game (their sum is 6),
    `margin_thirds` three times the score minus the sum of scores (their sum is 0), `hands` the
    hands played, `faults` the counts in the order of `FAULT_KINDS`.
    """

    round: int
    index: int
    replay: int
    entrants: Triple
    sixths: Triple
    margin_thirds: Triple
    hands: int
    forfeits: tuple[bool, bool, bool] = (False, False, False)
    faults: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] = (
        _NO_FAULTS,
        _NO_FAULTS,
        _NO_FAULTS,
    )


def line_of(fixture: Fixture, record: GameRecord) -> GameLine:
    """Return the result line of a finished game from its place in the plan and its record."""
    outcome = record.outcome
    first, second, third = (team in outcome.out for team in range(3))
    return GameLine(
        round=fixture.round,
        index=fixture.index,
        replay=fixture.replay,
        entrants=fixture.entrants,
        sixths=outcome.sixths,
        margin_thirds=outcome.margin_thirds,
        hands=outcome.hands,
        forfeits=(first, second, third),
        faults=(_counts(record, 0), _counts(record, 1), _counts(record, 2)),
    )


def _counts(record: GameRecord, team: int) -> tuple[int, ...]:
    kinds = [fault.kind for fault in record.faults if team_of(fault.seat) == team]
    return tuple(kinds.count(kind) for kind in FaultKind) if kinds else _NO_FAULTS


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What one entrant did in a round, or in several added up, in whole numbers."""

    sixths: int = 0
    margin_thirds: int = 0
    games: int = 0
    hands: int = 0
    forfeits: int = 0
    faults: tuple[int, ...] = _NO_FAULTS

    def plus(self, other: RoundScore) -> RoundScore:
        """Return the sums of both."""
        return RoundScore(
            self.sixths + other.sixths,
            self.margin_thirds + other.margin_thirds,
            self.games + other.games,
            self.hands + other.hands,
            self.forfeits + other.forfeits,
            tuple(map(add, self.faults, other.faults)),
        )

    def numbers(self) -> list[int]:
        """Return the ten numbers in the order of the fields, faults by kind last."""
        head = [self.sixths, self.margin_thirds, self.games, self.hands, self.forfeits]
        return [*head, *self.faults]

    @staticmethod
    def of_numbers(numbers: Sequence[int]) -> RoundScore:
        """Return the score that `numbers` wrote; raises `ValueError` if it is none."""
        if (
            not isinstance(numbers, list | tuple)
            or len(numbers) != _NUMBERS
            or not all(type(number) is int for number in numbers)
        ):
            raise ValueError(f"a round score is {_NUMBERS} whole numbers, is {numbers!r}")
        sixths, margin_thirds, games, hands, forfeits, *faults = numbers
        kinds = tuple(faults) if any(faults) else _NO_FAULTS
        return RoundScore(sixths, margin_thirds, games, hands, forfeits, kinds)


_NUMBERS = 5 + len(FAULT_KINDS)


@dataclass(frozen=True, slots=True)
class RoundScores:
    """A finished round: the score of every entrant by its number in the plan."""

    round: int
    scores: tuple[RoundScore, ...]

    def to_json(self) -> dict[str, object]:
        """Return the round as plain JSON: its number and ten numbers for each entrant."""
        return {"round": self.round, "scores": [score.numbers() for score in self.scores]}

    @staticmethod
    def from_json(data: Mapping[str, object]) -> RoundScores:
        """Return the round that `to_json` wrote; raises `ValueError` if it is none."""
        number, rows = data.get("round"), data.get("scores")
        if type(number) is not int or not isinstance(rows, list):
            raise ValueError(f"not a finished round: {data!r}")
        return RoundScores(number, tuple(RoundScore.of_numbers(row) for row in rows))


class Tally:
    """Adds up result lines round by round, and knows which games of a round it has seen."""

    def __init__(self, *, entrants: int, blocks_per_round: int) -> None:
        self._entrants = entrants
        self._games = blocks_per_round * REPLAYS
        self._seen: dict[int, int] = {}
        self._sums: dict[int, list[list[int]]] = {}

    def add(self, line: GameLine) -> None:
        """Count a game; raises `ValueError` if it was counted before or cannot be a result."""
        game = line.index * REPLAYS + line.replay
        if line.round < 0 or not (0 <= line.replay < REPLAYS and 0 <= game < self._games):
            raise ValueError(f"game {_name(line)} is not in the plan")
        if sum(line.sixths) != 6 or sum(line.margin_thirds) != 0:
            raise ValueError(
                f"game {_name(line)}: sixths {line.sixths} do not sum to 6, or "
                f"margins {line.margin_thirds} not to 0"
            )
        if (
            len(set(line.entrants)) != 3
            or not 0 <= min(line.entrants) <= max(line.entrants) < self._entrants
        ):
            raise ValueError(
                f"game {_name(line)}: entrants {line.entrants} are not three of the plan"
            )
        seen = self._seen.get(line.round, 0)
        if seen >> game & 1:
            raise ValueError(f"game {_name(line)} is there twice")
        sums = self._sums.get(line.round)
        if sums is None:
            sums = self._sums[line.round] = [[0] * _NUMBERS for _ in range(self._entrants)]
        self._seen[line.round] = seen | 1 << game
        for pair, entrant in enumerate(line.entrants):
            row = sums[entrant]
            row[0] += line.sixths[pair]
            row[1] += line.margin_thirds[pair]
            row[2] += 1
            row[3] += line.hands
            row[4] += line.forfeits[pair]
            faults = line.faults[pair]
            if faults is not _NO_FAULTS:
                for kind, count in enumerate(faults, start=5):
                    row[kind] += count

    def merge(self, other: Tally) -> None:
        """Add another tally of the same plan; raises `ValueError` if a game is in both."""
        if (self._entrants, self._games) != (other._entrants, other._games):
            raise ValueError("tallies of different plans")
        for round, seen in other._seen.items():
            if self._seen.get(round, 0) & seen:
                raise ValueError(f"a game of round {round} is in both tallies")
        for round, seen in other._seen.items():
            self._seen[round] = self._seen.get(round, 0) | seen
            mine = self._sums.setdefault(round, [[0] * _NUMBERS for _ in range(self._entrants)])
            for row, addition in zip(mine, other._sums[round], strict=True):
                row[:] = map(add, row, addition)

    def is_complete(self, round: int) -> bool:
        """Tell whether every game of the round was counted."""
        return self._seen.get(round, 0) == (1 << self._games) - 1

    def scores(self, round: int) -> RoundScores:
        """Return a complete round; raises `ValueError` while a game of it is missing."""
        if not self.is_complete(round):
            counted = self._seen.get(round, 0).bit_count()
            raise ValueError(f"round {round} has {counted} of {self._games} games")
        rows = self._sums[round]
        return RoundScores(round, tuple(RoundScore.of_numbers(row) for row in rows))

    def raw(self) -> tuple[RoundScore, ...]:
        """Return the sums of everything counted by entrant: raw counts, not a score."""
        totals = [[0] * _NUMBERS for _ in range(self._entrants)]
        for rows in self._sums.values():
            for total, row in zip(totals, rows, strict=True):
                total[:] = map(add, total, row)
        return tuple(RoundScore.of_numbers(total) for total in totals)


def finished_rounds(plan: Plan, lines: Iterable[GameLine]) -> tuple[RoundScores, ...]:
    """Return the rounds that may be scored: those of legs of which every game is there."""
    tally = Tally(entrants=len(plan.entrants), blocks_per_round=plan.blocks_per_round)
    for line in lines:
        tally.add(line)
    return tuple(
        tally.scores(round)
        for leg in plan.legs
        if all(tally.is_complete(round) for round in plan.rounds_of(leg))
        for round in plan.rounds_of(leg)
    )


def _name(line: GameLine) -> str:
    return f"{line.round}.{line.index}.{line.replay}"
