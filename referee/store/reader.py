"""Reading a run, finished or still being played: nothing here changes a file.

Games come as a stream in the order of round, block and replay, so memory is flat in their number.
Each question sees all that was committed when it was asked; `snapshot` makes several see the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self, cast

from referee.store.rows import (
    GAME_COLUMNS,
    LINE_COLUMNS,
    Beginning,
    Counts,
    Evidence,
    FinishedGame,
    RunStart,
    RunState,
    SittingEnd,
    from_text,
    game_of_row,
    line_of_row,
    place_of,
)
from referee.store.schema import check_file, connect, leave, reading
from referee.tourney import GameLine, Json, RoundScore, RoundScores

__all__ = ["DATABASE", "RunReader"]

DATABASE: Final = "run.sqlite"
"""The run database in a run folder."""

_ROWS_AT_A_TIME: Final = 256
_LAST: Final = 1 << 62


class RunReader:
    """A run opened for reading: a run folder or its `run.sqlite`.

    Opening raises `StoreError` if no run is there or the file is torn, foreign or newer; so does
    reading a page that turns out to be torn.
    """

    def __init__(self, path: Path) -> None:
        self._path = path / DATABASE if path.is_dir() else path
        check_file(self._path, deep=False)
        with reading(self._path):
            self._connection = connect(self._path, is_writer=False)

    @property
    def path(self) -> Path:
        """The run database."""
        return self._path

    def close(self) -> None:
        """Close the file."""
        leave(self._connection, self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let every question inside see the same state of a run that goes on."""
        with reading(self._path):
            self._connection.execute("BEGIN")
            # The state is taken by the first read, so read.
            self._connection.execute("SELECT 1 FROM run").fetchone()
        try:
            yield
        finally:
            self._connection.execute("COMMIT")

    def beginning(self) -> Beginning:
        """Return what was fixed before the first game, the secret master included."""
        ((tournament_id, master, commitment, plan),) = self._rows(
            "SELECT tournament_id, master, commitment, plan FROM run"
        )
        ((conditions,),) = self._rows("SELECT conditions FROM starts WHERE number = 0")
        results = self._rows("SELECT result FROM roll_call ORDER BY number")
        return Beginning(
            tournament_id=str(tournament_id),
            conditions=_object(conditions),
            master=cast(bytes, master),
            commitment=cast(bytes, commitment),
            plan=_object(plan),
            roll_call=tuple(from_text(str(result)) for (result,) in results),
        )

    def starts(self) -> tuple[RunStart, ...]:
        """Return the beginning and every time the run was taken up again."""
        rows = self._rows("SELECT number, conditions, noted FROM starts ORDER BY number")
        return tuple(
            RunStart(
                cast(int, number),
                _object(conditions),
                tuple(str(text) for text in cast(list[Json], from_text(str(noted)))),
            )
            for number, conditions, noted in rows
        )

    def state(self) -> RunState:
        """Return whether the run is closed, and its last exit code."""
        ((is_closed, exit_code),) = self._rows("SELECT is_closed, exit_code FROM run")
        return RunState(bool(is_closed), cast("int | None", exit_code))

    def leaderboards(self) -> dict[str, str]:
        """Return the stored leaderboard by format, empty before the run has ended."""
        rows = self._rows("SELECT format, text FROM leaderboards ORDER BY format")
        return {str(name): str(text) for name, text in rows}

    def sittings(self) -> tuple[SittingEnd, ...]:
        """Return the complete sittings in the order they were played."""
        rows = self._rows("SELECT leg, sitting, out FROM sittings ORDER BY leg, sitting")
        return tuple(
            SittingEnd(
                cast(int, leg),
                cast(int, sitting),
                frozenset(cast(list[int], from_text(str(out)))),
            )
            for leg, sitting, out in rows
        )

    def round_scores(self) -> tuple[RoundScores, ...]:
        """Return the rounds scored so far, in order."""
        rows = self._rows("SELECT round, scores FROM round_scores ORDER BY round")
        return tuple(
            RoundScores(
                cast(int, round),
                tuple(
                    RoundScore.of_numbers(numbers)
                    for numbers in cast(list[list[int]], from_text(str(scores)))
                ),
            )
            for round, scores in rows
        )

    def finished(self, *, leg: int, sitting: int) -> dict[tuple[int, int, int], bytes]:
        """Return the ids of the finished games of a sitting by round, block and replay."""
        rows = self._rows(
            "SELECT round, block, replay, id FROM games WHERE leg = ? AND sitting = ?",
            leg,
            sitting,
        )
        return {
            (cast(int, round), cast(int, block), cast(int, replay)): cast(bytes, id)
            for round, block, replay, id in rows
        }

    def games(self, rounds: range | None = None) -> Iterator[FinishedGame]:
        """Stream the games of some rounds, or of all, by round, block and replay."""
        for row in self._in_order(GAME_COLUMNS, rounds):
            yield game_of_row(row)

    def lines(self, rounds: range | None = None) -> Iterator[GameLine]:
        """Stream the results of some rounds, or of all, by round, block and replay."""
        for row in self._in_order(LINE_COLUMNS, rounds):
            yield line_of_row(row)

    def game(self, id: bytes) -> FinishedGame | None:
        """Return the game of an id, or None if it is not stored."""
        return self._one("id = ?", id)

    def game_at(self, *, round: int, index: int, replay: int) -> FinishedGame | None:
        """Return a game by its name `ROUND.INDEX.REPLAY`, or None if it is not stored."""
        return self._one("place = ?", place_of(round, index, replay))

    def evidence(self, id: bytes) -> tuple[Evidence, ...]:
        """Return what was seen in a game, by the number of the action."""
        rows = self._rows(
            "SELECT position, content FROM evidence WHERE game_id = ? ORDER BY position, number",
            id,
        )
        return tuple(Evidence(cast(int, at), from_text(str(content))) for at, content in rows)

    def counts(self) -> Counts:
        """Return how much is stored."""
        ((games, sittings, rounds),) = self._rows(
            "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM sittings), "
            "(SELECT count(*) FROM round_scores)"
        )
        return Counts(cast(int, games), cast(int, sittings), cast(int, rounds))

    def _one(self, condition: str, value: int | bytes) -> FinishedGame | None:
        rows = self._rows(f"SELECT {GAME_COLUMNS} FROM games WHERE {condition}", value)
        return game_of_row(rows[0]) if rows else None

    def _in_order(self, columns: str, rounds: range | None) -> Iterator[tuple[object, ...]]:
        if rounds is not None and (rounds.step != 1 or not rounds):
            if rounds:
                raise ValueError(f"rounds are taken one after another, not {rounds}")
            return
        first = 0 if rounds is None else place_of(rounds.start, 0, 0)
        end = _LAST if rounds is None else place_of(rounds.stop, 0, 0)
        with reading(self._path):
            cursor = self._connection.execute(
                f"SELECT {columns} FROM games WHERE place >= ? AND place < ? ORDER BY place",
                (first, end),
            )
        while True:
            with reading(self._path):
                rows = cursor.fetchmany(_ROWS_AT_A_TIME)
            if not rows:
                return
            yield from rows

    def _rows(self, query: str, *values: int | bytes) -> list[tuple[object, ...]]:
        with reading(self._path):
            found: list[tuple[object, ...]] = self._connection.execute(query, values).fetchall()
        return found


def _object(text: object) -> Mapping[str, Json]:
    return cast(Mapping[str, Json], from_text(str(text)))
