"""What a person sees on stderr while a run goes on: live on a terminal, else a line a sitting."""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING, Protocol

from referee.cli.streams import hush, one_line, say

if TYPE_CHECKING:
    from referee.runner import Progress

__all__ = ["Terminal"]

log = logging.getLogger(__name__)


class Picture(Protocol):
    """What is drawn on a terminal, again and again in the same place."""

    def draw(self, progress: Progress) -> None:
        """Draw the state of the run."""

    def say(self, text: str) -> None:
        """Print one line above, that stays."""

    def clear(self) -> None:
        """Leave nothing of it on the terminal."""


class Terminal:
    """Shows progress until it is closed; use it as a context manager.

    A terminal that is gone stops nothing: what would be shown is not shown.
    """

    def __init__(self) -> None:
        self._picture: Picture | None = None
        self._said_phase = ""
        self.latest: Progress | None = None

    def __enter__(self) -> Terminal:
        if _can_draw():
            from referee.cli.live import Live  # only a terminal pays for what draws

            self._picture = Live()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the picture away; a second call does nothing."""
        picture, self._picture = self._picture, None
        if picture is not None:
            try:
                picture.clear()
            except OSError:
                hush(sys.stderr)

    def show(self, progress: Progress) -> None:
        """Draw the state of the run, or say once that a new phase began."""
        self.latest = progress
        if self._picture is not None:
            try:
                self._picture.draw(progress)
            except OSError:
                hush(sys.stderr)
            return
        phase = progress.where
        if phase != self._said_phase:
            self._said_phase = phase
            planned = progress.games_planned
            self.say(f"{phase}: {progress.games} of {planned} games" if planned else phase)

    def say(self, text: str) -> None:
        """Print one line that stays, in the referee's log too."""
        log.info("%s", one_line(text))
        if self._picture is None:
            say(text)
            return
        try:
            self._picture.say(text)
        except OSError:
            hush(sys.stderr)


def _can_draw() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
