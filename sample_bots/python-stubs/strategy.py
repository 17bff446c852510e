"""The four choices of a bot: the place for your strategy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from schmier.v1.decision_pb2 import Decision


class Strategy(Protocol):
    """Write a class with these methods, and name it in `bot.py`.

    Cards, bids and suits are the numbers of the protocol. A decision holds all that the seat may
    know, its legal choices included; keep no memory, and draw all randomness from its random seed.
    """

    def call(self, decision: Decision) -> int:
        """Bid or pass: one of `decision.call.bids`."""

    def trump(self, decision: Decision) -> int:
        """Name trumps: one of `decision.trump.suits`."""

    def discards(self, decision: Decision) -> Sequence[int]:
        """Put cards away; what may go is in `decision.discard`."""

    def play(self, decision: Decision) -> int:
        """Play a card: one of `decision.play.cards`."""
