"""Calls: order, range, the end of the auction, redeals and the forced bid."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from referee.engine import (
    CALLS,
    CARDS,
    Bid,
    CallQuestion,
    Deck,
    Game,
    Hand,
    IllegalAction,
    Objection,
    Phase,
    RedealWhen,
    Rules,
    bid_text,
    parse_bid,
)

DECK: Deck = tuple(CARDS)
FIVE = Rules(redeal_when=RedealWhen.FIVE_NONDEALERS_PASS)


def hand_after(calls: str, *, dealer: int, rules: Rules | None = None, redeal: int = 0) -> Hand:
    hand = Hand(rules or Rules(), DECK, dealer, redeal=redeal)
    for text in calls.split():
        hand.act(CALLS[parse_bid(text)])
    return hand


def legal_calls(hand: Hand) -> str:
    question = hand.question()
    assert isinstance(question, CallQuestion)
    return " ".join(bid_text(bid) for bid in question.bids)


def test_b1_the_call_goes_round_from_the_dealers_left_to_the_dealer() -> None:
    hand = Hand(Rules(), DECK, 2)
    asked = []
    while hand.phase is Phase.CALL:
        asked.append(hand.seat)
        hand.act(CALLS[Bid.PASS])
    assert asked == [3, 4, 5, 0, 1, 2]


@pytest.mark.parametrize(
    ("dealer", "calls", "legal"),
    [
        pytest.param(5, "", "P 3 4 5 6", id="B2"),
        pytest.param(5, "3 P", "P 4 5 6", id="B3"),
        pytest.param(5, "P P 4 P P", "P 5 6", id="B4"),
        pytest.param(5, "3 4 5", "P 6", id="E15"),
        pytest.param(5, "P P P P P", "P 3 4 5 6", id="A2-dealer-is-asked"),
    ],
)
def test_a_call_is_higher_than_the_highest_so_far_or_a_pass(
    dealer: int, calls: str, legal: str
) -> None:
    assert legal_calls(hand_after(calls, dealer=dealer)) == legal


def test_b3_a_bid_not_above_the_highest_is_refused() -> None:
    hand = hand_after("3 P", dealer=5)
    with pytest.raises(IllegalAction) as refused:
        hand.act(CALLS[Bid.THREE])
    assert refused.value.objection is Objection.NOT_AMONG_CHOICES
    assert hand.public.calls == [Bid.THREE, Bid.PASS]


@pytest.mark.parametrize(
    ("calls", "bidder", "bid"),
    [
        pytest.param("6", 0, Bid.SIX, id="B5"),
        pytest.param("P P P P P 3", 5, Bid.THREE, id="B6"),
        pytest.param("3 4 P 5 P P", 3, Bid.FIVE, id="R19-highest"),
        pytest.param("P 3 P P 4 P", 4, Bid.FOUR, id="A19-partner-overbids"),
        pytest.param("3 4 5 6", 3, Bid.SIX, id="R19-six-in-the-middle"),
    ],
)
def test_r19_the_highest_bidder_has_the_contract_when_the_dealer_called_or_a_six_is_bid(
    calls: str, bidder: int, bid: Bid
) -> None:
    hand = hand_after(calls, dealer=5)
    assert (hand.phase, hand.seat) == (Phase.TRUMP, bidder)
    assert (hand.public.bidder, hand.public.bid) == (bidder, bid)


def test_r16_nobody_is_the_bidder_while_the_auction_runs() -> None:
    hand = hand_after("3 4", dealer=5)
    assert hand.public.bidder is None
    assert hand.public.bid is None


def test_b7_six_passes_throw_the_cards_in() -> None:
    hand = hand_after("P P P P P P", dealer=5)
    assert hand.thrown_in
    assert (hand.phase, hand.seat, hand.result) == (Phase.OVER, None, None)
    assert hand.public.tricks == []


def test_b6_with_five_nondealers_pass_the_dealer_is_not_asked() -> None:
    hand = hand_after("P P P P P", dealer=5, rules=FIVE)
    assert hand.thrown_in
    assert hand.public.calls == [Bid.PASS] * 5


def test_a2_with_five_nondealers_pass_the_dealer_is_asked_after_a_bid() -> None:
    hand = hand_after("P P 3 P P", dealer=5, rules=FIVE)
    assert hand.seat == 5
    assert legal_calls(hand) == "P 4 5 6"


@pytest.fixture
def decks() -> Iterator[tuple[Callable[[int, int], Deck], list[tuple[int, int]]]]:
    asked: list[tuple[int, int]] = []

    def deal(hand: int, redeal: int) -> Deck:
        asked.append((hand, redeal))
        return DECK

    yield deal, asked


@pytest.mark.parametrize("rules", [Rules(), FIVE], ids=["all_six_pass", "five_nondealers_pass"])
def test_b7_r18_the_same_dealer_deals_again_and_scores_do_not_change(
    decks: tuple[Callable[[int, int], Deck], list[tuple[int, int]]], rules: Rules
) -> None:
    deal, asked = decks
    game = Game(rules, first_dealer=5, deal=deal)
    first = game.hand
    while game.hand is first:
        game.act(CALLS[Bid.PASS])
    assert asked == [(0, 0), (0, 1)]
    assert (game.dealer, game.redeal, game.hand_number, game.scores) == (5, 1, 0, (0, 0, 0))
    assert game.hand.public.dealer == 5
    assert game.results == []


@pytest.mark.parametrize("rules", [Rules(), FIVE], ids=["all_six_pass", "five_nondealers_pass"])
def test_a20_after_five_redeals_five_passes_force_the_dealer_to_bid_three(rules: Rules) -> None:
    hand = hand_after("P P P P P", dealer=5, rules=rules, redeal=5)
    assert hand.question() == CallQuestion((Bid.THREE,))
    assert hand.question().only() == CALLS[Bid.THREE]
    hand.act(CALLS[Bid.THREE])
    assert (hand.public.bidder, hand.public.bid) == (5, Bid.THREE)
    assert hand.public.calls == [Bid.PASS] * 5 + [Bid.THREE]


def test_a20_a_dealer_who_must_bid_may_not_pass() -> None:
    hand = hand_after("P P P P P", dealer=5, redeal=5)
    with pytest.raises(IllegalAction):
        hand.act(CALLS[Bid.PASS])


@pytest.mark.parametrize("rules", [Rules(), FIVE], ids=["all_six_pass", "five_nondealers_pass"])
def test_a20_after_five_redeals_a_bid_leaves_the_dealer_free(rules: Rules) -> None:
    assert legal_calls(hand_after("P P 3 P P", dealer=5, rules=rules, redeal=5)) == "P 4 5 6"


def test_a20_one_redeal_before_the_last_nobody_is_forced() -> None:
    assert legal_calls(hand_after("P P P P P", dealer=5, redeal=4)) == "P 3 4 5 6"


def test_a20_six_passing_teams_play_a_hand_after_five_redeals() -> None:
    dealt = []

    def deal(hand: int, redeal: int) -> Deck:
        dealt.append((hand, redeal))
        return DECK

    game = Game(Rules(), first_dealer=0, deal=deal)
    while game.hand.phase is Phase.CALL:
        question = game.question()
        game.act(question.only() or CALLS[Bid.PASS])
    assert dealt == [(0, redeal) for redeal in range(6)]
    assert game.hand.public.bidder == 0
