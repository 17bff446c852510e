"""The exchange: what may go, what must go, and where the cards come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import pytest

from referee.engine import (
    CALLS,
    CARDS,
    TRUMP_ORDERS,
    TRUMPS,
    Bid,
    Deck,
    Discard,
    DiscardQuestion,
    Hand,
    Objection,
    Phase,
    Rules,
    Suit,
    dealer_discards,
    exchange_discards,
    parse_suit,
)

Cards = Callable[[str], tuple[int, ...]]
DeckFor = Callable[[int, Mapping[int, str], str], Deck]
SPADES = TRUMP_ORDERS[Suit.SPADES]

D6 = "AS KS 9S AD TD 2C 3H 4H"
D7 = "AS KS QS JS JC 2S AD TD"
D8 = "AS KS QS JS JC 2S JK AD"
D9 = "AS KS QS JS JC TS 2S JK"
D10 = "AS KS QS JS JC TS 9S 8S 7S 6S 5S 4S 3S 2S JK 2C 3C 4C 5C 2D 3D 4D 5D"
D11 = "KS QS TS 9S 8S 7S 6S AD"


@pytest.mark.parametrize(
    ("trump", "holding", "discard", "objection"),
    [
        pytest.param("H", "AH JD JK 5C 6C 7C", "5C 6C 7C", None, id="D1"),
        pytest.param("H", "AH JD JK 5C 6C 7C", "", None, id="D1-none"),
        pytest.param("H", "2H 5C 6C 7C 8S 9S", "5C 6C 7C 8S", Objection.WRONG_COUNT, id="D2"),
        pytest.param("H", "AH JD JK 5C 6C 7C", "JD", Objection.NOT_AMONG_CHOICES, id="D3-left"),
        pytest.param("H", "AH JD JK 5C 6C 7C", "JK 5C", Objection.NOT_AMONG_CHOICES, id="D3-joker"),
        pytest.param("S", "JD 5C 6C 7C 8S 9S", "JD", None, id="D4"),
        pytest.param("S", "JC 5C 6C 7C 8S 9S", "JC", Objection.NOT_AMONG_CHOICES, id="D5"),
        pytest.param("S", "JC 5C 6C 7C 8S 9S", "5C 5C", Objection.REPEATED_CARD, id="repeated"),
        pytest.param("S", "JC 5C 6C 7C 8S 9S", "2D", Objection.NOT_AMONG_CHOICES, id="not-held"),
    ],
)
def test_r21_a_nondealer_may_discard_up_to_three_cards_that_are_no_trumps(
    cards: Cards, trump: str, holding: str, discard: str, objection: Objection | None
) -> None:
    question = exchange_discards(TRUMP_ORDERS[parse_suit(trump)], sorted(cards(holding)))
    assert question.objection(Discard(cards(discard))) is objection


@pytest.mark.parametrize(
    ("holding", "discard", "objection"),
    [
        pytest.param(D6, "3H 4H", None, id="D6"),
        pytest.param(D6, "AD TD", None, id="D6-aces-and-tens-too"),
        pytest.param(D6, "9S 3H", Objection.NOT_AMONG_CHOICES, id="D6-trump"),
        pytest.param(D6, "3H", Objection.WRONG_COUNT, id="D6-seven-left"),
        pytest.param(D6, "2C 3H 4H", Objection.WRONG_COUNT, id="D6-five-left"),
        pytest.param(D7, "AD TD", None, id="D7"),
        pytest.param(D7, "AD KS", Objection.NOT_AMONG_CHOICES, id="D7-trump"),
        pytest.param(D8, "AD KS", None, id="D8"),
        pytest.param(D8, "KS QS", Objection.WRONG_TRUMP_COUNT, id="D8-two-trumps"),
        pytest.param(D8, "AD 2S", Objection.NOT_AMONG_CHOICES, id="D8-protected"),
        pytest.param(D9, "QS TS", None, id="D9"),
        pytest.param(D11, "KS QS", Objection.WRONG_TRUMP_COUNT, id="D11-two-trumps"),
    ],
)
def test_r23_the_dealer_discards_down_to_six_and_trumps_only_in_excess_of_six(
    cards: Cards, holding: str, discard: str, objection: Objection | None
) -> None:
    question = dealer_discards(SPADES, sorted(cards(holding)))
    assert question.objection(Discard(cards(discard))) is objection


@pytest.mark.parametrize(
    ("holding", "count", "legal"),
    [
        pytest.param(D7, 1, {"AD TD"}, id="D7"),
        pytest.param(D8, 2, {"AD KS", "AD QS"}, id="D8"),
        pytest.param(D9, 3, {"KS QS", "KS TS", "QS TS"}, id="D9"),
        pytest.param(D6, 10, None, id="D6"),
        pytest.param(D10, 10, None, id="D10"),
        pytest.param(
            D11, 7, {f"AD {c}" for c in ["KS", "QS", "TS", "9S", "8S", "7S", "6S"]}, id="D11"
        ),
    ],
)
def test_r23_the_dealers_legal_discards_are_exactly_these(
    cards: Cards, holding: str, count: int, legal: set[str] | None
) -> None:
    held = sorted(cards(holding))
    question = dealer_discards(SPADES, held)
    found = {
        Discard(chosen)
        for chosen in combinations(held, len(held) - 6)
        if question.objection(Discard(chosen)) is None
    }
    assert len(found) == count
    if legal is not None:
        assert found == {Discard(cards(text)) for text in legal}


def exchanged_hand(deck: Deck, *, dealer: int, trump: Suit) -> Hand:
    hand = Hand(Rules(), deck, dealer)
    hand.act(CALLS[Bid.SIX])
    hand.act(TRUMPS[trump])
    return hand


@pytest.mark.parametrize(
    ("counts", "taken"),
    [
        pytest.param((3, 3, 3, 3, 3), 2, id="D13-all"),
        pytest.param((0, 0, 0, 0, 0), 17, id="D13-none"),
        pytest.param((3, 3, 2, 3, 3), 3, id="D13-but-one"),
    ],
)
def test_r22_the_dealer_takes_all_that_is_left_and_discards_as_many(
    counts: tuple[int, ...], taken: int
) -> None:
    hand = exchanged_hand(tuple(CARDS), dealer=0, trump=Suit.SPADES)
    for count in counts:
        question = hand.question()
        assert isinstance(question, DiscardQuestion)
        hand.act(Discard(question.cards[:count]))
    question = hand.question()
    assert isinstance(question, DiscardQuestion)
    assert hand.seat == 0
    assert len(hand.holding(0)) == 6 + taken
    assert (question.min_count, question.max_count) == (taken, taken)
    assert hand.stock() == ()


def test_a8_seats_discard_clockwise_and_refill_at_once_from_the_front(deck_for: DeckFor) -> None:
    deck = deck_for(2, {3: "2C 3C 4C 5C 6C 7C", 4: "AS KS QS JS TS 9S"}, "2H 3H 4H 5H")
    hand = exchanged_hand(deck, dealer=2, trump=Suit.SPADES)
    asked = [hand.seat]
    hand.act(Discard((1, 2)))
    assert hand.holding(3) == (3, 4, 5, 6, 27, 28)
    assert hand.discards(3) == (1, 2)
    asked.append(hand.seat)
    assert hand.question().only() == Discard(())
    hand.act(Discard(()))
    asked.append(hand.seat)
    assert hand.stock()[:2] == (29, 30)
    assert hand.public.discard_counts == [2, 0]
    while hand.phase is Phase.DISCARD:
        question = hand.question()
        assert isinstance(question, DiscardQuestion)
        hand.act(Discard(question.cards[: question.min_count]))
        asked.append(hand.seat)
    assert asked == [3, 4, 5, 0, 1, 2, 3]
    assert len(hand.public.discard_counts) == 6


def test_a15_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    hand = Hand(Rules(), tuple(CARDS), 4)
    assert hand.holding(5) == (1, 7, 13, 19, 25, 31)
    assert hand.holding(4) == (6, 12, 18, 24, 30, 36)
    assert hand.stock() == tuple(range(37, 54))


def test_r1_a_deck_with_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="each once"):
        Hand(Rules(), (1, *range(1, 53)), 0)
