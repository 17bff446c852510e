"""Every bot process is started, watched and ended through one `Warden`.

The warden itself is a process of its own (`warden_main.py`); here is the referee's end of the
socket. It must be started from the main thread before gRPC is touched, because a program that has
used gRPC must not fork. When the referee dies, however it dies, the socket closes and the warden
kills whatever descends from it.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from referee.errors import RunFailed

__all__ = ["BotChild", "BotSpec", "Ending", "Exit", "Warden", "WardenKind"]

WardenKind = Literal["subreaper", "process-groups"]
"""How sure the warden is: nothing can leave a subreaper; a process group can be left."""

_READY_S = 10.0
_CLOSE_S = 10.0


@dataclass(frozen=True, slots=True)
class BotSpec:
    """What to start: program and arguments, working directory, the whole environment."""

    command: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's own process ended: one of code and signal, and what it used."""

    code: int | None
    signal: int | None
    cpu_s: float
    max_rss_kib: int

    def __str__(self) -> str:
        return f"signal {self.signal}" if self.signal is not None else f"exit code {self.code}"


@dataclass(frozen=True, slots=True)
class Ending:
    """All that is known once the last process of a bot is gone.

    `failure` is empty, or says why the bot could not be started or what killed its keeper;
    `exit` is None if it never ran. `leftovers` counts processes that outlived the bot and had to
    be killed. `output` holds stdout and stderr together, first and last 32 KiB; `dropped` counts
    the bytes between.
    """

    failure: str
    exit: Exit | None
    leftovers: int
    output: bytes
    dropped: int


class BotChild:
    """One bot process, from `Warden.spawn` to its ending.

    `started` holds its process id, or None if it could not be started. `exited` is set as soon as
    the bot's own process ended (None if it never ran), `ended` when its descendants are gone too.
    All three are set in this order; if the warden is lost, they raise RunFailed.
    """

    def __init__(self, warden: Warden, number: int, loop: asyncio.AbstractEventLoop) -> None:
        self._warden = warden
        self._number = number
        self.started: asyncio.Future[int | None] = loop.create_future()
        self.exited: asyncio.Future[Exit | None] = loop.create_future()
        self.ended: asyncio.Future[Ending] = loop.create_future()
        self._asked: list[asyncio.Future[bytes]] = []
        self.was_killed = False
        """Whether its own process still ran when we killed it."""
        self.dropped = 0
        """How many bytes were not kept of the output that was last asked for."""

    @property
    def pid(self) -> int | None:
        """Process id, or None before the start, and when it failed."""
        known = self.started.done() and self.started.exception() is None
        return self.started.result() if known else None

    def kill(self) -> None:
        """Kill the bot and everything that descends from it; `ended` tells when that is done."""
        if not self.ended.done():
            self.was_killed |= not self.exited.done()
            self._warden._send({"do": "kill", "bot": self._number})

    async def output(self) -> bytes:
        """Output up to now, first and last 32 KiB; works before and after the end."""
        if self.ended.done():
            return self.ended.result().output
        asked: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._asked.append(asked)
        self._warden._send({"do": "output", "bot": self._number})
        return await asked

    def _hear(self, event: dict[str, object]) -> None:
        match event["is"]:
            case "started":
                self.started.set_result(_number(event["pid"]))
            case "exited":
                code = os.waitstatus_to_exitcode(_number(event["status"]))
                cpu_s, rss = event["cpu_s"], _number(event["max_rss_kib"])
                assert isinstance(cpu_s, float | int)
                self.exited.set_result(
                    Exit(
                        code=code if code >= 0 else None,
                        signal=-code if code < 0 else None,
                        cpu_s=cpu_s,
                        max_rss_kib=rss,
                    )
                )
            case "output":
                self.dropped = _number(event["dropped"])
                self._asked.pop(0).set_result(base64.b64decode(str(event["output"])))
            case "ended":
                self._end(event)
            case other:
                raise AssertionError(f"unknown event {other!r}")

    def _end(self, event: dict[str, object]) -> None:
        if not self.started.done():
            self.started.set_result(None)
        if not self.exited.done():
            self.exited.set_result(None)
        output = base64.b64decode(str(event["output"]))
        while self._asked:
            self._asked.pop().set_result(output)
        self.ended.set_result(
            Ending(
                failure=str(event["failure"]),
                exit=self.exited.result(),
                leftovers=_number(event["leftovers"]),
                output=output,
                dropped=_number(event["dropped"]),
            )
        )

    def _lose(self, error: RunFailed) -> None:
        waiting: list[asyncio.Future[Any]] = [self.started, self.exited, self.ended, *self._asked]
        for future in waiting:
            if not future.done():
                future.set_exception(error)
                future.exception()  # whoever still waits gets it; nobody has to


