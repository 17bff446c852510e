"""One event from its first roll call to its last leaderboard, taken up again where it stopped.

    begin       roll call -> master, plan -> stored at once, then the commitment is told
    each leg    six sittings, each played to its end by fresh processes
    leg's end   its rounds are scored, the leaderboards are written
    end         the master is revealed, the run is closed

All that is decided between sittings is decided from what is stored, so an interrupted run ends
with the same bytes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Sequence
from typing import cast

from referee.bots import Warden
from referee.errors import ConfigError, RunFailed
from referee.report import Evidence, facts_of_run, run_of, visible, write_leaderboards
from referee.runner.beginning import begin
from referee.runner.clock import ClockSlots
from referee.runner.dispatcher import TablesPolicy
from referee.runner.house import House, open_house
from referee.runner.progress import Observer, Progress, RawCount
from referee.runner.setup import Setup
from referee.runner.sitting import Sitting, Stage
from referee.store import Evidence as StoredEvidence
from referee.store import FinishedGame, RunFolder, RunReader, RunWriter
from referee.table import Fault, GameRecord, record_to_bytes
from referee.tourney import (
    SITTINGS,
    Fixture,
    GameLine,
    Json,
    Tally,
    changed_conditions,
    fingerprints,
    game_id,
    line_of,
    out_after,
)

__all__ = ["play_event"]

log = logging.getLogger(__name__)

REFRESH_S = 0.25
DONE, INCOMPLETE = 0, 3


async def play_event(
    setup: Setup,
    folder: RunFolder,
    warden: Warden,
    observer: Observer,
    stop: asyncio.Future[int],
    noted: Sequence[str] = (),
) -> int:
    """Play what is left of an event, and return its exit code.

    `noted` are the changes since the run was last played that do not matter. Raises RunFailed when
    it cannot go on and Interrupted when `stop` is set; what was played is kept either way.
    """
    progress = Progress(phase="roll call")
    async with open_house(setup.config, warden, stop, setup.attach) as house:
        watch = asyncio.get_running_loop().create_task(_watch(progress, house, observer))
        try:
            resumed = folder.has_run
            if not resumed:
                await begin(setup, folder, house, observer)
            with folder.reader() as reader, folder.writer() as writer:
                if resumed:
                    writer.add_start(setup.conditions(), noted=noted)
                event = _Event(setup, folder, house, observer, progress, reader, writer)
                return await event.play()
        finally:
            watch.cancel()
            await asyncio.wait([watch])


async def _watch(progress: Progress, house: House, observer: Observer) -> None:
    """Show the progress while the run goes on."""
    while True:
        latency = house.heartbeat.latency()
        progress.p50_ms, progress.p99_ms = latency.p50_ms, latency.p99_ms
        observer.show(progress)
        await asyncio.sleep(REFRESH_S)


# --- the games ----------------------------------------------------------------------------------


class _Event:
    """A run that has begun: plays the sittings that are not complete, in order."""

    def __init__(
        self,
        setup: Setup,
        folder: RunFolder,
        house: House,
        observer: Observer,
        progress: Progress,
        reader: RunReader,
        writer: RunWriter,
    ) -> None:
        self._setup, self._folder, self._house = setup, folder, house
        self._observer, self._progress = observer, progress
        self._reader, self._writer = reader, writer
        self._beginning = reader.beginning()
        self._facts = facts_of_run(reader)
        self._plan = self._facts.plan()
        self._sitting: Sitting | None = None
        self._decisions = 0
        self._policy = TablesPolicy(fixed=setup.config.event.tables, clock_slots=setup.clock_slots)

    async def play(self) -> int:
        """Play to the end of the event, and return its exit code."""
        plan, progress = self._plan, self._progress
        complete = {(end.leg, end.sitting): end.out for end in self._reader.sittings()}
        scored = {scores.round for scores in self._reader.round_scores()}
        out: set[int] = set()
        progress.legs, progress.sittings = len(plan.legs), SITTINGS
        progress.games, progress.games_planned = self._reader.counts().games, plan.games
        self._count_stored()
        if progress.games:
            self._observer.say(f"going on: {progress.games} of {plan.games} games are stored")
        progress.playing_since = time.monotonic()
        for leg in plan.legs:
            for sitting in range(SITTINGS):
                if (leg, sitting) not in complete:
                    await self._play_sitting(leg, sitting, out)
                    complete[leg, sitting] = await self._end_sitting(leg, sitting)
                    self._tell_out(complete[leg, sitting] - out)
                out |= complete[leg, sitting]
            if not scored.issuperset(plan.rounds_of(leg)):
                await self._score(leg)
                self._write_leaderboards()
            if self._has_ended_after(leg):
                break
        return await self._end(out)

    def _has_ended_after(self, leg: int) -> bool:
        """Whether a duel knows its answer after the leg: decided from what is stored."""
        last = self._plan.rounds_of(leg).stop
        rounds = [scores for scores in self._reader.round_scores() if scores.round < last]
        look = self._facts.duel_look(self._plan, rounds)
        if look is None:
            return False
        self._observer.say(f"leg {leg + 1}: {look.line()}")
        return look.ended

    async def _play_sitting(self, leg: int, sitting: int, out: Collection[int]) -> None:
        self._folder.check_is_there()
        self._check_bots()
        progress = self._progress
        progress.phase, progress.leg, progress.sitting = "playing", leg, sitting
        finished = self._reader.finished(leg=leg, sitting=sitting)
        fixtures = [
            fixture
            for fixture in self._plan.sitting(leg, sitting)
            if (fixture.round, fixture.index, fixture.replay) not in finished
        ]
        stage = Stage(
            config=self._setup.config,
            plan=self._plan,
            facts=self._facts,
            launcher=self._house.launcher,
            heartbeat=self._house.heartbeat,
            slots=ClockSlots(self._setup.clock_slots),
            policy=self._policy,
            file_game=self._file_game,
            by_hand=None if self._setup.attach is None else self._setup.attach.limits,
        )
        if fixtures:
            self._sitting = Sitting(stage, fixtures, out=out)
            await self._house.play(self._sitting.play())
            self._decisions += self._sitting.decisions
            self._sitting = None

    def _check_bots(self) -> None:
        """Stop the run if a bot is no longer what it was when the run began."""
        try:
            found = fingerprints(self._setup.config)
        except ConfigError as gone:
            raise RunFailed(f"a bot was changed while the run goes on: {gone}") from None
        conditions = {
            **self._beginning.conditions,
            "fingerprints": [{"bot": name, **found[name].to_json()} for name in sorted(found)],
        }
        changes = changed_conditions(self._beginning.conditions, conditions)
        if changes.refused:
            raise RunFailed(
                f"a bot was changed while the run goes on: {'; '.join(changes.refused)}; "
                "put it back and give the same command again, or start anew with --fresh"
            )

    def _file_game(
        self, fixture: Fixture, record: GameRecord, seen: list[tuple[Fault, Evidence]]
    ) -> None:
        line = line_of(fixture, record)
        self._writer.add_game(
            FinishedGame(
                id=self._game_id(fixture),
                leg=fixture.leg,
                sitting=fixture.sitting,
                line=line,
                record=record_to_bytes(record),
            ),
            [
                StoredEvidence(fault.action_index, cast(Json, each.to_json()))
                for fault, each in seen
            ],
        )
        progress = self._progress
        progress.games += 1
        progress.played += 1
        progress.tables = self._policy.tables
        if self._sitting is not None:
            progress.decisions = self._decisions + self._sitting.decisions
        self._count(line)

    def _game_id(self, fixture: Fixture) -> bytes:
        return game_id(
            tournament_id=self._facts.tournament_id,
            commitment=self._facts.commitment,
            rules=self._facts.config.rules,
            block=fixture.block.id,
            replay=fixture.replay,
            partnerships=self._plan.partnership_names(fixture),
            members=self._plan.bot_names(fixture),
        )

    def _count_stored(self) -> None:
        """Take up the raw counts: scored rounds from their sums, the others game by game."""
        counts = [RawCount(entrant.name) for entrant in self._plan.entrants]
        self._progress.counts = counts
        scored = self._reader.round_scores()
        for scores in scored:
            for count, score in zip(counts, scores.scores, strict=True):
                count.games += score.games
                count.sixths += score.sixths
                count.forfeits += score.forfeits
                count.faults += sum(score.faults)
        for line in self._reader.lines(range(len(scored), self._plan.rounds)):
            self._count(line)

    def _count(self, line: GameLine) -> None:
        for team, entrant in enumerate(line.entrants):
            count = self._progress.counts[entrant]
            count.games += 1
            count.sixths += line.sixths[team]
            count.forfeits += line.forfeits[team]
            count.faults += sum(line.faults[team])

    async def _end_sitting(self, leg: int, sitting: int) -> frozenset[int]:
        """Decide from the records alone who is out from now on, and store it."""
        await asyncio.wrap_future(self._writer.flush())
        blocks = self._plan.blocks
        out = out_after(
            line
            for line in self._reader.lines(self._plan.rounds_of(leg))
            if blocks(line.round)[line.index].sitting_of_replay[line.replay] == sitting
        )
        await asyncio.wrap_future(self._writer.end_sitting(leg=leg, sitting=sitting, out=out))
        return out

    def _tell_out(self, entrants: Collection[int]) -> None:
        for entrant in sorted(entrants):
            name = visible(self._plan.entrants[entrant].name)
            self._observer.say(f"out: {name} forfeited more than half of its games of the sitting")

    async def _score(self, leg: int) -> None:
        plan = self._plan
        tally = Tally(entrants=len(plan.entrants), blocks_per_round=plan.blocks_per_round)
        for line in self._reader.lines(plan.rounds_of(leg)):
            tally.add(line)
        scores = [tally.scores(round) for round in plan.rounds_of(leg)]
        await asyncio.wrap_future(self._writer.add_round_scores(scores))

    def _write_leaderboards(self) -> dict[str, str]:
        with self._reader.snapshot():
            run = run_of(self._reader)
        meta = run.facts.meta(closed=run.closed)
        return write_leaderboards(self._folder.path, run.standings(), meta)

    async def _end(self, out: Collection[int]) -> int:
        self._folder.check_is_there()
        code = INCOMPLETE if out or self._facts.findings.not_started else DONE
        rendered = self._write_leaderboards()
        ending = self._writer.end_run(is_closed=True, exit_code=code, leaderboards=rendered)
        await asyncio.wrap_future(ending)
        return code
