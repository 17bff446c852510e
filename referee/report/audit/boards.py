"""Where every game of a finished leg must stand, and who must sit there.

With the master the plan says it. Without (an export of an open run) each block is taken from its
first game, and all else must follow from that: the six seatings, the members' seats, the first
dealer, six different sittings, and trios that some relabelling of the design gives.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from referee.ranking import REPLAYS, Triple, design_triples, seats
from referee.report.export.entries import Entry
from referee.tourney import Block, Fixture, Plan, SeatHolder

__all__ = ["BoardError", "Boards", "InferredBoards", "PlannedBoards"]

_UNKNOWN = -1


class BoardError(ValueError):
    """In what a game is not where, or between whom, it must be."""


class Boards(Protocol):
    """Gives the fixture that a game must be of; games come by round, index, replay."""

    def fixture(self, entry: Entry) -> Fixture:
        """Return the fixture of a game; raises `BoardError` if it cannot be of the plan."""


class PlannedBoards:
    """The boards of a plan whose key is known."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def fixture(self, entry: Entry) -> Fixture:
        """Return the fixture at the place of a game."""
        place = entry.place
        return self._plan.fixture(place.round, place.index, place.replay)


class InferredBoards:
    """The boards of a plan whose key is not known."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._numbers = {entrant.name: i for i, entrant in enumerate(plan.entrants)}
        self._triples = design_triples(len(plan.entrants), design=plan.design)
        self._label: dict[int, int] = {}
        self._block: Block | None = None
        self._sittings: list[int] = []

    def fixture(self, entry: Entry) -> Fixture:
        """Return the fixture that follows from the first game of its block."""
        place = entry.place
        if place.replay == 0:
            self._begin_block(entry)
        block = self._block
        assert block is not None
        if not 0 <= entry.sitting < REPLAYS or entry.sitting in self._sittings:
            raise BoardError(f"sitting {entry.sitting + 1} cannot be that of a sixth replay")
        self._sittings.append(entry.sitting)
        holders = tuple(
            SeatHolder(block.trio[who], member)
            for who, member in seats(place.replay, block.member_bits)
        )
        known = [*self._sittings, *[_UNKNOWN] * (REPLAYS - len(self._sittings))]
        return Fixture(
            leg=self._plan.leg_of(place.round),
            sitting=entry.sitting,
            block=replace(block, sitting_of_replay=tuple(known)),
            replay=place.replay,
            seats=holders,
        )

    def _begin_block(self, entry: Entry) -> None:
        """In replay 0 the trio sits in its order; a first member on seats 0..2 is bit 0."""
        place = entry.place
        first, second, third = (self._number(name) for name in entry.partnerships)
        trio: Triple = (first, second, third)
        if len(set(trio)) < 3:
            raise BoardError("a partnership sits there twice")
        if not set(entry.members) <= {0, 1}:
            raise BoardError(f"its members are {entry.members}")
        self._check_design(place.round, place.index, trio)
        self._sittings = []
        self._block = Block(
            round=place.round,
            index=place.index,
            trio=trio,
            first_dealer=entry.record.first_dealer,
            member_bits=(entry.members[0], entry.members[1], entry.members[2]),
            sitting_of_replay=(),
        )

    def _check_design(self, round: int, index: int, trio: Triple) -> None:
        if index == 0:
            self._label = {}
        for place, number in zip(self._triples[index], trio, strict=True):
            other = self._label.setdefault(place, number)
            if other != number:
                raise BoardError(
                    f"{self._plan.entrants[number].name!r} sits where the round's design has "
                    f"{self._plan.entrants[other].name!r}"
                )
        if len(set(self._label.values())) < len(self._label):
            raise BoardError(f"round {round + 1} gives two places of its design to one partnership")

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            raise BoardError(f"{name!r} is not in the plan")
        return number
