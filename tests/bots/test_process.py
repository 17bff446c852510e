"""A bot process as a whole: token, private directory, environment, process and stream."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.bots import (
    BotProcess,
    BotProgram,
    BotSpec,
    Endpoint,
    EndReason,
    Homes,
    Refusal,
    Warden,
    bot_environment,
    resolved_command,
)

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Until = Callable[[Callable[[], bool | Awaitable[bool]]], Awaitable[None]]
MakeProgram = Callable[..., BotProgram]

ECHO = """
put, stream = dial()
for data in stream:
    if data == b"goodbye":
        break
    put(b"echo " + data)
leave()
"""

Start = Callable[[BotProgram], "Running"]


class Running:
    """A bot process with what its stream has said so far."""

    def __init__(self, process: BotProcess) -> None:
        self.process = process
        self.heard: list[bytes] = []
        self.ends: list[EndReason] = []
        process.stream.on_message = self.heard.append
        process.stream.on_end = lambda reason, _detail: self.ends.append(reason)

    def has_heard(self) -> bool:
        return bool(self.heard)

    def has_ended(self) -> bool:
        return bool(self.ends)


@asynccontextmanager
async def arena(warden: Warden, homes: Homes, endpoint: Endpoint) -> AsyncIterator[Start]:
    await endpoint.open()

    def start(program: BotProgram) -> Running:
        process = BotProcess.start(program, warden=warden, endpoint=endpoint, homes=homes)
        return Running(process)

    try:
        yield start
    finally:
        await endpoint.close(grace_s=0.2)


def test_a_bot_dials_in_talks_and_leaves(
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            bot = start(program(ECHO))
            assert stat.S_IMODE(bot.process.home.stat().st_mode) == 0o700
            await until(bot.has_heard)
            for number in range(10):
                bot.process.stream.send(b"%d" % number)
            await until(lambda: len(bot.heard) == 11)
            assert bot.heard[1:] == [b"echo %d" % number for number in range(10)]
            ending = await bot.process.stop(goodbye=b"goodbye", stop_s=20)
            assert str(ending.exit) == "exit code 0"
            assert bot.ends == []
            assert not bot.process.home.exists()
            assert list(homes.root.iterdir()) == []

    run(scenario)


@pytest.mark.parametrize(
    ("body", "reason", "exit_text"),
    [
        ("put(None); stream.code(); leave()", EndReason.ENDED, None),
        ("leave(3)", EndReason.ENDED, "exit code 3"),
        ("os.kill(os.getpid(), 9)", EndReason.ENDED, "signal 9"),
        ("put(b'x' * 70_000); stream.code(); leave()", EndReason.TOO_LARGE, None),
        ("put(b'x' * 5_000_000); stream.code(); leave()", EndReason.TOO_LARGE, None),
    ],
    ids=["half-closes", "exits", "is killed", "sends too much", "sends far too much"],
)
def test_a_bot_that_ends_its_stream_is_noticed_with_the_reason(
    body: str,
    reason: EndReason,
    exit_text: str | None,
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            bot = start(program("put, stream = dial()\nnext(stream)\n" + body))
            await until(bot.has_heard)
            bot.process.stream.send(b"go on")
            await until(bot.has_ended)
            assert bot.ends == [reason]
            ending = await bot.process.stop(goodbye=b"too late", stop_s=5 if exit_text else 0)
            assert exit_text in (None, str(ending.exit))

    run(scenario)


@pytest.mark.parametrize(
    "options", ["", "compression=grpc.Compression.Gzip"], ids=["plain", "gzip"]
)
def test_a_giant_message_costs_the_referee_no_memory(
    options: str,
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    body = f"put, stream = dial({options})\nnext(stream)\nput(bytes(200_000_000))\nstream.code()"

    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            bot = start(program(body))
            await until(bot.has_heard)
            Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here
            before = peak_kib()
            bot.process.stream.send(b"go on")
            await until(bot.has_ended)
            assert bot.ends == [EndReason.TOO_LARGE]
            assert peak_kib() - before < 30_000
            await bot.process.stop()

    run(scenario)


def peak_kib() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


@pytest.mark.parametrize(
    ("command", "exit_text", "failure"),
    [
        (("/bin/sh", "-c", "echo sorry; exit 2"), "exit code 2", ""),
        (("no-such-bot",), "None", "cannot start program 'no-such-bot': No such file"),
    ],
)
def test_a_bot_that_never_dials_in_is_known_by_its_exit(
    command: tuple[str, ...],
    exit_text: str,
    failure: str,
    warden: Warden,
    run: Run,
    homes: Homes,
    make_endpoint: Callable[..., Endpoint],
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            bot = start(BotProgram(command, tmp_path))
            assert str(await bot.process.child.exited) == exit_text
            ending = await bot.process.stop(stop_s=5)
            assert ending.failure.startswith(failure)
            assert not bot.process.stream.connected
            assert list(homes.root.iterdir()) == []

    run(scenario)


def test_a_bot_that_does_not_leave_is_ended_with_all_it_started(
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    body = """
    import pathlib, signal, subprocess
    put, stream = dial()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True, env={})
    put(str(child.pid).encode())
    while True:
        signal.pause()
    """

    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            bot = start(program(body))
            await until(lambda: len(bot.heard) == 2)
            child = Path("/proc") / bot.heard[1].decode()
            assert child.exists()
            ending = await bot.process.stop(goodbye=b"goodbye")
            assert str(ending.exit) == "signal 9"
            assert not child.exists()
            assert not bot.process.home.exists()

    run(scenario)


def test_a_bot_without_its_token_is_refused_and_says_why(
    warden: Warden,
    run: Run,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    async def scenario() -> None:
        endpoint = make_endpoint()
        async with arena(warden, homes, endpoint) as start:
            bot = start(program("_, stream = dial('f' * 32)\nprint(*stream)\nleave(1)"))
            ending = await bot.process.child.ended
            assert ending.output == b"b'refused: unknown_token'\n"
            assert bot.heard == []
            assert endpoint.refusals == {Refusal.UNKNOWN_TOKEN: 1}
            await bot.process.stop()

    run(scenario)


def test_a_token_starts_one_stream_only_even_for_the_bot_it_was_given_to(
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    body = """
    put, stream = dial()
    next(stream)
    put(b"%s" % [*dial()[1]][0])
    for data in stream:
        put(b"first: " + data)
    leave()
    """

    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            bot = start(program(body))
            await until(bot.has_heard)
            bot.process.stream.send(b"go on")
            await until(lambda: len(bot.heard) == 2)
            assert bot.heard[1] == b"refused: spent_token"
            bot.process.stream.send(b"still?")
            await until(lambda: len(bot.heard) == 3)
            assert bot.heard[2] == b"first: still?"
            await bot.process.stop()

    run(scenario)


def test_settling_hands_over_what_came_while_the_loop_was_busy(
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    body = """
    import asyncio, pathlib
    from grpc import aio

    async def main():
        async with aio.insecure_channel(os.environ["SCHMIER_REFEREE"]) as channel:
            stream = channel.stream_stream(METHOD)()
            await stream.write(b"hello " + os.environ["SCHMIER_TOKEN"].encode())
            while True:
                count = int(await stream.read())
                for number in range(count):
                    await stream.write(b"%d" % number)
                pathlib.Path(os.environ["HOME"], f"sent{count}").touch()

    asyncio.run(main())
    """

    async def scenario() -> None:
        endpoint = make_endpoint()
        async with arena(warden, homes, endpoint) as start:
            bots = [start(program(body)) for _ in range(2)]
            for bot in bots:
                await until(bot.has_heard)
            for count, settle in ((1, endpoint.settle), (5, bots[0].process.stream.settle)):
                sent = [bot.process.home / f"sent{count}" for bot in bots]
                for bot in bots:
                    bot.heard.clear()
                    bot.process.stream.send(b"%d" % count)
                await asyncio.sleep(0)
                block_the_loop(until_all_exist=sent)
                await settle()
                expected = [b"%d" % number for number in range(count)]
                assert bots[0].heard == expected
                await until(partial(all_heard, bots, expected))
            for bot in bots:
                await bot.process.stop()

    run(scenario)


def block_the_loop(*, until_all_exist: list[Path]) -> None:
    """Let the bots write while the loop stands still, and what they wrote arrive."""
    while not all(file.exists() for file in until_all_exist):
        pass
    still_until = time.monotonic() + 0.3
    while time.monotonic() < still_until:
        pass


def all_heard(bots: list[Running], expected: list[bytes]) -> bool:
    return all(bot.heard == expected for bot in bots)


def test_a_hundred_bots_in_sequence_do_not_disturb_a_live_stream(
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            steady = start(program(ECHO))
            await until(steady.has_heard)
            for number in range(100):
                steady.process.stream.send(b"%d" % number)
                passing = start(BotProgram(("/bin/sh", "-c", "exit 9"), tmp_path))
                exit_status = await passing.process.child.exited
                assert str(exit_status) == "exit code 9"
                await passing.process.stop()
            await until(lambda: len(steady.heard) == 101)
            assert steady.heard[1:] == [b"echo %d" % number for number in range(100)]
            await steady.process.stop()
            assert list(homes.root.iterdir()) == []

    run(scenario)


def test_two_runs_with_the_same_command_do_not_end_each_others_bots(
    wardens: list[Warden],
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    wardens += [Warden.start(), Warden.start()]

    async def scenario() -> None:
        first, second = make_endpoint(), make_endpoint()
        async with arena(wardens[0], homes, first) as one, arena(wardens[1], homes, second) as two:
            same = program(ECHO)
            mine, theirs = one(same), two(same)
            await until(lambda: mine.has_heard() and theirs.has_heard())
            await wardens[0].close()
            theirs.process.stream.send(b"still there")
            await until(lambda: len(theirs.heard) == 2)
            await theirs.process.stop()

    run(scenario)


# --- environment and command


def test_the_environment_of_a_bot_is_built_from_nothing(
    warden: Warden,
    run: Run,
    homes: Homes,
    make_endpoint: Callable[..., Endpoint],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "SECRET", "PYTHONPATH", "LD_PRELOAD_"):
        monkeypatch.setenv(name, "of the organiser")

    async def scenario() -> None:
        endpoint = make_endpoint()
        async with arena(warden, homes, endpoint) as start:
            bot = start(BotProgram(("/usr/bin/env",), tmp_path, (("LEVEL", "3"), ("LANG", "C"))))
            ending = await bot.process.child.ended
            lines = dict(line.split("=", 1) for line in ending.output.decode().splitlines())
            token = lines.pop("SCHMIER_TOKEN")
            assert len(bytes.fromhex(token)) == 16
            home = str(bot.process.home)
            assert lines == {
                "PATH": os.environ["PATH"],
                "LANG": "C",
                "HOME": home,
                "TMPDIR": home,
                "SCHMIER_DIR": home,
                "SCHMIER_REFEREE": endpoint.target,
                "no_proxy": "*",
                "PYTHONHASHSEED": "0",
                "LEVEL": "3",
            }
            await bot.process.stop()

    run(scenario)


def test_a_configuration_cannot_replace_the_token_or_the_target(tmp_path: Path) -> None:
    own = (("SCHMIER_TOKEN", "x"), ("SCHMIER_REFEREE", "y"))
    env = bot_environment(target="t", token="secret", home=tmp_path, env=own)
    assert env["SCHMIER_TOKEN"] == "secret"
    assert env["SCHMIER_REFEREE"] == "t"


def test_python_in_a_command_is_the_interpreter_of_the_referee() -> None:
    assert resolved_command(("{python}", "bot.py", "{x}")) == (sys.executable, "bot.py", "{x}")


def test_every_process_has_its_own_token_and_directory_and_none_is_in_a_command_line(
    warden: Warden,
    run: Run,
    until: Until,
    homes: Homes,
    program: MakeProgram,
    make_endpoint: Callable[..., Endpoint],
) -> None:
    async def scenario() -> None:
        async with arena(warden, homes, make_endpoint()) as start:
            same = program(ECHO)
            bots = [start(same) for _ in range(2)]
            for bot in bots:
                await until(bot.has_heard)
            tokens = {bot.heard[0].partition(b" ")[2] for bot in bots}
            assert len(tokens) == 2
            assert len({bot.process.home for bot in bots}) == 2
            listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True).stdout
            assert not any(token in listing for token in tokens)
            for bot in bots:
                await bot.process.stop()

    run(scenario)


# --- the referee's own death, with live streams


STAND_IN = """
import asyncio, os, signal, sys
from pathlib import Path
from referee.bots import BotProcess, BotProgram, Endpoint, Homes, Warden

