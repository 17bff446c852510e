"""The table without processes: who is asked, what a fault costs, who forfeits, who is out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMPS,
    Action,
    Bid,
    BoardSeeds,
    Call,
    CallQuestion,
    Card,
    Decision,
    Deck,
    Discard,
    DiscardQuestion,
    Ending,
    NameTrump,
    Play,
    PlayQuestion,
    Rules,
    Suit,
    TrumpQuestion,
    substitute_for,
    team_of,
)
from referee.table import Fault, FaultKind, Step, Table, decode_actions

OpenTable = Callable[..., Table]
RandomBot = Callable[[Random], Callable[[Decision], Action]]
PlayUntil = Callable[[Table, Callable[[Decision], bool]], Decision]

QUESTIONS = (CallQuestion, TrumpQuestion, DiscardQuestion, PlayQuestion)


def steps(table: Table, first_dealer: int) -> list[Step]:
    deals = decode_actions(table.actions, first_dealer=first_dealer)
    return [step for deal in deals for step in deal.steps]


def asks(kind: type) -> Callable[[Decision], bool]:
    return lambda decision: isinstance(decision.question, kind)


def any_action(table: Table) -> Action:
    """The substitute action, as an answer: always a legal one."""
    assert table.decision is not None
    return substitute_for(table.decision.question, table.decision.holding)


# --- who is asked ---------------------------------------------------------------------------------


def test_the_first_decision_is_the_call_of_the_dealers_left(open_table: OpenTable) -> None:
    decision = open_table(4).decision
    assert decision is not None
    assert (decision.seat, decision.public.dealer) == (5, 4)
    assert decision.question == CallQuestion(tuple(Bid))
    assert len(decision.holding) == 6
    assert decision.discards == ()


def test_a_decision_holds_the_seats_own_discards_of_this_hand(
    open_table: OpenTable, play_until: PlayUntil
) -> None:
    table = open_table(3)
    decision = play_until(table, asks(DiscardQuestion))
    assert isinstance(decision.question, DiscardQuestion)
    gone = decision.question.cards[:2]
    table.answer(Discard(gone))
    later = play_until(
        table, lambda d: d.seat == decision.seat and isinstance(d.question, PlayQuestion)
    )
    assert later.discards == gone
    assert not set(later.holding) & set(gone)


def test_a_forced_choice_is_recorded_as_played_without_being_asked(
    open_table: OpenTable, random_bot: RandomBot
) -> None:
    table, bot, asked = open_table(5), random_bot(Random(5)), set()
    while table.decision is not None:
        assert table.decision.question.only() is None
        asked.add(table.action_count)
        table.answer(bot(table.decision))
    recorded = steps(table, 5)
    forced = [step for step in recorded if step.index not in asked]
    assert len(forced) + len(asked) == len(recorded) == table.action_count
    assert len(forced) > len(recorded) / 10


def test_a20_the_dealers_forced_bid_is_recorded_and_not_asked(open_table: OpenTable) -> None:
    table = open_table(2, rules=Rules(max_consecutive_redeals=1))
    while table.decision is not None and isinstance(table.decision.question, CallQuestion):
        if table.decision.public.redeal == 1:
            assert table.decision.seat != 2
        table.answer(CALLS[Bid.PASS])
    assert table.decision is not None
    assert isinstance(table.decision.question, TrumpQuestion)
    assert table.decision.seat == 2
    assert steps(table, 2)[-1].action == Call(Bid.THREE)


def test_the_random_seed_counts_the_seats_recorded_actions_since_the_last_deal(
    open_table: OpenTable, board: Callable[[int], BoardSeeds], random_bot: RandomBot
) -> None:
    table, bot, seeds = open_table(2, faults_per_game=90), random_bot(Random(2)), board(2)
    deals = set()
    while table.decision is not None:
        decision = table.decision
        deal = list(decode_actions(table.actions, first_dealer=2))[-1]
        k = sum(step.seat == decision.seat for step in deal.steps)
        assert decision.random_seed == seeds.decision_seed(
            hand=deal.hand, redeal=deal.redeal, seat=decision.seat, k=k
        )
        deals.add((deal.hand, deal.redeal))
        if table.action_count % 7 == 0 or (deal.hand, deal.redeal) == (0, 0):
            table.charge(FaultKind.TIMEOUT)
        else:
            table.answer(bot(decision))
    assert {(0, 0), (0, 1), (1, 0)} <= deals


def test_hidden_cards_do_not_show_in_a_decision(
    stacked_board: Callable[[Deck], BoardSeeds],
) -> None:
    random = Random(11)
    own: list[Card] = random.sample(CARDS, 6)
    seen = []
    for _ in range(20):
        hidden = random.sample([card for card in CARDS if card not in own], 47)
        places = iter(hidden)
        deck = tuple(own[i // 6] if i % 6 == 0 and i < 36 else next(places) for i in range(53))
        table = Table(rules=Rules(), seeds=stacked_board(deck), first_dealer=5, faults_per_game=1)
        decision = table.decision
        assert decision is not None and decision.holding == tuple(sorted(own))
        seen.append(decision)
    assert all(decision == seen[0] for decision in seen)


def test_every_card_in_a_decision_is_the_seats_own_or_was_played(
    open_table: OpenTable, random_bot: RandomBot
) -> None:
    table, bot = open_table(9), random_bot(Random(9))
    while table.decision is not None:
        _, public, holding, discards, question, _ = table.decision
        match question:
            case DiscardQuestion(cards) | PlayQuestion(cards):
                assert set(cards) <= set(holding)
            case _:
                pass
        played = [card for trick in public.tricks for card in trick.cards]
        assert not set(played) & {*holding, *discards}
        assert len(played) == len(set(played))
        table.answer(bot(table.decision))


# --- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FaultKind)
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_fault_plays_the_substitute_action_and_is_recorded_at_it(
    open_table: OpenTable, play_until: PlayUntil, kind: FaultKind, question: type
) -> None:
    table = open_table(1)
    decision = play_until(table, asks(question))
    expected = substitute_for(decision.question, decision.holding)
    index, hand, redeal = table.action_count, decision.public.number, decision.public.redeal
    fault = table.charge(kind)
    assert fault == Fault(
        action_index=index, hand=hand, redeal=redeal, seat=decision.seat, kind=kind
    )
    assert table.faults == (fault,)
    step = steps(table, 1)[index]
    assert (step.seat, step.action) == (decision.seat, expected)


def test_the_substitute_actions_are_pass_longest_suit_no_discard_and_lowest_card(
    open_table: OpenTable, play_until: PlayUntil
) -> None:
    table = open_table(1, faults_per_game=50)
    for kind in QUESTIONS:
        decision = play_until(
            table,
            lambda d, kind=kind: isinstance(d.question, kind) and d.seat != d.public.dealer,  # type: ignore[misc]
        )
        index = table.action_count
        table.charge(FaultKind.TIMEOUT)
        match steps(table, 1)[index].action:
            case Call(bid):
                assert bid is Bid.PASS
            case NameTrump(suit):
                assert suit in Suit
            case Discard(cards):
                assert cards == ()
            case Play(card):
                assert isinstance(decision.question, PlayQuestion)
                assert card == decision.question.cards[0]


def test_an_answer_that_is_not_among_the_choices_is_the_fault_illegal(
    open_table: OpenTable,
    play_until: PlayUntil,
    illegal_action: Callable[[Decision, Random], Action | None],
) -> None:
    for kind in (DiscardQuestion, PlayQuestion):
        table = open_table(1)
        wrong = illegal_action(play_until(table, asks(kind)), Random(1))
        assert wrong is not None
        fault = table.answer(wrong)
        assert fault is not None
        assert fault.kind is FaultKind.ILLEGAL
        assert table.faults == (fault,)


def test_a_bid_not_above_the_highest_is_the_fault_illegal_and_counts_as_a_pass(
    open_table: OpenTable,
) -> None:
    table = open_table(5)
    table.answer(CALLS[Bid.FOUR])
    fault = table.answer(CALLS[Bid.FOUR])
    assert fault is not None
    assert (fault.kind, fault.seat, fault.action_index) == (FaultKind.ILLEGAL, 1, 1)
    assert table.decision is not None
    assert table.decision.public.calls == [Bid.FOUR, Bid.PASS]


def test_another_kind_of_action_than_asked_for_is_the_fault_malformed(
    open_table: OpenTable, play_until: PlayUntil
) -> None:
    wrong: tuple[Action, ...] = (CALLS[Bid.PASS], TRUMPS[Suit.CLUBS], Discard(()), PLAYS[1])
    for asked, kind in enumerate(QUESTIONS):
        for given, action in enumerate(wrong):
            table = open_table(1)
            play_until(table, asks(kind))
            fault = table.answer(action)
            if given != asked:
                assert fault is not None and fault.kind is FaultKind.MALFORMED


# --- forfeits -------------------------------------------------------------------------------------


def test_a_team_forfeits_with_its_third_fault_whichever_partner_made_it(
    open_table: OpenTable, play_until: PlayUntil, random_bot: RandomBot
) -> None:
    table = open_table(7, rules=Rules())
    for seat in (1, 4):
        play_until(table, lambda d, seat=seat: d.seat == seat)  # type: ignore[misc]
        table.charge(FaultKind.CRASH)
    play_until(table, lambda d: d.seat in (0, 2))
    table.charge(FaultKind.TIMEOUT)
    decision = play_until(table, lambda d: d.seat == 1)
    assert decision.public.out == frozenset()
    index = table.action_count
    substitute_action = any_action(table)
    table.charge(FaultKind.TIMEOUT)
    assert steps(table, 1)[index].action == substitute_action
    bot, asked = random_bot(Random(7)), 0
    while table.decision is not None:
        assert team_of(table.decision.seat) != 1
        assert table.decision.public.out == frozenset({1})
        table.answer(bot(table.decision))
        asked += 1
    assert asked > 20
    assert len(table.faults) == 4


def test_with_one_fault_a_game_the_first_forfeits(open_table: OpenTable) -> None:
    table = open_table(0, faults_per_game=1)
    table.charge(FaultKind.HANDSHAKE)
    assert table.decision is not None
    assert table.decision.public.out == frozenset({1})
    assert table.action_count == 1


def test_the_game_ends_at_once_when_a_second_team_forfeits_and_the_third_wins(
    open_table: OpenTable,
) -> None:
    table = open_table(0, faults_per_game=1)
    table.charge(FaultKind.HANDSHAKE)
    fault = table.charge(FaultKind.TIMEOUT)
    assert table.decision is None
    assert table.record is not None
    outcome = table.record.outcome
    assert (outcome.ending, outcome.sixths, outcome.hands) == (Ending.FORFEIT, (6, 0, 0), 0)
    assert outcome.out == frozenset({1, 2})
    assert fault.action_index == table.action_count == 1


@pytest.mark.parametrize("number", range(8))
def test_a_forfeit_comes_before_the_card_that_would_have_won(
    open_table: OpenTable, random_bot: RandomBot, number: int
) -> None:
    rules = Rules(target_score=1, max_hands=1)
    table, again = (open_table(number, rules=rules, faults_per_game=1) for _ in range(2))
    bot, last = random_bot(Random(number)), 0
    while table.decision is not None:
        last, seat = table.action_count, table.decision.seat
        table.answer(bot(table.decision))
    recorded = steps(table, number)
    while again.action_count < last:
        again.answer(recorded[again.action_count].action)
    again.charge(FaultKind.TIMEOUT)
    assert again.record is not None
    assert again.record.outcome.sixths[team_of(seat)] == 0
    assert again.action_count == len(recorded)


# --- teams out before the first hand --------------------------------------------------------------


def test_a_team_out_is_never_asked_and_its_cards_are_played(
    open_table: OpenTable, random_bot: RandomBot
) -> None:
    table, bot = open_table(3, out=frozenset({2})), random_bot(Random(3))
    while table.decision is not None:
        assert team_of(table.decision.seat) != 2
        assert table.decision.public.out == frozenset({2})
        table.answer(bot(table.decision))
    assert table.record is not None
    assert table.record.outcome.sixths[2] == 0
    assert {step.seat for step in steps(table, 3)} == set(range(6))


@pytest.mark.parametrize(
    ("out", "sixths"),
    [({0, 1}, (0, 0, 6)), ({0, 2}, (0, 6, 0)), ({1, 2}, (6, 0, 0)), ({0, 1, 2}, (2, 2, 2))],
)
def test_with_two_or_three_teams_out_the_game_is_over_before_the_first_call(
    open_table: OpenTable, out: set[int], sixths: tuple[int, int, int]
) -> None:
    table = open_table(3, out=frozenset(out))
    assert table.decision is None
    assert table.record is not None
    assert table.record.outcome.sixths == sixths
    assert table.record.outcome.ending is Ending.FORFEIT
    assert table.record.out == table.record.outcome.out == out
    assert table.action_count == 0


# --- misuse ---------------------------------------------------------------------------------------


def test_a_finished_game_takes_no_answer_and_no_charge(open_table: OpenTable) -> None:
    table = open_table(3, out=frozenset({0, 1}))
    with pytest.raises(RuntimeError, match="no decision is open"):
        table.answer(CALLS[Bid.PASS])
    with pytest.raises(RuntimeError, match="no decision is open"):
        table.charge(FaultKind.TIMEOUT)


@pytest.mark.parametrize(
    "wrong", [{"faults_per_game": 0}, {"faults_per_game": -1}, {"out": frozenset({3})}]
)
def test_a_table_refuses_what_is_out_of_range(
    open_table: OpenTable, wrong: dict[str, object]
) -> None:
    with pytest.raises(ValueError, match=r"at least 1|a team is"):
        open_table(0, **wrong)
