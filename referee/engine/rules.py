"""The options of the game: what a tournament file may change, and nothing else.

Every other question the rule texts leave open is decided once, without an option:
README.md in this folder has them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

__all__ = ["FinalTie", "GameTie", "LowPoint", "RedealWhen", "Rules"]


class LowPoint(StrEnum):
    """Who gets the low point (A1)."""

    PLAYER = "player"
    """The team of the player who plays the 2 of trumps."""
    TAKER = "taker"
    """The team that takes the trick with the 2 of trumps."""


class RedealWhen(StrEnum):
    """When the cards are thrown in and dealt again (A2)."""

    ALL_SIX_PASS = "all_six_pass"
    """The dealer is always asked."""
    FIVE_NONDEALERS_PASS = "five_nondealers_pass"
    """The dealer is not asked when the five others have passed."""


class GameTie(StrEnum):
    """Who gets the game point when teams tie for the most card points (A11)."""

    NONE = "none"
    """Nobody."""
    BIDDER = "bidder"
    """The bidder's team if it is among the tied, else nobody."""
    ALL_TIED = "all_tied"
    """Each of the tied teams."""


class FinalTie(StrEnum):
    """Who wins when teams tie at the top at the end, the bidder's team not among them (A14)."""

    PLAY_ON = "play_on"
    """Nobody yet: another hand is played."""
    BIDDING_TEAM = "bidding_team"
    """The bidder's team, even from below."""
    SHARED = "shared"
    """The tied teams share the win."""
    SEAT_ORDER = "seat_order"
    """The tied team that sits first, counted clockwise from the bidder's left."""


_RANGES: Final = {
    "target_score": (1, 1000),
    "max_hands": (1, 1000),
    "max_consecutive_redeals": (0, 1000),
}
_OPTIONS: Final = {
    "low_point": LowPoint,
    "redeal_when": RedealWhen,
    "game_tie": GameTie,
    "final_tie": FinalTie,
    "set_keeps_points": bool,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules a game is played by; `Rules()` are the defaults of the rules page.

    `set_keeps_points`: a set team scores points won minus bid, not just minus bid (A12).
    `target_score`: what ends a game (R32), 1..1000. `max_hands`: the hand after which the highest
    score wins, 1..1000 (A20). `max_consecutive_redeals`: after so many redeals of one hand the
    dealer must bid three if nobody has, 0..1000 (A20).
    Raises ValueError, naming the option, for a value of another type or out of range.
    """

    low_point: LowPoint = LowPoint.PLAYER
    redeal_when: RedealWhen = RedealWhen.ALL_SIX_PASS
    game_tie: GameTie = GameTie.NONE
    set_keeps_points: bool = False
    final_tie: FinalTie = FinalTie.PLAY_ON
    target_score: int = 21
    max_hands: int = 60
    max_consecutive_redeals: int = 5

    def __post_init__(self) -> None:
        for name, kind in _OPTIONS.items():
            value: object = getattr(self, name)
            if not isinstance(value, kind):
                raise ValueError(f"{name} must be a {kind.__name__}, is {value!r}")
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{name} must be a whole number {low}..{high}, is {value!r}")
