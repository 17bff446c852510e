"""What the misbehaving bots share: a stream of raw bytes, and first-legal answers.

Each script of this folder does one wrong thing and otherwise plays first-legal; its first lines say
what it does and what the referee must make of it. They are started like any bot, for example with
the command `["{python}", "tests/kit/illegal.py", "play"]`.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import NoReturn

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc

from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

__all__ = ["Stream", "actions", "argument", "first_legal", "hang", "play"]

METHOD = "/schmier.v1.RefereeService/Play"


def argument(position: int, default: str) -> str:
    """Return a command-line argument, or the default if it is not given."""
    return sys.argv[position] if len(sys.argv) > position else default


def hang() -> NoReturn:
    """Do nothing, for ever."""
    while True:
        time.sleep(3600)


def first_legal(decision: decision_pb2.Decision) -> decision_pb2.Action:
    """Return the first legal action; the call is three if nobody has bid."""
    action = decision_pb2.Action(decision_id=decision.id)
    match decision.WhichOneof("question"):
        case "call":
            bids = decision.call.bids
            action.call = cards_pb2.BID_THREE if cards_pb2.BID_THREE in bids else bids[0]
        case "trump":
            action.trump = decision.trump.suits[0]
        case "discard":
            question = decision.discard
            side_count = question.min_count - question.trump_count
            action.discard.cards.extend(question.side_cards[:side_count])
            action.discard.cards.extend(question.trump_cards[: question.trump_count])
            action.discard.SetInParent()
        case "play":
            action.play = decision.play.cards[0]
    return action


def actions(*answers: decision_pb2.Action) -> bytes:
    """Return one message with these actions."""
    return service.PlayRequest(actions=service.Actions(actions=answers)).SerializeToString()


class Stream:
    """One stream to the referee; `send` takes any bytes, `close` ends the bot's side alone.

    `flood` yields messages to send after the first one, as fast as the referee takes them.
    """

    def __init__(self, flood: Iterator[bytes] | None = None) -> None:
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        options = [("grpc.enable_http_proxy", 0)]
        self._channel = grpc.insecure_channel(os.environ["SCHMIER_REFEREE"], options=options)
        requests = iter(self._outgoing.get, None)
        if flood is not None:
            requests = chain(islice(requests, 1), flood)
        method: grpc.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(METHOD)
        self._responses: Iterator[bytes] = method(requests)

    def say_hello(
        self, *, token: str | None = None, name: str | None = None, max_batch: int = 64
    ) -> None:
        """Say hello; without a token with the right one, without a name with the script's."""
        hello = service.Hello(
            token=os.environ["SCHMIER_TOKEN"] if token is None else token,
            name=os.path.basename(sys.argv[0]) if name is None else name,  # noqa: PTH119
            max_batch=max_batch,
        )
        self.send(service.PlayRequest(hello=hello).SerializeToString())

    def send(self, data: bytes) -> None:
        """Send one message."""
        self._outgoing.put(data)

    def close(self) -> None:
        """End the bot's side of the stream; the referee's messages still come."""
        self._outgoing.put(None)

    def messages(self) -> Iterator[service.PlayResponse]:
        """Yield what the referee says, the goodbye last."""
        try:
            for data in self._responses:
                message = service.PlayResponse.FromString(data)
                yield message
                if message.HasField("goodbye"):
                    break
        except grpc.RpcError:
            pass
        self.close()
        # Let go of the call now: gRPC can hang in its finalizer while Python is shutting down.
        self._responses = iter(())
        self._channel.close()

    def batches(self) -> Iterator[list[decision_pb2.Decision]]:
        """Yield the decisions of each message that has some."""
        for message in self.messages():
            if message.HasField("decisions"):
                yield list(message.decisions.decisions)


def play(
    answer: Callable[[decision_pb2.Decision], decision_pb2.Action | bytes | None] = first_legal,
    *,
    stream: Stream | None = None,
) -> None:
    """Say hello and send what `answer` gives for each decision, one message each; None sends none.

    With a stream, hello has been said on it.
    """
    if stream is None:
        stream = Stream()
        stream.say_hello()
    for batch in stream.batches():
        for decision in batch:
            given = answer(decision)
            if isinstance(given, bytes):
                stream.send(given)
            elif given is not None:
                stream.send(actions(given))
