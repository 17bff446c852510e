"""A plan derived a second time from the design page alone, with hashlib and hmac only."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator

import pytest

from referee.tourney import Plan

MASTER = hashlib.sha256(b"schmier-master-v1\x00demo").digest()
TRIPLES = {
    3: "012",
    4: "012 013 023 123",
    5: "012 013 014 023 024 034 123 124 134 234",
    6: "013 014 024 025 035 123 125 145 234 345",
    7: "013 124 235 346 045 156 026",
}


def _mac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


PLAN_KEY = _mac(MASTER, "schmier-key\x00demo\x00plan")


def _words(label: str) -> Iterator[int]:
    seed, i = _mac(PLAN_KEY, label), 0
    while True:
        digest = hashlib.sha256(b"schmier-deal-v1" + seed + i.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        i += 1


def _below(words: Iterator[int], m: int) -> int:
    limit = 2**32 - 2**32 % m
    return next(word for word in words if word < limit) % m


def _shuffled(label: str, n: int) -> list[int]:
    d, words = list(range(n)), _words(label)
    for i in range(n - 1, 0, -1):
        j = _below(words, i + 1)
        d[i], d[j] = d[j], d[i]
    return d


def _seats(trio: list[int], bits: list[int], o: int, r: int) -> list[tuple[int, int]]:
    seats = [(-1, -1)] * 6
    for j in range(3):
        t = (j - r) % 3 if o == 0 else (r - j) % 3
        first_at, second_at = (j, j + 3) if bits[t] ^ o == 0 else (j + 3, j)
        seats[first_at], seats[second_at] = (trio[t], 0), (trio[t], 1)
    return seats


@pytest.mark.parametrize("entrants", [3, 4, 5, 6, 7])
def test_a_stranger_derives_the_same_games_in_the_same_order(
    plan_of: Callable[..., Plan], entrants: int
) -> None:
    plan = plan_of(entrants, rounds=5, leg_rounds=3)
    names = [entrant.name for entrant in plan.entrants]
    for leg, rounds in enumerate([range(3), range(3, 5)]):
        by_sitting: list[list[tuple[str, int, list[tuple[int, int]]]]] = [[] for _ in range(6)]
        for round in rounds:
            perm = _shuffled(f"entrants {round}", entrants)
            for index, triple in enumerate(TRIPLES[entrants].split()):
                block = f"{round}.{index}"
                trio = [perm[int(position)] for position in triple]
                bits = [next(_words(f"member {block} {names[i]}")) & 1 for i in trio]
                dealer = _below(_words(f"dealer {block}"), 6)
                for replay, sitting in enumerate(_shuffled(f"replays {block}", 6)):
                    o, r = divmod(replay, 3)
                    game = (f"{block}.{replay}", dealer, _seats(trio, bits, o, r))
                    by_sitting[sitting].append(game)
        for sitting, listed in enumerate(by_sitting):
            order = _shuffled(f"order {leg}.{sitting}", len(listed))
            planned = [
                (fixture.id, fixture.first_dealer, [tuple(holder) for holder in fixture.seats])
                for fixture in plan.sitting(leg, sitting)
            ]
            assert planned == [listed[number] for number in order]
