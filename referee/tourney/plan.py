"""What is played when, derived from a key and a handful of parameters.

The plan is parameters, never rows: every block and fixture is computed when it is asked for, and
what is kept at a time is a few rounds, however many games are planned. Seeds come by name from
key(plan): `entrants R`, `replays R.I`, `dealer R.I`, `member R.I NAME`, `order L.S`.

A leg is `leg_rounds` rounds (the last may be short), played as six sittings one after another.
Each sitting plays every block of the leg once, in a replay of the block's own permutation.
Rounds, legs, sittings, blocks and replays count from 0; a block is named `R.I`, a game `R.I.K`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from referee.engine import bit, derive, number_below, permutation
from referee.ranking import (
    DESIGNS,
    FEWEST_ENTRANTS,
    REPLAYS,
    Triple,
    design_problem,
    design_triples,
)
from referee.ranking import seats as trio_seats

__all__ = ["SITTINGS", "Block", "Entrant", "Fixture", "Plan", "SeatHolder"]

SITTINGS = REPLAYS
"""Sittings of a leg: one for each replay of a board."""

_ROUNDS_KEPT = 64
_SITTINGS_KEPT = 2


@dataclass(frozen=True, slots=True)
class Entrant:
    """A partnership of the plan: its name, and the names of its first and second bot, in NFC."""

    name: str
    bots: tuple[str, str]

    def __post_init__(self) -> None:
        first, second = self.bots
        object.__setattr__(self, "name", _nfc(self.name))
        object.__setattr__(self, "bots", (_nfc(first), _nfc(second)))


class SeatHolder(NamedTuple):
    """Who sits on a seat: the number of the entrant in the plan, and its member 0 or 1."""

    entrant: int
    member: int


@dataclass(frozen=True, slots=True)
class Block:
    """A board and the trio that plays it in all six seatings.

    `trio` holds entrant numbers, `member_bits` goes with it; `sitting_of_replay[k]` is the sitting
    in which replay k is played.
    """

    round: int
    index: int
    trio: Triple
    first_dealer: int
    member_bits: Triple
    sitting_of_replay: tuple[int, ...]

    @property
    def id(self) -> str:
        """The name that its deals are derived from: `ROUND.INDEX`, both from 0."""
        return f"{self.round}.{self.index}"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One scheduled game: a replay of a block, with the holder of each seat 0..5."""

    leg: int
    sitting: int
    block: Block
    replay: int
    seats: tuple[SeatHolder, ...]

    @property
    def id(self) -> str:
        """The GAME name of the command line: `ROUND.INDEX.REPLAY`."""
        return f"{self.block.id}.{self.replay}"

    @property
    def round(self) -> int:
        """The round of its block."""
        return self.block.round

    @property
    def index(self) -> int:
        """The place of its block in the round."""
        return self.block.index

    @property
    def first_dealer(self) -> int:
        """The seat that deals first, the same in all six replays."""
        return self.block.first_dealer

    @property
    def entrants(self) -> Triple:
        """The entrant numbers of the seat pairs {0,3}, {1,4}, {2,5}."""
        return self.seats[0].entrant, self.seats[1].entrant, self.seats[2].entrant


