"""The sensible bot wins, and plays as a sensible player would in plain situations."""

from __future__ import annotations

from itertools import permutations

import pytest

from referee.engine import TRUMP_ORDERS, Suit, card_text, parse_card
from referee.sdk import Bot, Decision
from referee.wire.pb.schmier.v1 import decision_pb2
from sample_bots.python.first_legal import FirstLegal
from sample_bots.python.random_legal import RandomLegal
from sample_bots.python.rule_based import RuleBased, best_trump, expected_points
from tests.sdk.scripted_referee import OpenTable, finish, in_process


def cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def wins(trio: tuple[Bot, Bot, Bot], *, boards: int) -> list[float]:
    """The share of games each of three partnerships wins, all six seatings of each board."""
    sixths = [0, 0, 0]
    for order in permutations(range(3)):
        tables = [OpenTable(seed) for seed in range(boards)]
        assert finish(tables, in_process(*(trio[i] for i in order)), batch=boards) == []
        for table in tables:
            assert table.table.record is not None
            for team, won in enumerate(table.table.record.outcome.sixths):
                sixths[order[team]] += won
    return [won / (36 * boards) for won in sixths]


@pytest.mark.parametrize(
    "others",
    [(FirstLegal(), FirstLegal()), (RandomLegal(), RandomLegal())],
    ids=["first", "random"],
)
def test_rule_based_wins_nearly_all_games_against(others: tuple[Bot, Bot]) -> None:
    assert wins((RuleBased(), *others), boards=8)[0] >= 0.9


def test_a_bot_that_overbids_wins_less_than_a_sober_one() -> None:
    sober, wild, _ = wins((RuleBased(), RuleBased(1.5), RuleBased(-1)), boards=8)
    assert sober > wild


def play(
    *, tricks: list[tuple[int, str]], holding: str, legal: str | None = None, trump: Suit
) -> str:
    """What the bot plays; seat and bidder are 0 and 1, the trick before the last is over."""
    message = decision_pb2.Decision(
        seat=0,
        holding=cards(holding),  # type: ignore[arg-type]
        play=decision_pb2.PlayQuestion(cards=cards(legal or holding)),  # type: ignore[arg-type]
        hand=decision_pb2.PublicHand(
            contract=decision_pb2.Contract(bidder=1, bid=3, trump=trump),  # type: ignore[arg-type]
            tricks=[
                decision_pb2.Trick(leader=leader, cards=cards(text))  # type: ignore[arg-type]
                for leader, text in tricks
            ],
        ),
    )
    decision = Decision(message, tuple(message.play.cards))
    return card_text(RuleBased().play(decision))


def test_it_gives_its_partner_points_when_the_trick_is_safe() -> None:
    tricks = [(1, "2S 5S AS 4S 3S")]  # the partner, seat 3, wins; seat 0 is the last to play
    assert play(tricks=tricks, holding="6S TS KS", trump=Suit.HEARTS) == "TS"
    assert play(tricks=tricks, holding="JK 6C 7D", trump=Suit.HEARTS) != "6C"


def test_it_gives_a_rival_nothing_when_it_cannot_win() -> None:
    tricks = [(1, "AS 5S 2S 4S 3S")]
    assert play(tricks=tricks, holding="6S TS KS", trump=Suit.HEARTS) == "6S"
    tricks = [(1, "AH 5H 2H 4H 3H")]
    assert play(tricks=tricks, holding="JH 6H", trump=Suit.HEARTS) == "6H"


def test_it_ruffs_a_trick_that_is_worth_it_with_the_lowest_trump_that_wins() -> None:
    tricks = [(1, "TS AS TC 4S 3S")]
    assert play(tricks=tricks, holding="6H 9H 2C", trump=Suit.HEARTS) == "6H"


def test_it_ruffs_no_worthless_trick_with_an_honour() -> None:
    tricks = [(1, "4S 5S 6S 7S 8S")]
    assert play(tricks=tricks, holding="AH 2C", trump=Suit.HEARTS) == "2C"


def test_it_takes_a_bauer_with_a_trump_that_nobody_can_beat() -> None:
    tricks = [(1, "2H JH 3H 4H 5H")]
    assert play(tricks=tricks, holding="6H QH", trump=Suit.HEARTS) == "QH"


@pytest.mark.parametrize("suit", Suit)
def test_every_trump_adds_to_what_a_holding_is_worth(suit: Suit) -> None:
    order = TRUMP_ORDERS[suit]
    holding: list[int] = []
    for card in order.ranking:
        before = expected_points(holding, suit)
        holding.append(card)
        assert expected_points(holding, suit) > before


def test_it_names_the_suit_it_is_strong_in() -> None:
    assert best_trump(cards("AS KS JC 2S 9D 9H")) is Suit.SPADES
    assert best_trump(cards("2C 3C 4C 5D AD JD")) is Suit.DIAMONDS


def call(holding: str, *, legal: tuple[int, ...] = (1, 3, 4, 5, 6), boldness: float = 0.0) -> int:
    message = decision_pb2.Decision(holding=cards(holding))  # type: ignore[arg-type]
    return RuleBased(boldness).call(Decision(message, legal))


def test_it_bids_what_its_hand_is_worth_and_no_more_than_it_must() -> None:
    strong, weak = "AS KS JS JC 2S JK", "4C 5D 6H 7S 8C 9D"
    assert call(strong) == 3
    assert call(strong, legal=(1, 6)) == 6
    assert call(weak) == 1


def test_boldness_is_counted_in_points() -> None:
    middling = "AS 7S 8S 9C 4D 5H"  # worth three points
    assert call(middling) == 3
    assert call(middling, legal=(1, 4, 5, 6)) == 1
    assert call(middling, legal=(1, 4, 5, 6), boldness=1) == 4
    assert call(middling, boldness=-1) == 1
