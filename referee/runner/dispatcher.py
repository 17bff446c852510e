"""Plays the games of one sitting: many tables, few clock slots, one loop.

Whenever a bot is free and questions wait for it, they are sent; each answer goes to its table; a
finished game is filed. All verdicts come from `conversation`, all rules from the table.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from referee.errors import RunFailed
from referee.runner.clock import ClockSlots
from referee.runner.conversation import Want
from referee.runner.members import Member
from referee.runner.rulings import Charge, OpenQuestion, Ruling
from referee.runner.table_run import TableRun
from referee.table import Fault, GameRecord, action_text
from referee.tourney import Fixture, SeatHolder
from referee.wire import game_ended

__all__ = ["Desk", "Dispatcher", "Seen", "TablesPolicy"]

log = logging.getLogger(__name__)


class TablesPolicy:
    """How many tables run at once: a fixed number, or doubled up to 256 while bots are quick."""

    MOST = 256
    QUICK_S = 0.005
    WINDOW = 50

    def __init__(self, *, fixed: int | None, clock_slots: int) -> None:
        self._grows = fixed is None
        self.tables = 2 * clock_slots if fixed is None else fixed
        self._asked = 0
        self._clock_s = 0.0

    def grow(self, *, asked: int, clock_s: float) -> bool:
        """Double the tables if the decisions answered since the last look took under 5 ms each."""
        if not self._grows or self.tables >= self.MOST:
            return False
        fresh = asked - self._asked
        if fresh < self.WINDOW * self.tables:
            return False
        quick = (clock_s - self._clock_s) / fresh < self.QUICK_S
        self._asked, self._clock_s = asked, clock_s
        if quick:
            self.tables = min(self.MOST, 2 * self.tables)
        return quick

    def next_sitting(self) -> None:
        """Keep the number of tables; the new sitting's members count from zero."""
        self._asked, self._clock_s = 0, 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the dispatcher needs of the run: how to open a game, where to file it and its faults."""

    open_table: Callable[[Fixture], TableRun]
    file_game: Callable[[Fixture, GameRecord], None]
    file_fault: Callable[[TableRun, Member, Fault, Seen], None]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a fault: in words, the answer if there was one, and the time it took."""

    detail: str
    came_back: str
    waited_s: float | None
    asked_alone: bool


