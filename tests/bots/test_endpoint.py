"""Bots dial in over real gRPC; here the clients live on the test's own loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import aio

from referee.bots import MAX_MESSAGE_BYTES, BotStream, Endpoint, EndReason, Refusal

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Until = Callable[[Callable[[], bool | Awaitable[bool]]], Awaitable[None]]
Call = aio.StreamStreamCall[bytes, bytes]

METHOD = "/schmier.v1.RefereeService/Play"
TOKEN = "0123456789abcdef0123456789abcdef"


class Owner:
    """Takes down what a stream's owner is told."""

    def __init__(self, stream: BotStream) -> None:
        self.heard: list[bytes] = []
        self.ends: list[EndReason] = []
        self.details: list[str] = []
        stream.on_message = self.heard.append
        stream.on_end = self._end

    def has_heard(self) -> bool:
        return bool(self.heard)

    def has_ended(self) -> bool:
        return bool(self.ends)

    def _end(self, reason: EndReason, detail: str) -> None:
        self.ends.append(reason)
        self.details.append(detail)


@asynccontextmanager
async def opened(endpoint: Endpoint, unix: Path | None = None) -> AsyncIterator[Endpoint]:
    await endpoint.open(unix=unix)
    try:
        yield endpoint
    finally:
        await endpoint.close(grace_s=0.2)


