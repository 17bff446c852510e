"""What gRPC tells only its log, made usable or kept quiet.

Two things. A message that could not be received (too large, or it does not unpack) reaches the
handler as an end of stream like any other; only a DEBUG record, written in the task that reads,
tells it from a bot that went away. And a bot that goes while its status is being sent is an ERROR
with a traceback to gRPC and nothing at all to us.
"""

from __future__ import annotations

import asyncio
import logging
import weakref

from grpc import aio

__all__ = ["could_not_receive", "watch_grpc_log"]

_LOGGER = "grpc._cython.cygrpc"
_NOT_RECEIVED = "Failed to receive any message"


class _Watch(logging.Filter):
    """Notes the tasks whose read failed; lets through what was let through before."""

    def __init__(self, level: int) -> None:
        super().__init__()
        self.level = level
        self.failed: weakref.WeakSet[asyncio.Task[object]] = weakref.WeakSet()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno == logging.DEBUG and str(record.msg).startswith(_NOT_RECEIVED):
            task = asyncio.current_task()
            if task is not None:
                self.failed.add(task)
        if record.exc_info is not None and isinstance(record.exc_info[1], aio.InternalError):
            return False
        return record.levelno >= self.level


_watch: _Watch | None = None


def watch_grpc_log() -> None:
    """Begin to listen; once for the whole program, a second call does nothing."""
    global _watch  # noqa: PLW0603 - the logger is the program's, so its filter is too
    if _watch is None:
        logger = logging.getLogger(_LOGGER)
        _watch = _Watch(logger.getEffectiveLevel())
        logger.addFilter(_watch)
        logger.setLevel(logging.DEBUG)


def could_not_receive() -> bool:
    """Whether the running task's last read ended because a message could not be received."""
    task = asyncio.current_task()
    return _watch is not None and task is not None and task in _watch.failed