class Dispatcher:
    """Plays fixtures to their ends with the members of one sitting."""

    def __init__(
        self,
        fixtures: Iterator[Fixture],
        members: Mapping[SeatHolder, Member],
        desk: Desk,
        *,
        slots: ClockSlots,
        policy: TablesPolicy,
        processes: int,
    ) -> None:
        self._fixtures = fixtures
        self._members = members
        self._desk = desk
        self._slots = slots
        self._policy = policy
        self._processes = processes
        self._running = 0
        self._seated: Counter[SeatHolder] = Counter()
        self._next = next(fixtures, None)
        self._opening = False
        self._ready: deque[Member] = deque()
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for member in members.values():
            member.judge = self.judge

    async def play(self) -> None:
        """Play until the last fixture is filed; RunFailed if the machine cannot keep the limit."""
        self._open_tables()
        self._pump()
        await self._done

    def fail(self, failure: BaseException) -> None:
        """Stop at once; `play` raises the failure."""
        if not self._done.done():
            self._done.set_exception(failure)

    # --- bots -----------------------------------------------------------------------------------

    def judge(self, member: Member, ruling: Ruling[TableRun]) -> None:
        """Carry out what follows from something a bot did, or did not do in time."""
        for question, action in ruling.taken:
            run = question.table
            fault = run.table.answer(action)
            if fault is not None:
                talk = member.talk
                seen = Seen(
                    "not among the legal choices",
                    action_text(action),
                    talk.waited_s,
                    talk.asked_alone,
                )
                self._desk.file_fault(run, member, fault, seen)
            self._advance(run)
        for charge in ruling.charges:
            self._charge(member, charge)
        for question in ruling.infra:
            log.warning("infra: game %s, decision %d is on the clock again", *self._place(question))
        if ruling.stop:
            self.fail(RunFailed("this machine cannot keep decision_ms"))
        if ruling.replace is not None:
            member.end_process(ruling.replace)
        self._settle(member)
        self._pump()

    def _charge(self, member: Member, charge: Charge[TableRun]) -> None:
        run = charge.question.table
        fault = run.table.charge(charge.kind)
        seen = Seen(charge.detail, charge.came_back, charge.waited_s, asked_alone=True)
        self._desk.file_fault(run, member, fault, seen)
        self._advance(run)

    def _settle(self, member: Member) -> None:
        """Give back the slots of a bot that is off the clock, and see what it wants next."""
        if member.slots_held and not member.talk.on_the_clock:
            self._slots.give_back(member.slots_held)
            member.slots_held = 0
        self._make_ready(member)

    def _make_ready(self, member: Member) -> None:
        """Queue a bot that wants something; one that holds slots is on the clock, and does not."""
        if member.slots_held or member.is_ready:
            return
        if member.talk.want is not Want.NOTHING:
            member.is_ready = True
            self._ready.append(member)

    def _pump(self) -> None:
        """Serve the bots that want something, first come first served, while slots are free.

        Called when an event has been dealt with, not in a later turn of the loop: a turn costs a
        tenth of a round trip.
        """
        held_back: list[Member] = []
        while self._ready and not self._done.done():
            member = self._ready[0]
            want = member.talk.want
            if want in (Want.START, Want.ASK):
                if want is Want.START and not self._room_for_process():
                    held_back.append(self._ready.popleft())
                    continue
                if not self._slots.take(member.threads):
                    break
                member.slots_held = member.threads
            self._ready.popleft()
            member.is_ready = False
            self._serve(member, want)
        self._ready.extendleft(reversed(held_back))

    def _serve(self, member: Member, want: Want) -> None:
        match want:
            case Want.START:
                member.start_process()
            case Want.ASK:
                member.ask()
            case Want.CHARGE:
                for charge in member.talk.charge_waiting():
                    self._charge(member, charge)
            case Want.NOTHING:
                pass

    def _room_for_process(self) -> bool:
        alive = [member for member in self._members.values() if member.link is not None]
        if len(alive) < self._processes:
            return True
        idle = [member for member in alive if member.is_idle]
        if not idle:
            return False
        min(idle, key=lambda member: member.last_asked).retire()
        return True

    # --- tables ---------------------------------------------------------------------------------

    def _open_tables(self) -> None:
        """Fill the tables; a game that ends as it opens makes room for the next in this loop."""
        if self._opening:
            return
        self._opening = True
        while self._running < self._policy.tables and self._next is not None:
            fixture = self._next
            if not self._has_processes_for(fixture):
                break
            self._next = next(self._fixtures, None)
            self._running += 1
            self._seated.update(fixture.seats)
            self._advance(self._desk.open_table(fixture))
        self._opening = False
        if self._next is None and not self._running and not self._done.done():
            self._done.set_result(None)

    def _has_processes_for(self, fixture: Fixture) -> bool:
        """Whether all that play can be alive at once, or they would be started for each move."""
        if not self._running or len(self._members) <= self._processes:
            return True
        return len(self._seated.keys() | set(fixture.seats)) <= self._processes

    def _advance(self, run: TableRun) -> None:
        """Let the table's next decision wait for its bot, or file the finished game."""
        decision = run.table.decision
        if decision is not None:
            member = self._members[run.fixture.seats[decision.seat]]
            member.talk.put(OpenQuestion(run, decision, run.order))
            self._make_ready(member)
            return
        record = run.table.record
        assert record is not None
        self._desk.file_game(run.fixture, record)
        for seat, holder in enumerate(run.fixture.seats):
            member = self._members[holder]
            if member.wants_game_ended:
                member.tell(game_ended(table=run.text, seat=seat, outcome=record.outcome))
        self._running -= 1
        self._seated -= Counter(run.fixture.seats)
        self._grow()
        self._open_tables()

    def _grow(self) -> None:
        asked = sum(member.talk.asked for member in self._members.values())
        clock_s = sum(member.talk.clock_s for member in self._members.values())
        if self._policy.grow(asked=asked, clock_s=clock_s):
            log.info("tables: %d", self._policy.tables)

    @staticmethod
    def _place(question: OpenQuestion[TableRun]) -> tuple[str, int]:
        return question.table.fixture.id, question.id
