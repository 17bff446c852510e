"""Blocks: the exact balance of the six replays of a board."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from referee.ranking import REPLAYS, Seat, Triple, seat_pairs, seats

ALL_BITS: list[Triple] = [(a, b, c) for a, b, c in product((0, 1), repeat=3)]


def test_the_six_replays_are_the_printed_table() -> None:
    printed = ["abc", "cab", "bca", "acb", "bac", "cba"]
    assert ["".join("abc"[place] for place in seat_pairs(k)) for k in range(REPLAYS)] == printed


def test_the_replays_are_all_ways_to_take_the_slots() -> None:
    assert {seat_pairs(k) for k in range(REPLAYS)} == set(permutations(range(3)))


@pytest.mark.parametrize("bits", ALL_BITS)
def test_partners_sit_opposite_and_are_both_members(bits: Triple) -> None:
    for replay in range(REPLAYS):
        row = seats(replay, bits)
        for slot, place in enumerate(seat_pairs(replay)):
            assert {row[slot], row[slot + 3]} == {Seat(place, 0), Seat(place, 1)}


@pytest.mark.parametrize("bits", ALL_BITS)
def test_each_member_sits_once_in_each_of_the_six_seats(bits: Triple) -> None:
    for seat in range(6):
        holders = Counter(seats(replay, bits)[seat] for replay in range(REPLAYS))
        assert holders == {Seat(place, member): 1 for place in range(3) for member in range(2)}


def test_every_team_holds_every_slot_twice_and_follows_each_other_team_three_times() -> None:
    slots = Counter(
        (slot, place) for k in range(REPLAYS) for slot, place in enumerate(seat_pairs(k))
    )
    assert slots == {(slot, place): 2 for slot in range(3) for place in range(3)}
    follows = Counter(
        (row[slot], row[(slot + 1) % 3])
        for row in map(seat_pairs, range(REPLAYS))
        for slot in range(3)
    )
    assert follows == dict.fromkeys(permutations(range(3), 2), 3)


@pytest.mark.parametrize("bits", ALL_BITS)
def test_the_first_member_sits_low_when_its_bit_equals_o(bits: Triple) -> None:
    for replay in range(REPLAYS):
        for slot, place in enumerate(seat_pairs(replay)):
            low = bits[place] == replay // 3
            assert seats(replay, bits)[slot if low else slot + 3] == Seat(place, 0)


@pytest.mark.parametrize("replay", [-1, 6])
def test_there_is_no_seventh_replay(replay: int) -> None:
    with pytest.raises(ValueError, match=r"0\.\.5"):
        seat_pairs(replay)
