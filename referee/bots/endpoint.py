"""Where bots dial in: one gRPC service, raw bytes in and out, one stream per token.

Nothing is parsed here. A stream belongs to nobody until its first message names a token that is
expected and has not been used; from then on all its messages go to that token's owner, by plain
calls on the loop.

Theory of operation. Each call has two tasks: the *handler*, which gRPC made and which waits for
the stream to be over, and the *reader*, which always has one read outstanding, so that a stream
that was half-closed, cut or cancelled is noticed at once. A read is never cancelled: when the
handler returns, gRPC ends the read. Writes are queued by `send` and done by a third task that
lives while there is something to write. One timer per endpoint looks for writes that do not
end (a peer that never reads swallows some 4 MiB before a write blocks).
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter, deque
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

__all__ = ["MAX_MESSAGE_BYTES", "BotStream", "EndReason", "Endpoint", "Refusal"]

MAX_MESSAGE_BYTES = 64 * 1024
"""A longer message ends its stream as `too_large`."""

_METHOD = "/schmier.v1.RefereeService/Play"
_RECEIVED_BYTES = 4 * MAX_MESSAGE_BYTES
_STREAMS_PER_CONNECTION = 8
_SPENT_REMEMBERED = 1024
_UNIX_PATH_BYTES = 107

_log = logging.getLogger(__name__)
_Context = aio.ServicerContext[bytes, bytes]
_EOF: object = aio.EOF


class EndReason(StrEnum):
    """Why a stream ended that its owner had not closed."""

    ENDED = "ended"
    TOO_LARGE = "too_large"
    SEND_STALLED = "send_stalled"


class Refusal(StrEnum):
    """Why a call was refused; each is counted in `Endpoint.refusals`."""

    NO_HELLO = "no_hello"
    LATE_HELLO = "late_hello"
    UNKNOWN_TOKEN = "unknown_token"
    SPENT_TOKEN = "spent_token"
    TOO_MANY = "too_many"


class _Call:
    """One open call: its writes, and the future that ends it."""

    def __init__(self, context: _Context, loop: asyncio.AbstractEventLoop) -> None:
        self.context = context
        self.over: asyncio.Future[None] = loop.create_future()
        self.handler = asyncio.current_task()
        self.writing_since: float | None = None
        self._loop = loop
        self._outbox: deque[bytes] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._last = False

    def send(self, data: bytes) -> None:
        """Queue a message, unless the last one has been queued."""
        if self._last or self.over.done():
            return
        self._outbox.append(data)
        if self._writer is None:
            self.writing_since = self._loop.time()
            self._writer = self._loop.create_task(self._write())

    def finish(self, final: bytes | None) -> None:
        """End the call with OK after what is queued and, if given, a final message."""
        if final is not None:
            self.send(final)
        self._last = True
        if self._writer is None:
            self._set_over()

    def cut(self) -> None:
        """End the call now; what is queued is lost."""
        self._last = True
        self._outbox.clear()
        if not self.over.done():
            self.over.cancel()

    async def _write(self) -> None:
        write, outbox = self.context.write, self._outbox
        try:
            while outbox:
                self.writing_since = self._loop.time()
                await write(outbox.popleft())
        except aio.BaseError:
            outbox.clear()  # the peer has gone, which the reader notices
        finally:
            self._writer = None
            self.writing_since = None
        if self._last:
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

    Set `on_message` and `on_end` before the bot can have dialled in (they may be changed later).
    `on_message` gets every message whole, the hello first. `on_end` is called once, if the stream
    ends otherwise than by `close`; nothing is called after `close` or `on_end`.
    """

    def __init__(self, endpoint: Endpoint, token: str) -> None:
        self._endpoint = endpoint
        self._token = token.encode("ascii")
        self._call: _Call | None = None
        self._done = False
        self.on_message: Callable[[bytes], None] = _ignore_message
        self.on_end: Callable[[EndReason, str], None] = _ignore_end

    @property
    def connected(self) -> bool:
        """Whether a bot has said hello with the token and the stream has not ended since."""
        return self._call is not None and not self._done

    def send(self, data: bytes) -> None:
        """Queue one message; returns at once. Ignored when the stream is not connected."""
        if self._call is not None and not self._done:
            self._call.send(data)

    def close(self, final: bytes | None = None) -> None:
        """End the stream with OK after what was sent and `final`; the token is void from now."""
        if self._done:
            return
        self._retire()
        if self._call is not None:
            self._call.finish(final)

    def _retire(self) -> None:
        self._done = True
        self._endpoint._retire(self)

    def _end(self, reason: EndReason, detail: str) -> None:
        if not self._done:
            self._retire()
            self.on_end(reason, detail)


