"""A run folder against its own games: the same checks as for an export, and what else is stored.

The store also keeps result lines, round scores, who went out at each sitting's end, and the
leaderboards as printed: each must be what the records give.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

from referee.errors import StoreError
from referee.report.audit.checks import Auditor, Mismatch, place_text
from referee.report.audit.verdict import (
    Verdict,
    check_facts,
    first_difference,
    places,
    unproven,
    verify_export,
)
from referee.report.export.entries import Entry
from referee.report.game_name import GamePlace
from referee.report.leaderboard.rendering import Format, render
from referee.report.names import visible
from referee.report.run import Run, run_of
from referee.store import FinishedGame, RunReader
from referee.table import RecordError, record_from_bytes
from referee.tourney import SITTINGS, GameLine

__all__ = ["verify", "verify_run"]

_DATABASE = b"SQLite format 3\0"


def verify(path: Path) -> Verdict:
    """Verify a run folder, its `run.sqlite`, or an export file.

    Raises `UsageError` for what is neither, is torn or newer, or cannot be read.
    """
    if path.is_dir() or _begins(path, _DATABASE):
        return verify_run(path)
    return verify_export(path)


def verify_run(path: Path) -> Verdict:
    """Verify a run folder; a run that is being played is seen as it stands now.

    Raises `StoreError` if no run is there, or its file is torn, foreign or newer.
    """
    with RunReader(path) as reader, reader.snapshot():
        run = run_of(reader)
        check = _RunCheck(reader, run)
        difference, place = None, None
        try:
            check.run()
        except Mismatch as mismatch:
            difference, place = str(mismatch), mismatch.place
        return Verdict(
            source=visible(str(path)),
            games=check.auditor.checked,
            difference=difference,
            game=place,
            unproven=unproven(run.facts, closed=run.closed),
        )


class _RunCheck:
    """The checks of one look at a run, in order."""

    def __init__(self, reader: RunReader, run: Run) -> None:
        self._reader, self._run = reader, run
        self._plan = run.plan
        self.auditor = Auditor(run.facts, run.plan)
        self._ends = {(end.leg, end.sitting): end.out for end in reader.sittings()}
        self._games = reader.games()
        self._next: FinishedGame | None = next(self._games, None)

    def run(self) -> None:
        """Check everything; raises `Mismatch` at the first difference."""
        self._check_beginning()
        for leg in range(self._run.legs):
            self._check_leg(leg)
        self._check_rest()
        self._check_rounds()
        self._check_printed()

    def _check_beginning(self) -> None:
        check_facts(self._run.facts)
        beginning = self._reader.beginning()
        if beginning.tournament_id != self._run.facts.tournament_id:
            raise Mismatch("the tournament-id is not that of the configuration")
        difference = first_difference(dict(beginning.plan), self._plan.parameters())
        if difference is not None:
            raise Mismatch(f"plan: {difference}")
        state = self._reader.state()
        if state.is_closed and not self._run.closed:
            raise Mismatch("the run says that it is closed, and not all planned rounds are scored")

    def _check_leg(self, leg: int) -> None:
        for place in places(self._plan, leg):
            game = self._take(place)
            self._check_line(game, self.auditor.take(self._entry(game, place)))
        before = frozenset(self.auditor.out)
        for sitting, after in enumerate(self.auditor.end_leg(leg)):
            self._check_end(leg, sitting, before=before, after=after)
            before = after

    def _take(self, place: GamePlace) -> FinishedGame:
        """Return the stored game that must come now."""
        game = self._next
        if game is None:
            raise Mismatch(f"{place_text(place)} is missing", place=place)
        found = _place(game.line)
        if found != place:
            raise Mismatch(
                f"{place_text(place)} is missing: {place_text(found)} stands in its place",
                place=place,
            )
        self._next = next(self._games, None)
        return game

    def _entry(self, game: FinishedGame, place: GamePlace) -> Entry:
        fixture = self._plan.fixture(place.round, place.index, place.replay)
        if (game.leg, game.sitting) != (fixture.leg, fixture.sitting):
            raise Mismatch(
                f"{place_text(place)}: stored for sitting {game.sitting + 1} of leg "
                f"{game.leg + 1}, planned for {fixture.sitting + 1} of {fixture.leg + 1}",
                place=place,
            )
        try:
            record = record_from_bytes(game.record)
        except RecordError as error:
            raise Mismatch(f"{place_text(place)}: {error}", place=place) from None
        return Entry.of(self._plan, fixture, id=game.id, record=record)

    def _check_line(self, game: FinishedGame, line: GameLine) -> None:
        for name in GameLine.__slots__:
            stored, computed = getattr(game.line, name), getattr(line, name)
            if stored != computed:
                place = _place(line)
                raise Mismatch(
                    f"{place_text(place)}: {name} {stored} is stored, the record gives {computed}",
                    place=place,
                )

    def _check_end(
        self, leg: int, sitting: int, *, before: frozenset[int], after: frozenset[int]
    ) -> None:
        """Who is out may be stored again at later ends; who was not before went out at this one."""
        stored = self._ends.get((leg, sitting))
        name = f"sitting {sitting + 1} of leg {leg + 1}"
        if stored is None:
            raise Mismatch(f"{name} is complete, and its end is not stored")
        if stored | before != after:
            raise Mismatch(
                f"{name}: {self._names(stored - before)} went out by what is stored, "
                f"{self._names(after - before)} by the games"
            )

    def _check_rest(self) -> None:
        """Games of the leg under way: each by itself."""
        while (game := self._next) is not None:
            place = _place(game.line)
            if self._run.closed or not self._is_planned(place):
                raise Mismatch(
                    f"{place_text(place)} is stored, and is not in the plan", place=place
                )
            if self._plan.leg_of(place.round) != self._run.legs:
                raise Mismatch(f"{place_text(place)} was played before its leg", place=place)
            self._check_line(game, self.auditor.check(self._entry(game, place)))
            self._next = next(self._games, None)
        last = self._run.legs - 1 if self._run.closed else self._run.legs
        for leg, sitting in sorted(self._ends):
            if not 0 <= sitting < SITTINGS or leg > last:
                raise Mismatch(f"an end of sitting {sitting + 1} of leg {leg + 1} is stored")

    def _is_planned(self, place: GamePlace) -> bool:
        plan = self._plan
        return place.round < plan.rounds and place.index < plan.blocks_per_round

    def _check_rounds(self) -> None:
        stored = self._reader.round_scores()
        if len(stored) != len(self.auditor.rounds):
            raise Mismatch(
                f"{len(stored)} rounds are scored, of finished legs there are "
                f"{len(self.auditor.rounds)}"
            )
        for found, computed in zip(stored, self.auditor.rounds, strict=True):
            if found.round != computed.round:
                raise Mismatch(f"round {found.round + 1} is scored before its leg is finished")
            for entrant, pair in enumerate(zip(found.scores, computed.scores, strict=True)):
                if pair[0] != pair[1]:
                    name = visible(self._plan.entrants[entrant].name)
                    raise Mismatch(
                        f"round {computed.round + 1}: {name} has {pair[0].numbers()} by what is "
                        f"stored, {pair[1].numbers()} by the games"
                    )

    def _check_printed(self) -> None:
        """The leaderboards of an ended run, as stored and as they lie in the folder."""
        if not self._reader.state().is_closed:
            return
        facts, stored = self._run.facts, self._reader.leaderboards()
        standings = facts.standings(self._plan, self.auditor.rounds, out=self.auditor.out_names())
        for format in Format:
            printed = render(standings, facts.meta(closed=True), format)
            found = {f"the stored leaderboard ({format})": stored.get(format.value)}
            path = self._reader.path.with_name(format.file_name)
            if path.is_file():
                found[format.file_name] = path.read_bytes().decode("utf-8", "replace")
            for what, text in found.items():
                if text != printed:
                    raise Mismatch(f"{what} is not what the games give: {_first(text, printed)}")

    def _names(self, entrants: frozenset[int]) -> str:
        plan = self._plan
        names = [
            visible(plan.entrants[number].name) if number < len(plan.entrants) else f"#{number}"
            for number in sorted(entrants)
        ]
        return ", ".join(names) or "nobody"


def _first(found: str | None, printed: str) -> str:
    """Name the first line that differs."""
    if found is None:
        return "it is missing"
    pairs = zip_longest(found.split("\n"), printed.split("\n"))
    return next(f"line {i} differs" for i, pair in enumerate(pairs, 1) if pair[0] != pair[1])


def _place(line: GameLine) -> GamePlace:
    return GamePlace(line.round, line.index, line.replay)


def _begins(path: Path, magic: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(magic)) == magic
    except FileNotFoundError:
        raise StoreError(f"{path}: no run and no export is there") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
