"""What one process says, in the order it was heard, for whoever waits for it step by step."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TypeAlias

from referee.runner.rulings import Trouble
from referee.wire import Answer, Hello

__all__ = ["Heard", "Hearing", "Over"]


@dataclass(frozen=True, slots=True)
class Over:
    """The process is of no more use."""

    trouble: Trouble
    detail: str


Heard: TypeAlias = Hello | list[Answer] | Over


class Hearing:
    """Hears a link for a coroutine; what was said waits until it is asked for."""

    def __init__(self) -> None:
        self._heard: asyncio.Queue[tuple[Heard, float]] = asyncio.Queue()

    async def next(self, *, deadline: float) -> tuple[Heard, float] | None:
        """Return what was said next and when, in monotonic seconds; None when the time is up."""
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                return await self._heard.get()
        except TimeoutError:
            return None

    def already(self) -> tuple[Heard, float] | None:
        """Return what was said next if it has been heard by now."""
        return None if self._heard.empty() else self._heard.get_nowait()

    # what the link reports

    def on_hello(self, hello: Hello) -> None:
        """Take note of the hello."""
        self._heard.put_nowait((hello, time.monotonic()))

    def on_answers(self, answers: list[Answer]) -> None:
        """Take note of answers."""
        self._heard.put_nowait((answers, time.monotonic()))

    def on_over(self, trouble: Trouble, detail: str) -> None:
        """Take note of the end."""
        self._heard.put_nowait((Over(trouble, detail), time.monotonic()))