@dataclass(frozen=True)
class Plan:
    """All games of an event, by round, block and replay, and their order in time.

    The entrants are those that passed the roll call, in configured order; an entrant's number is
    its place among them. Equal arguments give equal plans. Raises `ValueError` for fewer than
    three entrants, entrants of one name, no rounds or leg rounds, or a design they cannot have.
    """

    tournament_id: str
    plan_key: bytes
    entrants: tuple[Entrant, ...]
    rounds: int
    design: str = "auto"
    leg_rounds: int = 10
    _rounds_kept: dict[int, tuple[Block, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _sittings_kept: dict[tuple[int, int], tuple[Fixture, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.entrants]
        if len(names) < FEWEST_ENTRANTS:
            raise ValueError(f"a plan needs {FEWEST_ENTRANTS} entrants or more, has {len(names)}")
        if len(set(names)) < len(names):
            raise ValueError("two entrants have the same name")
        if self.rounds < 1 or self.leg_rounds < 1:
            raise ValueError(
                f"rounds {self.rounds}, leg_rounds {self.leg_rounds}: both must be > 0"
            )
        if self.design not in DESIGNS:
            raise ValueError(f"design must be one of {', '.join(DESIGNS)}, is {self.design!r}")
        if problem := design_problem(len(names), design=self.design):
            raise ValueError(problem)

    @property
    def blocks_per_round(self) -> int:
        """Blocks in every round."""
        return len(design_triples(len(self.entrants), design=self.design))

    @property
    def games_per_round(self) -> int:
        """Games in every round: six for a block."""
        return REPLAYS * self.blocks_per_round

    @property
    def games(self) -> int:
        """Games of the whole event."""
        return self.rounds * self.games_per_round

    @property
    def legs(self) -> range:
        """The numbers of the legs."""
        return range(-(-self.rounds // self.leg_rounds))

    def rounds_of(self, leg: int) -> range:
        """Return the numbers of the rounds of a leg; the last leg may be short."""
        _check("leg", leg, len(self.legs))
        first = leg * self.leg_rounds
        return range(first, min(first + self.leg_rounds, self.rounds))

    def leg_of(self, round: int) -> int:
        """Return the number of the leg that a round belongs to."""
        _check("round", round, self.rounds)
        return round // self.leg_rounds

    def games_in_leg(self, leg: int) -> int:
        """Return the number of games of a leg, a sixth of them in each sitting."""
        return len(self.rounds_of(leg)) * self.games_per_round

    def blocks(self, round: int) -> tuple[Block, ...]:
        """Return the blocks of a round by index."""
        _check("round", round, self.rounds)
        return _kept(self._rounds_kept, round, lambda: self._make_round(round), _ROUNDS_KEPT)

    def fixture(self, round: int, index: int, replay: int) -> Fixture:
        """Return one game by its name's three numbers; raises `ValueError` if not planned."""
        blocks = self.blocks(round)
        _check("block", index, len(blocks))
        _check("replay", replay, REPLAYS)
        return self._make_fixture(blocks[index], replay)

    def sitting(self, leg: int, sitting: int) -> tuple[Fixture, ...]:
        """Return the games of a sitting in the order in which they are started."""
        _check("leg", leg, len(self.legs))
        _check("sitting", sitting, SITTINGS)
        return _kept(
            self._sittings_kept,
            (leg, sitting),
            lambda: self._make_sitting(leg, sitting),
            _SITTINGS_KEPT,
        )

    def partnership_names(self, fixture: Fixture) -> tuple[str, str, str]:
        """Return the three partnerships of a game by seat pair."""
        first, second, third = (self.entrants[number].name for number in fixture.entrants)
        return first, second, third

    def bot_names(self, fixture: Fixture) -> tuple[str, ...]:
        """Return the six bots of a game by seat."""
        return tuple(self.entrants[holder.entrant].bots[holder.member] for holder in fixture.seats)

    def parameters(self) -> dict[str, object]:
        """Return all that a stranger needs beside key(plan) to derive the plan, as plain JSON."""
        return {
            "tournament_id": self.tournament_id,
            "entrants": [
                {"name": entrant.name, "bots": list(entrant.bots)} for entrant in self.entrants
            ],
            "rounds": self.rounds,
            "design": self.design,
            "leg_rounds": self.leg_rounds,
            "blocks_per_round": self.blocks_per_round,
            "games": self.games,
        }

    def _seed(self, label: str) -> bytes:
        return derive(self.plan_key, label)

    def _make_round(self, round: int) -> tuple[Block, ...]:
        entrant_at = permutation(self._seed(f"entrants {round}"), len(self.entrants))
        triples = design_triples(len(self.entrants), design=self.design)
        return tuple(
            self._make_block(round, index, (entrant_at[a], entrant_at[b], entrant_at[c]))
            for index, (a, b, c) in enumerate(triples)
        )

    def _make_block(self, round: int, index: int, trio: Triple) -> Block:
        block_id = f"{round}.{index}"
        first, second, third = (
            bit(self._seed(f"member {block_id} {self.entrants[number].name}")) for number in trio
        )
        return Block(
            round=round,
            index=index,
            trio=trio,
            first_dealer=number_below(self._seed(f"dealer {block_id}"), 6),
            member_bits=(first, second, third),
            sitting_of_replay=tuple(permutation(self._seed(f"replays {block_id}"), REPLAYS)),
        )

    def _make_fixture(self, block: Block, replay: int) -> Fixture:
        return Fixture(
            leg=block.round // self.leg_rounds,
            sitting=block.sitting_of_replay[replay],
            block=block,
            replay=replay,
            seats=tuple(
                SeatHolder(block.trio[place], member)
                for place, member in trio_seats(replay, block.member_bits)
            ),
        )

    def _make_sitting(self, leg: int, sitting: int) -> tuple[Fixture, ...]:
        listed = [
            self._make_fixture(block, block.sitting_of_replay.index(sitting))
            for round in self.rounds_of(leg)
            for block in self.blocks(round)
        ]
        order = permutation(self._seed(f"order {leg}.{sitting}"), len(listed))
        return tuple(listed[number] for number in order)


_K = TypeVar("_K")
_T = TypeVar("_T")


def _kept(store: dict[_K, _T], key: _K, make: Callable[[], _T], limit: int) -> _T:
    """Return what is kept under the key, or make and keep it; the oldest goes beyond the limit."""
    found = store.get(key)
    if found is None:
        found = make()
        while len(store) >= limit:
            del store[next(iter(store))]
        store[key] = found
    return found


def _check(what: str, number: int, count: int) -> None:
    if not 0 <= number < count:
        raise ValueError(f"{what} {number} is not in the plan: it has {count}")


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name)
