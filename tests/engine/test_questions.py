"""A question's `only` and `objection` against brute force over all that could be answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import (
    CALLS,
    CARDS,
    JOKER,
    PLAYS,
    TRUMP_ORDERS,
    TRUMPS,
    Action,
    Bid,
    Call,
    CallQuestion,
    Discard,
    DiscardQuestion,
    NameTrump,
    Objection,
    Play,
    PlayQuestion,
    Question,
    Suit,
    TrumpQuestion,
    dealer_discards,
    exchange_discards,
)

ONE_ACTION = Call | NameTrump | Play


def subsets(cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(cards, size) for size in range(len(cards) + 1))


def legal_discards(question: DiscardQuestion, cards: Sequence[int]) -> list[Discard]:
    return [d for d in map(Discard, subsets(cards)) if question.objection(d) is None]


def small_actions() -> list[Action]:
    return [*CALLS.values(), *TRUMPS.values(), *PLAYS.values()]


def exchange_allows(holding: Iterable[int], discard: Sequence[int], trump: Suit) -> bool:
    """R21: up to three cards, no trumps."""
    return len(discard) <= 3 and not any(card in TRUMP_ORDERS[trump].trumps for card in discard)


def pick_up_allows(holding: Sequence[int], discard: Sequence[int], trump: Suit) -> bool:
    """R22, R23, A7: one card after the other, each with the condition tested again."""
    order = TRUMP_ORDERS[trump]
    if len(holding) - len(discard) != 6:
        return False
    held_trumps = sum(card in order.trumps for card in holding)
    for card in discard:
        if card in order.trumps:
            if held_trumps <= 6 or card in {order.ace, order.right, order.left, order.two, JOKER}:
                return False
            held_trumps -= 1
    return True


suits = st.sampled_from(Suit)


@st.composite
def held(draw: st.DrawFn, least: int, most: int) -> tuple[list[int], Suit]:
    """A holding, ascending, with more trumps than chance would give, and the trump suit."""
    trump = draw(suits)
    trumps = draw(st.sets(st.sampled_from(TRUMP_ORDERS[trump].ranking), max_size=most))
    size = draw(st.integers(max(least, len(trumps)), most))
    others = [card for card in CARDS if card not in trumps]
    rest = draw(
        st.sets(
            st.sampled_from(others),
            min_size=size - len(trumps),
            max_size=size - len(trumps),
        )
    )
    return sorted(trumps | rest), trump


@given(held(6, 6))
@settings(max_examples=60)
def test_r21_an_exchange_question_allows_what_the_rule_allows_and_nothing_else(
    case: tuple[list[int], Suit],
) -> None:
    holding, trump = case
    question = exchange_discards(TRUMP_ORDERS[trump], holding)
    expected = [Discard(d) for d in subsets(holding) if exchange_allows(holding, d, trump)]
    assert legal_discards(question, holding) == expected
    assert question.only() == (expected[0] if len(expected) == 1 else None)


@given(held(8, 11))
@settings(max_examples=60)
def test_r23_a_pick_up_question_allows_what_the_rule_allows_and_nothing_else(
    case: tuple[list[int], Suit],
) -> None:
    holding, trump = case
    question = dealer_discards(TRUMP_ORDERS[trump], holding)
    expected = [Discard(d) for d in subsets(holding) if pick_up_allows(holding, d, trump)]
    assert legal_discards(question, holding) == expected
    assert expected
    assert question.only() == (expected[0] if len(expected) == 1 else None)


@given(held(8, 23))
@settings(max_examples=100)
def test_e5_the_dealer_can_always_discard_and_the_question_says_how(
    case: tuple[list[int], Suit],
) -> None:
    holding, trump = case
    question = dealer_discards(TRUMP_ORDERS[trump], holding)
    others = [card for card in question.cards if card not in question.trump_cards]
    assert question.min_count == question.max_count == len(holding) - 6
    assert question.trump_count <= len(question.trump_cards)
    assert question.max_count - question.trump_count <= len(others)
    if question.trump_count:
        assert question.max_count - question.trump_count == len(others)
    assert list(question.cards) == sorted(question.cards)
    assert list(question.trump_cards) == sorted(question.trump_cards)


@pytest.mark.parametrize(
    "question",
    [
        CallQuestion((Bid.PASS, Bid.FIVE, Bid.SIX)),
        CallQuestion((Bid.THREE,)),
        TrumpQuestion(tuple(Suit)),
        TrumpQuestion((Suit.HEARTS,)),
        PlayQuestion((3, 17, 53)),
        PlayQuestion((53,)),
    ],
)
def test_the_only_action_is_the_one_legal_one_and_others_are_objected_to(
    question: Question,
) -> None:
    legal = [action for action in small_actions() if question.objection(action) is None]
    match question:
        case CallQuestion(bids):
            expected: list[Action] = [Call(bid) for bid in bids]
        case TrumpQuestion(allowed):
            expected = [NameTrump(suit) for suit in allowed]
        case PlayQuestion(choices):
            expected = [Play(card) for card in choices]
        case DiscardQuestion():
            expected = []
    assert legal == expected
    assert question.only() == (expected[0] if len(expected) == 1 else None)
    assert question.objection(Discard(())) is Objection.WRONG_KIND


def test_another_kind_of_action_is_the_wrong_kind_and_a_wrong_choice_is_not() -> None:
    question = CallQuestion((Bid.PASS, Bid.SIX))
    assert question.objection(PLAYS[3]) is Objection.WRONG_KIND
    assert question.objection(CALLS[Bid.THREE]) is Objection.NOT_AMONG_CHOICES
    discard = exchange_discards(TRUMP_ORDERS[Suit.CLUBS], range(20, 26))
    assert discard.objection(PLAYS[20]) is Objection.WRONG_KIND


def test_a_discard_is_the_same_in_any_order() -> None:
    assert Discard((5, 3, 4)) == Discard((3, 4, 5))
    assert Discard((5, 3, 4)).cards == (3, 4, 5)
    assert Discard((5, 5)).cards == (5, 5)
