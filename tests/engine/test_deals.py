"""Decks and seeds against the printed vectors, and the rejection branch."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import islice

import pytest

from referee.engine import (
    CARDS,
    BoardSeeds,
    bit,
    block_key,
    commitment,
    deal_seed,
    deck_from,
    derive,
    key,
    master_from_text,
    number_below,
    number_from_words,
    permutation,
    permutation_from_words,
    words,
)

MASTER = master_from_text("demo")
DEAL_BLOCK = block_key(key(MASTER, "demo", "deal"), "0.0")
BOT_BLOCK = block_key(key(MASTER, "demo", "bot"), "0.0")
PLAN = key(MASTER, "demo", "plan")


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


@pytest.mark.parametrize(
    ("seed", "first", "last"),
    [
        pytest.param(bytes(32), "48 44 20 6 21 29 25 39 50 1", "13 22 51", id="zeros"),
        pytest.param(bytes(range(32)), "41 52 3 42 20 7 26 5 14 6", "44 36 24", id="counting"),
        pytest.param(b"\xff" * 32, "3 42 22 29 30 20 37 2 39 31", "26 14 10", id="ones"),
    ],
)
def test_a_shuffle_is_the_printed_one(seed: bytes, first: str, last: str) -> None:
    shuffled = permutation(seed, 53)
    assert shuffled[:10] == numbers(first)
    assert shuffled[-3:] == numbers(last)
    assert deck_from(seed) == tuple(index + 1 for index in shuffled)


def test_a_typed_seed_gives_the_printed_master() -> None:
    expected = "8d40b9cce1746f09ec299d153bb6a28e62e1a593064b872aff3297d7a6380876"
    assert MASTER.hex() == expected


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("deal", "f90c0421abfd8eea"),
        ("bot", "d156e933f64d9516"),
        ("wire", "9c0bcb9b7594db24"),
        ("plan", "95a6d6c86dd0013c"),
    ],
)
def test_a_tournaments_keys_are_the_printed_ones(name: str, start: str) -> None:
    assert key(MASTER, "demo", name).hex().startswith(start)


def test_the_commitment_is_the_printed_one() -> None:
    expected = "ec42a44d41818164af1bc2de0ae4f7ef0c6f7a9d67d313e6bfee799ce0a4d5b5"
    assert commitment(MASTER, "demo").hex() == expected


def test_a_block_key_is_the_printed_one() -> None:
    assert DEAL_BLOCK.hex().startswith("73df41e19bd18336")


@pytest.mark.parametrize(
    ("hand", "seed", "first", "last"),
    [
        (0, "ea86c56d93f04183", "43 5 9 15 14 42 28 35 12 27", "34 29 38"),
        (1, "19d661e669a25d50", "19 5 26 33 34 39 14 16 15 50", ""),
    ],
)
def test_a_boards_decks_are_the_printed_ones(hand: int, seed: str, first: str, last: str) -> None:
    assert deal_seed(DEAL_BLOCK, hand=hand, redeal=0).hex().startswith(seed)
    deck = [card - 1 for card in BoardSeeds(DEAL_BLOCK, BOT_BLOCK).deck(hand, 0)]
    assert deck[:10] == numbers(first)
    if last:
        assert deck[-3:] == numbers(last)


@pytest.mark.parametrize(
    ("hand", "redeal", "seat", "k", "seed"),
    [(0, 0, 0, 0, 1009910786), (0, 0, 5, 2, 1348719288), (3, 1, 2, 7, 1869596648)],
)
def test_a_decisions_random_seed_is_the_printed_one(
    hand: int, redeal: int, seat: int, k: int, seed: int
) -> None:
    seeds = BoardSeeds(DEAL_BLOCK, BOT_BLOCK)
    assert seeds.decision_seed(hand=hand, redeal=redeal, seat=seat, k=k) == seed
    assert seeds.decision_seed(hand=hand, redeal=redeal, seat=seat, k=k) == seed


def test_decision_seeds_fit_in_31_bits_and_are_never_zero() -> None:
    seeds = BoardSeeds(DEAL_BLOCK, BOT_BLOCK)
    drawn = [
        seeds.decision_seed(hand=h, redeal=0, seat=0, k=k) for h in range(50) for k in range(9)
    ]
    assert all(0 < seed < 2**31 for seed in drawn)
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize(
    ("label", "size", "expected"),
    [
        ("entrants 0", 4, [0, 2, 1, 3]),
        ("entrants 1", 4, [3, 0, 2, 1]),
        ("replays 0.0", 6, [4, 3, 1, 2, 5, 0]),
        ("order 0.0", 40, [6, 38, 8, 32, 13, 7]),
    ],
)
def test_a_plans_permutations_are_the_printed_ones(
    label: str, size: int, expected: list[int]
) -> None:
    got = permutation(derive(PLAN, label), size)
    assert got[: len(expected)] == expected
    assert sorted(got) == list(range(size))


@pytest.mark.parametrize(("label", "expected"), [("dealer 0.0", 1), ("dealer 0.1", 4)])
def test_a_plans_numbers_are_the_printed_ones(label: str, expected: int) -> None:
    assert number_below(derive(PLAN, label), 6) == expected


@pytest.mark.parametrize(
    ("label", "expected"), [("member 0.0 Careful pair", 0), ("member 0.1 Careful pair", 1)]
)
def test_a_plans_bits_are_the_printed_ones(label: str, expected: int) -> None:
    assert bit(derive(PLAN, label)) == expected


def test_words_are_the_digests_of_the_seed_and_a_counter() -> None:
    digests = b"".join(
        hashlib.sha256(b"schmier-deal-v1" + b"seed" + i.to_bytes(8, "big")).digest()
        for i in range(2)
    )
    expected = [int.from_bytes(digests[i : i + 4], "big") for i in range(0, 64, 4)]
    assert list(islice(words(b"seed"), 16)) == expected


@pytest.mark.parametrize(
    ("stream", "below", "number"),
    [
        pytest.param([2**32 - 1, 5], 53, 5, id="one-refused"),
        pytest.param([2**32 - 1, 2**32 - 3, 60], 53, 7, id="two-refused"),
        pytest.param([2**32 - 2**32 % 53 - 1], 53, 52, id="last-accepted"),
        pytest.param([2**32 - 2**32 % 53, 4], 53, 4, id="first-refused"),
        pytest.param([2**32 - 1], 2**32, 2**32 - 1, id="whole-range"),
        pytest.param([2**32 - 1], 32, 31, id="a-power-of-two-refuses-none"),
    ],
)
def test_words_that_would_favour_low_numbers_are_refused(
    stream: list[int], below: int, number: int
) -> None:
    rest = iter(stream)
    assert number_from_words(rest, below) == number
    assert list(rest) == []


def test_a_refused_word_moves_a_shuffle_on_to_the_next_word() -> None:
    plain = [7, 3, 1]
    assert permutation_from_words(iter([2**32 - 1, *plain]), 3) == permutation_from_words(
        iter(plain), 3
    )
    assert permutation_from_words(iter([2, 1]), 3) == [0, 1, 2]
    assert permutation_from_words(iter([0, 0]), 3) == [1, 2, 0]


@pytest.mark.parametrize("below", [0, -1, 2**32 + 1])
def test_a_number_that_no_word_can_give_is_refused(below: int) -> None:
    with pytest.raises(ValueError, match="cannot be drawn"):
        number_below(b"", below)


def test_a_permutation_of_nothing_or_one_is_itself() -> None:
    assert permutation(b"", 0) == []
    assert permutation(b"", 1) == [0]


def test_every_card_can_come_first() -> None:
    seeds = BoardSeeds(DEAL_BLOCK, BOT_BLOCK)
    first = Counter(seeds.deck(hand, 0)[0] for hand in range(600))
    assert set(first) == set(CARDS)


def test_a_redeal_and_another_hand_have_other_decks() -> None:
    seeds = BoardSeeds(DEAL_BLOCK, BOT_BLOCK)
    assert len({seeds.deck(0, 0), seeds.deck(0, 1), seeds.deck(1, 0), seeds.deck(1, 1)}) == 4
