"""What a seat is shown depends on nothing that is hidden from it (A9)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import SEATS, Action, Deck, Hand, Phase, Play, Rules, decision_of

Choose = Callable[[Hand, Random], Action]
Shuffle = Callable[[Random], Deck]


def permute_hidden(hand: Hand, seat: int, random: Random) -> int:
    """Shuffle all cards hidden from the seat among their places; return how many there are."""
    others = [other for other in SEATS if other != seat]
    hidden = [card for other in others for card in (*hand.holding(other), *hand.discards(other))]
    hidden += hand.stock()
    random.shuffle(hidden)
    cards = iter(hidden)
    for other in others:
        hand._holdings[other] = sorted(next(cards) for _ in hand.holding(other))
        hand._discards[other] = tuple(sorted(next(cards) for _ in hand.discards(other)))
    hand._stock = list(cards)
    hand._question = None
    return len(hidden)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_permuting_the_hidden_cards_does_not_change_what_the_seat_is_shown(
    seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    deck, dealer = random_deck(random), random.randrange(6)
    hand, actions = Hand(Rules(), deck, dealer), list[Action]()
    while hand.phase is not Phase.OVER:
        twin = Hand(Rules(), deck, dealer)
        for action in actions:
            twin.act(action)
        assert hand.seat is not None
        permute_hidden(twin, hand.seat, random)
        assert decision_of(twin, 1) == decision_of(hand, 1)
        actions.append(random_action(hand, random))
        hand.act(actions[-1])


def test_a_seat_is_shown_its_own_cards_and_discards(random_deck: Shuffle) -> None:
    hand = Hand(Rules(), random_deck(Random(1)), 0)
    view = decision_of(hand, 1)
    assert (view.seat, view.holding, view.discards) == (1, hand.holding(1), ())
    assert view.public is hand.public
    assert view.question is hand.question()


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_what_is_public_holds_no_card_that_was_not_played(
    seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    hand, played = Hand(Rules(), random_deck(random), 0), list[int]()
    while hand.phase is not Phase.OVER:
        action = random_action(hand, random)
        if isinstance(action, Play):
            played.append(action.card)
        hand.act(action)
        assert [card for trick in hand.public.tricks for card in trick.cards] == played
        assert all(trick.cards for trick in hand.public.tricks)


def test_a_view_of_a_hand_that_is_over_is_refused(
    random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(3)
    hand = Hand(Rules(), random_deck(random), 0)
    while hand.phase is not Phase.OVER:
        hand.act(random_action(hand, random))
    with pytest.raises(RuntimeError, match="over"):
        decision_of(hand, 1)
