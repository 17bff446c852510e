"""What a run tells while it plays: raw counts, where it stands, and words for people.

Nothing here is a result. Times and latency go to a terminal or a log, never into records or tables.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["Observer", "Progress", "RawCount"]


@dataclass(slots=True)
class RawCount:
    """What one partnership has so far, not yet scored: games, wins in sixths, forfeits, faults."""

    name: str
    games: int = 0
    sixths: int = 0
    forfeits: int = 0
    faults: int = 0


@dataclass(slots=True)
class Progress:
    """Where the run stands. Games count over the whole run, `played` only since this start."""

    phase: str = "starting"
    leg: int = 0
    legs: int = 0
    sitting: int = 0
    sittings: int = 6
    games: int = 0
    games_planned: int = 0
    played: int = 0
    tables: int = 0
    decisions: int = 0
    p50_ms: float = 0.0
    p99_ms: float = 0.0
    counts: list[RawCount] = field(default_factory=list)
    playing_since: float = field(default_factory=time.monotonic)

    @property
    def where(self) -> str:
        """Where the run stands, in words."""
        if self.phase != "playing":
            return self.phase
        return f"leg {self.leg + 1} of {self.legs}, sitting {self.sitting + 1} of {self.sittings}"

    def remaining_s(self) -> float | None:
        """Seconds until the end at the pace since this start; None before the first game."""
        if not self.played:
            return None
        pace = (time.monotonic() - self.playing_since) / self.played
        return pace * (self.games_planned - self.games)


class Observer(Protocol):
    """Who is told how a run goes on."""

    def show(self, progress: Progress) -> None:
        """Show where the run stands; called several times a second."""

    def say(self, text: str) -> None:
        """Say one line that should stay on the screen."""
