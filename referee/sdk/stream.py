"""The conversation with the referee: one stream, one decision at a time, on the calling thread.

The decisions of a message are answered in the order they came. The answers go out together when
none is left; but when 5 ms have been spent since the message came, or since answers were last sent,
the answers there are go out first. So quick choices travel forty at a time and slow ones alone, and
an answer is never held back for more than 5 ms of other choices and one more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from time import monotonic
from typing import TypeAlias

import grpc

from referee.sdk.choices import Bot, answer
from referee.wire.pb.schmier.v1 import decision_pb2, rules_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

__all__ = ["FLUSH_SECONDS", "METHOD", "Ended", "OnGameEnded", "OnWelcome", "answer_all", "converse"]

FLUSH_SECONDS = 0.005
METHOD = "/schmier.v1.RefereeService/Play"
_OPTIONS = (("grpc.enable_http_proxy", 0),)

OnWelcome: TypeAlias = Callable[[service.Welcome], object]
OnGameEnded: TypeAlias = Callable[[service.GameEnded], object]
_Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes]"


class Ended:
    """How a conversation ended: the goodbye if there was one, and whether it had begun at all."""

    def __init__(self) -> None:
        self.welcomed = False
        self.goodbye: service.Goodbye | None = None
        self.details = "the stream ended"


async def converse(
    bot: Bot,
    hello: service.Hello,
    *,
    target: str,
    on_welcome: OnWelcome | None = None,
    on_game_ended: OnGameEnded | None = None,
) -> Ended:
    """Say hello and answer decisions until the referee says goodbye or is gone.

    Raises what the bot raises.
    """
    ended = Ended()
    rules: rules_pb2.Rules | None = None
    async with grpc.aio.insecure_channel(target, options=_OPTIONS) as channel:
        call: _Call = channel.stream_stream(METHOD)()
        write = partial(_write, call)
        await write(service.PlayRequest(hello=hello))
        while (data := await _read(call, ended)) is not None:
            message = service.PlayResponse.FromString(data)
            content = message.WhichOneof("content")
            if content == "decisions":
                await answer_all(bot, message.decisions.decisions, write, rules=rules)
            elif content == "welcome":
                ended.welcomed, rules = True, message.welcome.rules
                if on_welcome is not None:
                    on_welcome(message.welcome)
            elif content == "game_ended":
                if on_game_ended is not None:
                    on_game_ended(message.game_ended)
            elif content == "goodbye":
                ended.goodbye = message.goodbye
                break
    return ended


async def answer_all(
    bot: Bot,
    decisions: Iterable[decision_pb2.Decision],
    write: Callable[[service.PlayRequest], Awaitable[object]],
    *,
    rules: rules_pb2.Rules | None = None,
    clock: Callable[[], float] = monotonic,
) -> None:
    """Answer the decisions of one message in their order, and write the answers as said above.

    Raises what the bot raises; answers not yet written are lost then, and the referee asks again.
    """
    request = service.PlayRequest()
    flush_at = clock() + FLUSH_SECONDS
    for decision in decisions:
        answer(bot, decision, request.actions, rules=rules)
        if clock() >= flush_at:
            await write(request)
            request = service.PlayRequest()
            flush_at = clock() + FLUSH_SECONDS
    if request.actions.actions:
        await write(request)


async def _read(call: _Call, ended: Ended) -> bytes | None:
    """Return the next message, None when the referee is gone."""
    try:
        data = await call.read()
    except grpc.aio.AioRpcError as error:
        ended.details = error.details() or str(error.code())
        return None
    return data if isinstance(data, bytes) else None


async def _write(call: _Call, request: service.PlayRequest) -> None:
    """Send a message; when the referee is gone the next read finds out, and reads a goodbye."""
    try:
        await call.write(request.SerializeToString())
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return
