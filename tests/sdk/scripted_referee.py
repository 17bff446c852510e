"""A referee for tests: one gRPC server that sends what a test says and keeps what a bot sends.

Every wait has a deadline, nothing sleeps, and every bot process is ended with its test.
"""

from __future__ import annotations

import os
import queue
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import grpc

from referee.engine import BoardSeeds, Rules
from referee.sdk import Bot, answer
from referee.table import Fault, FaultKind, Table
from referee.wire import Answer, DecisionEncoder, decisions_message, read_request
from referee.wire.pb.schmier.v1 import decision_pb2, rules_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

DEADLINE = 30.0
"""Seconds after which a wait is a failure: generous, no test depends on it."""
TOKEN = "a token of 128 bits"


class StreamEndedError(Exception):
    """The bot has ended its side of the stream."""


class ScriptedReferee:
    """Talks with the streams of one bot as if they were one, the newest for what is sent."""

    def __init__(self, target: str, server: grpc.Server) -> None:
        self.target = target
        self.server = server
        self.outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.incoming: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.streams: list[queue.SimpleQueue[bytes | None]] = []

    def play(self, requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        """Serve one stream; a thread of its own files what the bot sends."""
        if self.streams:
            self.outgoing = queue.SimpleQueue()
        outgoing = self.outgoing
        self.streams.append(outgoing)

        def file_requests() -> None:
            with suppress(grpc.RpcError):
                for request in requests:
                    self.incoming.put(request)
            self.incoming.put(None)

        context.add_callback(lambda: outgoing.put(None))
        threading.Thread(target=file_requests, daemon=True).start()
        yield from iter(outgoing.get, None)

    def send(self, message: service.PlayResponse) -> None:
        self.outgoing.put(message.SerializeToString())

    def ask(self, *decisions: decision_pb2.Decision) -> None:
        self.send(service.PlayResponse(decisions=service.Decisions(decisions=decisions)))

    def receive_bytes(self) -> bytes:
        """Return the next message of the bot as it came; StreamEndedError at the end."""
        data = self.incoming.get(timeout=DEADLINE)
        if data is None:
            raise StreamEndedError
        return data

    def receive(self) -> service.PlayRequest:
        return service.PlayRequest.FromString(self.receive_bytes())

    def hears_nothing(self) -> bool:
        """Whether nothing comes for a while: true of a silent bot, on any machine."""
        try:
            self.incoming.get(timeout=0.3)
        except queue.Empty:
            return True
        return False

    def welcome(self, message: service.Welcome | None = None) -> service.Hello:
        """Take the hello and welcome the bot."""
        hello = self.receive().hello
        self.send(service.PlayResponse(welcome=message or service.Welcome(name="the bot")))
        return hello

    def goodbye(
        self,
        reason: service.GoodbyeReason = service.GOODBYE_REASON_SITTING_OVER,
        text: str = "the sitting is over",
    ) -> None:
        self.send(service.PlayResponse(goodbye=service.Goodbye(reason=reason, text=text)))
        self.hang_up()

    def hang_up(self) -> None:
        """End the stream from the referee's side."""
        self.outgoing.put(None)

    def stop(self) -> None:
        """Be gone, without a word."""
        self.hang_up()
        self.server.stop(0).wait(DEADLINE)


@contextmanager
def scripted_referee(target: str = "") -> Iterator[ScriptedReferee]:
    """Serve at the target, or else on a free port, until the block ends."""
    server = grpc.server(ThreadPoolExecutor(4))
    port = server.add_insecure_port(target or "127.0.0.1:0")
    referee = ScriptedReferee(target or f"127.0.0.1:{port}", server)
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
        referee.play
    )
    handler = grpc.method_handlers_generic_handler("schmier.v1.RefereeService", {"Play": method})
    server.add_generic_rpc_handlers((handler,))
    server.start()
    try:
        yield referee
    finally:
        referee.stop()


