"""One running copy of a bot, from its start to its end, spoken to in decoded messages.

What the stream and the process say is brought into one order here: whatever had arrived is heard
before the end is reported, and the end is reported once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from referee.bots import BotProcess, BotProgram, Ending, Endpoints, EndReason, Homes, Warden
from referee.runner.rulings import Trouble
from referee.tourney import Bot
from referee.wire import Answer, GoodbyeReason, Hello, Unparsable, goodbye, read_request

__all__ = ["TROUBLE_OF", "BotLink", "Launcher", "Link", "Listener"]

TROUBLE_OF = {
    EndReason.ENDED: Trouble.ENDED,
    EndReason.TOO_LARGE: Trouble.TOO_LARGE,
    EndReason.SEND_STALLED: Trouble.SILENT,
}


class Listener(Protocol):
    """Who is told what a bot says, by plain calls on the loop."""

    def on_hello(self, hello: Hello) -> None:
        """The bot said hello, as its first message."""

    def on_answers(self, answers: list[Answer]) -> None:
        """The bot sent actions."""

    def on_over(self, trouble: Trouble, detail: str) -> None:
        """The process is of no more use; called once, never after `BotLink.end`."""


class Link(Protocol):
    """One copy of a bot as its member sees it: `BotLink`, or `AttachedLink` of one started by hand.

    `hello` is what it said first, None before that.
    """

    hello: Hello | None

    def send(self, message: bytes) -> None:
        """Write a message; never waits."""

    def end(self, reason: GoodbyeReason, text: str, *, stop_s: float) -> None:
        """Say goodbye, wait `stop_s` for the process to end by itself, and kill what is left."""

    def kill_if_ending(self) -> None:
        """Wait no longer for a process that was told goodbye."""

    @property
    def is_gone(self) -> bool:
        """Whether its last process is gone."""

    async def ended(self) -> Ending:
        """Wait for the last process of the bot to be gone; `end` must have been called."""

    @property
    def was_killed(self) -> bool:
        """Whether the process did not end by itself."""

    async def output(self) -> bytes:
        """What the bot has printed so far: first and last 32 KiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launcher:
    """What it takes to start a bot: the warden, the endpoints and the place for private folders.

    `attached` gives a link to the bot that a person starts, if there is one.
    """

    warden: Warden
    endpoints: Endpoints
    homes: Homes
    stop_s: float
    welcome: Callable[[Bot, Hello], bytes]
    attached: Callable[[Listener], Link] | None = None

    def launch(self, bot: Bot, listener: Listener) -> Link:
        """Start a process of the bot, or wait for the one that a person starts; returns at once."""
        if bot.is_attached:
            assert self.attached is not None
            return self.attached(listener)
        program = BotProgram(command=bot.command, directory=bot.directory, env=bot.env)
        process = BotProcess.start(
            program, warden=self.warden, endpoint=self.endpoints, homes=self.homes
        )
        return BotLink(self, bot, process, listener)

    async def settle(self) -> None:
        """Let what has already arrived be heard."""
        await self.endpoints.settle()


class BotLink:
    """A started bot process and its stream; `hello` is what it said first, None before that."""

    def __init__(
        self, launcher: Launcher, bot: Bot, process: BotProcess, listener: Listener
    ) -> None:
        self.hello: Hello | None = None
        self._launcher = launcher
        self._bot = bot
        self._process = process
        self._listener = listener
        self._over = False
        self._ending: asyncio.Task[Ending] | None = None
        process.stream.on_message = self._hear
        process.stream.on_end = self._stream_ended
        self._watch = asyncio.get_running_loop().create_task(self._watch_process())
        self._watch.add_done_callback(_raise_what_it_raised)

    def send(self, message: bytes) -> None:
        """Write a message; never waits."""
        self._process.stream.send(message)

    def end(self, reason: GoodbyeReason, text: str, *, stop_s: float) -> None:
        """Say goodbye, wait `stop_s` for the process to end by itself, and kill what is left."""
        self._over = True
        if self._ending is None:
            stopping = self._process.stop(goodbye=goodbye(reason, text), stop_s=stop_s)
            self._ending = asyncio.get_running_loop().create_task(stopping)

    def break_off(self, *, stop_s: float) -> None:
        """Break the stream off as if the referee were gone; otherwise like `end`."""
        self._over = True
        self._process.stream.break_off()
        if self._ending is None:
            self._ending = asyncio.get_running_loop().create_task(self._process.stop(stop_s=stop_s))

    def kill_if_ending(self) -> None:
        """Wait no longer for a process that was told goodbye."""
        if self._ending is not None:
            self._process.child.kill()

    @property
    def is_gone(self) -> bool:
        """Whether its last process is gone."""
        return self._ending is not None and self._ending.done()

    async def ended(self) -> Ending:
        """Wait for the last process of the bot to be gone; `end` must have been called."""
        assert self._ending is not None
        ending = await asyncio.shield(self._ending)
        self._watch.cancel()
        return ending

    @property
    def pid(self) -> int | None:
        """Process id, or None before the start, and when it failed."""
        return self._process.child.pid

    @property
    def was_killed(self) -> bool:
        """Whether the process did not end by itself."""
        return self._process.child.was_killed

    async def output(self) -> bytes:
        """What the bot has printed so far: first and last 32 KiB."""
        return await self._process.child.output()

    @property
    def dropped(self) -> int:
        """How many bytes of the output that was last asked for lie between first and last."""
        return self._process.child.dropped

    def _hear(self, data: bytes) -> None:
        if self._over:
            return
        try:
            said = read_request(data)
        except Unparsable as problem:
            self._report(Trouble.UNREADABLE, str(problem))
            return
        if isinstance(said, Hello):
            if self.hello is not None:
                self._report(Trouble.UNREADABLE, "a second hello")
                return
            self.hello = said
            self.send(self._launcher.welcome(self._bot, said))
            self._listener.on_hello(said)
        elif self.hello is not None:
            self._listener.on_answers(said)

    def _stream_ended(self, reason: EndReason, detail: str) -> None:
        self._report(TROUBLE_OF[reason], detail)

    async def _watch_process(self) -> None:
        """Report a process that exits; its stream may hold answers it wrote before."""
        exit_status = await asyncio.shield(self._process.child.exited)
        if self._over:
            return
        if exit_status is None:
            ending = await asyncio.shield(self._process.child.ended)
            self._report(Trouble.ENDED, ending.failure)
            return
        await self._launcher.settle()
        when = "" if self.hello is not None else " before its hello"
        self._report(Trouble.ENDED, f"the process ended{when}: {exit_status}")

    def _report(self, trouble: Trouble, detail: str) -> None:
        if not self._over:
            self._over = True
            self._listener.on_over(trouble, detail)


def _raise_what_it_raised(task: asyncio.Task[None]) -> None:
    """Let the loop have what a task raised; the loop ends the run."""
    if not task.cancelled():
        task.result()
