"""What the tests of this floor share: a warden, a deadline, and bots that are real processes."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.bots import BotProgram, BotSpec, Endpoint, Homes, Refusal, Warden

DEADLINE_S = 30.0

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Until = Callable[[Callable[[], bool | Awaitable[bool]]], Awaitable[None]]

_DIAL = '''
"""Dials in as any bot does, in raw bytes: the tests say `hello TOKEN` for a Hello."""
import os, queue, sys
import grpc

METHOD = "/schmier.v1.RefereeService/Play"

def dial(token=None, hello=True, **options):
    channel = grpc.insecure_channel(
        os.environ["SCHMIER_REFEREE"], options=[("grpc.max_send_message_length", -1)]
    )
    play = channel.stream_stream(METHOD, request_serializer=None, response_deserializer=None)
    outbox = queue.SimpleQueue()
    stream = play(iter(outbox.get, None), **options)
    if hello:
        outbox.put(b"hello " + (token or os.environ["SCHMIER_TOKEN"]).encode())
    return outbox.put, stream

def leave(code=0):
    sys.stdout.flush()
    os._exit(code)
'''


@pytest.fixture
def wardens() -> Iterator[list[Warden]]:
    """The wardens of a test: `run` attaches and closes them, and none is left in any case."""
    started: list[Warden] = []
    yield started
    for warden in started:
        warden.end()


@pytest.fixture
def warden(wardens: list[Warden]) -> Warden:
    """A started warden."""
    wardens.append(Warden.start())
    return wardens[-1]


@pytest.fixture
def run(wardens: list[Warden]) -> Run:
    """Run a scenario on a loop of its own, with a deadline for all of it."""

    def run_scenario(scenario: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def bounded() -> None:
            for warden in wardens:
                await warden.attach()
            try:
                async with asyncio.timeout(DEADLINE_S):
                    await scenario()
            finally:
                for warden in wardens:
                    await warden.close()

        asyncio.run(bounded())

    return run_scenario


@pytest.fixture
def until() -> Until:
    """Wait for a condition; the scenario's deadline is the limit."""

    async def wait(condition: Callable[[], bool | Awaitable[bool]]) -> None:
        while True:
            answer = condition()
            if answer if isinstance(answer, bool) else await answer:
                return
            await asyncio.sleep(0.005)

    return wait


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], BotSpec]:
    """A bot that is a shell script, started in the test's directory."""

    def spec(script: str) -> BotSpec:
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
        return BotSpec(command=("/bin/sh", "-c", script), cwd=tmp_path, env=env)

    return spec


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., BotProgram]:
    """A bot in Python that dials in with raw bytes; its body is given."""
    tmp_path.joinpath("dial.py").write_text(_DIAL)
    made = 0

    def write(body: str, *arguments: str) -> BotProgram:
        nonlocal made
        made += 1
        file = tmp_path / f"bot{made}.py"
        file.write_text("from dial import *\n" + textwrap.dedent(body))
        return BotProgram(command=("{python}", file.name, *arguments), directory=tmp_path)

    return write


@pytest.fixture
def homes(tmp_path: Path) -> Iterator[Homes]:
    """The private directories of a run."""
    made = Homes.create(parent=tmp_path)
    yield made
    made.close()


@pytest.fixture
def make_endpoint() -> Callable[..., Endpoint]:
    """An endpoint that knows the tests' hello; must be called on the loop."""

    def identify(data: bytes) -> str | None:
        greeting, _, token = data.partition(b" ")
        return token.decode("utf-8", "surrogateescape") if greeting == b"hello" else None

    def refuse(refusal: Refusal) -> bytes:
        return b"refused: " + refusal.value.encode()

    def make(
        *, hello_s: float = DEADLINE_S, write_s: float = DEADLINE_S, max_unidentified: int = 256
    ) -> Endpoint:
        return Endpoint(
            identify=identify,
            refuse=refuse,
            hello_s=hello_s,
            write_s=write_s,
            max_unidentified=max_unidentified,
        )

    return make
