"""The conversation with the referee: one stream, one decision at a time. Nothing to do here.

The answers to one message go out together when none is left; but when 5 ms have been spent since
it came, or since answers were last sent, the answers there are go out first.
"""

# The stubs have a type for each enum; here cards, bids and suits are plain numbers.
# mypy: disable-error-code="assignment, arg-type, no-untyped-call"
from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

import grpc
from schmier.v1 import referee_service_pb2 as service
from schmier.v1.decision_pb2 import Decision
from schmier.v1.referee_service_pb2_grpc import RefereeServiceStub

if TYPE_CHECKING:
    from strategy import Strategy

MAX_BATCH = 64
FLUSH_SECONDS = 0.005


class Conversation:
    """One strategy, and what it is asked until the referee says goodbye."""

    def __init__(self, strategy: Strategy, *, target: str) -> None:
        self.strategy = strategy
        self.target = target
        self.welcomed = False

    async def hold(self, *, token: str, name: str) -> int:
        """Play until the referee says goodbye or is gone; return the exit code of the process."""
        hello = service.Hello(
            token=token,
            name=name,
            version="1",
            revision=service.REVISION_ONE,
            max_batch=MAX_BATCH,
        )
        problem = "the stream ended"
        options = [("grpc.enable_http_proxy", 0)]  # the referee is on this machine
        async with grpc.aio.insecure_channel(self.target, options=options) as channel:
            self.call = RefereeServiceStub(channel).Play()
            await self.send(service.PlayRequest(hello=hello))
            try:
                while message := await self.call.read():
                    match message.WhichOneof("content"):
                        case "decisions":
                            await self.answer_all(message.decisions.decisions)
                        case "welcome":
                            self.welcomed = True
                        case "goodbye":
                            return self.end(message.goodbye)
                        case _:
                            pass  # from a later revision, or not for this bot
            except grpc.aio.AioRpcError as gone:
                problem = gone.details() or str(gone.code())
        if not self.welcomed:
            print(f"no referee at {self.target}: {problem}", file=sys.stderr)
        return 0 if self.welcomed else 1

    async def send(self, request: service.PlayRequest) -> None:
        """Send a message; when the referee is gone the next read finds out."""
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self.call.write(request)

    async def answer_all(self, decisions: Iterable[Decision]) -> None:
        """Answer the decisions of one message in their order."""
        request = service.PlayRequest()
        flush_at = monotonic() + FLUSH_SECONDS
        for decision in decisions:
            self.answer(decision, request.actions)
            if monotonic() >= flush_at:
                await self.send(request)
                request = service.PlayRequest()
                flush_at = monotonic() + FLUSH_SECONDS
        if request.actions.actions:
            await self.send(request)

    def answer(self, decision: Decision, actions: service.Actions) -> None:
        """Add the action for a decision; its choice is the field named like the question."""
        action = actions.actions.add(decision_id=decision.id)
        match decision.WhichOneof("question"):
            case "call":
                action.call = self.strategy.call(decision)
            case "trump":
                action.trump = self.strategy.trump(decision)
            case "discard":
                action.discard.cards.extend(self.strategy.discards(decision))
                action.discard.SetInParent()  # discarding nothing is an answer too
            case "play":
                action.play = self.strategy.play(decision)
            case _:
                sys.exit(
                    f"decision {decision.id} asks what revision 1 of the protocol does not know: "
                    "take the newer .proto files"
                )

    def end(self, goodbye: service.Goodbye) -> int:
        """Say what was wrong, if anything was, and return the exit code."""
        if goodbye.reason in (
            service.GOODBYE_REASON_REFUSED,
            service.GOODBYE_REASON_REPLACED,
        ):
            print(f"goodbye from the referee: {goodbye.text}", file=sys.stderr)
        return 0 if self.welcomed else 1
