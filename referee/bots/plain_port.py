"""A port that takes any connection and only listens, to find out what a bot speaks.

gRPC hangs up on whoever does not speak HTTP/2, and does not say so. A bot that was never heard is
started once more with this port for its referee, and its first bytes tell what is wrong.
"""

from __future__ import annotations

import asyncio
import contextlib

from referee.bots.streams import BotStream

__all__ = ["PlainPort"]

_FIRST_BYTES = 64
_PATIENCE_S = 1.0


class PlainPort:
    """Where one bot process is expected that is not going to be answered; `open` it first.

    `first_bytes` is set to what the first connection began with, empty if it said nothing.
    """

    def __init__(self) -> None:
        self.target = ""
        self.first_bytes: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen on a free port of 127.0.0.1; sets `target`."""
        self._server = await asyncio.start_server(self._hear, "127.0.0.1", 0)
        self.target = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def expect(self, token: str) -> BotStream:
        """Return a stream that nobody will ever be on."""
        return BotStream(token, target=self.target, retire=lambda _stream: None)

    async def close(self) -> None:
        """Listen no more; connections are closed."""
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            first = b""
            with contextlib.suppress(TimeoutError, OSError):
                async with asyncio.timeout(_PATIENCE_S):
                    first = await reader.read(_FIRST_BYTES)
            if not self.first_bytes.done():
                self.first_bytes.set_result(first)
        finally:
            self._tasks.discard(task)
            writer.close()
