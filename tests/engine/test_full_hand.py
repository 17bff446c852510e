"""H1: a whole hand, card by card, as the rules page prints it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.engine import (
    CALLS,
    PLAYS,
    Bid,
    Discard,
    Game,
    Hand,
    LowPoint,
    NameTrump,
    Rules,
    Suit,
    parse_bid,
)

Cards = Callable[[str], tuple[int, ...]]

DECK = """
JH JS 6C TC 4H AS 7S KD 2H AC AH 7C 8H 8D 8S 3S 9D 7H 7D 4S JK KS 5S 2S QS TH KC 6H 8C 3H KH 3D
QH 5D AD 6D  JD 5H TD 9C 9S QD JC 6S 5C 3C 4D QC 4C TS 9H 2C 2D
"""
CALLED = "3 P 4 P P P"
DISCARDED = ["7S 7D 8H", "3D 4S 8D", "2H 8S QH", "3S 5D 6H", "4H 5S 9D", "2S 2D"]
TRICKS = [
    (1, "KC AC 8C 2C 5H 9C", 2, 7),
    (2, "QC 4C 7C TD JS 6C", 2, 13),
    (2, "TC 9H 3H JD 9S JC", 1, 12),
    (1, "5C 3C AD 6D QS TH", 1, 16),
    (1, "JK KS TS 7H JH QD", 1, 17),
    (1, "6S 4D AH AS KH KD", 4, 14),
]


@pytest.fixture(params=[LowPoint.PLAYER, LowPoint.TAKER])
def rules(request: pytest.FixtureRequest) -> Rules:
    return Rules(low_point=request.param)


@pytest.fixture
def game(cards: Cards, rules: Rules) -> Game:
    return Game(rules, first_dealer=4, deal=lambda hand, redeal: cards(DECK))


@pytest.fixture
def played(cards: Cards, game: Game) -> Hand:
    """The hand after its last card; the game has dealt the next one."""
    hand = game.hand
    for text in CALLED.split():
        game.act(CALLS[parse_bid(text)])
    game.act(NameTrump(Suit.CLUBS))
    for text in DISCARDED:
        game.act(Discard(cards(text)))
    for _, text, _, _ in TRICKS:
        for card in cards(text):
            game.act(PLAYS[card])
    return hand


def test_h1_every_action_is_legal_and_all_that_is_public_is_as_printed(
    played: Hand, cards: Cards
) -> None:
    public = played.public
    assert public.calls == [parse_bid(text) for text in CALLED.split()]
    assert (public.dealer, public.bidder, public.bid, public.trump) == (4, 1, 4, Suit.CLUBS)
    assert public.discard_counts == [3, 3, 3, 3, 3, 2]
    got = [(trick.leader, tuple(trick.cards)) for trick in public.tricks]
    assert got == [(leader, cards(text)) for leader, text, _, _ in TRICKS]


def test_h1_points_and_deltas(played: Hand, rules: Rules) -> None:
    result = played.result
    assert result is not None
    points = result.points
    assert (points.high, points.left) == (2, 2)
    assert (points.right, points.joker, points.game) == (1, 1, (1,))
    assert points.card_points == (0, 59, 20)
    player = rules.low_point is LowPoint.PLAYER
    assert points.low == (1 if player else 2)
    assert (result.bidder, result.bid, result.made) == (1, Bid.FOUR, player)
    assert result.deltas == ((0, 4, 2) if player else (0, -4, 3))


def test_h1_the_dealer_held_the_two_cards_left_before_he_discarded_them(
    played: Hand, cards: Cards
) -> None:
    assert played.discards(4) == tuple(sorted(cards("2S 2D")))
    assert played.discards(5) == tuple(sorted(cards("7S 7D 8H")))


def test_b9_the_next_hand_is_dealt_by_the_next_seat(played: Hand, game: Game, rules: Rules) -> None:
    assert played is not game.hand
    assert (game.dealer, game.hand_number, game.redeal, game.seat) == (5, 1, 0, 0)
    deltas = (0, 4, 2) if rules.low_point is LowPoint.PLAYER else (0, -4, 3)
    assert game.scores == game.hand.public.scores == deltas
    assert played.public.scores == (0, 0, 0)
