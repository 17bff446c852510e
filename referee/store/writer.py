"""One thread writes all of a run: the loop that plays hands games over and never waits for a disk.

Games are written in transactions, one every half second or 200 games; what must be known to be on
disk (the end of a sitting, scores of a leg, the end of the run) is written at once, after all that
was handed over before it, and gives a future that is done when it is committed. A game counts once
committed.

A game is stored exactly once: the same again changes nothing and is counted, another one under its
id or in its place is an error. When writing fails, all was kept that was committed; every later
call raises the same.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, Self, TypeAlias

from referee.errors import RunFailed
from referee.store.rows import GAME_COLUMNS, Evidence, FinishedGame, row_of_game, to_text
from referee.store.schema import check_file, connect, reading, reason
from referee.tourney import Json, RoundScores

__all__ = ["RunWriter"]

_TRANSACTION_GAMES: Final = 200
_TRANSACTION_S: Final = 0.5

_COLUMNS: Final = GAME_COLUMNS.count(",") + 1
_INSERT_GAME: Final = f"INSERT INTO games ({GAME_COLUMNS}) VALUES ({', '.join('?' * _COLUMNS)})"
_SELECT_GAME: Final = f"SELECT {GAME_COLUMNS} FROM games WHERE place = ? OR id = ?"


@dataclass(frozen=True, slots=True)
class _Game:
    game: FinishedGame
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class _Order:
    """Something to write at once; the thread ends after one that is last."""

    write: Callable[[sqlite3.Connection], None]
    is_last: bool = False
    done: Future[None] = field(default_factory=Future)


_Item: TypeAlias = _Game | _Order


class RunWriter:
    """The only writer of a run database; the folder's lock sees to that.

    Opening raises `StoreError` if the file is torn, foreign or newer, and changes nothing then.
    Every other call raises `RunFailed` once writing has failed.
    """

    def __init__(
        self,
        database: Path,
        *,
        transaction_games: int = _TRANSACTION_GAMES,
        transaction_s: float = _TRANSACTION_S,
    ) -> None:
        check_file(database, deep=True)
        with reading(database):
            self._connection = connect(database, is_writer=True)
        self._database = database
        self._transaction_games = transaction_games
        self._transaction_s = transaction_s
        self._items: SimpleQueue[_Item] = SimpleQueue()
        self._gate = threading.Lock()
        self._failure: BaseException | None = None
        self._is_told = False
        self._is_closed = False
        self._committed = 0
        self._duplicates = 0
        self._thread = threading.Thread(target=self._work, name="run-writer", daemon=True)
        self._thread.start()

    @property
    def committed(self) -> int:
        """How many games this writer has stored for good."""
        return self._committed

    @property
    def duplicates(self) -> int:
        """How many games were handed over that were stored already, with the same content."""
        return self._duplicates

    def add_game(self, game: FinishedGame, evidence: Sequence[Evidence] = ()) -> None:
        """Hand over a finished game with what was seen in it; returns at once."""
        self._hand_over(_Game(game, tuple(evidence)))

    def flush(self) -> Future[None]:
        """Write all that was handed over; done when it is committed."""
        return self._order(lambda connection: None)

    def add_start(self, conditions: Mapping[str, Json], *, noted: Iterable[str]) -> Future[None]:
        """Write that the run was taken up again, under which conditions, with what was noted."""
        values = (to_text(conditions), to_text(list(noted)))

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO starts SELECT max(number) + 1, ?, ? FROM starts", values
            )

        return self._order(write)

    def end_sitting(self, *, leg: int, sitting: int, out: Iterable[int]) -> Future[None]:
        """Write that every game of a sitting is there, and who went out at its end."""
        values = (leg, sitting, to_text(sorted(out)))

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO sittings VALUES (?, ?, ?)", values)

        return self._order(write)

    def add_round_scores(self, rounds: Iterable[RoundScores]) -> Future[None]:
        """Write the scores of the rounds of a finished leg, all of them or none."""
        rows = [(item.round, to_text(_scores(item))) for item in rounds]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO round_scores VALUES (?, ?)", rows)

        return self._order(write)

    def end_run(
        self, *, is_closed: bool, exit_code: int, leaderboards: Mapping[str, str]
    ) -> Future[None]:
        """Write how the run ended, and its leaderboard in each format.

        `is_closed`: all planned rounds are scored, nothing is left to play.
        """
        rows = sorted(leaderboards.items())

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE run SET is_closed = ?, exit_code = ?", (int(is_closed), exit_code)
            )
            connection.executemany("INSERT OR REPLACE INTO leaderboards VALUES (?, ?)", rows)

        return self._order(write)

    def close(self) -> None:
        """Write all that was handed over and end the thread; a second call does nothing.

        Raises `RunFailed` if that cannot be written, unless a call has raised it before.
        """
        if self._is_closed:
            return
        self._is_closed = True
        try:
            if not self._is_told:
                self._order(lambda connection: None, is_last=True).result()
        finally:
            self._thread.join()
            self._merge_log()
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _merge_log(self) -> None:
        """Leave one file that can be copied, also when a reader of the run is still open."""
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def _order(
        self, write: Callable[[sqlite3.Connection], None], *, is_last: bool = False
    ) -> Future[None]:
        order = _Order(write, is_last)
        self._hand_over(order)
        return order.done

    def _hand_over(self, item: _Item) -> None:
        with self._gate:
            if self._failure is not None:
                self._is_told = True
                raise self._failure
            self._items.put(item)

    def _work(self) -> None:
        """The thread: gather, commit, until the last order or a failure."""
        order: _Order | None = None
        try:
            while order is None or not order.is_last:
                games, order = self._gather()
                self._commit(games, order)
        except RunFailed as failure:
            self._fail(failure, order)
        except (OSError, sqlite3.Error) as error:
            text = f"{self._database}: cannot be written: {reason(error)}"
            self._fail(RunFailed(text), order)
        except BaseException as bug:  # noqa: BLE001 - raised again in the caller's thread
            self._fail(bug, order)

    def _gather(self) -> tuple[list[_Game], _Order | None]:
        """Wait for the games of a transaction, or for the first order after them."""
        games: list[_Game] = []
        end = float("inf")
        while len(games) < self._transaction_games:
            try:
                wait = None if not games else max(0.0, end - time.monotonic())
                item = self._items.get(timeout=wait)
            except Empty:
                break
            if isinstance(item, _Order):
                return games, item
            if not games:
                end = time.monotonic() + self._transaction_s
            games.append(item)
        return games, None

    def _commit(self, games: list[_Game], order: _Order | None) -> None:
        connection = self._connection
        stored = duplicates = 0
        conflict: RunFailed | None = None
        connection.execute("BEGIN IMMEDIATE")
        for item in games:
            try:
                is_new = _store(connection, item)
            except RunFailed as failure:
                conflict = failure  # what came before it is good and is kept
                break
            stored += is_new
            duplicates += not is_new
        if order is not None and conflict is None:
            order.write(connection)
        connection.execute("COMMIT")
        self._committed += stored
        self._duplicates += duplicates
        if conflict is not None:
            raise conflict
        if order is not None:
            order.done.set_result(None)

    def _fail(self, failure: BaseException, order: _Order | None) -> None:
        with self._gate:
            self._failure = failure
        with suppress(sqlite3.Error):
            self._connection.rollback()
        waiting = [order] if order is not None and not order.done.done() else []
        while not self._items.empty():
            item = self._items.get()
            if isinstance(item, _Order):
                waiting.append(item)
        if waiting:
            self._is_told = True
        for item in waiting:
            item.done.set_exception(failure)


def _store(connection: sqlite3.Connection, item: _Game) -> bool:
    """Insert a game with its evidence; False if it is there already, `RunFailed` if another is."""
    row = row_of_game(item.game)
    there = connection.execute(_SELECT_GAME, (row[0], row[1])).fetchall()
    if there:
        if there != [row]:
            line = item.game.line
            raise RunFailed(
                f"game {line.round}.{line.index}.{line.replay} ({item.game.id.hex()}) is stored "
                "already with another content; nothing was overwritten"
            )
        return False
    connection.execute(_INSERT_GAME, row)
    connection.executemany(
        "INSERT INTO evidence (game_id, position, content) VALUES (?, ?, ?)",
        [(item.game.id, piece.position, to_text(piece.content)) for piece in item.evidence],
    )
    return True


def _scores(rounds: RoundScores) -> Json:
    return [score.numbers() for score in rounds.scores]
