"""What a check asks can really occur, is never forced, and is the same at every check."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from referee.engine import (
    JOKER,
    TRUMP_ORDERS,
    CallQuestion,
    Decision,
    DiscardQuestion,
    FinalTie,
    PlayQuestion,
    RedealWhen,
    Rules,
    Suit,
    TrumpQuestion,
    parse_card,
)
from referee.runner.check.positions import Position, each_kind, rare_positions
from referee.runner.check.recorded import recorded_hands
from referee.wire import DecisionEncoder

RULES = {
    "the defaults": Rules(),
    "one hand to one point": Rules(max_hands=1, target_score=1, max_consecutive_redeals=0),
    "a few hands": Rules(max_hands=5, target_score=4, final_tie=FinalTie.SHARED),
    "five passes": Rules(redeal_when=RedealWhen.FIVE_NONDEALERS_PASS, max_consecutive_redeals=1),
    "long games": Rules(max_hands=1000, target_score=1000),
}


def cards(text: str) -> set[int]:
    return set(map(parse_card, text.split()))


def rare(what: str, rules: Rules | None = None) -> list[Decision]:
    return [
        position.decision
        for position in rare_positions(rules or Rules())
        if position.what.startswith(what)
    ]


def lawful(decision: Decision, rules: Rules) -> None:
    """What holds of every decision of every game."""
    public, question = decision.public, decision.question
    assert question.only() is None
    assert decision.seat % 3 not in public.out
    assert 0 <= public.number < rules.max_hands == public.max_hands
    assert public.number or public.scores == (0, 0, 0)
    assert public.redeal <= rules.max_consecutive_redeals
    seen = [card for trick in public.tricks for card in trick.cards]
    own = [*decision.holding, *decision.discards]
    in_order = [list(decision.holding), list(decision.discards)]
    assert in_order == [sorted(part) for part in in_order]
    played = sum((decision.seat - trick.leader) % 6 < len(trick.cards) for trick in public.tricks)
    assert not set(own) & set(seen) and len(set(own)) == len(own)
    assert len(set(seen)) == len(seen)
    if isinstance(question, PlayQuestion):
        assert len(decision.holding) == 6 - played
        assert public.trump is not None
        trick = public.tricks[-1].cards if public.tricks else []
        led = trick[0] if 0 < len(trick) < 6 else None
        assert question.cards == TRUMP_ORDERS[public.trump].legal_cards(decision.holding, led)


@pytest.mark.parametrize("name", RULES)
def test_every_position_is_lawful_under_any_rules(name: str) -> None:
    positions: Iterable[Position] = (*each_kind(RULES[name]), *rare_positions(RULES[name]))
    for position in positions:
        lawful(position.decision, RULES[name])


def test_each_kind_of_question_is_among_the_first() -> None:
    decisions = [position.decision for position in each_kind(Rules())]
    kinds = {type(decision.question) for decision in decisions}
    assert kinds == {CallQuestion, TrumpQuestion, DiscardQuestion, PlayQuestion}
    dealers = [d for d in decisions if d.seat == d.public.dealer]
    assert any(isinstance(decision.question, DiscardQuestion) for decision in dealers)
    bids = [d.question.bids for d in decisions if isinstance(d.question, CallQuestion)]
    assert any(3 in each for each in bids) and any(3 not in each for each in bids)


def test_the_dealer_picks_up_23_cards_15_of_them_trumps() -> None:
    (decision,) = rare("the dealer with 23 cards")
    question = decision.question
    assert isinstance(question, DiscardQuestion)
    assert len(decision.holding) == 23
    assert TRUMP_ORDERS[Suit.HEARTS].trumps <= set(decision.holding)
    assert (question.min_count, question.max_count, question.trump_count) == (17, 17, 9)


def test_a_discard_looks_forced_and_is_not() -> None:
    (decision,) = rare("a dealer's discard that looks forced")
    question = decision.question
    assert isinstance(question, DiscardQuestion)
    sides = len(question.cards) - len(question.trump_cards)
    assert question.min_count == question.max_count == sides + question.trump_count
    assert 0 < question.trump_count < len(question.trump_cards)


def test_the_left_bauer_belongs_to_trumps() -> None:
    printed, trumps, alone = (decision.question for decision in rare("left bauer"))
    assert isinstance(printed, PlayQuestion) and set(printed.cards) == cards("KD 4D")
    assert isinstance(trumps, PlayQuestion) and set(trumps.cards) == cards("JD 2H")
    assert isinstance(alone, PlayQuestion) and len(alone.cards) == 6


def test_the_joker_is_led_and_trumps_follow() -> None:
    (decision,) = rare("the joker led")
    assert decision.public.tricks[-1].cards == [JOKER]
    question = decision.question
    assert isinstance(question, PlayQuestion) and set(question.cards) == cards("JD 2H")


def test_bids_go_up_to_six_which_closes_them() -> None:
    (last,) = rare("a call where only six is higher")
    assert isinstance(last.question, CallQuestion) and last.question.bids == (1, 6)
    (closed,) = rare("naming trumps after a six")
    assert len(closed.public.calls) < 6 and closed.public.calls[-1] == 6


def test_scores_fall_below_zero_teams_are_out_and_games_come_to_their_last_hand() -> None:
    assert all(min(decision.public.scores) < 0 for decision in rare("negative scores"))
    assert all(decision.public.out == {1} for decision in rare("a team that is out"))
    assert all(decision.public.number == 59 for decision in rare("the last hand"))
    assert all(max(d.public.scores) > 21 for d in rare("two teams tied above the target"))
    assert rare("two teams tied", Rules(final_tie=FinalTie.SHARED)) == []
    for what in ("negative scores", "a team that is out", "the last hand", "two teams tied"):
        assert len(rare(what)) == 2


@pytest.mark.parametrize("name", RULES)
def test_recorded_hands_are_lawful_and_as_many_as_wanted(name: str) -> None:
    hands = list(recorded_hands(RULES[name], 7))
    assert len(hands) == 7
    for hand in hands:
        places = {(d.public.number, d.public.redeal, d.public.dealer) for d in hand}
        assert len(places) == 1
        for decision in hand:
            lawful(decision, RULES[name])


def test_recorded_hands_are_the_same_every_time_and_begin_alike_whatever_their_number() -> None:
    def text(count: int) -> list[bytes]:
        return [
            DecisionEncoder().encode(decision, id=1, table="t", limit_ms=1000)
            for hand in recorded_hands(Rules(), count)
            for decision in hand
        ]

    few, many = text(3), text(6)
    assert few == text(3)
    assert many[: len(few)] == few


def test_recorded_hands_hold_every_kind_of_question_and_whole_games() -> None:
    hands = list(recorded_hands(Rules(), 60))
    decisions = [decision for hand in hands for decision in hand]
    kinds = {type(decision.question) for decision in decisions}
    assert kinds == {CallQuestion, TrumpQuestion, DiscardQuestion, PlayQuestion}
    assert sum(hand[0].public.number == 0 for hand in hands) > 1
    assert {decision.seat for decision in decisions} == set(range(6))
