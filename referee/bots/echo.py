"""How long a message takes to a process and back over one gRPC stream on this machine.

The peer is this file run as a program: it says the token and then sends back what it gets. It is
the yardstick for everything a bot is asked.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass
from pathlib import Path

import grpc

from referee.bots.endpoint import Endpoint
from referee.bots.homes import Homes
from referee.bots.process import BotProcess, BotProgram
from referee.bots.warden import Warden
from referee.errors import RunFailed

__all__ = ["Echo", "measure_echo"]

_METHOD = "/schmier.v1.RefereeService/Play"
_START_S = 30.0
_WARM_UP = 50


@dataclass(frozen=True, slots=True)
class Echo:
    """Round trips in microseconds: how many were made, their median and 99th percentile."""

    count: int
    median_us: float
    p99_us: float


async def measure_echo(warden: Warden, *, count: int = 1000, size: int = 200) -> Echo:
    """Send `count` messages of `size` bytes one after the other; closes the warden.

    Raises RunFailed if the peer does not start.
    """
    await warden.attach()
    endpoint = Endpoint(identify=lambda data: data.decode("ascii"), refuse=lambda refusal: b"")
    await endpoint.open()
    homes = Homes.create()
    try:
        process = BotProcess.start(
            BotProgram(command=("{python}", str(Path(__file__))), directory=Path.cwd()),
            warden=warden,
            endpoint=endpoint,
            homes=homes,
        )
        heard: asyncio.Queue[bytes | None] = asyncio.Queue()
        process.stream.on_message = heard.put_nowait
        process.stream.on_end = lambda reason, detail: heard.put_nowait(None)
        times = await _round_trips(process, heard, count=count, size=size)
        await process.stop(stop_s=1.0)
    finally:
        await endpoint.close()
        await warden.close()
        homes.close()
    times.sort()
    return Echo(count, times[count // 2] * 1e6, times[count * 99 // 100] * 1e6)


async def _round_trips(
    process: BotProcess, heard: asyncio.Queue[bytes | None], *, count: int, size: int
) -> list[float]:
    message = bytes(size)
    try:
        async with asyncio.timeout(_START_S):
            hello = await heard.get()
    except TimeoutError:
        hello = None
    if hello is None:
        raise RunFailed("the echo did not start")
    times = []
    for number in range(_WARM_UP + count):
        sent = time.perf_counter()
        process.stream.send(message)
        if await heard.get() is None:
            raise RunFailed("the echo ended too early")
        if number >= _WARM_UP:
            times.append(time.perf_counter() - sent)
    return times


async def _echo() -> None:
    options = (("grpc.enable_http_proxy", 0),)
    async with grpc.aio.insecure_channel(os.environ["SCHMIER_REFEREE"], options=options) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(_METHOD)()
        await call.write(os.environ["SCHMIER_TOKEN"].encode("ascii"))
        async for data in call:
            await call.write(data)


if __name__ == "__main__":
    asyncio.run(_echo())