class BotProcess:
    """A bot's process; `end` waits for it and returns its exit code and both outputs."""

    def __init__(
        self, command: Sequence[str], variables: dict[str, str], *, directory: Path | None = None
    ) -> None:
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("SCHMIER_")
        }
        self.popen = subprocess.Popen(
            command,
            cwd=directory,
            env={**environment, "PYTHONHASHSEED": "0", **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    @property
    def lives(self) -> bool:
        return self.popen.poll() is None

    def end(self) -> tuple[int, str, str]:
        out, error = self.popen.communicate(timeout=DEADLINE)
        return self.popen.returncode, out.decode(errors="replace"), error.decode(errors="replace")


@contextmanager
def program(*command: str, directory: Path | None = None, **variables: str) -> Iterator[BotProcess]:
    """Start any program in a directory; it is killed if it lives when the block ends."""
    bot = BotProcess(command, variables, directory=directory)
    try:
        yield bot
    finally:
        bot.popen.kill()
        bot.popen.wait(DEADLINE)
        for pipe in (bot.popen.stdout, bot.popen.stderr):
            if pipe is not None:
                pipe.close()


def bot_process(*command: str, **variables: str) -> AbstractContextManager[BotProcess]:
    """Start a Python bot, as `program` does."""
    return program(sys.executable, *command, directory=None, **variables)


@contextmanager
def started(*command: str) -> Iterator[tuple[ScriptedReferee, BotProcess]]:
    """Start a Python bot with a scripted referee to talk to."""
    with (
        scripted_referee() as referee,
        bot_process(*command, SCHMIER_REFEREE=referee.target, SCHMIER_TOKEN=TOKEN) as bot,
    ):
        yield referee, bot


class OpenTable:
    """A table of a random board, with what is needed to put its decisions on the wire."""

    def __init__(self, seed: int, *, rules: Rules | None = None, faults_per_game: int = 3) -> None:
        numbers = random.Random(seed)
        self.name = f"table-{seed}"
        self.encoder = DecisionEncoder()
        self.table = Table(
            rules=rules or Rules(),
            seeds=BoardSeeds(numbers.randbytes(32), numbers.randbytes(32)),
            first_dealer=seed % 6,
            faults_per_game=faults_per_game,
        )

    def encode(self, id: int) -> bytes:
        """Return the open decision as bytes."""
        assert self.table.decision is not None
        return self.encoder.encode(self.table.decision, id=id, table=self.name, limit_ms=1000)

    def answer(self, answer: Answer) -> Fault | None:
        if answer.action is None:
            return self.table.charge(FaultKind.MALFORMED)
        return self.table.answer(answer.action)


Ask: TypeAlias = Callable[[list[bytes]], list[Answer]]
"""Put decisions to a bot and return its answers, one for each, in any order."""


def finish(tables: Sequence[OpenTable], ask: Ask, *, batch: int) -> list[Fault]:
    """Play tables to the end, all six seats by the same bot; return the faults."""
    faults: list[Fault] = []
    next_id = 1
    while open_tables := [table for table in tables if table.table.decision is not None]:
        for start in range(0, len(open_tables), batch):
            asked = dict(enumerate(open_tables[start : start + batch], next_id))
            next_id += len(asked)
            answers = ask([table.encode(id) for id, table in asked.items()])
            assert sorted(answer.id for answer in answers) == list(asked)
            found = [asked[answer.id].answer(answer) for answer in answers]
            faults += [fault for fault in found if fault is not None]
    return faults


def over_the_stream(referee: ScriptedReferee) -> Ask:
    """Ask the bot of a stream; it may answer in any number of messages."""

    def ask(decisions: list[bytes]) -> list[Answer]:
        referee.outgoing.put(decisions_message(decisions))
        answers: list[Answer] = []
        while len(answers) < len(decisions):
            message = read_request(referee.receive_bytes())
            assert isinstance(message, list)
            answers += message
        return answers

    return ask


def in_process(*bots: Bot, rules: rules_pb2.Rules | None = None) -> Ask:
    """Ask bot objects of the SDK without a stream: bot i for the seats whose number mod n is i."""

    def ask(decisions: list[bytes]) -> list[Answer]:
        request = service.PlayRequest()
        for data in decisions:
            message = decision_pb2.Decision.FromString(data)
            answer(bots[message.seat % len(bots)], message, request.actions, rules=rules)
        answers = read_request(request.SerializeToString())
        assert isinstance(answers, list)
        return answers

    return ask
