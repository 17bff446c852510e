"""Welcome, game ended and goodbye say what the referee knows, in the words of the protocol."""

from __future__ import annotations

from enum import StrEnum

import pytest

from referee.engine import (
    CARDS,
    Bid,
    Ending,
    FinalTie,
    GameTie,
    LowPoint,
    Outcome,
    RedealWhen,
    Rules,
    Suit,
    card_text,
)
from referee.wire import (
    MAX_IGNORED_ACTIONS,
    MAX_MESSAGE_BYTES,
    REVISION,
    GoodbyeReason,
    game_ended,
    goodbye,
    welcome,
)
from referee.wire.pb.schmier.v1 import cards_pb2, rules_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as pb


def welcomed(rules: Rules) -> pb.Welcome:
    data = welcome(
        name="careful", rules=rules, decision_ms=1000, stop_ms=500, faults_per_game=3, max_batch=64
    )
    response = pb.PlayResponse.FromString(data)
    assert response.WhichOneof("content") == "welcome"
    return response.welcome


def ended(**changes: object) -> pb.GameEnded:
    facts: dict[str, object] = {
        "scores": (21, -4, 20),
        "sixths": (6, 0, 0),
        "margin_thirds": (26, -49, 23),
        "hands": 11,
        "ending": Ending.TARGET,
        "out": frozenset(),
    }
    outcome = Outcome(**(facts | changes))  # type: ignore[arg-type]
    response = pb.PlayResponse.FromString(game_ended(table="t1", seat=5, outcome=outcome))
    assert response.WhichOneof("content") == "game_ended"
    return response.game_ended


def test_a_welcome_tells_the_name_the_limits_and_the_revision() -> None:
    message = welcomed(Rules())
    assert (message.name, message.revision) == ("careful", REVISION)
    assert message.limits == rules_pb2.Limits(
        decision_ms=1000,
        stop_ms=500,
        faults_per_game=3,
        max_message_bytes=MAX_MESSAGE_BYTES,
        max_ignored_actions=MAX_IGNORED_ACTIONS,
        max_batch=64,
    )


def test_a_welcome_tells_the_default_rules_with_nothing_left_unset() -> None:
    assert welcomed(Rules()).rules == rules_pb2.Rules(
        low_point="LOW_POINT_PLAYER",
        redeal_when="REDEAL_WHEN_ALL_SIX_PASS",
        game_tie="GAME_TIE_NONE",
        set_keeps_points=False,
        final_tie="FINAL_TIE_PLAY_ON",
        target_score=21,
        max_hands=60,
        max_consecutive_redeals=5,
    )


def test_a_welcome_tells_every_rule_that_differs_from_the_default() -> None:
    rules = Rules(
        low_point=LowPoint.TAKER,
        redeal_when=RedealWhen.FIVE_NONDEALERS_PASS,
        game_tie=GameTie.ALL_TIED,
        set_keeps_points=True,
        final_tie=FinalTie.SEAT_ORDER,
        target_score=11,
        max_hands=7,
        max_consecutive_redeals=2,
    )
    assert welcomed(rules).rules == rules_pb2.Rules(
        low_point="LOW_POINT_TAKER",
        redeal_when="REDEAL_WHEN_FIVE_NONDEALERS_PASS",
        game_tie="GAME_TIE_ALL_TIED",
        set_keeps_points=True,
        final_tie="FINAL_TIE_SEAT_ORDER",
        target_score=11,
        max_hands=7,
        max_consecutive_redeals=2,
    )


@pytest.mark.parametrize(
    ("key", "option"),
    [
        ("low_point", LowPoint),
        ("redeal_when", RedealWhen),
        ("game_tie", GameTie),
        ("final_tie", FinalTie),
    ],
)
def test_each_value_of_an_option_has_the_name_of_the_tournament_file(
    key: str, option: type[StrEnum]
) -> None:
    """`game_tie = "all_tied"` is GAME_TIE_ALL_TIED, and no value is without its twin."""
    enum = rules_pb2.Rules.DESCRIPTOR.fields_by_name[key].enum_type
    assert enum is not None
    sent = set()
    for value in option:
        message = welcomed(Rules(**{key: value})).rules  # type: ignore[arg-type]
        name = enum.values_by_number[getattr(message, key)].name
        assert name == f"{key}_{value.value}".upper()
        sent.add(name)
    assert sent == {value.name for value in enum.values if value.number}


