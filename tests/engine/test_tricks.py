"""Who is a trump, who follows, who wins: the trick and follow examples of the rules page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.engine import CARDS, TRUMP_ORDERS, Suit, card_text, parse_suit, printed_suit

Cards = Callable[[str], tuple[int, ...]]


@pytest.mark.parametrize(
    ("trump", "leader", "played", "winner"),
    [
        pytest.param("H", 0, "9S KS 2H AS TS 3S", 2, id="T1"),
        pytest.param("H", 1, "QC KC AD 2C TC JC", 2, id="T2"),
        pytest.param("S", 3, "TS JC JS 2S JK 9S", 5, id="T3"),
        pytest.param("S", 3, "TS JC 9S 2S JK 3S", 4, id="T4"),
        pytest.param("S", 3, "TS JC QS 2S JK 3S", 5, id="T5"),
        pytest.param("D", 0, "JK 2D AS KS 3C TC", 1, id="T6"),
        pytest.param("D", 0, "JK AS KS TC AC 9H", 0, id="T7"),
        pytest.param("D", 2, "AC KC JK QC TC 2C", 4, id="T8"),
        pytest.param("H", 5, "TC JC 9C 8C 7C 6C", 0, id="T10"),
        pytest.param("C", 4, "KC AC JS JC QC JK", 5, id="T11"),
        pytest.param("C", 0, "AC 2C JK AD AH AS", 0, id="T12"),
        pytest.param("S", 2, "AD KD 2S JK TD 3D", 4, id="T13"),
    ],
)
def test_the_highest_trump_or_else_the_highest_of_the_suit_led_wins(
    cards: Cards, trump: str, leader: int, played: str, winner: int
) -> None:
    assert TRUMP_ORDERS[parse_suit(trump)].winner(leader, cards(played)) == winner


@pytest.mark.parametrize(
    ("trump", "led", "holding", "legal"),
    [
        pytest.param("H", "KS", "2S 9S AH JD JK 5C", "2S 9S", id="L1"),
        pytest.param("H", "KD", "JD 5D AC KC 9S 2H", "5D", id="L2"),
        pytest.param("H", "KD", "JD AC KC 9S 2H JK", "JD AC KC 9S 2H JK", id="L3"),
        pytest.param("H", "JD", "AD KD JK 3C 4C 5C", "JK", id="L4"),
        pytest.param("C", "QS", "JS AD KD 2H 3H 7C", "JS AD KD 2H 3H 7C", id="L7"),
        pytest.param("S", "", "AS KD 2C JK 9H TD", "AS KD 2C JK 9H TD", id="L8"),
        pytest.param("H", "5H", "AD KC QC 9S 8S 2D", "AD KC QC 9S 8S 2D", id="L9"),
        pytest.param("H", "9H", "2H AH 3C", "2H AH", id="L10"),
        pytest.param("H", "JC", "AC 4C JS", "AC 4C", id="L11"),
        pytest.param("S", "JC", "AC 4C JS", "JS", id="L12"),
        pytest.param("S", "JK", "AC JC JS", "JC JS", id="A10-joker-leads-trumps"),
        pytest.param("H", "5H", "JD AD KC 9S", "JD", id="E10-left-must-go-on-a-trump-lead"),
        pytest.param("H", "5D", "JD KC 9S", "JD KC 9S", id="E10-left-does-not-follow-its-print"),
    ],
)
def test_a_seat_must_follow_the_suit_led_if_it_can(
    cards: Cards, trump: str, led: str, holding: str, legal: str
) -> None:
    order = TRUMP_ORDERS[parse_suit(trump)]
    led_card = cards(led)[0] if led else None
    assert order.legal_cards(cards(holding), led_card) == cards(legal)


@pytest.mark.parametrize(
    ("trump", "ranking"),
    [
        ("C", "AC KC QC JC JS TC 9C 8C 7C 6C 5C 4C 3C 2C JK"),
        ("D", "AD KD QD JD JH TD 9D 8D 7D 6D 5D 4D 3D 2D JK"),
        ("H", "AH KH QH JH JD TH 9H 8H 7H 6H 5H 4H 3H 2H JK"),
        ("S", "AS KS QS JS JC TS 9S 8S 7S 6S 5S 4S 3S 2S JK"),
    ],
)
def test_r5_fifteen_trumps_rank_from_the_ace_down_to_the_joker(
    cards: Cards, trump: str, ranking: str
) -> None:
    assert TRUMP_ORDERS[parse_suit(trump)].ranking == cards(ranking)


@pytest.mark.parametrize("trump", Suit)
def test_e1_suits_have_15_trumps_12_of_the_same_colour_and_13_and_13(trump: Suit) -> None:
    order = TRUMP_ORDERS[trump]
    sizes = sorted(len(suit) for suit in {order.followers[card] for card in CARDS})
    assert sizes == [12, 13, 13, 15]
    left_suit = printed_suit(order.left)
    assert left_suit is not None
    twelve = next(s for s in {order.followers[card] for card in CARDS} if len(s) == 12)
    assert {printed_suit(card) for card in twelve} == {left_suit}


@pytest.mark.parametrize("trump", Suit)
def test_e7_the_trump_ace_wins_every_trick_it_is_played_to(trump: Suit) -> None:
    order = TRUMP_ORDERS[trump]
    for led in CARDS:
        best = max(CARDS, key=lambda card: order.strength[led][card])
        assert card_text(best) == card_text(order.ace)


@pytest.mark.parametrize("trump", Suit)
def test_e8_every_other_trump_beats_the_joker_and_the_joker_beats_every_other_card(
    trump: Suit,
) -> None:
    order = TRUMP_ORDERS[trump]
    for led in CARDS:
        joker = order.strength[led][53]
        assert all((order.strength[led][c] > joker) == (c in order.plain) for c in CARDS)
