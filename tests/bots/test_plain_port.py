"""A port that only listens hears the first bytes of whoever calls it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from grpc import aio

from referee.bots import PlainPort

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]


@pytest.mark.parametrize("said", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01", b"x"])
def test_the_first_bytes_are_heard_and_nothing_is_answered(run: Run, said: bytes) -> None:
    async def scenario() -> None:
        port = PlainPort()
        await port.open()
        host, _, number = port.target.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(number))
        writer.write(said)
        assert await port.first_bytes == said
        assert await reader.read() == b""
        writer.close()
        await port.close()

    run(scenario)


def test_a_grpc_client_is_known_by_its_preface(run: Run) -> None:
    async def scenario() -> None:
        port = PlainPort()
        await port.open()
        async with aio.insecure_channel(port.target) as channel:
            call: aio.StreamStreamCall[bytes, bytes]
            call = channel.stream_stream("/schmier.v1.RefereeService/Play")()
            assert (await port.first_bytes).startswith(b"PRI * HTTP/2.0")
            call.cancel()
        await port.close()

    run(scenario)


def test_it_expects_a_token_at_its_address_and_never_hears_it(run: Run) -> None:
    async def scenario() -> None:
        port = PlainPort()
        await port.open()
        stream = port.expect("0" * 32)
        assert stream.target == port.target
        stream.close()
        assert not stream.connected
        await port.close()

    run(scenario)
