"""One process of a bot under check, and a conversation with it that is judged as in an event.

Who is charged with what is the `Conversation`'s word. A check is stricter in two things: it also
fails a bot for what an event lets pass, a process that ends inside a batch, and it stops at the
first fault.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from referee.bots import Ending
from referee.engine import Action, Decision, Discard
from referee.errors import RunFailed
from referee.runner.check.failing import OBJECTIONS, TROUBLES, Failed, Limit, counted
from referee.runner.clock import Heartbeat
from referee.runner.conversation import Conversation, State, Want
from referee.runner.hearing import Heard, Hearing, Over
from referee.runner.link import BotLink, Launcher
from referee.runner.rulings import Charge, OpenQuestion, Ruling, Trouble
from referee.table import FaultKind, action_text
from referee.tourney import Bot, Limits
from referee.wire import (
    MAX_BATCH,
    DecisionEncoder,
    GoodbyeReason,
    Hello,
    decisions_message,
    goodbye,
)

__all__ = ["Asked", "Reply", "Session"]

MOST_LATE = 3
"""So many of the answers that were late in a batch are asked for again alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A decision to be asked at a table of that name; `key` tells the same decision again."""

    decision: Decision
    table: str
    key: int = -1


@dataclass(frozen=True, slots=True)
class Reply:
    """A legal answer, and its share of the time that its message took."""

    asked: Asked
    action: Action
    ms: float


class Session:
    """A process from its start to its end; `changed` may alter each message before it is sent."""

    def __init__(
        self,
        *,
        bot: Bot,
        limits: Limits,
        launcher: Launcher,
        heartbeat: Heartbeat,
        on_reply: Callable[[Reply], None],
        changed: Callable[[bytes], bytes] = lambda message: message,
    ) -> None:
        self.limits = limits
        self.link: BotLink
        self.hello: Hello | None = None
        self.largest_batch = 0
        self.ended: Ending | None = None
        self._bot = bot
        self._launcher = launcher
        self._heartbeat = heartbeat
        self._on_reply = on_reply
        self._changed = changed
        self._hearing = Hearing()
        self._talk: Conversation[Asked] = Conversation(limits)
        self._asked = 0
        self._batch: list[OpenQuestion[Asked]] = []
        self._done: set[OpenQuestion[Asked]] = set()
        self._late: list[Asked] = []

    @property
    def fits(self) -> int:
        """How many decisions go out at once in an event, as fast as it has answered by now."""
        if not self._talk.asked:
            return 1
        quarter_s = self.limits.decision_ms / 4000
        most = quarter_s * self._talk.asked / max(self._talk.clock_s, 1e-6)
        return max(1, min(MAX_BATCH, int(most)))

    @property
    def ignored(self) -> int:
        """How many answers it gave to ids that were not open."""
        return self._talk.ignored

    async def start(self) -> Hello:
        """Start the process and return its hello; raises Failed without one."""
        self._talk.start(time.monotonic())
        link = self._launcher.launch(self._bot, self._hearing)
        assert isinstance(link, BotLink), "only what the referee starts itself can be checked"
        self.link = link
        while self._talk.state is State.STARTING:
            await self._hear_one()
        assert self.hello is not None
        return self.hello

    async def ask(self, asked: Sequence[Asked], *, at_once: int = MAX_BATCH) -> None:
        """Ask decisions, up to so many in one message, and wait for all answers.

        As in an event, no more go out at once than the bot takes and is expected to answer in a
        quarter of its limit. Raises Failed at the first fault.
        """
        for start in range(0, len(asked), at_once):
            for one in asked[start : start + at_once]:
                self._put(OpenQuestion(one, one.decision, (self._asked,)))
            await self._until_answered()
        # What was late in a batch is charged to nobody there; alone it may be.
        late, self._late = self._late[:MOST_LATE], []
        for one in late:
            self._put(OpenQuestion(one, one.decision, (self._asked,)))
            await self._until_answered()

    async def ask_again(self, asked: Asked, *, times: int = 2) -> None:
        """Ask one decision so many times, always under the same id."""
        question = OpenQuestion(asked, asked.decision, (self._asked,))
        for _ in range(times):
            self._put(question)
            await self._until_answered()

    def leave_open(self, asked: Asked) -> None:
        """Ask a decision whose answer nobody waits for: the process is to be ended now."""
        self._put(OpenQuestion(asked, asked.decision, (self._asked,)))
        self._send(self._talk.ask())

    def listen(self) -> None:
        """Take what the bot has said though nothing was asked; raises Failed if it has ended."""
        while (heard := self._hearing.already()) is not None:
            self._take(*heard)

    def tell(self, message: bytes) -> None:
        """Send a message that is no decision."""
        self.link.send(message)

    # --- endings --------------------------------------------------------------------------------

    async def say_goodbye(self) -> str:
        """Say goodbye and give the bot stop_ms to end; return what it said after that, or nothing.

        The stream is left open at first, so that it is the bot that closes it, and heard on.
        """
        text, stop_s = "the check is over", self.limits.stop_ms / 1000
        self.link.send(self._changed(goodbye(GoodbyeReason.SITTING_OVER, text)))
        deadline = time.monotonic() + stop_s
        said = ""
        while (heard := await self._hearing.next(deadline=deadline - stop_s / 2)) is not None:
            match heard[0]:
                case Over(Trouble.ENDED, _):
                    break
                case Over(trouble, _):
                    said = TROUBLES[trouble]
                    break
                case list() as answers:
                    said = f"it sent {counted(len(answers), 'answer')}"
                case Hello():
                    said = "it sent a hello"
        left_s = max(0.001, deadline - time.monotonic())
        self.link.end(GoodbyeReason.SITTING_OVER, text, stop_s=left_s)
        self.ended = await self.link.ended()
        return said

    async def break_off(self) -> None:
        """Break the stream off, as if the referee had died, and give the bot stop_ms to end."""
        self.link.break_off(stop_s=self.limits.stop_ms / 1000)
        self.ended = await self.link.ended()

    async def end(self, text: str, *, stop_s: float = 0.0) -> Ending:
        """End the process, by force unless it is given time."""
        if self.ended is None:
            self.link.end(GoodbyeReason.REPLACED, text, stop_s=stop_s)
            self.ended = await self.link.ended()
        return self.ended

    # --- inside ---------------------------------------------------------------------------------

    def _put(self, question: OpenQuestion[Asked]) -> None:
        self._asked += 1
        self._talk.put(question)

    def _send(self, batch: Sequence[OpenQuestion[Asked]]) -> None:
        self.largest_batch = max(self.largest_batch, len(batch))
        self._batch = list(batch)
        self._done.clear()
        message = decisions_message(
            [
                # Each is a snapshot of its own, so nothing is gained by keeping an encoder.
                DecisionEncoder().encode(
                    question.decision,
                    id=question.id,
                    table=question.table.table,
                    limit_ms=self.limits.decision_ms,
                )
                for question in batch
            ]
        )
        message = self._changed(message)
        self._talk.start_clock(time.monotonic())
        self.link.send(message)

    async def _until_answered(self) -> None:
        talk = self._talk
        while talk.want is Want.ASK or talk.on_the_clock:
            if talk.state is State.FREE:
                self._send(talk.ask())
            await self._hear_one()

    async def _hear_one(self) -> None:
        """Take what the bot says next, or what its silence means."""
        talk = self._talk
        heard = await self._hearing.next(deadline=talk.deadline)
        if heard is None:
            await self._launcher.settle()
            heard = self._hearing.already()
        if heard is None:
            stood_still_s, lost_s = self._heartbeat.stood_still_s(since=talk.clock_started)
            now = time.monotonic()
            self._judge(talk.overrun(now, stood_still_s=stood_still_s, lost_s=lost_s))
            return
        self._take(*heard)

    def _take(self, said: Heard, now: float) -> None:
        match said:
            case Hello():
                self.hello = said
                self._talk.hello(said.max_batch)
            case list():
                self._judge(self._talk.hear(said, now))
            case Over(trouble, detail):
                self._over(trouble, detail, now)

    def _over(self, trouble: Trouble, detail: str, now: float) -> None:
        starting = self._talk.state is State.STARTING
        ruling = self._talk.broken(trouble, now, detail=detail)
        if starting:
            reason = "" if trouble is Trouble.ENDED else f"{TROUBLES[trouble]}: {detail}"
            raise Failed(reason, ended=trouble is Trouble.ENDED, suffix=" before its hello")
        self._judge(ruling, detail=detail)

    def _judge(self, ruling: Ruling[Asked], *, detail: str = "") -> None:
        if ruling.stop:
            raise RunFailed(
                f"this machine is too busy to keep decision_ms = {self.limits.decision_ms}: "
                "it stood still three times on one decision; try again when it is quieter"
            )
        for question, action in ruling.taken:
            self._done.add(question)
            self._judge_action(question, action, len(ruling.taken))
            if self._talk.waited_s > self.limits.decision_ms / 1000:
                self._late.append(question.table)
        for charge in ruling.charges:
            raise self._charged(charge)
        if ruling.replace is None or self._talk.state is not State.DOWN:
            return
        if self.hello is None:
            raise Failed(f"no hello within start_ms ({self.limits.start_ms} ms)", limit=Limit.START)
        trouble, ended = ruling.replace, ruling.replace is Trouble.ENDED
        told = "" if ended else TROUBLES[trouble] + (f": {detail}" if detail else "")
        still_open = [one.decision for one in self._batch if one not in self._done]
        in_batch = bool(still_open) and len(self._batch) > 1
        suffix = "" if still_open else " while nothing was asked"
        raise Failed(
            told,
            ended=ended,
            suffix=f", asked {len(self._batch)} decisions at once" if in_batch else suffix,
            decision=still_open[0] if still_open and not in_batch else None,
            limit=Limit.DECISION if trouble is Trouble.SILENT else None,
            batch=still_open if in_batch else (),
        )

    def _judge_action(self, question: OpenQuestion[Asked], action: Action, taken: int) -> None:
        objection = question.decision.question.objection(action)
        if objection is not None:
            raise Failed(
                f"illegal: {OBJECTIONS[objection]}",
                decision=question.decision,
                came_back=action_text(action),
            )
        if isinstance(action, Discard):
            action = Discard(tuple(sorted(action.cards)))
        self._on_reply(Reply(question.table, action, 1000 * self._talk.waited_s / taken))

    def _charged(self, charge: Charge[Asked]) -> Failed:
        decision = charge.question.decision
        match charge.kind:
            case FaultKind.TIMEOUT:
                reason = f"timeout: no answer within decision_ms ({self.limits.decision_ms} ms)"
                return Failed(reason, decision=decision, limit=Limit.DECISION)
            case FaultKind.CRASH:
                return Failed("crash: ", ended=True, decision=decision)
            case _:
                reason = f"{charge.kind}: {charge.detail}"
                return Failed(reason, decision=decision, came_back=charge.came_back)
