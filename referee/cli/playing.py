"""Plays a prepared event from the command line: log, signals, warden, loop, and how it ended."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from referee.errors import RefereeError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.cli.terminal import Terminal
    from referee.runner import Progress, Setup
    from referee.store import RunFolder

__all__ = ["collect_rarely", "play"]

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def play(
    setup: Setup,
    folder: RunFolder,
    terminal: Terminal,
    *,
    noted: Sequence[str] = (),
    again: str,
) -> int:
    """Play until the event is over or a signal comes; return the exit code.

    `again` is what to do after an interruption, told then with how far the run came.
    """
    from referee.bots import Warden
    from referee.runner import Interrupted, Progress, play_event

    terminal.show(Progress(phase=f"starting {len(setup.config.bots)} bots"))
    warden = Warden.start()  # from the main thread, before gRPC is touched

    async def main() -> int:
        stop: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        _listen_for_signals(stop, terminal)
        return await play_event(setup, folder, warden, terminal, stop, noted)

    collect_rarely()
    with _log_to(folder):
        try:
            return asyncio.run(main())
        except Interrupted as interrupted:
            _tell_where_it_stopped(terminal, again)
            return 128 + interrupted.signal
        except Exception as error:
            log.error("%s", error, exc_info=not isinstance(error, RefereeError))
            raise


def collect_rarely() -> None:
    """Look for garbage seldom, and never through what is loaded: it stays to the end.

    Tables make little that refers to itself; looking after every 700 objects took 3 % of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)


def _listen_for_signals(stop: asyncio.Future[int], terminal: Terminal) -> None:
    """Let the first signal end the run in good order, and a second one at once.

    A signal that whoever started us wants ignored stays ignored, as `nohup` does with SIGHUP.
    """

    def hear(number: int) -> None:
        if stop.done():
            terminal.close()
            os._exit(128 + number)  # the warden sees to the bots
        name = signal.Signals(number).name
        terminal.say(
            f"stopping after {name}; what was played is kept, a second one ends it at once"
        )
        stop.set_result(number)

    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, hear, number)


@contextmanager
def _log_to(folder: RunFolder) -> Iterator[None]:
    logger = logging.getLogger("referee")
    handler = logging.FileHandler(folder.log, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logging.raiseExceptions = False  # a full disk is told once, by what must not be lost
    try:
        yield
    finally:
        logger.removeHandler(handler)
        with suppress(OSError):  # what a full disk did not take; the run's own error says so
            handler.close()


def _tell_where_it_stopped(terminal: Terminal, again: str) -> None:
    progress = terminal.latest
    if progress is not None and progress.counts:
        terminal.say("raw counts, not yet scored:")
        for line in _count_lines(progress):
            terminal.say(line)
        missing = progress.games_planned - progress.games
        terminal.say(f"{missing} of {progress.games_planned} games are missing")
    terminal.say(again)


def _count_lines(progress: Progress) -> list[str]:
    from referee.report import visible

    return [
        f"  {visible(count.name)}: {count.games} games, {count.sixths / 6:.1f} won, "
        f"{count.forfeits} forfeited, {count.faults} faults"
        for count in progress.counts
    ]
