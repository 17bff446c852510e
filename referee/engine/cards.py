"""The 53 cards, the suits, the bids and the seats: numbers as on the wire, text as `TH` and `JK`.

A card is a number 1..53: clubs 2..A are 1..13, then diamonds, hearts, spades, and the joker is 53
(R1). A card keeps its printed suit here; which cards are trumps is decided in `trumps`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, TypeAlias

__all__ = [
    "CARDS",
    "CARD_POINTS",
    "JOKER",
    "RANKS",
    "SEATS",
    "TEAMS",
    "Bid",
    "Card",
    "Deck",
    "Suit",
    "bid_text",
    "card_of",
    "card_text",
    "parse_bid",
    "parse_card",
    "parse_suit",
    "printed_suit",
    "suit_text",
    "team_of",
]

Card: TypeAlias = int
Deck: TypeAlias = tuple[Card, ...]

SEATS: Final = range(6)
TEAMS: Final = range(3)
CARDS: Final = range(1, 54)
JOKER: Final[Card] = 53
RANKS: Final = "23456789TJQKA"


class Suit(IntEnum):
    """A printed suit, and the trump suit once it is named; the numbers are those of the wire."""

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4


class Bid(IntEnum):
    """A call: a pass, or a bid of so many points; the numbers are those of the wire (R17).

    A pass is 1, below every bid, so that "higher than the highest so far" is a comparison (A5).
    """

    PASS = 1
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6


_SUIT_TEXT: Final = {Suit.CLUBS: "C", Suit.DIAMONDS: "D", Suit.HEARTS: "H", Suit.SPADES: "S"}
_BID_TEXT: Final = {
    Bid.PASS: "P",
    Bid.THREE: "3",
    Bid.FOUR: "4",
    Bid.FIVE: "5",
    Bid.SIX: "6",
}


def card_of(suit: Suit, rank: str) -> Card:
    """Return the card of a printed suit and a rank letter of `RANKS`."""
    return 13 * (suit - 1) + RANKS.index(rank) + 1


def printed_suit(card: Card) -> Suit | None:
    """Return the suit printed on a card, None for the joker."""
    return None if card == JOKER else Suit((card - 1) // 13 + 1)


def _text(card: Card) -> str:
    suit = printed_suit(card)
    return "JK" if suit is None else RANKS[(card - 1) % 13] + _SUIT_TEXT[suit]


_CARD_TEXT: Final = {card: _text(card) for card in CARDS}
_CARD_OF_TEXT: Final = {text: card for card, text in _CARD_TEXT.items()}
_SUIT_OF_TEXT: Final = {text: suit for suit, text in _SUIT_TEXT.items()}
_BID_OF_TEXT: Final = {text: bid for bid, text in _BID_TEXT.items()}


def card_text(card: Card) -> str:
    """Return `TH` for the ten of hearts, `JK` for the joker; ValueError for no card."""
    try:
        return _CARD_TEXT[card]
    except KeyError:
        raise ValueError(f"no card has the number {card!r}, cards are 1..53") from None


def parse_card(text: str) -> Card:
    """Return the card of a text like `TH` or `JK`; ValueError if it names none."""
    try:
        return _CARD_OF_TEXT[text]
    except KeyError:
        raise ValueError(f"no card is called {text!r}, cards are 2C..AS and JK") from None


def suit_text(suit: Suit) -> str:
    """Return one of the letters C, D, H, S."""
    return _SUIT_TEXT[suit]


def parse_suit(text: str) -> Suit:
    """Return the suit of one of the letters C, D, H, S; ValueError if it is none."""
    try:
        return _SUIT_OF_TEXT[text]
    except KeyError:
        raise ValueError(f"no suit is called {text!r}, suits are C, D, H, S") from None


def bid_text(bid: Bid) -> str:
    """Return `P` for a pass, else the number bid."""
    return _BID_TEXT[bid]


def parse_bid(text: str) -> Bid:
    """Return the call of one of the texts P, 3, 4, 5, 6; ValueError if it is none."""
    try:
        return _BID_OF_TEXT[text]
    except KeyError:
        raise ValueError(f"no call is written {text!r}, calls are P, 3, 4, 5, 6") from None


def team_of(seat: int) -> int:
    """Return the team of a seat: partners sit opposite each other (R2, A3)."""
    return seat % 3


def _points(card: Card) -> int:
    if card == JOKER:
        return 1
    return {"T": 10, "J": 1, "Q": 2, "K": 3, "A": 4}.get(RANKS[(card - 1) % 13], 0)


CARD_POINTS: Final = (0, *(_points(card) for card in CARDS))
"""Card points by card number: A 4, K 3, Q 2, J 1, ten 10, joker 1, else 0 (R14, A16)."""