async def main():
    await warden.attach()
    identify = lambda data: data.partition(b" ")[2].decode() or None
    endpoint = Endpoint(identify=identify, refuse=lambda _: b"")
    await endpoint.open()
    homes = Homes.create(parent=Path.cwd())
    program = BotProgram(("{python}", sys.argv[1]), Path.cwd())
    started = [
        BotProcess.start(program, warden=warden, endpoint=endpoint, homes=homes) for _ in range(2)
    ]
    left = set(started)
    gone = asyncio.get_running_loop().create_future()
    for process in started:
        def heard(_, process=process):
            process.stream.send(b"question")
            left.discard(process)
            if not left and not gone.done():
                Path("pids").write_text("\\n".join(str(p.child.pid) for p in started))
        process.stream.on_message = heard
    await gone

warden = Warden.start()
asyncio.run(main())
"""


def test_bots_in_the_middle_of_a_talk_do_not_outlive_a_killed_referee(
    run: Run, until: Until, program: MakeProgram, tmp_path: Path
) -> None:
    tmp_path.joinpath("stand_in.py").write_text(STAND_IN)
    body = "put, stream = dial()\nfor data in stream: put(data)\nwhile True: pass"
    file = program(body).command[1]

    async def scenario() -> None:
        command = [sys.executable, "stand_in.py", file]
        with subprocess.Popen(command, cwd=tmp_path) as referee:
            try:
                await until(tmp_path.joinpath("pids").exists)
                pids = [f"/proc/{pid}" for pid in tmp_path.joinpath("pids").read_text().split()]
            finally:
                os.kill(referee.pid, signal.SIGKILL)
            await until(lambda: not any(Path(pid).exists() for pid in pids))

    run(scenario)


def test_the_specification_of_a_process_cannot_be_changed(tmp_path: Path) -> None:
    spec = BotSpec(("true",), tmp_path, {})
    with pytest.raises(AttributeError):
        spec.cwd = tmp_path  # type: ignore[misc]