class Warden:
    """The referee's end of the warden.

    `start` in the main thread before gRPC and before the loop; `attach` on the loop; `spawn`;
    `close`, or `end` where no loop runs. `lost` is set to RunFailed if the warden dies unasked.
    """

    def __init__(self, process: subprocess.Popen[bytes], control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._received = b""
        self._children: dict[int, BotChild] = {}
        self._spawned = 0
        self._transport: asyncio.Transport | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False
        self._gone: asyncio.Future[None] | None = None
        self.kind: WardenKind = "process-groups"
        self.lost: asyncio.Future[None] | None = None

    @classmethod
    def start(cls, *, groups_only: bool = False) -> Warden:
        """Start the process and wait until it is ready; raises RunFailed.

        `groups_only` does without the subreaper, as on systems that have none.
        """
        ours, theirs = socket.socketpair()
        program = Path(__file__).with_name("warden_main.py")
        options = ["--process-groups"] if groups_only else []
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(program), *options],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                env={"PATH": os.environ.get("PATH", os.defpath)},
            )
        warden = cls(process, ours)
        warden._await_ready()
        return warden

    @property
    def pid(self) -> int:
        """Process id of the warden."""
        return self._process.pid

    @property
    def alive(self) -> int:
        """How many bots have been spawned and have not ended."""
        return len(self._children)

    def _await_ready(self) -> None:
        self._control.settimeout(_READY_S)
        try:
            line = self._control.makefile("rb").readline()
        except TimeoutError:
            line = b""
        if not line:
            self._control.close()
            self._process.kill()
            self._process.wait()
            raise RunFailed("the warden, the process that starts the bots, did not start")
        kind = json.loads(line)["kind"]
        self.kind = "subreaper" if kind == "subreaper" else "process-groups"
        self._control.setblocking(False)

    async def attach(self) -> None:
        """Hear the warden on the running loop; must come before the first `spawn`."""
        self._loop = asyncio.get_running_loop()
        self.lost = self._loop.create_future()
        self._gone = self._loop.create_future()
        self._transport, _ = await self._loop.create_connection(
            lambda: _Ear(self), sock=self._control
        )

    def spawn(self, spec: BotSpec) -> BotChild:
        """Start a bot; returns at once, its futures tell what became of it."""
        assert self._loop is not None, "attach first"
        number = self._spawned
        self._spawned += 1
        child = BotChild(self, number, self._loop)
        if self._closing or (self.lost is not None and self.lost.done()):
            child._lose(_lost())
            return child
        self._children[number] = child
        self._send(
            {
                "do": "spawn",
                "bot": number,
                "command": list(spec.command),
                "cwd": str(spec.cwd),
                "env": dict(spec.env),
            }
        )
        return child

    async def close(self) -> None:
        """Kill all bots and their descendants, end the warden, and wait for it (bounded)."""
        if self._closing:
            return
        self._closing = True
        if self._transport is not None and self._gone is not None and not self._gone.done():
            self._transport.write_eof()
            await asyncio.wait([self._gone], timeout=_CLOSE_S)
            self._transport.abort()
        await asyncio.to_thread(self.end)

    def end(self) -> None:
        """What `close` does, without a loop: for the way out after a failure. Blocks (bounded)."""
        self._closing = True
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        try:
            self._process.wait(_CLOSE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()  # its keepers notice, and clean up by themselves
            self._process.wait()

    def _send(self, order: dict[str, object]) -> None:
        assert self._transport is not None, "attach first"
        self._transport.write(json.dumps(order).encode() + b"\n")

    def _hear(self, data: bytes) -> None:
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            event = json.loads(line)
            child = self._children[event["bot"]]
            if event["is"] == "ended":
                del self._children[event["bot"]]
            child._hear(event)

    def _hang_up(self) -> None:
        assert self._gone is not None and self.lost is not None
        if not self._gone.done():
            self._gone.set_result(None)
        if not self._closing:
            self.lost.set_exception(_lost())
            self.lost.exception()
        for child in self._children.values():
            child._lose(_lost())
        self._children.clear()


class _Ear(asyncio.Protocol):
    def __init__(self, warden: Warden) -> None:
        self._warden = warden

    def data_received(self, data: bytes) -> None:
        self._warden._hear(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._warden._hang_up()


def _lost() -> RunFailed:
    return RunFailed(
        "the warden, the process that starts the bots, has died; run the same command again"
    )


def _number(value: object) -> int:
    assert isinstance(value, int)
    return value
