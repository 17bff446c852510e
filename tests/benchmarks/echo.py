"""A bare gRPC stream echo: the same bytes on the same roads, and nothing else.

The server is this process, as the referee is: aio, raw bytes. The clients are processes of their
own, one a bot, aio and raw bytes like the SDK; they know from the tape what to answer. What a
round trip costs here, no referee in Python on this grpcio can go below.

    python -m tests.benchmarks.echo TARGET TAPE MEMBER      (a client; the benchmark starts them)
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import grpc
from grpc import aio

from tests.benchmarks.tape import Tape, Turn

__all__ = ["all_at_once", "bare_echo", "one_by_one"]

METHOD = "/schmier.v1.RefereeService/Play"
MEMBERS = 6
_ROOT = Path(__file__).parents[2]

Streams = list[Any]


@asynccontextmanager
async def bare_echo(tape: Tape, folder: Path) -> AsyncIterator[Streams]:
    """Start server and clients; gives the six streams by member."""
    path = folder / "tape"
    tape.save(path)
    streams: Streams = [None] * MEMBERS
    connected, over = asyncio.Semaphore(0), asyncio.Event()

    async def play(_requests: object, context: Any) -> None:
        streams[int(await context.read())] = context
        connected.release()
        await over.wait()

    class Method(grpc.GenericRpcHandler):
        def service(self, details: grpc.HandlerCallDetails) -> Any:
            handler: Any = grpc.stream_stream_rpc_method_handler
            return handler(play) if details.method == METHOD else None

    server = aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((Method(),))
    target = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    clients = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.benchmarks.echo", target, str(path), str(member)],
            cwd=_ROOT,
        )
        for member in range(MEMBERS)
    ]
    try:
        for _ in clients:
            await asyncio.wait_for(connected.acquire(), 60)
        yield streams
    finally:
        over.set()
        await server.stop(1)
        for client in clients:
            client.kill()
            client.wait()


async def one_by_one(streams: Streams, tape: Tape) -> float:
    """Play the turns one after the other; microseconds a decision."""
    started = perf_counter()
    for turn in tape.turns:
        await _echo(streams[turn.member], turn)
    return (perf_counter() - started) / tape.decisions * 1e6


async def all_at_once(streams: Streams, tape: Tape) -> float:
    """Play the turns of each bot one after the other, the bots at once; microseconds a decision."""

    async def play(member: int) -> None:
        for turn in tape.of(member):
            await _echo(streams[member], turn)

    started = perf_counter()
    await asyncio.gather(*map(play, range(MEMBERS)))
    return (perf_counter() - started) / tape.decisions * 1e6


async def _echo(stream: Any, turn: Turn) -> None:
    await stream.write(turn.asked)
    for _ in turn.answers:
        await stream.read()


async def _client(target: str, tape: Tape, member: int) -> None:
    """Answer by the tape, over and over, until the server is gone."""
    turns = [turn.answers for turn in tape.of(member)]
    options = (("grpc.enable_http_proxy", 0),)
    async with aio.insecure_channel(target, options=options) as channel:
        call: Any = channel.stream_stream(METHOD)()
        read: Callable[[], Awaitable[object]] = call.read
        await call.write(b"%d" % member)
        while True:
            for answers in turns:
                if not isinstance(await read(), bytes):
                    return
                for answer in answers:
                    await call.write(answer)


if __name__ == "__main__":
    asyncio.run(_client(sys.argv[1], Tape.load(Path(sys.argv[2])), int(sys.argv[3])))
