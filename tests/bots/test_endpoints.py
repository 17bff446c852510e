"""One endpoint for each bot process: nobody is kept out by what others do at theirs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from grpc import aio

from referee.bots import BotStream, Endpoints

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Until = Callable[[Callable[[], bool | Awaitable[bool]]], Awaitable[None]]
Call = aio.StreamStreamCall[bytes, bytes]

METHOD = "/schmier.v1.RefereeService/Play"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def identify(data: bytes) -> str | None:
    if data == b"bug":
        raise ZeroDivisionError
    greeting, _, token = data.partition(b" ")
    return token.decode() if greeting == b"hello" else None


@asynccontextmanager
async def endpoints() -> AsyncIterator[Endpoints]:
    made = Endpoints(identify=identify, refuse=lambda refusal: refusal.value.encode())
    try:
        yield made
    finally:
        await made.close(b"over")
        assert len(made) == 0


@asynccontextmanager
async def client(stream: BotStream) -> AsyncIterator[Call]:
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with aio.insecure_channel(stream.target, options=options) as channel:
        yield channel.stream_stream(METHOD)()


async def says(call: Call, message: bytes) -> bytes | object:
    await call.write(message)
    return await call.read()


def headers(stream_id: int) -> bytes:
    """The frame that opens a call of Play and says nothing more."""

    def literal(name: bytes, value: bytes) -> bytes:
        return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value

    block = literal(b":method", b"POST") + literal(b":scheme", b"http")
    block += literal(b":path", METHOD.encode()) + literal(b":authority", b"x")
    block += literal(b"content-type", b"application/grpc") + literal(b"te", b"trailers")
    return len(block).to_bytes(3, "big") + bytes([1, 4]) + stream_id.to_bytes(4, "big") + block


async def call_without_end(stream: BotStream) -> None:
    """Open calls and cut them off, as fast as one can."""
    host, port = stream.target.split(":")
    while True:
        try:
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(PREFACE + b"".join(headers(number) for number in range(1, 17, 2)))
            await writer.drain()
            writer.transport.abort()
        except OSError:
            await asyncio.sleep(0)


def test_each_bot_has_an_address_of_its_own_and_no_other_takes_its_token(run: Run) -> None:
    async def scenario() -> None:
        async with endpoints() as made:
            first, second = made.expect("1" * 32), made.expect("2" * 32)
            assert first.target != second.target
            async with client(first) as call:
                assert await says(call, b"hello " + second.token) == b"unknown_token"
            for stream in (second, first):
                stream.on_message = stream.send
                async with client(stream) as call:
                    assert await says(call, b"hello " + stream.token) == b"hello " + stream.token

    run(scenario)


def test_calls_without_end_at_one_bots_address_keep_no_other_out(
    run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="referee")

    async def scenario() -> None:
        async with endpoints() as made:
            flooded = made.expect("0" * 32)
            flood = [asyncio.create_task(call_without_end(flooded)) for _ in range(4)]
            for number in range(1, 30):
                stream = made.expect(f"{number:032x}")
                stream.on_message = stream.send
                async with client(stream) as call:
                    assert await says(call, b"hello " + stream.token) == b"hello " + stream.token
                stream.close()
            for task in flood:
                task.cancel()

    run(scenario)
    assert 0 < len([each for each in caplog.records if "refused" in each.message]) <= 11


def test_the_address_of_a_bot_goes_with_its_stream(run: Run, until: Until) -> None:
    async def scenario() -> None:
        async with endpoints() as made:
            before = None
            for number in range(30):
                stream = made.expect(f"{number:032x}")
                if number % 3:  # the others never dial in
                    stream.on_message = stream.send
                    async with client(stream) as call:
                        await says(call, b"hello " + stream.token)
                stream.close(b"goodbye")
                await until(lambda: len(made) == 0)
                if number == 10:
                    before = len(list(Path("/proc/self/fd").iterdir()))
            assert before is not None
            await until(lambda: len(list(Path("/proc/self/fd").iterdir())) <= before)

    run(scenario)


def test_what_a_callback_raises_at_any_of_them_is_kept(run: Run) -> None:
    async def scenario() -> None:
        async with endpoints() as made:
            made.expect("1" * 32)
            async with client(made.expect("2" * 32)) as call:
                await call.write(b"bug")
                with pytest.raises(ZeroDivisionError):
                    await made.failed

    run(scenario)


def test_whoever_asks_is_told_which_calls_were_turned_away(run: Run, until: Until) -> None:
    async def scenario() -> None:
        told: list[str] = []
        async with endpoints() as made:
            made.on_turned_away = told.append
            stream = made.expect("right")
            async with aio.insecure_channel(stream.target) as channel:
                other: aio.StreamStreamCall[bytes, bytes]
                other = channel.stream_stream("/other.Service/Method")()
                with pytest.raises(aio.AioRpcError):
                    await other.read()
                for first in (b"hello wrong", b"no hello"):
                    await says(channel.stream_stream(METHOD)(), first)
            assert told == ["/other.Service/Method", "unknown_token", "no_hello"]

    run(scenario)


def test_a_stream_that_is_broken_off_ends_as_if_the_referee_had_died(
    run: Run, until: Until
) -> None:
    async def scenario() -> None:
        async with endpoints() as made:
            stream = made.expect("right")
            ends: list[str] = []
            stream.on_end = lambda reason, detail: ends.append(detail)
            async with client(stream) as call:
                await call.write(b"hello right")
                await until(lambda: stream.connected)
                stream.break_off()
                with pytest.raises(aio.AioRpcError) as broken:
                    await call.read()
                assert broken.value.code().name == "UNAVAILABLE"
            assert ends == []
            assert not stream.connected

    run(scenario)
