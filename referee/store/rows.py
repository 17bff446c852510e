"""What is stored, as values, and how it is written as text: canonical, so that equal is equal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from referee.ranking import Triple
from referee.tourney import GameLine, Json

__all__ = [
    "Beginning",
    "Counts",
    "Evidence",
    "FinishedGame",
    "RunStart",
    "RunState",
    "SittingEnd",
    "from_text",
    "game_of_row",
    "line_of_row",
    "place",
    "place_of",
    "row_of_game",
    "to_text",
]

_BLOCK_PLACES: Final = 1 << 24
_REPLAY_PLACES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """All that is fixed before the first game, and stored at once.

    `conditions` are those of `referee.tourney.conditions`; `plan` holds the parameters of the
    plan, `roll_call` one result for each bot or partnership, both as their owners write them.
    """

    tournament_id: str
    conditions: Mapping[str, Json]
    master: bytes
    commitment: bytes
    plan: Mapping[str, Json]
    roll_call: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """A game as it is filed: its identity, its leg and sitting, its result, its record."""

    id: bytes
    leg: int
    sitting: int
    line: GameLine
    record: bytes


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen around an action of a game: `position` is the number of that action."""

    position: int
    content: Json


@dataclass(frozen=True, slots=True)
class RunStart:
    """One start of the referee on a run: 0 is the beginning, the others took it up again."""

    number: int
    conditions: Mapping[str, Json]
    noted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunState:
    """Whether all planned rounds are scored, and what the run returned when it last ended."""

    is_closed: bool
    exit_code: int | None


@dataclass(frozen=True, slots=True)
class SittingEnd:
    """A complete sitting, with the numbers of the entrants that went out at its end."""

    leg: int
    sitting: int
    out: frozenset[int]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much is stored."""

    games: int
    sittings: int
    rounds_scored: int


def place(round: str, block: str, replay: str) -> str:
    """Return, in SQL, where a game stands in the order of round, block and replay."""
    return f"({round} * {_BLOCK_PLACES} + {block}) * {_REPLAY_PLACES} + {replay}"


def place_of(round: int, block: int, replay: int) -> int:
    """Return where a game stands in the order of round, block and replay."""
    return (round * _BLOCK_PLACES + block) * _REPLAY_PLACES + replay


def to_text(value: Json) -> str:
    """Return a value as JSON text, the same for equal values; raises for what is no JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def from_text(text: str) -> Json:
    """Return the value that `to_text` wrote."""
    return cast(Json, json.loads(text))


def row_of_game(game: FinishedGame) -> tuple[int | str | bytes, ...]:
    """Return a game as the columns of its table, in their order."""
    line = game.line
    return (
        place_of(line.round, line.index, line.replay),
        game.id,
        game.leg,
        game.sitting,
        line.round,
        line.index,
        line.replay,
        to_text(line.entrants),
        to_text(line.sixths),
        to_text(line.margin_thirds),
        line.hands,
        to_text([int(forfeited) for forfeited in line.forfeits]),
        to_text(line.faults) if any(map(any, line.faults)) else "[]",
        game.record,
    )


def game_of_row(row: tuple[object, ...]) -> FinishedGame:
    """Return the game that `row_of_game` wrote."""
    return FinishedGame(
        id=cast(bytes, row[1]),
        leg=cast(int, row[2]),
        sitting=cast(int, row[3]),
        line=line_of_row(row[4:13]),
        record=cast(bytes, row[13]),
    )


def line_of_row(row: tuple[object, ...]) -> GameLine:
    """Return the result from the columns from `round` to `faults`."""
    round, block, replay, entrants, sixths, margin_thirds, hands, forfeits, faults = row
    first, second, third = _triple(forfeits)
    by_kind = json.loads(str(faults))
    line = GameLine(
        round=cast(int, round),
        index=cast(int, block),
        replay=cast(int, replay),
        entrants=_triple(entrants),
        sixths=_triple(sixths),
        margin_thirds=_triple(margin_thirds),
        hands=cast(int, hands),
        forfeits=(bool(first), bool(second), bool(third)),
    )
    if not by_kind:
        return line
    return replace(line, faults=(tuple(by_kind[0]), tuple(by_kind[1]), tuple(by_kind[2])))


def _triple(text: object) -> Triple:
    first, second, third = json.loads(str(text))
    return first, second, third
