"""One endpoint for each bot process: what calls at one of them cannot crowd out another's bot.

gRPC takes new calls of a server in one queue and turns some away when there are too many; a bot
that calls without end at a shared server has the other bots' calls turned away, and they are
charged for not saying hello. So each process is told an address of its own. An endpoint lives as
long as its token and the calls at it; opening one takes a tenth of a millisecond.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from referee.bots.endpoint import Endpoint, Refusal
from referee.bots.streams import BotStream, settle

__all__ = ["Endpoints", "Reception"]

_GRACE_S = 1.0


class Reception(Protocol):
    """Where a bot process is expected: one endpoint, or one for each."""

    def expect(self, token: str) -> BotStream:
        """Let one stream in that says hello with this token, at the stream's `target`."""


class Endpoints:
    """The endpoints of a run's bot processes; the arguments are those of `Endpoint`.

    `failed` is set to the exception if a callback of one raised. `on_turned_away` may be set: it is
    told why a call was refused, or which other method was called.
    """

    def __init__(
        self,
        *,
        identify: Callable[[bytes], str | None],
        refuse: Callable[[Refusal], bytes],
        hello_s: float = 10.0,
        write_s: float = 10.0,
    ) -> None:
        self._identify = identify
        self._refuse = refuse
        self._hello_s = hello_s
        self._write_s = write_s
        self.on_turned_away: Callable[[Refusal | str], None] | None = None
        self._open: dict[Endpoint, asyncio.Task[None]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def __len__(self) -> int:
        """How many endpoints there are now, those that are being closed included."""
        return len(self._open)

    def expect(self, token: str) -> BotStream:
        """Let one stream in that says hello with this token, at an endpoint of its own.

        Raises RunFailed if there is no further address to be had.
        """
        endpoint = Endpoint(
            identify=self._identify,
            refuse=self._refuse,
            hello_s=self._hello_s,
            write_s=self._write_s,
            on_retired=self._retired,
            on_turned_away=self.on_turned_away,
        )
        endpoint.listen()
        endpoint.failed.add_done_callback(self._one_failed)
        self._open[endpoint] = asyncio.get_running_loop().create_task(endpoint.serve())
        return endpoint.expect(token)

    async def settle(self) -> None:
        """Return when what had arrived at any of them has been given to its owner."""
        await settle(lambda: sum(endpoint.messages for endpoint in self._open))

    async def close(self, final: bytes | None = None) -> None:
        """End every stream with `final`, then the servers; calls not over in time are cut."""
        for endpoint in list(self._open):
            endpoint.end_streams(final)
        if self._closing:
            await asyncio.wait(self._closing)

    def _retired(self, endpoint: Endpoint) -> None:
        task = asyncio.get_running_loop().create_task(self._close_one(endpoint))
        self._closing.add(task)
        task.add_done_callback(self._closed_one)

    async def _close_one(self, endpoint: Endpoint) -> None:
        await self._open[endpoint]
        await endpoint.close(grace_s=_GRACE_S)
        del self._open[endpoint]

    def _closed_one(self, task: asyncio.Task[None]) -> None:
        self._closing.discard(task)
        if not task.cancelled():
            self._fail(task.exception())

    def _one_failed(self, failed: asyncio.Future[None]) -> None:
        if not failed.cancelled():
            self._fail(failed.exception())

    def _fail(self, error: BaseException | None) -> None:
        if error is not None and not self.failed.done():
            self.failed.set_exception(error)
