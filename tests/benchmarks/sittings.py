"""Real sittings: six bot processes at so many tables, in a real house, measured while all run.

A sitting is started with more games than it can finish, watched for a while in full swing, and
then cancelled: neither the start of the bots nor the last games, when tables are few, are in a
figure. Only decisions that were asked count.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from referee.bots import Warden, usable_cores
from referee.engine import Rules, commitment, master_from_text
from referee.report import Facts, Findings
from referee.runner.clock import ClockSlots
from referee.runner.dispatcher import TablesPolicy
from referee.runner.house import House, open_house
from referee.runner.link import BotLink
from referee.runner.members import Member
from referee.runner.sitting import Sitting, Stage
from referee.tourney import Bot, Config, Event, Limits, Partnership
from tests.benchmarks.bots import Program
from tests.benchmarks.tape import Tape, Turn

__all__ = ["Hall", "Played", "open_hall"]

_TICKS = os.sysconf("SC_CLK_TCK")
_ROUNDS = 100_000
_LEG_ROUNDS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One sitting in full swing; microseconds are those of one asked decision."""

    tables: int
    wall_us: float
    referee_us: float
    bots_us: float
    batch: float
    first_answer_s: float


class Hall:
    """A house in which one sitting after another is measured."""

    def __init__(self, config: Config, house: House) -> None:
        master = master_from_text("benchmark")
        self._config = config
        self._house = house
        self._facts = Facts(
            config=config,
            commitment=commitment(master, config.event.id),
            master=master,
            findings=Findings(),
        )
        self._plan = self._facts.plan()
        self._sittings = 0

    async def play(
        self, *, tables: int, decisions: int, clock_slots: int = 0, tape: Tape | None = None
    ) -> Played:
        """Measure so many decisions at so many tables; what was said goes on the tape."""
        number, self._sittings = self._sittings, self._sittings + 1
        slots = clock_slots or usable_cores()
        stage = Stage(
            config=self._config,
            plan=self._plan,
            facts=self._facts,
            launcher=self._house.launcher,
            heartbeat=self._house.heartbeat,
            slots=ClockSlots(slots),
            policy=TablesPolicy(fixed=tables, clock_slots=slots),
            file_game=lambda fixture, record, seen: None,
        )
        sitting = Sitting(stage, self._plan.sitting(0, number % 6), out=())
        watch = _Watch(list(sitting.members), tape)
        started = perf_counter()
        playing = asyncio.get_running_loop().create_task(sitting.play())
        try:
            await watch.until(playing, lambda: all(member.talk.asked for member in watch.members))
            first_answer_s = perf_counter() - started
            await watch.until(playing, lambda: watch.asked >= 40 * tables)
            return await watch.measure(playing, tables, decisions, first_answer_s)
        finally:
            playing.cancel()
            with suppress(asyncio.CancelledError):
                await playing
            if tape is not None:
                tape.finish()


class _Watch:
    """Looks at the members of a running sitting from outside."""

    def __init__(self, members: list[Member], tape: Tape | None) -> None:
        self.members = members
        self.batches = 0
        self._tape = tape
        for number, member in enumerate(members):
            self._listen(number, member)

    @property
    def asked(self) -> int:
        """Decisions that were asked and answered."""
        return sum(member.talk.asked for member in self.members)

    async def until(
        self, playing: asyncio.Task[None], reached: Callable[[], bool], pause_s: float = 0.001
    ) -> None:
        """Wait for a condition; raises what ended the sitting before."""
        while not reached():
            if playing.done():
                playing.result()
                raise RuntimeError("the sitting ended before it was measured: plan more games")
            await asyncio.sleep(pause_s)

    async def measure(
        self, playing: asyncio.Task[None], tables: int, decisions: int, first_answer_s: float
    ) -> Played:
        """Measure from now on until so many decisions more are answered."""
        asked, batches = self.asked, self.batches
        bots_s, referee_s, started = self._bots_s(), process_time(), perf_counter()
        await self.until(playing, lambda: self.asked >= asked + decisions, pause_s=0.02)
        wall_s = perf_counter() - started
        referee_s, bots_s = process_time() - referee_s, self._bots_s() - bots_s
        count = self.asked - asked
        return Played(
            tables=tables,
            wall_us=wall_s / count * 1e6,
            referee_us=referee_s / count * 1e6,
            bots_us=bots_s / count * 1e6,
            batch=count / max(1, self.batches - batches),
            first_answer_s=first_answer_s,
        )

    def _bots_s(self) -> float:
        """Seconds of processor time that the bots have had."""
        ticks = 0
        for member in self.members:
            assert isinstance(member.link, BotLink)
            pid = member.link._process.child.pid
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(words[11]) + int(words[12])
        return ticks / _TICKS

    def _listen(self, number: int, member: Member) -> None:
        """Count a member's batches, and keep them on the tape if there is one."""
        ask, tape = member.talk.ask, self._tape

        def counted() -> Any:
            batch = ask()
            self.batches += 1
            if tape is not None:
                turn = Turn(number, len(batch))
                tape.turns.append(turn)
                _tap(member, turn)
            return batch

        member.talk.ask = counted  # type: ignore[method-assign]


def _tap(member: Member, turn: Turn) -> None:
    """Keep the next message to the bot and all that comes back."""
    assert isinstance(member.link, BotLink)
    stream = member.link._process.stream
    send, hear = stream.call.send if stream.call else None, member.link._hear
    assert send is not None and stream.call is not None
    call = stream.call

    def sent(data: bytes) -> None:
        turn.asked = data
        call.send = send  # type: ignore[method-assign]
        send(data)

    def heard(data: bytes) -> None:
        turn.answers.append(data)
        hear(data)

    call.send = sent  # type: ignore[method-assign]
    stream.on_message = heard


@asynccontextmanager
async def open_hall(program: Program, warden: Warden) -> AsyncIterator[Hall]:
    """Open a house for three partnerships of two such bots."""
    bot = Bot(name="bench", command=program.command, directory=program.directory)
    config = Config(
        path=Path("benchmark"),
        event=Event(
            id="benchmark", name="Benchmark", rounds=_ROUNDS, seed="", leg_rounds=_LEG_ROUNDS
        ),
        limits=Limits(decision_ms=10_000, start_ms=60_000),
        rules=Rules(),
        bots=(bot,),
        partnerships=tuple(
            Partnership(name=name, bots=("bench", "bench")) for name in ("One", "Two", "Three")
        ),
    )
    stop: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    async with open_house(config, warden, stop) as house:
        yield Hall(config, house)
