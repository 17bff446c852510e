"""What a bot sees of a decision, and how its choices become actions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import pytest

from referee.sdk import Decision, DiscardDecision, UnknownQuestionError, answer
from referee.wire import Answer
from referee.wire.pb.schmier.v1 import decision_pb2, rules_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from tests.sdk.discard_cases import DISCARDS, discard_decision, legal_discards
from tests.sdk.scripted_referee import OpenTable, finish, in_process


class Watching:
    """Plays like a first-legal bot and keeps every decision it saw."""

    def __init__(self) -> None:
        self.seen: list[Decision] = []

    def first(self, decision: Decision) -> int:
        self.seen.append(decision)
        return decision.legal[0]

    trump = play = first

    def call(self, decision: Decision) -> int:
        self.seen.append(decision)
        return 3 if 3 in decision.legal else decision.legal[0]

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        self.seen.append(decision)
        return next(decision.sets())


class Gives:
    """Gives the same thing whatever it is asked."""

    def __init__(self, given: object) -> None:
        self.given = given

    def give(self, decision: Decision) -> int:
        return self.given  # type: ignore[return-value]

    call = trump = play = give

    def discards(self, decision: DiscardDecision) -> Iterable[int]:
        return self.given  # type: ignore[return-value]


@pytest.fixture(scope="module")
def seen() -> list[Decision]:
    """All decisions of a game."""
    bot = Watching()
    assert finish([OpenTable(1)], in_process(bot), batch=1) == []
    return bot.seen


def test_a_decision_says_what_the_table_knows() -> None:
    open_table = OpenTable(7)
    table = open_table.table
    bot = Watching()

    def ask_and_compare(decisions: list[bytes]) -> list[Answer]:
        answers = in_process(bot)(decisions)
        truth, told = table.decision, bot.seen[-1]
        assert truth is not None
        assert (told.seat, told.team, told.partner) == (
            truth.seat,
            truth.seat % 3,
            (truth.seat + 3) % 6,
        )
        assert (told.holding, told.own_discards) == (truth.holding, truth.discards)
        assert (told.random_seed, told.limit_ms) == (truth.random_seed, 1000)
        hand, public = told.hand, truth.public
        assert (hand.number, hand.redeal, hand.dealer) == (
            public.number,
            public.redeal,
            public.dealer,
        )
        assert (hand.scores, hand.max_hands) == (public.scores, public.max_hands)
        assert hand.teams_out == tuple(sorted(public.out))
        assert hand.calls == tuple(public.calls)
        assert (hand.bidder, hand.bid, hand.trump) == (public.bidder, public.bid, public.trump)
        assert hand.discard_counts == tuple(public.discard_counts)
        cards = [(trick.leader, list(trick.cards)) for trick in hand.tricks if trick.cards]
        assert cards == [(trick.leader, trick.cards) for trick in public.tricks]
        return answers

    finish([open_table], ask_and_compare, batch=1)
    assert len(bot.seen) > 100


@pytest.mark.parametrize("case", DISCARDS)
def test_sets_are_all_legal_discards_each_once_r21_r22_r23(case: str) -> None:
    decision, question = discard_decision(case)
    sets = [tuple(sorted(cards)) for cards in decision.sets()]
    assert len(sets) == len(set(sets))
    assert set(sets) == legal_discards(question)
    assert decision.legal == question.cards


@pytest.mark.parametrize("case", DISCARDS)
def test_a_drawn_discard_is_legal_and_every_legal_one_can_be_drawn(case: str) -> None:
    legal = legal_discards(discard_decision(case)[1])
    drawn = {tuple(sorted(discard_decision(case, seed=seed)[0].draw())) for seed in range(1, 1001)}
    assert drawn == legal


def test_the_sets_of_a_dealer_with_17_of_23_cards_to_go_come_one_by_one() -> None:
    question = decision_pb2.DiscardQuestion(
        side_cards=range(1, 24),  # type: ignore[arg-type]
        min_count=17,
        max_count=17,
    )
    decision = DiscardDecision(decision_pb2.Decision(discard=question))
    assert list(islice(decision.sets(), 1)) == [tuple(range(1, 18))]


def test_the_same_decision_draws_the_same_numbers(seen: list[Decision]) -> None:
    for decision in seen[:20]:
        again = Decision(decision.message, decision.legal)
        assert decision.rng is decision.rng
        assert again.rng.random() == Decision(decision.message, decision.legal).rng.random()
    assert len({Decision(d.message, d.legal).rng.random() for d in seen}) > len(seen) // 2


def test_a_decision_has_the_rules_of_the_welcome_or_none(seen: list[Decision]) -> None:
    rules = rules_pb2.Rules(target_score=21)
    assert Decision(seen[0].message, (), rules=rules).rules.target_score == 21
    assert Decision(seen[0].message, ()).rules == rules_pb2.Rules()


QUESTIONS = {
    "call": decision_pb2.Decision(id=5, call=decision_pb2.CallQuestion()),
    "trump": decision_pb2.Decision(id=5, trump=decision_pb2.TrumpQuestion()),
    "play": decision_pb2.Decision(id=5, play=decision_pb2.PlayQuestion()),
    "discards": decision_pb2.Decision(id=5, discard=decision_pb2.DiscardQuestion()),
}


def action_for(question: str, given: object) -> decision_pb2.Action:
    actions = service.Actions()
    try:
        answer(Gives(given), QUESTIONS[question], actions)
    except (TypeError, ValueError):
        assert not actions.actions
        raise
    (action,) = actions.actions
    return action


def test_a_choice_becomes_the_action_named_like_the_question() -> None:
    assert str(action_for("call", 3)) == "decision_id: 5\ncall: BID_THREE\n"
    assert str(action_for("trump", 4)) == "decision_id: 5\ntrump: SUIT_SPADES\n"
    assert str(action_for("play", 53)) == "decision_id: 5\nplay: CARD_JOKER\n"
    assert list(action_for("discards", {7, 3}).discard.cards) == [3, 7]
    assert action_for("discards", iter([])).HasField("discard")


def test_a_choice_that_is_not_legal_is_sent_for_the_referee_to_judge() -> None:
    assert action_for("play", 99).play == 99


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("given", [None, "TH", 3.0, True])
def test_a_choice_that_is_no_number_names_the_method(question: str, given: object) -> None:
    with pytest.raises(TypeError, match=rf"^{question}\(\) must return "):
        action_for(question, [given] if question == "discards" and given else given)


@pytest.mark.parametrize("given", [-1, 2**31])
def test_a_number_that_cannot_be_sent_is_named(given: int) -> None:
    with pytest.raises(ValueError, match=r"^play\(\) must return a card, not "):
        action_for("play", given)


def test_a_question_of_a_later_revision_is_told_in_one_line() -> None:
    later = decision_pb2.Decision.FromString(
        decision_pb2.Decision(id=5).SerializeToString() + b"\xa2\x06\x00"
    )
    with pytest.raises(UnknownQuestionError, match=r"^decision 5 asks .* newer schmier-referee$"):
        answer(Gives(1), later, service.Actions())
