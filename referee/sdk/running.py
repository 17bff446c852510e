"""How a bot process starts and ends: its two variables, its exit code, its last words.

Exit codes: 0 after a goodbye or when the referee is gone, 1 when it was refused or found no
referee, 2 when it was not started by a referee; an exception of the bot ends the process with its
traceback and 1, as everywhere in Python.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from referee.sdk.choices import Bot
    from referee.sdk.stream import OnGameEnded, OnWelcome

__all__ = ["DEFAULT_MAX_BATCH", "run"]

DEFAULT_MAX_BATCH = 64


def run(
    bot: Bot,
    *,
    name: str = "",
    version: str = "",
    max_batch: int = DEFAULT_MAX_BATCH,
    on_welcome: OnWelcome | None = None,
    on_game_ended: OnGameEnded | None = None,
) -> None:
    """Play until the referee says goodbye; a bot's whole main program.

    `max_batch` (1..256) is how many decisions may wait here at once: it changes speed, never a
    verdict. `on_welcome` is told the rules and limits, `on_game_ended` how a game ended.
    Returns after a goodbye; otherwise exits as the module says. Raises what the bot raises, and
    ValueError for a max_batch out of range.
    """
    if not 1 <= max_batch <= 256:
        raise ValueError(f"max_batch must be 1 to 256, is {max_batch}")
    target, token = os.environ.get("SCHMIER_REFEREE"), os.environ.get("SCHMIER_TOKEN")
    if not target or not token:
        missing = "SCHMIER_TOKEN" if target else "SCHMIER_REFEREE"
        print(
            f"{missing} is not set: a bot is started by the referee. "
            "Try: schmier-referee match A B C, with the command of this bot as one of the three",
            file=sys.stderr,
        )
        sys.exit(2)
    # gRPC's own notes would mix with what the bot prints; the author can ask for them.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # Here, not above: these take half of the start-up time, and a mistake should show before.
    import asyncio

    from referee.sdk.choices import UnknownQuestionError
    from referee.sdk.stream import converse
    from referee.wire.pb.schmier.v1 import referee_service_pb2 as service

    hello = service.Hello(
        token=token,
        name=name or type(bot).__name__,
        version=version,
        revision=service.REVISION_ONE,
        max_batch=max_batch,
        wants_game_ended=on_game_ended is not None,
    )
    try:
        ended = asyncio.run(
            converse(bot, hello, target=target, on_welcome=on_welcome, on_game_ended=on_game_ended)
        )
    except UnknownQuestionError as unknown:
        sys.exit(str(unknown))
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        error.__traceback__ = _from_the_bot_on(error.__traceback__)
        raise
    goodbye = ended.goodbye
    if goodbye is not None and goodbye.reason in (
        service.GOODBYE_REASON_REFUSED,
        service.GOODBYE_REASON_REPLACED,
    ):
        print(f"goodbye from the referee: {goodbye.text}", file=sys.stderr)
    if not ended.welcomed:
        if goodbye is None:
            print(f"no referee at {target}: {ended.details}", file=sys.stderr)
        sys.exit(1)


def _from_the_bot_on(traceback: TracebackType | None) -> TracebackType | None:
    """Leave out what lies between `run` and the bot's own code: its author has no use for it."""
    bots = traceback
    while bots is not None and _is_between(bots.tb_frame.f_globals.get("__name__", "")):
        bots = bots.tb_next
    return traceback if bots is None else bots


def _is_between(module: str) -> bool:
    return module.split(".")[0] == "asyncio" or module.startswith("referee.sdk.")
