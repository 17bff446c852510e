"""Substitute actions: the printed order of each kind, and always legal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMP_ORDERS,
    TRUMPS,
    Bid,
    CallQuestion,
    Discard,
    Hand,
    Phase,
    PlayQuestion,
    Rules,
    Suit,
    TrumpQuestion,
    dealer_discards,
    exchange_discards,
    parse_suit,
    substitute,
    substitute_for,
)

Cards = Callable[[str], tuple[int, ...]]
SPADES = TRUMP_ORDERS[Suit.SPADES]


def test_a_substitute_call_is_a_pass() -> None:
    assert substitute_for(CallQuestion((Bid.PASS, Bid.SIX)), ()) == CALLS[Bid.PASS]


def test_a20_a_substitute_of_the_forced_bid_is_three() -> None:
    assert substitute_for(CallQuestion((Bid.THREE,)), ()) == CALLS[Bid.THREE]


@pytest.mark.parametrize(
    ("holding", "trump"),
    [
        pytest.param("2S 3S 4S 2H 3H AD", "S", id="longest"),
        pytest.param("2C 3D 4H 5S JK 2S", "S", id="two-of-one"),
        pytest.param("2C 3D 4H 5S JK", "C", id="tie-clubs-first"),
        pytest.param("3D 4H 5S 6S 7H 8D", "D", id="tie-diamonds-before-hearts"),
        pytest.param("4H 5S 6S 7H AC", "H", id="tie-hearts-before-spades"),
        pytest.param("JD 2H 2S 3S 4C 5H", "H", id="left-bauer-counts"),
        pytest.param("JD JH 2S 3S", "D", id="both-bauers-count-for-both-suits"),
        pytest.param("JC 2S 3S 4D 5D", "S", id="left-bauer-breaks-the-tie"),
    ],
)
def test_a_substitute_trump_is_the_suit_with_most_cards(
    cards: Cards, holding: str, trump: str
) -> None:
    question = TrumpQuestion(tuple(Suit))
    assert substitute_for(question, cards(holding)) == TRUMPS[parse_suit(trump)]


def test_a_substitute_exchange_discards_nothing(cards: Cards) -> None:
    holding = sorted(cards("2S 3S 4H 5H 6H 7H"))
    assert substitute_for(exchange_discards(SPADES, holding), holding) == Discard(())


@pytest.mark.parametrize(
    ("holding", "discard"),
    [
        pytest.param("AS KS 9S AD TD 2C 3H 4H", "2C TD", id="others-by-number"),
        pytest.param("AS KS QS JS JC 2S JK AD", "AD QS", id="then-unprotected-trumps"),
        pytest.param("KS QS TS 9S 8S 7S 6S AD", "AD 6S", id="lowest-trump"),
        pytest.param("AS KS QS JS JC TS 2S JK", "TS QS", id="trumps-only"),
    ],
)
def test_a_substitute_pick_up_discards_others_then_unprotected_trumps_by_number(
    cards: Cards, holding: str, discard: str
) -> None:
    held = sorted(cards(holding))
    question = dealer_discards(SPADES, held)
    action = substitute_for(question, held)
    assert action == Discard(cards(discard))
    assert question.objection(action) is None


def test_a_substitute_play_is_the_lowest_card(cards: Cards) -> None:
    assert substitute_for(PlayQuestion(cards("3C 2D JK")), ()) == PLAYS[2]


def test_substitutes_play_a_hand_that_somebody_bid_for() -> None:
    hand = Hand(Rules(), tuple(CARDS), 0)
    hand.act(CALLS[Bid.THREE])
    while hand.phase is not Phase.OVER:
        hand.act(substitute(hand))
    assert hand.result is not None
    with pytest.raises(RuntimeError, match="over"):
        substitute(hand)
