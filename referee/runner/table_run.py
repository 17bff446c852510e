"""One game being played: its table, and its words on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.table import Table
from referee.tourney import Fixture
from referee.wire import DecisionEncoder

__all__ = ["TableRun"]


@dataclass(slots=True, eq=False)
class TableRun:
    """A game of the plan at its table; `text` is what the table is called on the wire.

    `order` is the place of the game among those that wait for one bot: block, then replay.
    """

    fixture: Fixture
    table: Table
    text: str
    encoder: DecisionEncoder = field(default_factory=DecisionEncoder)
    order: tuple[int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.order = (self.fixture.round, self.fixture.index, self.fixture.replay)
