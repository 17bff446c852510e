"""The referee's own clock: its heartbeat, and the rights to be on the clock.

The heart beats every 10 ms. A beat that comes late shows how long the referee itself stood still,
so that no bot pays for it; how late beats usually come is the referee's own latency.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass

__all__ = ["ClockSlots", "Heartbeat", "Latency"]

BEAT_S = 0.010
KEPT_GAPS = 1000
KEPT_LAGS = 10_000
NOTABLE_GAP_S = 0.020


@dataclass(frozen=True, slots=True)
class Latency:
    """How late the referee came to its work, in milliseconds."""

    p50_ms: float
    p99_ms: float


class Heartbeat:
    """Beats on the running loop until `stop`; remembers the gaps between beats that were long."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._gaps: deque[tuple[float, float]] = deque(maxlen=KEPT_GAPS)
        self._lags: deque[float] = deque(maxlen=KEPT_LAGS)
        self._handle: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Begin to beat on the running loop."""
        self._last = time.monotonic()
        self._arm()

    def stop(self) -> None:
        """Beat no more."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def stood_still_s(self, *, since: float) -> tuple[float, float]:
        """The longest stretch after the time `since` without a beat, and all notable ones together.

        In seconds; the current stretch counts, however short.
        """
        now = time.monotonic()
        longest = together = now - max(self._last, since)
        for ended, gap in reversed(self._gaps):
            if ended <= since:
                break
            stretch = min(gap, ended - since)
            longest = max(longest, stretch)
            together += stretch
        return longest, together

    def latency(self) -> Latency:
        """How late recent beats came: median and 99th percentile."""
        lags = sorted(self._lags) or [0.0]
        return Latency(
            p50_ms=round(lags[len(lags) // 2] * 1000, 3),
            p99_ms=round(lags[len(lags) * 99 // 100] * 1000, 3),
        )

    def _arm(self) -> None:
        self._handle = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _beat(self) -> None:
        now = time.monotonic()
        gap = now - self._last
        if gap > NOTABLE_GAP_S:
            self._gaps.append((now, gap))
        self._lags.append(max(0.0, gap - BEAT_S))
        self._last = now
        self._arm()


class ClockSlots:
    """So many bots may be on the clock at once; a bot takes as many slots as it has threads."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.free = total

    def take(self, count: int) -> bool:
        """Take slots if that many are free."""
        if count > self.free:
            return False
        self.free -= count
        return True

    def give_back(self, count: int) -> None:
        """Give back what was taken."""
        self.free += count
