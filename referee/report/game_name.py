"""What a GAME is called on the command line: its id in hex, or `ROUND.INDEX.REPLAY` from 0."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from referee.errors import UsageError

__all__ = ["GameId", "GameName", "GamePlace", "parse_game"]

_PLACE = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.([0-5])", re.ASCII)
_ID = re.compile(r"[0-9a-fA-F]{32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class GamePlace:
    """Where a game stands in the plan; all three count from 0."""

    round: int
    index: int
    replay: int

    @property
    def text(self) -> str:
        """`ROUND.INDEX.REPLAY`."""
        return f"{self.round}.{self.index}.{self.replay}"


@dataclass(frozen=True, slots=True)
class GameId:
    """The 16 bytes that a game is stored under."""

    digest: bytes

    @property
    def text(self) -> str:
        """32 hex digits."""
        return self.digest.hex()


GameName: TypeAlias = GamePlace | GameId


def parse_game(text: str) -> GameName:
    """Return the game that a text names; raises `UsageError` if it names none."""
    if place := _PLACE.fullmatch(text):
        round, index, replay = map(int, place.groups())
        return GamePlace(round, index, replay)
    if _ID.fullmatch(text):
        return GameId(bytes.fromhex(text))
    raise UsageError(
        f"no game is called {text!r}: give its id (32 hex digits) "
        "or ROUND.INDEX.REPLAY, all from 0, REPLAY up to 5"
    )
