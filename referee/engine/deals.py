"""Decks and seeds that anyone can recompute: SHA-256 and HMAC-SHA256, seeds by name.

Nothing else goes into a deal: no clock, no order of play, no bot. Texts are UTF-8, numbers are
big-endian 64 bits unless said otherwise, hands and redeals count from 0.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from struct import Struct
from typing import Final

from referee.engine.cards import CARDS, Deck

__all__ = [
    "BoardSeeds",
    "bit",
    "block_key",
    "commitment",
    "deal_seed",
    "deck_from",
    "derive",
    "key",
    "master_from_text",
    "number_below",
    "number_from_words",
    "permutation",
    "permutation_from_words",
    "words",
]

_WORDS: Final = Struct(">8I")
_NUMBER: Final = Struct(">Q")
_DEAL: Final = Struct(">QQ")
_DECISION: Final = Struct(">QQBQ")
_FIRST_WORD: Final = Struct(">I28x")
_WORD_RANGE: Final = 1 << 32


def master_from_text(text: str) -> bytes:
    """Return the master of a typed seed, 32 bytes: practice, for whoever knows the text."""
    return sha256(b"schmier-master-v1\x00" + text.encode()).digest()


def commitment(master: bytes, tournament_id: str) -> bytes:
    """Return the 32 bytes published before the first game; they bind the master unseen."""
    return sha256(b"schmier-commit-v1\x00" + tournament_id.encode() + b"\x00" + master).digest()


def derive(parent_key: bytes, label: str) -> bytes:
    """Return the 32-byte key of a label under a key."""
    return hmac.digest(parent_key, label.encode(), "sha256")


def key(master: bytes, tournament_id: str, name: str) -> bytes:
    """Return one of a tournament's keys: `name` is deal, bot, wire or plan."""
    return derive(master, f"schmier-key\x00{tournament_id}\x00{name}")


def block_key(parent_key: bytes, block_id: str) -> bytes:
    """Return the key of a block, `ROUND.INDEX`, under key(deal) or key(bot)."""
    return derive(parent_key, block_id)


def deal_seed(deal_block_key: bytes, *, hand: int, redeal: int) -> bytes:
    """Return the seed of one deck of a block's board."""
    return hmac.digest(deal_block_key, _DEAL.pack(hand, redeal), "sha256")


def words(seed: bytes) -> Iterator[int]:
    """Yield 32-bit words without end: the digests of the seed and a counter, eight words each."""
    prefix = b"schmier-deal-v1" + seed
    for counter in count():
        yield from _WORDS.unpack(sha256(prefix + _NUMBER.pack(counter)).digest())


def number_from_words(stream: Iterator[int], below: int) -> int:
    """Return a number 0..below-1, each equally likely: words that would favour some are skipped.

    Raises ValueError unless 1 <= below <= 2**32.
    """
    if not 1 <= below <= _WORD_RANGE:
        raise ValueError(f"a number below {below} cannot be drawn from 32-bit words")
    limit = _WORD_RANGE - _WORD_RANGE % below
    while (word := next(stream)) >= limit:
        pass
    return word % below


def permutation_from_words(stream: Iterator[int], size: int) -> list[int]:
    """Return 0..size-1 shuffled: the last place first, each swapped with itself or one before.

    Draws like `number_from_words`, written out because a deck is 52 draws.
    """
    places = list(range(size))
    below = size
    while below > 1:
        for word in islice(stream, below - 1):
            other = word % below
            if word - other + below <= _WORD_RANGE:
                below -= 1
                places[below], places[other] = places[other], places[below]
    return places


def number_below(seed: bytes, below: int) -> int:
    """Return the number 0..below-1 that a seed stands for."""
    return number_from_words(words(seed), below)


def bit(seed: bytes) -> int:
    """Return the lowest bit of a seed's first word, 0 or 1."""
    return next(words(seed)) & 1


def permutation(seed: bytes, size: int) -> list[int]:
    """Return the permutation of 0..size-1 that a seed stands for."""
    return permutation_from_words(words(seed), size)


def deck_from(seed: bytes) -> Deck:
    """Return the 53 cards in the order that a seed stands for."""
    return tuple([place + 1 for place in permutation(seed, len(CARDS))])


class BoardSeeds:
    """The decks and decision seeds of one board: the two block keys, and nothing of the master.

    They are the same in all six replays of the board.
    """

    __slots__ = ("_deal_block_key", "_inner", "_outer")

    def __init__(self, deal_block_key: bytes, bot_block_key: bytes) -> None:
        self._deal_block_key = deal_block_key
        self._inner = sha256(_hmac_pad(bot_block_key, 0x36))
        self._outer = sha256(_hmac_pad(bot_block_key, 0x5C))

    def deck(self, hand: int, redeal: int) -> Deck:
        """Return the deck of a deal of this board."""
        return deck_from(deal_seed(self._deal_block_key, hand=hand, redeal=redeal))

    def decision_seed(self, *, hand: int, redeal: int, seat: int, k: int) -> int:
        """Return the random seed 1..2**31-1 of a decision.

        `k` is how many actions are recorded for the seat since the last deal. HMAC is written out
        with both its states prepared: it is wanted once a decision, and the library's copy of a
        prepared one takes twice as long.
        """
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(_DECISION.pack(hand, redeal, seat, k))
        outer.update(inner.digest())
        word: int = _FIRST_WORD.unpack(outer.digest())[0]
        return word & 0x7FFFFFFF or 1


def _hmac_pad(mac_key: bytes, pad: int) -> bytes:
    """The block of 64 bytes that HMAC hashes first, inside (0x36) or outside (0x5C): RFC 2104."""
    block = mac_key if len(mac_key) <= 64 else sha256(mac_key).digest()
    return bytes(byte ^ pad for byte in block.ljust(64, b"\x00"))
