"""Everything of a run that lives: warden, endpoints, folders, heartbeat; gone at its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from referee.bots import Endpoints, Homes, Refusal, Warden
from referee.runner.attachment import Attach, Attachment
from referee.runner.clock import Heartbeat
from referee.runner.link import Launcher
from referee.tourney import Bot, Config
from referee.wire import (
    GoodbyeReason,
    Hello,
    goodbye,
    read_hello,
    welcome,
)

__all__ = ["House", "Interrupted", "open_house"]

log = logging.getLogger(__name__)


class Interrupted(Exception):  # noqa: N818 (it is what a person did, not an error)
    """A person or the system asked the run to stop; `signal` is the number."""

    def __init__(self, signal: int) -> None:
        super().__init__(f"stopped by signal {signal}")
        self.signal = signal


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What a run is played in.

    `attachment` is where a bot that a person starts arrives, if there is one.
    `stop` is set to the number of a signal that wants it to end, `broken` to what a callback of
    ours raised: a bug, which must end the run and not be logged and forgotten.
    """

    launcher: Launcher
    heartbeat: Heartbeat
    stop: asyncio.Future[int]
    broken: asyncio.Future[None]
    attachment: Attachment | None = None

    async def play(self, playing: Coroutine[Any, Any, None]) -> None:
        """Wait for the coroutine; it is cancelled, and ends its bots, when anything gives way.

        Raises Interrupted for a signal, RunFailed when the warden died, and what a callback raised.
        """
        task = asyncio.get_running_loop().create_task(playing)
        lost = self.launcher.warden.lost
        assert lost is not None
        failures = (self.launcher.endpoints.failed, lost, self.broken)
        gives_way: list[asyncio.Future[Any]] = [*failures, self.stop]
        await asyncio.wait([task, *gives_way], return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error
            for future in failures:
                if future.done():
                    future.result()
            raise Interrupted(self.stop.result())
        task.result()


@asynccontextmanager
async def open_house(
    config: Config, warden: Warden, stop: asyncio.Future[int], attach: Attach | None = None
) -> AsyncIterator[House]:
    """Let a run's bots be started; nothing of a bot is left when the context ends.

    `attach` is how the bot that a person starts is waited for, if there is one.
    """
    await warden.attach()
    limits = config.limits
    endpoints = Endpoints(identify=_token_of, refuse=_refuse, hello_s=limits.start_ms / 1000)
    homes = Homes.create()
    heartbeat = Heartbeat()
    heartbeat.start()
    broken = _break_on_bugs()

    def greet(bot: Bot, hello: Hello) -> bytes:
        own = attach.limits if attach is not None and bot.is_attached else limits
        return welcome(
            name=bot.name,
            rules=config.rules,
            decision_ms=own.decision_ms,
            stop_ms=own.stop_ms,
            faults_per_game=own.faults_per_game,
            max_batch=hello.max_batch,
        )

    attachment = None
    for bot in config.bots:
        if bot.is_attached:
            assert attach is not None, "such a bot is refused where nobody attaches one"
            attachment = Attachment(endpoints, welcome=partial(greet, bot), tell=attach.tell)
    launcher = Launcher(
        warden=warden,
        endpoints=endpoints,
        homes=homes,
        stop_s=limits.stop_ms / 1000,
        welcome=greet,
        attached=attachment.link if attachment is not None else None,
    )
    try:
        yield House(
            launcher=launcher,
            heartbeat=heartbeat,
            stop=stop,
            broken=broken,
            attachment=attachment,
        )
    finally:
        heartbeat.stop()
        await endpoints.close(goodbye(GoodbyeReason.RUN_OVER, "the run is over"))
        await warden.close()
        try:
            homes.close()
        except OSError as error:  # a bot must not end a run by what it leaves behind
            log.warning("cannot remove the bots' private directories: %s", error)


def _break_on_bugs() -> asyncio.Future[None]:
    """Return a future that takes what a callback of ours raises.

    What gRPC leaves behind of calls that a bot cut off is logged: a bot must not end a run.
    """
    loop = asyncio.get_running_loop()
    broken: asyncio.Future[None] = loop.create_future()

    def hear(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if "handle" not in context or not isinstance(error, BaseException):
            log.warning("%s", context.get("message"), exc_info=error)
        elif not broken.done():
            broken.set_exception(error)
            broken.exception()  # it may come when nobody waits any more

    loop.set_exception_handler(hear)
    return broken


def _token_of(data: bytes) -> str | None:
    hello = read_hello(data)
    return hello.token if hello is not None else None


def _refuse(refusal: Refusal) -> bytes:
    return goodbye(GoodbyeReason.REFUSED, refusal.value.replace("_", " "))