@asynccontextmanager
async def client(endpoint: Endpoint, **options: Any) -> AsyncIterator[Call]:
    unlimited = [("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]
    async with aio.insecure_channel(endpoint.target, options=unlimited) as channel:
        yield channel.stream_stream(METHOD)(**options)


async def say(call: Call, *messages: bytes) -> None:
    for message in messages:
        await call.write(message)


async def all_read(call: Call) -> list[bytes]:
    read = []
    while isinstance(data := await call.read(), bytes):
        read.append(data)
    return read


def test_a_stream_belongs_to_the_owner_of_its_token(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            streams = [endpoint.expect(f"{number:032x}") for number in range(3)]
            owners = [Owner(stream) for stream in streams]
            async with client(endpoint) as call:
                await say(call, b"hello " + b"%032x" % 1, b"", b"answer")
                await until(lambda: len(owners[1].heard) == 3)
                assert owners[1].heard == [b"hello " + b"%032x" % 1, b"", b"answer"]
                assert owners[0].heard == owners[2].heard == []
                assert [stream.connected for stream in streams] == [False, True, False]
                streams[1].send(b"question")
                streams[1].send(b"")
                streams[1].close(b"goodbye")
                streams[1].send(b"too late")
                assert await all_read(call) == [b"question", b"", b"goodbye"]
                assert await call.code() == grpc.StatusCode.OK
            assert owners[1].ends == []
            assert not streams[1].connected

    run(scenario)


def test_many_messages_keep_their_order_both_ways(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            stream = endpoint.expect(TOKEN)
            owner = Owner(stream)
            async with client(endpoint) as call:
                texts = [b"%d" % number for number in range(500)]
                await say(call, b"hello " + TOKEN.encode(), *texts)
                await until(lambda: len(owner.heard) == 501)
                assert owner.heard[1:] == texts
                for text in texts:
                    stream.send(text)
                stream.close()
                assert await all_read(call) == texts

    run(scenario)


def test_a_unix_socket_serves_as_well_and_is_gone_afterwards(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint], tmp_path: Path
) -> None:
    async def scenario() -> None:
        socket = tmp_path / "s"
        async with opened(make_endpoint(), socket) as endpoint:
            assert endpoint.target == f"unix:{socket}"
            owner = Owner(endpoint.expect(TOKEN))
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode())
                await until(owner.has_heard)
        assert not socket.exists()

    run(scenario)


def test_a_socket_path_that_is_too_long_is_refused(
    run: Run, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        with pytest.raises(ValueError, match="107 bytes"):
            await make_endpoint().open(unix=Path("/tmp") / ("x" * 120))

    run(scenario)


def open_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# --- who is let in


@pytest.mark.parametrize(
    ("first", "refusal"),
    [
        (b"hello " + TOKEN[:-1].encode() + b"0", Refusal.UNKNOWN_TOKEN),
        (b"hello " + TOKEN[:-1].encode(), Refusal.UNKNOWN_TOKEN),
        (b"hello ", Refusal.UNKNOWN_TOKEN),
        (b"hello \xff\xfe" + "ä".encode(), Refusal.UNKNOWN_TOKEN),
        (b"good day", Refusal.NO_HELLO),
        (b"", Refusal.NO_HELLO),
        (b"hello " + TOKEN.encode() + b" " * MAX_MESSAGE_BYTES, Refusal.NO_HELLO),
    ],
)
def test_a_stream_without_an_expected_token_is_refused_and_counted(
    first: bytes, refusal: Refusal, run: Run, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            owner = Owner(endpoint.expect(TOKEN))
            async with client(endpoint) as call:
                await say(call, first)
                assert await all_read(call) == [b"refused: " + refusal.value.encode()]
                assert await call.code() == grpc.StatusCode.OK
            assert endpoint.refusals == {refusal: 1}
            assert owner.heard == []
            assert owner.ends == []

    run(scenario)


def test_the_first_hello_spends_a_token_and_a_second_stream_changes_nothing(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            stream = endpoint.expect(TOKEN)
            owner = Owner(stream)
            async with client(endpoint) as call, client(endpoint) as second:
                await say(call, b"hello " + TOKEN.encode())
                await until(lambda: stream.connected)
                await say(second, b"hello " + TOKEN.encode())
                assert await all_read(second) == [b"refused: spent_token"]
                await say(call, b"still here")
                await until(lambda: len(owner.heard) == 2)
                stream.close()
                await all_read(call)
            async with client(endpoint) as third:
                await say(third, b"hello " + TOKEN.encode())
                assert await all_read(third) == [b"refused: spent_token"]
            assert endpoint.refusals == {Refusal.SPENT_TOKEN: 2}

    run(scenario)


def test_a_token_is_void_once_its_owner_has_given_it_up(
    run: Run, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            stream = endpoint.expect(TOKEN)
            owner = Owner(stream)
            stream.close(b"nobody hears this")
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode())
                assert await all_read(call) == [b"refused: spent_token"]
            assert owner.heard == []

    run(scenario)


def test_a_stream_that_never_says_hello_is_refused_in_the_end(
    run: Run, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint(hello_s=0.05)) as endpoint, client(endpoint) as call:
            assert await all_read(call) == [b"refused: late_hello"]
            assert endpoint.refusals == {Refusal.LATE_HELLO: 1}

    run(scenario)


def test_idle_streams_cannot_keep_a_bot_out(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint(max_unidentified=4)) as endpoint:
            owner = Owner(endpoint.expect(TOKEN))
            async with aio.insecure_channel(endpoint.target) as channel:
                idle: list[Call] = [channel.stream_stream(METHOD)() for _ in range(6)]
                await until(lambda: endpoint.refusals[Refusal.TOO_MANY] == 2)
                async with client(endpoint) as call:
                    await say(call, b"hello " + TOKEN.encode())
                    await until(owner.has_heard)
                for waiting in idle:
                    waiting.cancel()

    run(scenario)


# --- how a stream ends


async def half_close(call: Call) -> None:
    await call.done_writing()


async def cancel(call: Call) -> None:
    call.cancel()


async def say_too_much(call: Call) -> None:
    await say(call, b"x" * (MAX_MESSAGE_BYTES + 1))


async def say_far_too_much(call: Call) -> None:
    await say(call, b"x" * 20_000_000)


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (half_close, EndReason.ENDED),
        (cancel, EndReason.ENDED),
        (say_too_much, EndReason.TOO_LARGE),
        (say_far_too_much, EndReason.TOO_LARGE),
    ],
)
def test_the_owner_is_told_once_how_a_stream_ended(
    end: Callable[[Call], Awaitable[None]],
    reason: EndReason,
    run: Run,
    until: Until,
    make_endpoint: Callable[..., Endpoint],
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            stream = endpoint.expect(TOKEN)
            owner = Owner(stream)
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode(), b"answer")
                await until(lambda: len(owner.heard) == 2)
                await end(call)
                await until(owner.has_ended)
            assert owner.ends == [reason]
            assert len(owner.heard) == 2
            stream.send(b"into the void")
            stream.close(b"goodbye")
            assert not stream.connected
        assert owner.ends == [reason]

    run(scenario)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_message_of_the_greatest_length_is_taken(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            owner = Owner(endpoint.expect(TOKEN))
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode(), b"x" * MAX_MESSAGE_BYTES)
                await until(lambda: len(owner.heard) == 2)
                assert owner.heard[1] == b"x" * MAX_MESSAGE_BYTES

    run(scenario)


def test_a_bot_that_sent_too_much_is_told_so(
    run: Run, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            owner = Owner(endpoint.expect(TOKEN))
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode())
                await say_too_much(call)
                assert await call.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
                assert "65537 bytes, 65536" in (await call.details())
                assert owner.details == ["a message of 65537 bytes, 65536 are allowed"]

    run(scenario)


def test_a_compressed_message_is_too_large_when_it_unpacks_so(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            owner = Owner(endpoint.expect(TOKEN))
            async with client(endpoint, compression=grpc.Compression.Gzip) as call:
                await say(call, b"hello " + TOKEN.encode(), b"x" * MAX_MESSAGE_BYTES)
                await until(lambda: len(owner.heard) == 2)
                await say(call, b"x" * 3_000_000)
                await until(owner.has_ended)
            assert owner.ends == [EndReason.TOO_LARGE]

    run(scenario)


def test_a_flood_of_messages_does_not_keep_others_from_being_heard(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            flooder, other = endpoint.expect(TOKEN), endpoint.expect("0" * 32)
            flood, owner = Owner(flooder), Owner(other)
            async with client(endpoint) as call, client(endpoint) as second:
                await say(call, b"hello " + TOKEN.encode())
                await say(second, b"hello " + b"0" * 32)
                await until(lambda: flooder.connected and other.connected)
                flooding = asyncio.create_task(say(call, *[b"x"] * 1_000_000))
                await until(lambda: len(flood.heard) > 100)
                other.send(b"question")
                assert await second.read() == b"question"
                await say(second, b"answer")
                await until(lambda: len(owner.heard) == 2)
                assert not flooding.done()
                flooder.close(b"enough")
                flooding.cancel()
                await asyncio.wait([flooding])

    run(scenario)


def test_metadata_has_a_limit(run: Run, make_endpoint: Callable[..., Endpoint]) -> None:
    async def scenario() -> None:
        bomb = (("bomb", "x" * 100_000),)
        async with opened(make_endpoint()) as endpoint, client(endpoint, metadata=bomb) as call:
            assert await call.code() == grpc.StatusCode.RESOURCE_EXHAUSTED

    run(scenario)


def test_a_bot_that_never_reads_stalls_only_itself(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint(write_s=0.3)) as endpoint:
            deaf, other = endpoint.expect(TOKEN), endpoint.expect("0" * 32)
            deaf_owner, other_owner = Owner(deaf), Owner(other)
            async with client(endpoint) as call, client(endpoint) as second:
                await say(call, b"hello " + TOKEN.encode())
                await say(second, b"hello " + b"0" * 32)
                await until(lambda: deaf.connected and other.connected)
                for _ in range(400):
                    deaf.send(b"x" * 60_000)
                other.send(b"question")
                assert await second.read() == b"question"
                await until(deaf_owner.has_ended)
                assert deaf_owner.ends == [EndReason.SEND_STALLED]
                await say(second, b"answer")
                await until(lambda: len(other_owner.heard) == 2)
                assert other_owner.ends == []

    run(scenario)


def test_what_a_callback_raises_is_kept_for_whoever_runs_the_loop(
    run: Run, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        def raises(_data: bytes) -> None:
            raise LookupError("a bug of ours")

        async with opened(make_endpoint()) as endpoint:
            endpoint.expect(TOKEN).on_message = raises
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode())
                with pytest.raises(LookupError, match="a bug of ours"):
                    await endpoint.failed

    run(scenario)


def test_closing_says_goodbye_to_all(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        endpoint = make_endpoint()
        await endpoint.open()
        stream = endpoint.expect(TOKEN)
        async with client(endpoint) as call, client(endpoint) as silent:
            await say(call, b"hello " + TOKEN.encode())
            await until(lambda: stream.connected)
            waiting = asyncio.create_task(all_read(silent))
            await until(lambda: bool(endpoint.unidentified))
            await endpoint.close(b"over")
            assert await all_read(call) == [b"over"]
            assert await waiting == [b"over"]

    run(scenario)


# --- strangers


def test_another_method_is_unimplemented(run: Run, make_endpoint: Callable[..., Endpoint]) -> None:
    async def scenario() -> None:
        async with (
            opened(make_endpoint()) as endpoint,
            aio.insecure_channel(endpoint.target) as channel,
        ):
            with pytest.raises(aio.AioRpcError) as caught:
                cheat: Any = channel.unary_unary("/schmier.v1.RefereeService/Cheat")
                await cheat(b"")
            assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED

    run(scenario)


@pytest.mark.parametrize(
    "noise",
    [
        b"GET / HTTP/1.1\r\nHost: referee\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 5000,
        bytes(10_000),
        b"",
    ],
    ids=["HTTP/1", "TLS", "bad frames", "zeros", "silence"],
)
def test_a_stranger_does_not_disturb_a_bot(
    noise: bytes, run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint(hello_s=0.5)) as endpoint:
            stream = endpoint.expect(TOKEN)
            owner = Owner(stream)
            host, port = endpoint.target.split(":")
            async with client(endpoint) as call:
                await say(call, b"hello " + TOKEN.encode())
                await until(lambda: stream.connected)
                reader, writer = await asyncio.open_connection(host, int(port))
                writer.write(noise)
                await reader.read()
                writer.close()
                await say(call, b"answer")
                await until(lambda: len(owner.heard) == 2)

    run(scenario)


def test_two_hundred_connects_and_disconnects_leave_nothing_open(
    run: Run, until: Until, make_endpoint: Callable[..., Endpoint]
) -> None:
    async def scenario() -> None:
        async with opened(make_endpoint()) as endpoint:
            stream = endpoint.expect("0" * 32)
            owner = Owner(stream)
            async with client(endpoint) as steady:
                await say(steady, b"hello " + b"0" * 32)
                before = None
                for number in range(200):
                    token = f"{number + 1:032x}"
                    visitor = Owner(endpoint.expect(token))
                    async with client(endpoint) as call:
                        await say(call, b"hello " + token.encode())
                        await until(visitor.has_heard)
                    await until(visitor.has_ended)
                    if number == 10:
                        before = open_descriptors()
                assert before is not None
                await until(lambda: open_descriptors() <= before)
                await say(steady, b"answer")
                await until(lambda: len(owner.heard) == 2)
            assert endpoint.refusals.total() == 0

    run(scenario)
