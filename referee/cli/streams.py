"""The standard streams: results go to stdout as UTF-8, talk to stderr, one harmless line a time.

Talk that nobody hears is never a reason to stop a run. Results that nobody takes, `| head` say,
end the command as they end any other: silently, with the code of SIGPIPE.
"""

from __future__ import annotations

import errno
import io
import os
import select
import signal
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from referee.errors import RefereeError

__all__ = ["OutputLost", "hush", "one_line", "open_streams", "results", "say"]

_ACTING = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e")
"""Marks that turn the text around them; isolates are left, they keep to themselves."""


class OutputLost(RefereeError):  # noqa: N818 (it says what happened)
    """The results could not be written; the text is empty when nobody wanted the rest."""

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code


def open_streams() -> None:
    """Make the standard streams fit for results and talk, however the process was started.

    A closed one is opened on nothing, so that no file of a run gets its number. stdout is UTF-8
    whatever the locale, for the bytes to be those of a run's files; paths go through unchanged.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")


def say(text: str) -> None:
    """Print one line on stderr; nobody listening is no error."""
    try:
        print(one_line(text), file=sys.stderr, flush=True)
    except OSError:
        hush(sys.stderr)


@contextmanager
def results() -> Iterator[None]:
    """Hold what prints results; raises `OutputLost` when they could not all be written."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        if error.errno == errno.ENOSPC:
            hush(sys.stdout)
            raise OutputLost("the output cannot be written: no space left on device", 1) from None
        if error.errno == errno.EPIPE and _nobody_reads():
            hush(sys.stdout)
            raise OutputLost("", 128 + signal.SIGPIPE) from None
        raise


def _nobody_reads() -> bool:
    """Whether stdout is a pipe whose other end is closed, rather than another pipe of ours."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def hush(stream: TextIO) -> None:
    """Let what is left in a stream that cannot be written, and all that follows, go nowhere."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def one_line(text: str) -> str:
    """Return the text with all that would act on a terminal, or break the line, made visible."""
    return "".join(
        letter.encode("unicode_escape").decode("ascii")
        if unicodedata.category(letter) in _ACTING or letter in _DIRECTIONS
        else letter
        for letter in text
    )
