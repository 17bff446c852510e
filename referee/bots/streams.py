"""One bot's stream, seen by its owner: messages in by plain calls, messages out without waiting.

A write is begun inside `send`, without a task: a task and a turn of the loop for each message cost
3 to 4 % of a round trip. The coroutine that gRPC gives is stepped until it waits, and stepped
on when what it waits for is there. No read or write is ever cancelled, because gRPC may still be
filling its buffer: they end by themselves when the call does.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from enum import StrEnum
from typing import Any

import grpc
from grpc import aio

__all__ = ["MAX_MESSAGE_BYTES", "BotStream", "Call", "Context", "EndReason"]

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message ends its stream as `too_large`."""

Context = aio.ServicerContext[bytes, bytes]


class EndReason(StrEnum):
    """Why a stream ended that its owner had not closed.

    ENDED: half-closed, cancelled or cut by the bot. TOO_LARGE: a message above the limit, or one
    that does not unpack. SEND_STALLED: a write that the bot did not take in time; gRPC cannot end
    such a call, it goes when the bot's process is killed.
    """

    ENDED = "ended"
    TOO_LARGE = "too_large"
    SEND_STALLED = "send_stalled"


class Call:
    """One open call: its writes, and the future `over` that lets its handler return."""

    def __init__(self, context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self.context = context
        self.over: asyncio.Future[None] = loop.create_future()
        self.writing_since: float | None = None
        self._now = loop.time
        self._outbox: deque[bytes] = deque()
        self._writing: Coroutine[Any, None, None] | None = None
        self._last = False

    def send(self, data: bytes) -> None:
        """Write a message after those before it; does nothing once the call is being finished."""
        if self._last:
            return
        self._outbox.append(data)
        if self._writing is None:
            self._begin()

    def finish(self, final: bytes | None) -> None:
        """End the call with OK after what was sent and, if given, a final message."""
        if final is not None:
            self.send(final)
        self._last = True
        if self._writing is None:
            self._set_over()

    def reject(self, detail: str) -> None:
        """End the call with RESOURCE_EXHAUSTED, as gRPC itself does above its own limit."""
        self._fail(grpc.StatusCode.RESOURCE_EXHAUSTED, detail)

    def break_off(self) -> None:
        """End the call with UNAVAILABLE, which a bot also sees when the referee's process dies."""
        self._fail(grpc.StatusCode.UNAVAILABLE, "the referee is gone")

    def _fail(self, code: grpc.StatusCode, detail: str) -> None:
        self.context.set_code(code)
        self.context.set_details(detail)
        self.finish(None)

    def cut(self) -> None:
        """Give the call up: what was not written is lost, and nothing more is tried."""
        self._last = True
        self._outbox.clear()
        if not self.over.done():
            self.over.cancel()

    def _begin(self) -> None:
        while self._outbox and self._writing is None:
            self._writing = self.context.write(self._outbox.popleft())
            self.writing_since = self._now()
            self._step(None)

    def _step(self, _waited_for: asyncio.Future[Any] | None) -> None:
        """Run the write until it waits again, or to its end."""
        assert self._writing is not None
        try:
            waits_for = self._writing.send(None)
        except StopIteration:
            pass
        except (aio.BaseError, asyncio.CancelledError):
            self._outbox.clear()  # the bot has gone, which the reader notices
        else:
            waits_for.add_done_callback(self._go_on)
            return
        self._writing = None
        self.writing_since = None

    def _go_on(self, waited_for: asyncio.Future[Any]) -> None:
        self._step(waited_for)
        if self._writing is None:
            self._begin()
        if self._last and self._writing is None:
            self._set_over()

    def _set_over(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


def _ignore_message(_data: bytes) -> None:
    pass


def _ignore_end(_reason: EndReason, _detail: str) -> None:
    pass


class BotStream:
    """One expected bot: first only a token, then the stream whose hello named it.

    Set `on_message` and `on_end` in the turn of the loop that made it; they may be changed later.
    `on_message` gets every message whole, the hello first. `on_end` is called once, if the stream
    ends otherwise than by `close`; nothing is called after `close` or `on_end`. `target` is where
    the bot is to dial in.
    """

    def __init__(self, token: str, *, target: str, retire: Callable[[BotStream], None]) -> None:
        self.target = target
        self._retire_from_endpoint = retire
        self.token = token.encode("ascii")
        self.call: Call | None = None
        self.over = False
        self.received = 0
        self.on_message: Callable[[bytes], None] = _ignore_message
        self.on_end: Callable[[EndReason, str], None] = _ignore_end

    @property
    def connected(self) -> bool:
        """Whether a bot has said hello with the token and the stream has not ended since."""
        return self.call is not None and not self.over

    def send(self, data: bytes) -> None:
        """Write one message; returns at once. Does nothing when the stream is not connected."""
        if self.call is not None and not self.over:
            self.call.send(data)

    def close(self, final: bytes | None = None) -> None:
        """End the stream with OK after what was sent and `final`; the token is void from now."""
        if self.over:
            return
        self._retire()
        if self.call is not None:
            self.call.finish(final)

    def break_off(self) -> None:
        """End the stream as the referee's death would, without a goodbye; the token is void."""
        if self.over:
            return
        self._retire()
        if self.call is not None:
            self.call.break_off()

    async def settle(self) -> None:
        """Return when what had arrived on this stream has been given to `on_message`."""
        await settle(lambda: self.received)

    def _retire(self) -> None:
        self.over = True
        self._retire_from_endpoint(self)

    def _take(self, data: bytes) -> None:
        self.received += 1
        if not self.over:
            self.on_message(data)

    def _end(self, reason: EndReason, detail: str) -> None:
        if not self.over:
            self._retire()
            self.on_end(reason, detail)


_QUIET_S = 0.002
_SETTLE_TURNS = 25


async def settle(received: Callable[[], int]) -> None:
    """Wait until `received` has stood still for 2 ms, at most 50 ms.

    Turns of the loop are no measure. After the loop was busy for 300 ms the first message of each
    stream comes in the next turn, but each further one needs the read after it, and so two
    hand-overs between threads: 2 to 240 turns were counted, 0.05 to 1.3 ms.
    """
    seen = -1
    for _ in range(_SETTLE_TURNS):
        if received() == seen:
            return
        seen = received()
        await asyncio.sleep(_QUIET_S)
