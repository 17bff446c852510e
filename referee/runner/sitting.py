"""One sitting: each block of a leg once, played by fresh processes that know nothing of the others.

The members of the sitting are made here and gone at its end, whatever ended it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from referee.engine import derive
from referee.report import Evidence, Facts
from referee.runner.clock import ClockSlots, Heartbeat
from referee.runner.dispatcher import Desk, Dispatcher, Seen, TablesPolicy
from referee.runner.link import Launcher, Link
from referee.runner.members import Member
from referee.runner.table_run import TableRun
from referee.table import Fault, FaultKind, GameRecord, Table
from referee.tourney import Bot, Config, Fixture, Limits, Plan, SeatHolder
from referee.wire import MAX_BATCH, GoodbyeReason

__all__ = ["FileGame", "Sitting", "Stage"]

TAIL_BYTES = 4096

SeenFault: TypeAlias = tuple[Fault, Evidence]
FileGame: TypeAlias = Callable[[Fixture, GameRecord, list[SeenFault]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What all sittings of a run share; `file_game` keeps a finished game with its evidence.

    `by_hand` are the limits of a bot that a person starts.
    """

    config: Config
    plan: Plan
    facts: Facts
    launcher: Launcher
    heartbeat: Heartbeat
    slots: ClockSlots
    policy: TablesPolicy
    file_game: FileGame
    max_batch: int = MAX_BATCH
    by_hand: Limits | None = None

    def limits_of(self, bot: Bot) -> Limits:
        """Return what holds for a bot."""
        return self.by_hand if bot.is_attached and self.by_hand else self.config.limits


class Sitting:
    """Plays the given games of one sitting; entrants in `out` forfeit theirs unasked."""

    def __init__(self, stage: Stage, fixtures: Sequence[Fixture], *, out: Collection[int]) -> None:
        self._stage = stage
        self._fixtures = fixtures
        self._out = frozenset(out)
        self._members = self._make_members()
        self._wire_key = stage.facts.key("wire")
        self._evidence: dict[str, list[asyncio.Task[SeenFault]]] = {}
        self._filing: set[asyncio.Task[None]] = set()

    @property
    def members(self) -> Iterable[Member]:
        """All memberships that play in the sitting."""
        return self._members.values()

    @property
    def decisions(self) -> int:
        """How many decisions have been answered or charged so far."""
        return sum(member.talk.asked for member in self._members.values())

    async def play(self) -> None:
        """Play to the end of the last game; nothing of any process is left afterwards."""
        stage = self._stage
        stage.policy.next_sitting()
        dispatcher = Dispatcher(
            iter(self._fixtures),
            self._members,
            Desk(
                open_table=self._open_table,
                file_game=self._file_game,
                file_fault=self._file_fault,
            ),
            slots=stage.slots,
            policy=stage.policy,
            processes=stage.config.event.processes,
        )
        try:
            await dispatcher.play()
            await self._dismiss(
                GoodbyeReason.SITTING_OVER, "all games of the sitting are over", hurry=False
            )
        except BaseException:
            await self._dismiss(GoodbyeReason.RUN_OVER, "the run was interrupted", hurry=True)
            raise

    async def _dismiss(self, reason: GoodbyeReason, text: str, *, hurry: bool) -> None:
        """End all bots, then see the finished games filed; the evidence is there by then."""
        members = self._members.values()
        await asyncio.gather(*(member.dismiss(reason, text, hurry=hurry) for member in members))
        await asyncio.gather(*self._filing)

    def _make_members(self) -> dict[SeatHolder, Member]:
        holders = sorted({holder for fixture in self._fixtures for holder in fixture.seats})
        return {holder: self._member(holder) for holder in holders}

    def _member(self, holder: SeatHolder) -> Member:
        stage = self._stage
        entrant = stage.plan.entrants[holder.entrant]
        bot = stage.config.bot(entrant.bots[holder.member])
        return Member(
            partnership=entrant.name,
            bot=bot,
            limits=stage.limits_of(bot),
            max_batch=stage.max_batch,
            launcher=stage.launcher,
            heartbeat=stage.heartbeat,
        )

    def _open_table(self, fixture: Fixture) -> TableRun:
        stage = self._stage
        out = frozenset(
            team for team, entrant in enumerate(fixture.entrants) if entrant in self._out
        )
        return TableRun(
            fixture=fixture,
            table=Table(
                rules=stage.config.rules,
                seeds=stage.facts.seeds(fixture.block.id),
                first_dealer=fixture.first_dealer,
                faults_per_game=stage.config.limits.faults_per_game,
                out=out,
            ),
            text=self._text(fixture),
        )

    def _text(self, fixture: Fixture) -> str:
        """What the table is called on the wire: new every sitting, and without meaning."""
        label = f"{fixture.leg} {fixture.sitting} {fixture.id}"
        return derive(self._wire_key, label).hex()[:32]

    # --- games and evidence ---------------------------------------------------------------------

    def _file_game(self, fixture: Fixture, record: GameRecord) -> None:
        """Keep a finished game, as soon as all evidence of its faults is there."""
        gathering = self._evidence.pop(fixture.id, None)
        if gathering is None:
            self._stage.file_game(fixture, record, [])
            return
        task = asyncio.get_running_loop().create_task(self._file(fixture, record, gathering))
        self._filing.add(task)
        task.add_done_callback(self._filed)

    def _filed(self, task: asyncio.Task[None]) -> None:
        self._filing.discard(task)
        if not task.cancelled():
            task.result()  # what it raised goes to the loop, which ends the run

    async def _file(
        self, fixture: Fixture, record: GameRecord, gathering: list[asyncio.Task[SeenFault]]
    ) -> None:
        self._stage.file_game(fixture, record, await asyncio.gather(*gathering))

    def _file_fault(self, run: TableRun, member: Member, fault: Fault, seen: Seen) -> None:
        """Keep what was seen; what the process printed and how it ended may come later."""
        gathering = self._gather(member, member.latest_link, fault, seen)
        task = asyncio.get_running_loop().create_task(gathering)
        self._evidence.setdefault(run.fixture.id, []).append(task)

    async def _gather(
        self, member: Member, link: Link | None, fault: Fault, seen: Seen
    ) -> SeenFault:
        limits = self._stage.limits_of(member.bot)
        output, ended = await _what_is_left(link, over=fault.kind in _PROCESS_OVER)
        handshake = fault.kind is FaultKind.HANDSHAKE
        evidence = Evidence(
            kind=fault.kind,
            bot=member.bot.name,
            partnership=member.partnership,
            detail=seen.detail,
            came_back=seen.came_back,
            limit_ms=limits.start_ms if handshake else limits.decision_ms,
            waited_ms=None if seen.waited_s is None else round(seen.waited_s * 1000),
            asked_alone=seen.asked_alone,
            ended=ended,
            output_tail=output[-TAIL_BYTES:].decode("utf-8", "replace"),
        )
        return fault, evidence


_PROCESS_OVER = (FaultKind.CRASH, FaultKind.HANDSHAKE)


async def _what_is_left(link: Link | None, *, over: bool) -> tuple[bytes, str]:
    """What a process has printed, and how it ended if it has."""
    if link is None:
        return b"", ""
    if not over:
        return await link.output(), ""
    ending = await link.ended()
    if link.was_killed and not ending.failure:
        return ending.output, "killed by the referee"
    return ending.output, ending.failure or str(ending.exit or "")
