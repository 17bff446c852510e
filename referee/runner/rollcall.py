"""The roll call: every bot is started once, before anything is planned or promised.

A bot is present if it says hello and answers anything at all in time, at the first try or the
second. It is asked the decisions that come up when substitutes play the first hand of a practice
board, each alone, and then the same ones again in reverse order under new ids at another table.
An answer that differs marks the bot `not reproducible`. Illegal and malformed answers are noted,
nothing more: they will be charged when they cost something.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from referee.bots import Ending
from referee.engine import Action, BoardSeeds, Discard, Rules, block_key, key
from referee.runner.clock import ClockSlots, Heartbeat
from referee.runner.conversation import MAX_INFRA, STOOD_STILL_S, busy_s
from referee.runner.link import Launcher, Link
from referee.runner.rulings import Trouble
from referee.table import FaultKind, Table
from referee.tourney import Bot, Limits
from referee.wire import (
    MAX_IGNORED_ACTIONS,
    Answer,
    DecisionEncoder,
    GoodbyeReason,
    Hello,
    decisions_message,
)

__all__ = ["Presence", "call_roll", "practice_decisions"]

PRACTICE_MASTER = hashlib.sha256(b"schmier-practice-v1").digest()
PRACTICE_ID = "practice"
TRIES = 2
TAIL_BYTES = 4096
MOST_TIMEOUTS = 3
"""As many late answers say enough: the bot is not asked any more."""


@dataclass(frozen=True, slots=True)
class Presence:
    """What the roll call found of one bot; `reason` says why it is absent, in words for a table."""

    bot: str
    present: bool
    reason: str = ""
    reproducible: bool = True
    calls_itself: str = ""
    notes: tuple[str, ...] = ()
    output_tail: str = ""


@dataclass(frozen=True, slots=True)
class PracticeDecision:
    """One practice decision, ready to be sent in the first pass and in the second."""

    first_id: int
    first: bytes
    second_id: int
    second: bytes


def practice_decisions(rules: Rules, *, limit_ms: int) -> tuple[PracticeDecision, ...]:
    """Return the decisions of the practice board's first hand, in the order they come up."""
    seeds = BoardSeeds(
        block_key(key(PRACTICE_MASTER, PRACTICE_ID, "deal"), "0.0"),
        block_key(key(PRACTICE_MASTER, PRACTICE_ID, "bot"), "0.0"),
    )
    table = Table(rules=rules, seeds=seeds, first_dealer=0, faults_per_game=10**6)
    first_text, second_text = (
        hashlib.sha256(PRACTICE_MASTER + name).hexdigest()[:32] for name in (b"first", b"second")
    )
    encoders = DecisionEncoder(), DecisionEncoder()
    encoded: list[tuple[int, bytes, int, bytes]] = []
    many = 10_000
    while (decision := table.decision) is not None and decision.public.number == 0:
        first_id, second_id = len(encoded) + 1, many - len(encoded)
        encoded.append(
            (
                first_id,
                encoders[0].encode(decision, id=first_id, table=first_text, limit_ms=limit_ms),
                second_id,
                encoders[1].encode(decision, id=second_id, table=second_text, limit_ms=limit_ms),
            )
        )
        table.charge(FaultKind.TIMEOUT)
    return tuple(
        PracticeDecision(
            first_id, decisions_message([first]), second_id, decisions_message([second])
        )
        for first_id, first, second_id, second in encoded
    )


async def call_roll(
    bots: Sequence[Bot],
    *,
    rules: Rules,
    limits: Limits,
    launcher: Launcher,
    slots: ClockSlots,
    heartbeat: Heartbeat,
) -> tuple[Presence, ...]:
    """Call every bot once, as many at a time as there are clock slots; in the order given."""
    decisions = practice_decisions(rules, limit_ms=limits.decision_ms)
    gate = asyncio.Lock()
    places = asyncio.Semaphore(slots.total)

    async def call(bot: Bot) -> Presence:
        async with gate:
            for _ in range(bot.threads):
                await places.acquire()
        try:
            return await _Caller(bot, decisions, limits, launcher, heartbeat).call()
        finally:
            for _ in range(bot.threads):
                places.release()

    async with asyncio.TaskGroup() as group:
        calls = [group.create_task(call(bot)) for bot in bots]
    return tuple(task.result() for task in calls)


class _Over(Exception):  # noqa: N818 (it is what happened, not our error)
    """The process is of no more use; `ended`: it ended by itself, or ended its stream."""

    def __init__(self, detail: str, *, ended: bool = False) -> None:
        super().__init__(detail)
        self.ended = ended