class Endpoint:
    """The referee's gRPC server.

    `identify` returns the token that a first message names, or None if that is no hello; `refuse`
    makes the goodbye for a refused call. `failed` is set to the exception if a callback raised.
    """

    def __init__(
        self,
        *,
        identify: Callable[[bytes], str | None],
        refuse: Callable[[Refusal], bytes],
        hello_s: float = 10.0,
        write_s: float = 10.0,
        max_unidentified: int = 256,
    ) -> None:
        self._identify = identify
        self._refuse = refuse
        self._hello_s = hello_s
        self._write_s = write_s
        self._max_unidentified = max_unidentified
        self._loop = asyncio.get_running_loop()
        self._streams: dict[bytes, BotStream] = {}
        self._spent: deque[bytes] = deque(maxlen=_SPENT_REMEMBERED)
        self._unidentified: dict[_Call, float] = {}
        self._calls: set[_Call] = set()
        self._readers: set[asyncio.Task[None]] = set()
        self._server: aio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._messages = 0
        self.target = ""
        self.refusals: Counter[Refusal] = Counter()
        self.failed: asyncio.Future[None] = self._loop.create_future()

    async def open(self, *, unix: Path | None = None) -> None:
        """Listen on a free port of 127.0.0.1, or on a Unix socket; sets `target`."""
        server = aio.server(
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", _RECEIVED_BYTES),
                ("grpc.max_concurrent_streams", _STREAMS_PER_CONNECTION),
                ("grpc.max_metadata_size", 16 * 1024),
                ("grpc.server_handshake_timeout_ms", int(self._hello_s * 1000)),
            ]
        )
        server.add_generic_rpc_handlers((_OneMethod(self._play),))
        if unix is None:
            self.target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        else:
            if len(bytes(unix)) > _UNIX_PATH_BYTES:
                raise ValueError(f"{unix}: a socket's path has at most {_UNIX_PATH_BYTES} bytes")
            self.target = f"unix:{unix}"
            server.add_insecure_port(self.target)
        await server.start()
        self._server = server
        self._watch()

    def expect(self, token: str) -> BotStream:
        """Let one stream in that says hello with this token; it is spent by the first that does."""
        stream = BotStream(self, token)
        self._streams[stream._token] = stream
        return stream

    async def settle(self) -> None:
        """Let messages that had arrived before this call reach their owners."""
        seen = -1
        for _ in range(20):
            await asyncio.sleep(0.001)
            if self._messages == seen:
                return
            seen = self._messages

    async def close(self, final: bytes | None = None, *, grace_s: float = 1.0) -> None:
        """End every stream with `final`, then the server; calls not over in time are cut."""
        for stream in list(self._streams.values()):
            stream.close(final)
        for call in list(self._unidentified):
            call.finish(final)
        pending = [call.over for call in self._calls]
        if pending:
            await asyncio.wait(pending, timeout=grace_s)
        if self._timer is not None:
            self._timer.cancel()
        if self._server is not None:
            await self._server.stop(grace_s)
        if self._readers:
            await asyncio.wait(self._readers, timeout=grace_s)

    # one call

    async def _play(self, _requests: object, context: _Context) -> None:
        call = _Call(context, self._loop)
        self._calls.add(call)
        self._unidentified[call] = self._loop.time()
        if len(self._unidentified) > self._max_unidentified:
            self._turn_away(next(iter(self._unidentified)), Refusal.TOO_MANY)
        reader = self._loop.create_task(self._read(call))
        self._readers.add(reader)
        reader.add_done_callback(self._reader_done)
        try:
            await call.over
        finally:
            self._calls.discard(call)
            self._unidentified.pop(call, None)

    async def _read(self, call: _Call) -> None:
        try:
            stream = await self._bind(call)
            if stream is None:
                return
            read = call.context.read
            while (data := await read()) is not _EOF:
                self._messages += 1
                if len(data) > MAX_MESSAGE_BYTES:
                    detail = f"a message of {len(data)} bytes; {MAX_MESSAGE_BYTES} are allowed"
                    stream._end(EndReason.TOO_LARGE, detail)
                    break
                if not stream._done:
                    stream.on_message(data)
            stream._end(EndReason.ENDED, "the bot ended its stream")
        except (aio.BaseError, asyncio.CancelledError):
            pass
        call.finish(None)

    async def _bind(self, call: _Call) -> BotStream | None:
        """Read the first message and give the call to whom it names, or refuse it."""
        data = await call.context.read()
        if call not in self._unidentified:
            return None
        del self._unidentified[call]
        if data is _EOF:
            self._turn_away(call, Refusal.NO_HELLO)
            return None
        self._messages += 1
        token = self._identify(data) if len(data) <= MAX_MESSAGE_BYTES else None
        if token is None:
            self._turn_away(call, Refusal.NO_HELLO)
            return None
        stream = self._find(token.encode("utf-8", "surrogatepass"))
        if isinstance(stream, Refusal):
            self._turn_away(call, stream)
            return None
        stream._call = call
        stream.on_message(data)
        return stream

    def _find(self, token: bytes) -> BotStream | Refusal:
        """The stream that expects a token; takes as long whatever the token has in common."""
        found: BotStream | None = None
        for expected, stream in self._streams.items():
            if hmac.compare_digest(expected, token):
                found = stream
        spent = False
        for old in self._spent:
            spent |= hmac.compare_digest(old, token)
        if found is not None and found._call is None:
            return found
        return Refusal.SPENT_TOKEN if found is not None or spent else Refusal.UNKNOWN_TOKEN

    def _turn_away(self, call: _Call, refusal: Refusal) -> None:
        self._unidentified.pop(call, None)
        self.refusals[refusal] += 1
        _log.info("refused a call from %s: %s", call.context.peer(), refusal.value)
        call.finish(self._refuse(refusal))

    def _retire(self, stream: BotStream) -> None:
        self._streams.pop(stream._token, None)
        self._spent.append(stream._token)

    def _reader_done(self, reader: asyncio.Task[None]) -> None:
        self._readers.discard(reader)
        error = None if reader.cancelled() else reader.exception()
        if error is not None and not self.failed.done():
            self.failed.set_exception(error)

    # what takes too long

    def _watch(self) -> None:
        now = self._loop.time()
        for call, since in list(self._unidentified.items()):
            if now - since > self._hello_s:
                self._turn_away(call, Refusal.LATE_HELLO)
        stalled = {
            call
            for call in self._calls
            if call.writing_since is not None and now - call.writing_since > self._write_s
        }
        if stalled:
            detail = f"the bot did not read for {self._write_s:g} s"
            for stream in list(self._streams.values()):
                if stream._call in stalled:
                    stream._end(EndReason.SEND_STALLED, detail)
            for call in stalled:
                call.cut()
        pause_s = min(self._hello_s, self._write_s) / 8
        self._timer = self._loop.call_later(pause_s, self._watch)


class _OneMethod(grpc.GenericRpcHandler):
    """Serves Play with raw bytes; any other method is answered UNIMPLEMENTED by gRPC."""

    def __init__(self, play: Any) -> None:
        self._handler: grpc.RpcMethodHandler[Any, Any] = grpc.stream_stream_rpc_method_handler(play)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        return self._handler if handler_call_details.method == _METHOD else None
