"""Card numbers and texts, suits, bids, seats."""

from __future__ import annotations

import pytest

from referee.engine import (
    CARDS,
    JOKER,
    RANKS,
    Bid,
    Suit,
    bid_text,
    card_of,
    card_text,
    parse_bid,
    parse_card,
    parse_suit,
    printed_suit,
    suit_text,
    team_of,
)


@pytest.mark.parametrize(
    ("card", "text"),
    [(1, "2C"), (13, "AC"), (14, "2D"), (35, "TH"), (39, "AH"), (40, "2S"), (52, "AS"), (53, "JK")],
)
def test_a_cards_number_counts_clubs_diamonds_hearts_spades_and_the_joker(
    card: int, text: str
) -> None:
    assert card_text(card) == text
    assert parse_card(text) == card


def test_every_card_reads_back_from_its_text() -> None:
    assert [parse_card(card_text(card)) for card in CARDS] == list(CARDS)
    assert len({card_text(card) for card in CARDS}) == 53


def test_every_card_but_the_joker_has_a_printed_suit_and_a_rank() -> None:
    assert [card_of(suit, rank) for suit in Suit for rank in RANKS] == list(CARDS)[:-1]
    assert [printed_suit(card) for card in (1, 14, 27, 40)] == list(Suit)
    assert printed_suit(JOKER) is None


@pytest.mark.parametrize("text", ["", "10H", "th", "TX", "JOKER", " TH"])
def test_a_text_that_names_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no card"):
        parse_card(text)


@pytest.mark.parametrize("card", [0, 54, -1])
def test_a_number_that_is_no_card_is_refused(card: int) -> None:
    with pytest.raises(ValueError, match="no card"):
        card_text(card)


def test_suits_and_calls_read_back_from_their_texts() -> None:
    assert [suit_text(suit) for suit in Suit] == list("CDHS")
    assert [bid_text(bid) for bid in Bid] == list("P3456")
    assert [parse_suit(suit_text(suit)) for suit in Suit] == list(Suit)
    assert [parse_bid(bid_text(bid)) for bid in Bid] == list(Bid)


@pytest.mark.parametrize("text", ["", "X", "h", "7", "2"])
def test_texts_that_are_no_suit_or_call_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no suit"):
        parse_suit(text)
    with pytest.raises(ValueError, match="no call"):
        parse_bid(text)


def test_r2_a3_partners_sit_opposite() -> None:
    assert [team_of(seat) for seat in range(6)] == [0, 1, 2, 0, 1, 2]
