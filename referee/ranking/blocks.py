"""How a trio sits in the six replays of a board: the exact balance of a block.

Slot j is the seat pair {j, j+3}. In replay 3*o + r slot j holds the partnership tau[(j-r) mod 3]
if o = 0 and tau[(r-j) mod 3] if o = 1. So every partnership holds every slot
twice and follows each other one three times. A partnership's first member sits at seat j if its
bit equals o, else at j+3, so each member sits once in each of the six seats.
"""

from __future__ import annotations

from typing import NamedTuple

from referee.ranking.designs import Triple

__all__ = ["REPLAYS", "Seat", "seat_pairs", "seats"]

REPLAYS = 6
"""Replays of one board, one for each way a trio can take the three seat pairs."""


class Seat(NamedTuple):
    """Who sits on a seat: place 0..2 in the trio, and member 0 or 1 of that partnership."""

    place: int
    member: int


def seat_pairs(replay: int) -> Triple:
    """Return which place of the trio holds each of the slots 0, 1, 2 in a replay 0..5."""
    return _SEAT_PAIRS[_checked(replay)]


def seats(replay: int, member_bits: Triple) -> tuple[Seat, ...]:
    """Return who sits on the seats 0..5 in a replay, given the bit of each place of the trio."""
    return _SEATS[_checked(replay)][member_bits]


def _checked(replay: int) -> int:
    if not 0 <= replay < REPLAYS:
        raise ValueError(f"a replay is 0..{REPLAYS - 1}, is {replay}")
    return replay


def _slots(replay: int) -> Triple:
    o, r = divmod(replay, 3)
    first, second, third = ((j - r) % 3 if o == 0 else (r - j) % 3 for j in range(3))
    return first, second, third


def _seating(replay: int, member_bits: Triple) -> tuple[Seat, ...]:
    o = replay // 3
    row = [Seat(0, 0)] * 6
    for slot, place in enumerate(_slots(replay)):
        low_member = member_bits[place] ^ o
        row[slot] = Seat(place, low_member)
        row[slot + 3] = Seat(place, 1 - low_member)
    return tuple(row)


_SEAT_PAIRS = tuple(_slots(replay) for replay in range(REPLAYS))
_BITS = tuple((a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1))
_SEATS = tuple({bits: _seating(replay, bits) for bits in _BITS} for replay in range(REPLAYS))
