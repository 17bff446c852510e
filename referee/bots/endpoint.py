"""Where bots dial in: one gRPC service, raw bytes in and out, one stream per token.

Nothing is parsed here. A stream belongs to nobody until its first message names a token that is
expected and has not been used; from then on all its messages go to that token's owner, by plain
calls on the loop.

Theory of operation. Each call has two tasks: the *handler*, which gRPC made and which waits for
the stream to be over, and the *reader*, which always has one read outstanding, so that a stream
that was half-closed, cut or cancelled is noticed at once. One timer per endpoint looks for writes
that do not end (a bot that never reads swallows some 4 MiB before a write blocks) and for calls
that do not say hello.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import grpc
from grpc import aio

from referee.bots.grpc_log import could_not_receive, watch_grpc_log
from referee.bots.streams import MAX_MESSAGE_BYTES, BotStream, Call, Context, EndReason, settle
from referee.errors import RunFailed

__all__ = ["Endpoint", "Refusal"]

_METHOD = "/schmier.v1.RefereeService/Play"
_RECEIVED_BYTES = 4 * MAX_MESSAGE_BYTES
_METADATA_BYTES = 8 * 1024
_CONNECTIONS = 8
_STREAMS_PER_CONNECTION = 8
_CALLS_NOT_TAKEN_UP = 32
_REFUSALS_LOGGED = 10
_SPENT_REMEMBERED = 256
_UNIX_PATH_BYTES = 107

_log = logging.getLogger(__name__)


class Refusal(StrEnum):
    """Why a call was refused; each is counted in `Endpoint.refusals`."""

    NO_HELLO = "no_hello"
    LATE_HELLO = "late_hello"
    UNKNOWN_TOKEN = "unknown_token"
    SPENT_TOKEN = "spent_token"
    TOO_MANY = "too_many"


class Endpoint:
    """The referee's gRPC server.

    `identify` returns the token that a first message names, or None if that is no hello; `refuse`
    makes the goodbye for a refused call. A call has `hello_s` seconds for its first message, a bot
    `write_s` to take a message. Of more than `max_unidentified` calls that have not said hello the
    oldest is refused, so that idle calls cannot keep a bot out. Further connections than a few are
    not taken, and calls that come faster than they are taken up are turned away by gRPC, at no
    cost. `failed` is set to the exception if a callback raised: a bug of ours, which whoever runs
    the loop must raise. `on_retired` is told when a token is void, `on_turned_away` why a call was
    refused, or which other method was called.
    """

    def __init__(
        self,
        *,
        identify: Callable[[bytes], str | None],
        refuse: Callable[[Refusal], bytes],
        hello_s: float = 10.0,
        write_s: float = 10.0,
        max_unidentified: int = 8,
        on_retired: Callable[[Endpoint], None] | None = None,
        on_turned_away: Callable[[Refusal | str], None] | None = None,
    ) -> None:
        self._identify = identify
        self._refuse = refuse
        self._hello_s = hello_s
        self._write_s = write_s
        self._max_unidentified = max_unidentified
        self._on_retired = on_retired
        self._on_turned_away = on_turned_away
        self._loop = asyncio.get_running_loop()
        self._streams: dict[bytes, BotStream] = {}
        self._spent: deque[bytes] = deque(maxlen=_SPENT_REMEMBERED)
        self._unidentified: dict[Call, float] = {}
        self._calls: dict[Call, BotStream | None] = {}
        self._readers: set[asyncio.Task[None]] = set()
        self._server: aio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.messages = 0
        self.target = ""
        self.refusals: Counter[Refusal] = Counter()
        self.failed: asyncio.Future[None] = self._loop.create_future()

    async def open(self, *, unix: Path | None = None) -> None:
        """Listen on a free port of 127.0.0.1, or on a Unix socket; sets `target`.

        Raises ValueError for a socket path that no system would take, RunFailed if there is no
        address to be had.
        """
        self.listen(unix=unix)
        await self.serve()

    def listen(self, *, unix: Path | None = None) -> None:
        """Take an address, the first half of `open`: who dials from now on waits for `serve`."""
        watch_grpc_log()
        server = aio.server(
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", _RECEIVED_BYTES),
                ("grpc.max_concurrent_streams", _STREAMS_PER_CONNECTION),
                ("grpc.max_allowed_incoming_connections", _CONNECTIONS),
                ("grpc.server.max_pending_requests", _CALLS_NOT_TAKEN_UP),
                ("grpc.server.max_pending_requests_hard_limit", 2 * _CALLS_NOT_TAKEN_UP),
                ("grpc.max_metadata_size", _METADATA_BYTES),
                ("grpc.absolute_max_metadata_size", 2 * _METADATA_BYTES),
                ("grpc.server_handshake_timeout_ms", int(self._hello_s * 1000)),
            ]
        )
        server.add_generic_rpc_handlers((_OneMethod(self._play, self._tell),))
        if unix is not None and len(bytes(unix)) > _UNIX_PATH_BYTES:
            raise ValueError(f"{unix}: a socket's path has at most {_UNIX_PATH_BYTES} bytes")
        try:
            if unix is None:
                self.target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
            else:
                self.target = f"unix:{unix}"
                server.add_insecure_port(self.target)
        except RuntimeError as error:
            raise RunFailed(f"cannot listen for a bot: {error}") from None
        self._server = server

    async def serve(self) -> None:
        """Let calls in, the second half of `open`."""
        assert self._server is not None, "listen first"
        await self._server.start()
        self._watch()

    def expect(self, token: str) -> BotStream:
        """Let one stream in that says hello with this token; the first that does has spent it."""
        stream = BotStream(token, target=self.target, retire=self.retire)
        self._streams[stream.token] = stream
        return stream

    @property
    def unidentified(self) -> int:
        """How many calls have not said hello yet."""
        return len(self._unidentified)

    def retire(self, stream: BotStream) -> None:
        """Void a stream's token; streams do this when they end."""
        self._streams.pop(stream.token, None)
        self._spent.append(stream.token)
        if self._on_retired is not None:
            self._on_retired(self)

    async def settle(self) -> None:
        """Return when what had arrived on any stream has been given to its owner."""
        await settle(lambda: self.messages)

    def end_streams(self, final: bytes | None = None) -> None:
        """Void every token, and end every stream with `final`."""
        for stream in list(self._streams.values()):
            stream.close(final)

    async def close(self, final: bytes | None = None, *, grace_s: float = 1.0) -> None:
        """End every stream with `final`, then the server; calls not over in time are cut."""
        self.end_streams(final)
        for call in list(self._unidentified):
            call.finish(final)
        if self._calls:
            await asyncio.wait([call.over for call in self._calls], timeout=grace_s)
        if self._timer is not None:
            self._timer.cancel()
        if self.refusals.total() > _REFUSALS_LOGGED:
            _log.info("refused %d calls at %s", self.refusals.total(), self.target)
        if self._server is not None:
            await self._server.stop(grace_s)
        if self._readers:
            await asyncio.wait(self._readers, timeout=grace_s)

    # one call

    async def _play(self, _requests: object, context: Context) -> None:
        call = Call(context, self._loop)
        self._calls[call] = None
        self._unidentified[call] = self._loop.time()
        if len(self._unidentified) > self._max_unidentified:
            self._turn_away(next(iter(self._unidentified)), Refusal.TOO_MANY)
        reader = self._loop.create_task(self._read(call))
        self._readers.add(reader)
        reader.add_done_callback(self._reader_done)
        try:
            await call.over
        finally:
            del self._calls[call]
            self._unidentified.pop(call, None)

    async def _read(self, call: Call) -> None:
        try:
            stream = await self._bind(call)
            if stream is not None:
                await self._serve(call, stream)
        finally:
            call.finish(None)

    async def _serve(self, call: Call, stream: BotStream) -> None:
        while (data := await _next_message(call)) is not None:
            self.messages += 1
            if len(data) > MAX_MESSAGE_BYTES:
                detail = f"a message of {len(data)} bytes, {MAX_MESSAGE_BYTES} are allowed"
                call.reject(detail)
                stream._end(EndReason.TOO_LARGE, detail)
                return
            stream._take(data)
        if could_not_receive():
            detail = f"a message far above {MAX_MESSAGE_BYTES} bytes, or one that does not unpack"
            stream._end(EndReason.TOO_LARGE, detail)
        else:
            stream._end(EndReason.ENDED, "the bot ended its stream")

    async def _bind(self, call: Call) -> BotStream | None:
        """Read the first message and give the call to whom it names, or refuse it."""
        data = await _next_message(call)
        if self._unidentified.pop(call, None) is None:
            return None  # refused meanwhile, or gone
        if data is None or len(data) > MAX_MESSAGE_BYTES:
            self._turn_away(call, Refusal.NO_HELLO)
            return None
        self.messages += 1
        token = self._identify(data)
        if token is None:
            self._turn_away(call, Refusal.NO_HELLO)
            return None
        stream = self._find(token.encode("utf-8", "surrogatepass"))
        if isinstance(stream, Refusal):
            self._turn_away(call, stream)
            return None
        stream.call = call
        self._calls[call] = stream
        stream._take(data)
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
        if found is not None and found.call is None:
            return found
        return Refusal.SPENT_TOKEN if found is not None or spent else Refusal.UNKNOWN_TOKEN

    def _turn_away(self, call: Call, refusal: Refusal) -> None:
        self._unidentified.pop(call, None)
        self.refusals[refusal] += 1
        if self.refusals.total() <= _REFUSALS_LOGGED:
            _log.info("refused a call from %s: %s", call.context.peer(), refusal.value)
        self._tell(refusal)
        call.finish(self._refuse(refusal))

    def _tell(self, turned_away: Refusal | str) -> None:
        if self._on_turned_away is not None:
            self._on_turned_away(turned_away)

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
        for call, stream in list(self._calls.items()):
            if call.writing_since is not None and now - call.writing_since > self._write_s:
                call.cut()
                if stream is not None:
                    detail = f"the bot did not read for {self._write_s:g} s"
                    stream._end(EndReason.SEND_STALLED, detail)
        pause_s = min(self._hello_s, self._write_s) / 8
        self._timer = self._loop.call_later(pause_s, self._watch)


async def _next_message(call: Call) -> bytes | None:
    """The next message, or None at the end, whether the bot or we have brought it about."""
    try:
        data: bytes | object = await call.context.read()
    except aio.BaseError:
        return None
    except asyncio.CancelledError:  # also how gRPC says that the call has been cancelled
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return None
    return data if isinstance(data, bytes) else None


class _OneMethod(grpc.GenericRpcHandler):
    """Serves Play with raw bytes; any other method is answered UNIMPLEMENTED by gRPC."""

    def __init__(
        self,
        play: Callable[[Any, Context], Awaitable[None]],
        on_other: Callable[[str], None],
    ) -> None:
        handler: Any = grpc.stream_stream_rpc_method_handler
        self._handler: grpc.RpcMethodHandler[Any, Any] = handler(play)
        self._on_other = on_other

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        if handler_call_details.method == _METHOD:
            return self._handler
        self._on_other(handler_call_details.method)
        return None