def test_the_rules_on_the_wire_are_the_options_of_the_engine() -> None:
    fields = {field.name for field in rules_pb2.Rules.DESCRIPTOR.fields}
    assert fields == set(Rules.__dataclass_fields__)


def test_the_end_of_a_game_is_told_to_the_bot_of_a_seat() -> None:
    assert ended() == pb.GameEnded(
        table="t1",
        seat=5,
        scores=[21, -4, 20],
        winners=[0],
        teams_out=[],
        hands=11,
        reason="GAME_ENDED_REASON_TARGET_SCORE",
    )


@pytest.mark.parametrize(
    ("sixths", "winners"), [((0, 3, 3), [1, 2]), ((2, 2, 2), [0, 1, 2]), ((0, 0, 6), [2])]
)
def test_who_has_part_in_the_win_is_a_winner(
    sixths: tuple[int, int, int], winners: list[int]
) -> None:
    assert list(ended(sixths=sixths).winners) == winners


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        (Ending.TARGET, "GAME_ENDED_REASON_TARGET_SCORE"),
        (Ending.MAX_HANDS, "GAME_ENDED_REASON_MAX_HANDS"),
        (Ending.FORFEIT, "GAME_ENDED_REASON_FORFEIT"),
    ],
)
def test_the_reason_of_an_end_is_told(ending: Ending, reason: str) -> None:
    assert pb.GameEndedReason.Name(ended(ending=ending).reason) == reason


def test_forfeits_are_told_in_ascending_order() -> None:
    assert list(ended(out=frozenset({2, 0})).teams_out) == [0, 2]


@pytest.mark.parametrize("reason", GoodbyeReason)
def test_a_goodbye_says_why(reason: GoodbyeReason) -> None:
    response = pb.PlayResponse.FromString(goodbye(reason, "that is all"))
    assert response.WhichOneof("content") == "goodbye"
    assert pb.GoodbyeReason.Name(response.goodbye.reason) == f"GOODBYE_REASON_{reason.name}"
    assert response.goodbye.text == "that is all"


def test_every_reason_of_the_protocol_but_unspecified_can_be_given() -> None:
    assert {*GoodbyeReason} == {*pb.GoodbyeReason.values()} - {0}


def test_every_ending_of_the_protocol_but_unspecified_can_be_given() -> None:
    assert len(Ending) == len(pb.GameEndedReason.values()) - 1


# --- numbers the engine shares with the wire ------------------------------------------------------


def test_card_numbers_are_the_engines() -> None:
    suits = {"C": "CLUBS", "D": "DIAMONDS", "H": "HEARTS", "S": "SPADES"}
    letters = {"T": "TEN", "J": "JACK", "Q": "QUEEN", "K": "KING", "A": "ACE"}
    digits = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
    names = letters | {str(number): name for number, name in enumerate(digits, start=2)}
    assert cards_pb2.Card.values() == [0, *CARDS]
    for card in CARDS:
        text = card_text(card)
        name = "JOKER" if text == "JK" else f"{suits[text[1]]}_{names[text[0]]}"
        assert cards_pb2.Card.Name(card) == f"CARD_{name}"


def test_bid_numbers_are_the_engines() -> None:
    assert {f"BID_{bid.name}": bid.value for bid in Bid} == {
        name: number for name, number in cards_pb2.Bid.items() if number
    }


def test_suit_numbers_are_the_engines() -> None:
    assert {f"SUIT_{suit.name}": suit.value for suit in Suit} == {
        name: number for name, number in cards_pb2.Suit.items() if number
    }
