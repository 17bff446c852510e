"""The protocol page's dealer is the referee's, and its numbers are true."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.engine import (
    BoardSeeds,
    block_key,
    commitment,
    deal_seed,
    deck_from,
    derive,
    key,
    master_from_text,
    number_below,
    permutation,
)

PAGE = (Path(__file__).parent.parent.parent / "proto" / "README.md").read_text()
MASTER = master_from_text("demo")
DEAL_KEY = block_key(key(MASTER, "demo", "deal"), "0.0")
SEEDS = BoardSeeds(DEAL_KEY, block_key(key(MASTER, "demo", "bot"), "0.0"))
PLAN_KEY = key(MASTER, "demo", "plan")


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """What the page's program defines; it needs the standard library alone."""
    found = re.search(r"<!-- dealer -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {}
    exec(compile(found[1], "proto/README.md", "exec"), names)
    return names


def text(deck: tuple[int, ...]) -> str:
    return f"{' '.join(map(str, deck[:10]))} ... {' '.join(map(str, deck[-3:]))}"


def seed(hand: int) -> bytes:
    return deal_seed(DEAL_KEY, hand=hand, redeal=0)


def start(key: bytes) -> str:
    return key[:8].hex()


VALUES: dict[str, Callable[[], object]] = {
    "deck of the seed of 32 zero bytes": lambda: text(deck_from(bytes(32))),
    "deck of the seed 00 01 02 ... 1f": lambda: text(deck_from(bytes(range(32)))),
    "deck of the seed of 32 bytes ff": lambda: text(deck_from(b"\xff" * 32)),
    "master of the typed seed `demo`": MASTER.hex,
    "its commitment for the tournament `demo`": commitment(MASTER, "demo").hex,
    "first 8 bytes of the keys deal, bot, wire, plan": lambda: " ".join(
        start(key(MASTER, "demo", name)) for name in ("deal", "bot", "wire", "plan")
    ),
    "first 8 bytes of the deal key of block `0.0`": lambda: start(DEAL_KEY),
    "first 8 bytes of the seed of hand 0, redeal 0": lambda: start(seed(0)),
    "its deck": lambda: text(deck_from(seed(0))),
    "first 8 bytes of the seed of hand 1, redeal 0": lambda: start(seed(1)),
    "its deck, the first ten": lambda: " ".join(map(str, deck_from(seed(1))[:10])),
    "random seed of block `0.0`, hand 0, redeal 0, seat 0, k 0": lambda: SEEDS.decision_seed(
        hand=0, redeal=0, seat=0, k=0
    ),
    "random seed of block `0.0`, hand 0, redeal 0, seat 5, k 2": lambda: SEEDS.decision_seed(
        hand=0, redeal=0, seat=5, k=2
    ),
    "random seed of block `0.0`, hand 3, redeal 1, seat 2, k 7": lambda: SEEDS.decision_seed(
        hand=3, redeal=1, seat=2, k=7
    ),
    "first dealers of the blocks `0.0` and `0.1`": lambda: " ".join(
        str(number_below(derive(PLAN_KEY, f"dealer {block}"), 6)) for block in ("0.0", "0.1")
    ),
}


def test_each_number_of_the_page_is_what_the_referee_computes() -> None:
    table = PAGE.partition("<!-- vectors -->")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    printed = {what: value.strip() for what, value in rows[1:]}
    assert printed == {what: str(compute()) for what, compute in VALUES.items()}


@pytest.mark.parametrize("place", [(0, 0), (1, 0), (0, 5), (59, 3)])
def test_the_program_on_the_page_deals_the_referees_decks(
    page: dict[str, Any], place: tuple[int, int]
) -> None:
    for block in ("0.0", "12.345"):
        seeds = BoardSeeds(
            block_key(key(MASTER, "demo", "deal"), block),
            block_key(key(MASTER, "demo", "bot"), block),
        )
        assert page["deck"](MASTER, "demo", block, *place) == list(seeds.deck(*place))


@pytest.mark.parametrize("place", [(0, 0, 0, 0), (0, 0, 5, 2), (3, 1, 2, 7), (59, 5, 4, 13)])
def test_the_program_on_the_page_draws_the_referees_random_seeds(
    page: dict[str, Any], place: tuple[int, int, int, int]
) -> None:
    hand, redeal, seat, k = place
    ours = SEEDS.decision_seed(hand=hand, redeal=redeal, seat=seat, k=k)
    assert page["random_seed"](MASTER, "demo", "0.0", *place) == ours


def test_the_program_on_the_page_makes_the_referees_masters_commitments_and_plans(
    page: dict[str, Any],
) -> None:
    assert page["master_of_typed_seed"]("Žofie") == master_from_text("Žofie")
    assert page["commitment"](MASTER, "demo") == commitment(MASTER, "demo")
    label = derive(PLAN_KEY, "order 0.0")
    assert page["shuffle"](label, 40) == permutation(label, 40)
    assert page["below"](page["words"](label), 6) == number_below(label, 6)


def test_the_program_on_the_page_throws_away_words_that_would_favour_some(
    page: dict[str, Any],
) -> None:
    """2^32 mod 53 words are too many: the highest ones are skipped, the next below them is not."""
    limit = 2**32 - 2**32 % 53
    assert page["below"](iter([2**32 - 1, limit, 52 + 53 * 7]), 53) == 52
    assert page["below"](iter([limit - 1, 0]), 53) == 52
