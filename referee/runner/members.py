"""A bot of a partnership in one sitting: its conversation, and the process behind it.

The conversation decides, the link speaks; a member carries the one's decisions to the other and
keeps the one timer of a bot on the clock.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable

from referee.runner.clock import Heartbeat
from referee.runner.conversation import Conversation, State, Want
from referee.runner.link import Launcher, Link
from referee.runner.rulings import Ruling, Trouble
from referee.runner.table_run import TableRun
from referee.tourney import Bot, Limits
from referee.wire import Answer, GoodbyeReason, Hello, decisions_message

__all__ = ["Member"]

log = logging.getLogger(__name__)

HURRY_S = 1.0
"""How long a process may take to stop when the run was interrupted."""


def _unjudged(_member: Member, _ruling: Ruling[TableRun]) -> None:
    raise AssertionError("a member is judged by a dispatcher")


class Member:
    """One of the two bots of a partnership; each membership has a process of its own.

    `judge` is called with every ruling of the conversation; `slots_held`, `is_ready` and
    `last_asked` belong to the dispatcher.
    """

    def __init__(
        self,
        *,
        partnership: str,
        bot: Bot,
        limits: Limits,
        max_batch: int,
        launcher: Launcher,
        heartbeat: Heartbeat,
    ) -> None:
        self.partnership = partnership
        self.bot = bot
        self.talk: Conversation[TableRun] = Conversation(limits, max_batch=max_batch)
        self.judge: Callable[[Member, Ruling[TableRun]], None] = _unjudged
        self.link: Link | None = None
        self.slots_held = 0
        self.is_ready = False
        self.last_asked = 0.0
        self.started = 0
        self._limit_ms = limits.decision_ms
        self._launcher = launcher
        self._heartbeat = heartbeat
        self._timer: asyncio.TimerHandle | None = None
        self._links: list[Link] = []
        self._overrun: asyncio.Task[None] | None = None

    @property
    def threads(self) -> int:
        """The clock slots it takes."""
        return self.bot.threads

    @property
    def latest_link(self) -> Link | None:
        """The process that was started last, also when it is over."""
        return self._links[-1] if self._links else None

    @property
    def is_idle(self) -> bool:
        """Whether it has a process that nothing waits for."""
        return self.talk.state is State.FREE and self.talk.want is Want.NOTHING

    def start_process(self) -> None:
        """Start a new process for what waits."""
        self.started += 1
        self.talk.start(time.monotonic())
        self.link = self._launcher.launch(self.bot, _Ear(self))
        # What a gone one has printed is not kept: a bot may end ten thousand times.
        self._links = [*(link for link in self._links if not link.is_gone), self.link]
        self._arm()

    def ask(self) -> None:
        """Send the next batch; its clock starts with the write."""
        assert self.link is not None
        limit_ms = self._limit_ms
        message = decisions_message(
            [
                question.table.encoder.encode(
                    question.decision,
                    id=question.id,
                    table=question.table.text,
                    limit_ms=limit_ms,
                )
                for question in self.talk.ask()
            ]
        )
        now = self.last_asked = time.monotonic()
        self.talk.start_clock(now)
        self.link.send(message)
        self._arm()

    @property
    def wants_game_ended(self) -> bool:
        """Whether its process asked to be told when a game has ended."""
        hello = self.link.hello if self.link is not None else None
        return hello is not None and hello.wants_game_ended

    def tell(self, message: bytes) -> None:
        """Send a notice to the process, if there is one."""
        if self.link is not None:
            self.link.send(message)

    def retire(self) -> None:
        """End an idle process to make room for another bot's."""
        self.talk.retire()
        self._let_go("idle: others need the place", stop_s=self._launcher.stop_s)

    def end_process(self, trouble: Trouble) -> None:
        """End a process that the conversation has given up; what it left of itself is kept."""
        log.info("%s, %s: process replaced: %s", self.partnership, self.bot.name, trouble.value)
        own_ending = trouble is Trouble.ENDED
        self._let_go(trouble.value, stop_s=self._launcher.stop_s if own_ending else 0.0)

    async def dismiss(self, reason: GoodbyeReason, text: str, *, hurry: bool) -> None:
        """End the last process and wait until nothing of any of them is left.

        `hurry`: a person waits, so the process gets a second at most, and former ones none.
        """
        if self._timer is not None:
            self._timer.cancel()
        if self._overrun is not None:
            self._overrun.cancel()
        if hurry:
            for link in self._links:
                link.kill_if_ending()
        if self.link is not None:
            stop_s = self._launcher.stop_s
            self.link.end(reason, text, stop_s=min(stop_s, HURRY_S) if hurry else stop_s)
            self.link = None
        for link in self._links:
            await link.ended()

    def _let_go(self, text: str, *, stop_s: float) -> None:
        assert self.link is not None
        self.link.end(GoodbyeReason.REPLACED, text, stop_s=stop_s)
        self.link = None

    # --- the one timer --------------------------------------------------------------------------

    def _arm(self) -> None:
        """Have the deadline looked at; most move on, so a timer that is early looks again.

        After a start, or after an overrun, the next deadline may come before the one that the
        timer waits for.
        """
        if not self.talk.on_the_clock:
            return
        deadline = self.talk.deadline
        if self._timer is not None:
            if self._timer.when() <= deadline:
                return
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_at(deadline, self._look_at_deadline)

    def _look_at_deadline(self) -> None:
        self._timer = None
        if not self.talk.on_the_clock:
            return
        if time.monotonic() < self.talk.deadline:
            self._arm()
            return
        self._overrun = asyncio.get_running_loop().create_task(self._run_over())
        self._overrun.add_done_callback(self._overrun_done)

    async def _run_over(self) -> None:
        """Take what has already arrived as in time, then see what is still open."""
        await self._launcher.settle()
        stood_still_s, lost_s = self._heartbeat.stood_still_s(since=self.talk.clock_started)
        now = time.monotonic()
        self.judge(self, self.talk.overrun(now, stood_still_s=stood_still_s, lost_s=lost_s))
        self._arm()

    def _overrun_done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            task.result()  # what it raised goes to the loop, which ends the run


class _Ear:
    """Hears one process for its member; what a former process says is not heard any more."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def on_hello(self, hello: Hello) -> None:
        """The process is ready."""
        member = self._member
        member.talk.hello(hello.max_batch)
        member.judge(member, Ruling())

    def on_answers(self, answers: list[Answer]) -> None:
        """Answers came in."""
        member = self._member
        member.judge(member, member.talk.hear(answers, time.monotonic()))

    def on_over(self, trouble: Trouble, detail: str) -> None:
        """The process is of no more use."""
        member = self._member
        member.judge(member, member.talk.broken(trouble, time.monotonic(), detail=detail))
