"""What is stored, as values, and how it is written as text: canonical, so that equal is equal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from referee.tourney import GameLine, Json

__all__ = [
    "GAME_COLUMNS",
    "LINE_COLUMNS",
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

LINE_COLUMNS: Final = ", ".join(
    (
        *("round", "block", "replay"),
        *("entrant_0", "entrant_1", "entrant_2"),
        *("sixths_0", "sixths_1", "sixths_2"),
        *("margin_thirds_0", "margin_thirds_1", "margin_thirds_2"),
        "hands",
        *("forfeit_0", "forfeit_1", "forfeit_2"),
        "faults",
    )
)
"""The columns of a result, in the order of the table."""

GAME_COLUMNS: Final = f"place, id, leg, sitting, {LINE_COLUMNS}, record"
"""All columns of a game, in the order of the table."""


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


def row_of_game(game: FinishedGame) -> tuple[int | str | bytes | None, ...]:
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
        *line.entrants,
        *line.sixths,
        *line.margin_thirds,
        line.hands,
        *map(int, line.forfeits),
        to_text(line.faults) if any(map(any, line.faults)) else None,
        game.record,
    )


def game_of_row(row: tuple[Any, ...]) -> FinishedGame:
    """Return the game that `row_of_game` wrote."""
    return FinishedGame(
        id=row[1], leg=row[2], sitting=row[3], line=line_of_row(row[4:-1]), record=row[-1]
    )


def line_of_row(row: tuple[Any, ...]) -> GameLine:
    """Return the result from the columns from `round` to `faults`, which are `LINE_COLUMNS`."""
    line = GameLine(
        row[0],
        row[1],
        row[2],
        row[3:6],
        row[6:9],
        row[9:12],
        row[12],
        (bool(row[13]), bool(row[14]), bool(row[15])),
    )
    if row[16] is None:
        return line
    first, second, third = json.loads(row[16])
    return replace(line, faults=(tuple(first), tuple(second), tuple(third)))
