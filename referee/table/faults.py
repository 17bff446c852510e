"""A bot's conduct, as values: what went wrong and where in the game; never an exception.

A fault does not void a game. The substitute action is played, and the game goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Fault", "FaultKind"]


class FaultKind(StrEnum):
    """What a bot did wrong with one decision."""

    TIMEOUT = "timeout"
    """No answer within the limit, though asked alone."""
    ILLEGAL = "illegal"
    """The right kind of action, not among the legal choices."""
    MALFORMED = "malformed"
    """An answer that is no action, or another kind of action than was asked for."""
    CRASH = "crash"
    """The stream or the process ended while the decision was open."""
    HANDSHAKE = "handshake"
    """No bot to ask: it did not say hello in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault, at its place in the record.

    `action_index` is that of the substitute action among the game's actions, from 0. If the fault
    made its team forfeit and the game ended at once, no action follows: it is their number.
    """

    action_index: int
    hand: int
    redeal: int
    seat: int
    kind: FaultKind
