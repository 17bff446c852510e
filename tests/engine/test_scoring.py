"""Hand points, card points and deltas: the scoring examples of the rules page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.engine import (
    CARDS,
    Bid,
    GameTie,
    LowPoint,
    Rules,
    Suit,
    Trick,
    card_points,
    game_winners,
    hand_deltas,
    hand_points,
    score_hand,
)

Cards = Callable[[str], tuple[int, ...]]


@pytest.mark.parametrize(
    ("points", "bidding_team", "bid", "keeps", "deltas"),
    [
        pytest.param((4, 1, 1), 0, 4, False, (4, 1, 1), id="P1"),
        pytest.param((5, 1, 0), 0, 3, False, (5, 1, 0), id="P2"),
        pytest.param((3, 2, 1), 0, 4, False, (-4, 2, 1), id="P3"),
        pytest.param((3, 2, 1), 0, 4, True, (-1, 2, 1), id="P3-set_keeps_points"),
        pytest.param((5, 0, 0), 0, 6, False, (-6, 0, 0), id="P9"),
        pytest.param((1, 2, 3), 1, 3, False, (1, -3, 3), id="R31-both-others-add"),
        pytest.param((0, 0, 6), 2, 6, True, (0, 0, 6), id="E14"),
    ],
)
def test_a_made_bid_scores_all_points_won_and_a_set_one_costs_the_bid(
    points: tuple[int, int, int],
    bidding_team: int,
    bid: int,
    keeps: bool,
    deltas: tuple[int, int, int],
) -> None:
    got = hand_deltas(points, bidding_team=bidding_team, bid=bid, set_keeps_points=keeps)
    assert got == deltas


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        pytest.param("AH KH TC", 17, id="P6-T0"),
        pytest.param("TS JD", 11, id="P6-T1"),
        pytest.param("TD AD", 14, id="P6-T2"),
        pytest.param("JD JK", 2, id="P7"),
        pytest.param("QS 9S 2H", 2, id="R14"),
        pytest.param("", 0, id="no-cards"),
    ],
)
def test_r14_card_points_are_the_sum_of_the_cards_values(
    cards: Cards, pile: str, points: int
) -> None:
    assert card_points(cards(pile)) == points


def test_p12_the_whole_deck_has_81_card_points() -> None:
    assert card_points(CARDS) == 81


@pytest.mark.parametrize(
    ("totals", "bidding_team", "none", "bidder", "all_tied"),
    [
        pytest.param((17, 11, 14), 1, (0,), (0,), (0,), id="P6"),
        pytest.param((14, 14, 7), 0, (), (0,), (0, 1), id="P8"),
        pytest.param((14, 14, 7), 2, (), (), (0, 1), id="P8-bidder-not-tied"),
        pytest.param((9, 9, 9), 2, (), (2,), (0, 1, 2), id="E9-three-way"),
    ],
)
def test_a11_the_game_point_goes_to_the_most_card_points_and_a_tie_is_an_option(
    totals: tuple[int, int, int],
    bidding_team: int,
    none: tuple[int, ...],
    bidder: tuple[int, ...],
    all_tied: tuple[int, ...],
) -> None:
    got = {
        option: game_winners(totals, game_tie=option, bidding_team=bidding_team)
        for option in GameTie
    }
    assert got == {GameTie.NONE: none, GameTie.BIDDER: bidder, GameTie.ALL_TIED: all_tied}


@pytest.fixture(scope="session")
def six_tricks(cards: Cards) -> list[Trick]:
    """Trump hearts, led by seat 0 throughout, as in P4: seat 1 plays the 2 under seat 0's king."""
    texts = [
        "KH 2H 3H 4H 5H 6H",
        "AH 7H 8H 9H TH 2D",
        "JH 3D 4D 5D 6D 7D",
        "JD 2C 3C 4C 5C 6C",
        "2S JK 3S 4S 5S 6S",
        "8S 9S 7S 7C 8C 9C",
    ]
    return [Trick(0, list(cards(text))) for text in texts]


@pytest.mark.parametrize(
    ("low_point", "team"),
    [
        pytest.param(LowPoint.PLAYER, 1, id="P4"),
        pytest.param(LowPoint.TAKER, 0, id="P4-taker"),
    ],
)
def test_a1_the_low_point_goes_to_who_plays_the_two_or_who_takes_it(
    six_tricks: list[Trick], low_point: LowPoint, team: int
) -> None:
    rules = Rules(low_point=low_point)
    points = hand_points(rules, bidder=0, trump=Suit.HEARTS, tricks=six_tricks)
    assert points.low == team


def test_r9_to_r13_each_hand_point_goes_to_the_team_that_won_it(six_tricks: list[Trick]) -> None:
    points = hand_points(Rules(), bidder=0, trump=Suit.HEARTS, tricks=six_tricks)
    assert (points.high, points.right, points.left) == (0, 0, 0)
    assert points.joker == 1
    assert points.card_points == (19, 1, 0)
    assert points.game == (0,)
    assert points.by_team() == (4, 2, 0)


def test_p11_only_cards_won_in_tricks_count_for_game(six_tricks: list[Trick]) -> None:
    points = hand_points(Rules(), bidder=0, trump=Suit.HEARTS, tricks=six_tricks)
    played = [card for trick in six_tricks for card in trick.cards]
    assert sum(points.card_points) == card_points(played)


@pytest.mark.parametrize(
    ("bid", "made", "deltas"),
    [(Bid.FOUR, True, (4, 2, 0)), (Bid.FIVE, False, (-5, 2, 0))],
)
def test_r28_r29_a_result_says_whether_the_bid_was_made(
    six_tricks: list[Trick], bid: Bid, made: bool, deltas: tuple[int, int, int]
) -> None:
    result = score_hand(Rules(), bidder=3, bid=bid, trump=Suit.HEARTS, tricks=six_tricks)
    assert (result.made, result.deltas) == (made, deltas)