class _Caller:
    """Calls one bot; hears it through a queue of what it said."""

    def __init__(
        self,
        bot: Bot,
        decisions: Sequence[PracticeDecision],
        limits: Limits,
        launcher: Launcher,
        heartbeat: Heartbeat,
    ) -> None:
        self._bot = bot
        self._decisions = decisions
        self._limits = limits
        self._launcher = launcher
        self._heartbeat = heartbeat
        self._heard: asyncio.Queue[Hello | Answer | _Over] = asyncio.Queue()
        self._notes: list[str] = []
        self._in_time = 0
        self._ignored = 0

    async def call(self) -> Presence:
        reason, tail = "", ""
        for _ in range(TRIES):
            self._heard = asyncio.Queue()
            self._notes.clear()
            self._in_time = self._ignored = 0
            link = self._launcher.launch(self._bot, self)
            try:
                presence = await self._ask_all(link)
            except _Over as over:
                ending = await self._end(link)
                reason, tail = _told(over, link, ending), _tail(ending)
            else:
                await self._end(link)
                return presence
        return Presence(
            self._bot.name, present=False, reason=reason, notes=tuple(self._notes), output_tail=tail
        )

    async def _end(self, link: Link) -> Ending:
        link.end(GoodbyeReason.SITTING_OVER, "the roll call is over", stop_s=self._launcher.stop_s)
        return await link.ended()

    async def _ask_all(self, link: Link) -> Presence:
        hello = await self._wait(self._limits.start_ms / 1000)
        if hello is None:
            raise _Over("no valid hello within start_ms")
        if isinstance(hello, _Over):
            raise hello
        assert isinstance(hello, Hello)
        first: dict[int, Action] = {}
        second: dict[int, Action] = {}
        try:
            for decision in self._decisions:
                await self._ask(link, decision.first, decision.first_id, decision.first_id, first)
            for decision in reversed(self._decisions):
                await self._ask(
                    link, decision.second, decision.second_id, decision.first_id, second
                )
        except _Over as over:
            if not self._in_time:
                raise
            self._notes.append(str(over))
        changed = [
            number for number, action in second.items() if first.get(number, action) != action
        ]
        if changed:
            self._notes.append(f"{len(changed)} of {len(second)} answers changed when asked again")
        return Presence(
            self._bot.name,
            present=True,
            reproducible=not changed,
            calls_itself=f"{hello.name} {hello.version}".strip(),
            notes=tuple(dict.fromkeys(self._notes)),
        )

    async def _ask(
        self, link: Link, message: bytes, id: int, number: int, answers: dict[int, Action]
    ) -> None:
        link.send(message)
        answer = await self._answer(id, self._limits.decision_ms / 1000)
        if answer is None:
            self._notes.append("timeout")
            late = await self._answer(id, busy_s(self._limits))
            if late is None or self._notes.count("timeout") == MOST_TIMEOUTS:
                raise _Over("no answer in time" if not self._in_time else "too many timeouts")
            return
        self._in_time += 1
        if answer.action is None:
            self._notes.append(f"malformed: {answer.problem}")
        else:
            action = answer.action
            if isinstance(action, Discard):
                action = Discard(tuple(sorted(action.cards)))
            answers[number] = action

    async def _answer(self, id: int, limit_s: float) -> Answer | None:
        """Wait for the answer to an id; None when time is up.

        Other answers are passed over, but a bot that sends nothing else could go on for ever.
        """
        deadline = time.monotonic() + limit_s
        while True:
            said = await self._wait(deadline - time.monotonic())
            if isinstance(said, _Over):
                raise said
            if said is None or (isinstance(said, Answer) and said.id == id):
                return said
            self._ignored += 1
            if self._ignored == MAX_IGNORED_ACTIONS:
                raise _Over(Trouble.FLOOD.value)

    async def _wait(self, limit_s: float) -> Hello | Answer | _Over | None:
        """The next thing heard in time; time in which the referee stood still does not count."""
        for _ in range(MAX_INFRA):
            asked = time.monotonic()
            try:
                async with asyncio.timeout(max(0.0, limit_s)):
                    return await self._heard.get()
            except TimeoutError:
                await self._launcher.settle()
                if not self._heard.empty():
                    return self._heard.get_nowait()
                stood_still_s, _ = self._heartbeat.stood_still_s(since=asked)
                if stood_still_s <= STOOD_STILL_S:
                    return None
        return None

    # what the link reports

    def on_hello(self, hello: Hello) -> None:
        """Take note of the hello."""
        self._heard.put_nowait(hello)

    def on_answers(self, answers: list[Answer]) -> None:
        """Take note of answers."""
        for answer in answers:
            self._heard.put_nowait(answer)

    def on_over(self, trouble: Trouble, detail: str) -> None:
        """Take note of the end."""
        self._heard.put_nowait(_Over(detail or trouble.value, ended=trouble is Trouble.ENDED))


def _told(over: _Over, link: Link, ending: Ending) -> str:
    """Say why a bot is absent, in the same words whichever was seen to end first."""
    if not over.ended or ending.failure:
        return ending.failure or str(over)
    when = "before its hello" if link.hello is None else "when it was asked at the roll call"
    if link.was_killed or ending.exit is None:
        return f"the bot ended its stream {when}"
    cure = "; a bot says hello and stays until goodbye" if ending.exit.code == 0 else ""
    return f"the process ended {when}: {ending.exit}{cure}"


def _tail(ending: Ending) -> str:
    return ending.output[-TAIL_BYTES:].decode("utf-8", "replace")
