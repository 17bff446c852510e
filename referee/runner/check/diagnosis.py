"""Why a bot was not heard: what it called instead, and what it speaks.

gRPC tells of calls that were turned away. Of whoever does not speak its protocol it tells nothing,
so such a bot is started once more, with a port for its referee that only listens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from referee.bots import BotProcess, BotProgram, PlainPort, Refusal
from referee.runner.link import Launcher
from referee.tourney import Bot

__all__ = ["Stranger", "turned_away", "what_it_speaks"]

Stranger = Refusal | str
"""Why a call was refused, or the name of another method that was called."""

_METHOD: Final = "/schmier.v1.RefereeService/Play"
_REFUSALS: Final = {
    Refusal.NO_HELLO: "its first message was no hello; it is a PlayRequest with the hello set",
    Refusal.LATE_HELLO: "it opened the stream and said nothing; the bot speaks first, with a hello",
    Refusal.UNKNOWN_TOKEN: "wrong token: its hello must have the text of SCHMIER_TOKEN",
    Refusal.SPENT_TOKEN: "it said hello a second time; a token is good for one stream",
    Refusal.TOO_MANY: "it opened many streams at once and said hello on none of them",
}
_LONGEST_PATIENCE_S: Final = 5.0
_LAST_BYTES_S: Final = 0.05
_HTTP_1: Final = (b"GET ", b"POST ", b"PUT ", b"HEAD ", b"OPTIONS ", b"CONNECT ", b"DELETE ")
_HTTP_2: Final = b"PRI * HTTP/2"
_TLS: Final = b"\x16\x03"


def turned_away(strangers: Sequence[Stranger]) -> str:
    """Say in one line why the last call of a bot was turned away, nothing if none was."""
    if not strangers:
        return ""
    last = strangers[-1]
    if isinstance(last, Refusal):
        return _REFUSALS[last]
    return f"it called {last[:200]}; the one method is {_METHOD}"


async def what_it_speaks(bot: Bot, launcher: Launcher, *, start_s: float) -> str:
    """Start the bot once more and say in one line what is wrong with its first bytes, if it is."""
    port = PlainPort()
    await port.open()
    try:
        program = BotProgram(command=bot.command, directory=bot.directory, env=bot.env)
        process = BotProcess.start(
            program, warden=launcher.warden, endpoint=port, homes=launcher.homes
        )
        heard: list[asyncio.Future[Any]] = [port.first_bytes, process.child.exited]
        await asyncio.wait(
            heard,
            timeout=min(start_s, _LONGEST_PATIENCE_S),
            return_when=asyncio.FIRST_COMPLETED,
        )
        await process.stop()
        await asyncio.wait([port.first_bytes], timeout=_LAST_BYTES_S)
        if port.first_bytes.done():
            return _told(port.first_bytes.result())
        return "it never connected to the address in SCHMIER_REFEREE"
    finally:
        await port.close()


def _told(first: bytes) -> str:
    if first.startswith(_HTTP_2):
        return ""
    if first.startswith(_TLS):
        return "it speaks TLS to the port; the referee is called without (an insecure channel)"
    if first.startswith(_HTTP_1):
        line = first.split(b"\r\n", 1)[0].decode("ascii", "backslashreplace")
        return f"it speaks HTTP/1 to the port ({line}); a bot speaks gRPC, which is HTTP/2"
    if not first:
        return "it connected to the port and said nothing; a bot speaks gRPC"
    return f"it speaks something else than gRPC to the port; its first bytes are {first[:16]!r}"
