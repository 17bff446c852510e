"""Laws that every game keeps, under every option: random play, checked at every decision."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    SEATS,
    TRUMP_ORDERS,
    TRUMPS,
    Action,
    Bid,
    Deck,
    Discard,
    DiscardQuestion,
    Ending,
    FinalTie,
    Game,
    GameTie,
    Hand,
    HandResult,
    IllegalAction,
    LowPoint,
    Phase,
    RedealWhen,
    Rules,
    substitute,
    team_of,
)

Choose = Callable[[Hand, Random], Action]
Shuffle = Callable[[Random], Deck]

all_rules = st.builds(
    Rules,
    low_point=st.sampled_from(LowPoint),
    redeal_when=st.sampled_from(RedealWhen),
    game_tie=st.sampled_from(GameTie),
    set_keeps_points=st.booleans(),
    final_tie=st.sampled_from(FinalTie),
    target_score=st.integers(1, 12),
    max_hands=st.integers(1, 12),
    max_consecutive_redeals=st.integers(0, 3),
)
seeds = st.integers(0, 2**32)
laws = settings(max_examples=60)


def new_game(rules: Rules, random: Random, random_deck: Shuffle) -> Game:
    first_dealer = random.randrange(6)
    return Game(rules, first_dealer=first_dealer, deal=lambda hand, redeal: random_deck(random))


def where_cards_are(hand: Hand) -> list[int]:
    played = [card for trick in hand.public.tricks for card in trick.cards]
    seats = [card for seat in SEATS for card in (*hand.holding(seat), *hand.discards(seat))]
    return sorted([*played, *seats, *hand.stock()])


def snapshot(game: Game) -> dict[str, object]:
    """Every attribute of the game and its hand, copied; the trump order by its suit."""
    hand = game.hand
    state: dict[str, object] = {name: getattr(game, name) for name in ("dealer", "out", "outcome")}
    state["scores"], state["results"], state["hand"] = game.scores, list(game.results), id(hand)
    for name in Hand.__slots__:
        state[f"hand.{name}"] = hand._order.suit if name == "_order" else getattr(hand, name)
    return deepcopy(state)


def any_actions(random: Random) -> list[Action]:
    cards = random.sample(CARDS, 12)
    discards = [Discard(tuple(cards[:size])) for size in range(5)]
    twice = Discard((cards[0], cards[0]))
    return [*CALLS.values(), *TRUMPS.values(), *(PLAYS[c] for c in cards), *discards, twice]


@given(rules=all_rules, seed=seeds)
@laws
def test_53_cards_are_conserved_and_each_seat_has_six_at_trick_one(
    rules: Rules, seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    game = new_game(rules, random, random_deck)
    while game.outcome is None:
        hand = game.hand
        assert where_cards_are(hand) == list(CARDS)
        if hand.phase is Phase.PLAY and not hand.public.tricks:
            assert [len(hand.holding(seat)) for seat in SEATS] == [6] * 6
            *exchanged, picked_up = hand.public.discard_counts
            assert picked_up == 17 - sum(exchanged), "E2"
            assert hand.stock() == ()
        game.act(random_action(hand, random))
        assert where_cards_are(hand) == list(CARDS)


@given(rules=all_rules, seed=seeds)
@laws
def test_some_action_is_always_legal_and_an_only_action_and_a_substitute_are_legal(
    rules: Rules, seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    game = new_game(rules, random, random_deck)
    while game.outcome is None:
        question, action = game.question(), random_action(game.hand, random)
        assert game.question() is question
        assert question.objection(action) is None
        assert question.objection(substitute(game.hand)) is None
        only = question.only()
        if only is not None:
            assert question.objection(only) is None
            assert only == action == substitute(game.hand)
        if not isinstance(question, DiscardQuestion):
            offered = getattr(question, question.__slots__[0])
            assert offered
            assert list(offered) == sorted(set(offered))
            assert (len(offered) == 1) == (only is not None)
        game.act(action)


@given(rules=all_rules, seed=seeds)
@settings(max_examples=25)
def test_an_illegal_action_raises_with_its_objection_and_leaves_the_game_as_it_was(
    rules: Rules, seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    game = new_game(rules, random, random_deck)
    for _ in range(120):
        if game.outcome is not None:
            break
        question = game.question()
        before = snapshot(game)
        for action in any_actions(random):
            objection = question.objection(action)
            if objection is not None:
                with pytest.raises(IllegalAction) as refused:
                    game.act(action)
                assert refused.value.objection is objection
        assert snapshot(game) == before
        game.act(random_action(game.hand, random))


def game_points_given(result: HandResult, rules: Rules) -> int:
    """E4: one, or by the option when teams tie."""
    totals = result.points.card_points
    tied = [team for team in range(3) if totals[team] == max(totals)]
    if len(tied) == 1:
        return 1
    given_to = {
        GameTie.NONE: 0,
        GameTie.BIDDER: int(team_of(result.bidder) in tied),
        GameTie.ALL_TIED: len(tied),
    }
    return given_to[rules.game_tie]


@given(rules=all_rules, seed=seeds)
@laws
def test_e4_points_sum_to_five_and_the_game_points_and_deltas_differ_only_by_a_set(
    rules: Rules, seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    game = new_game(rules, random, random_deck)
    while game.outcome is None:
        game.act(random_action(game.hand, random))
    for result in game.results:
        won, bidding = result.points.by_team(), team_of(result.bidder)
        assert sum(won) == 5 + game_points_given(result, rules)
        expected = list(won)
        if won[bidding] < result.bid:
            expected[bidding] = -result.bid + rules.set_keeps_points * won[bidding]
        assert list(result.deltas) == expected
        assert result.made == (won[bidding] >= result.bid)
        assert 7 <= sum(result.points.card_points) <= 81
    assert game.scores == tuple(sum(r.deltas[team] for r in game.results) for team in range(3))


@given(rules=all_rules, seed=seeds)
@laws
def test_r24_r26_the_bidder_leads_and_then_whoever_won_the_last_trick(
    rules: Rules, seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    hand = Hand(rules, random_deck(random), random.randrange(6))
    asked: list[int] = []
    while hand.phase is not Phase.OVER:
        assert hand.seat is not None
        if hand.phase is Phase.PLAY:
            asked.append(hand.seat)
        hand.act(random_action(hand, random))
    public = hand.public
    if public.trump is None:
        assert hand.thrown_in
        return
    leader = public.bidder
    for number, trick in enumerate(public.tricks):
        assert trick.leader == leader
        turns = asked[6 * number : 6 * number + 6]
        assert turns == [(trick.leader + turn) % 6 for turn in range(6)]
        leader = TRUMP_ORDERS[public.trump].winner(trick.leader, trick.cards)
    assert len(public.tricks) == 6


@given(seed=seeds)
@settings(max_examples=40)
def test_r32_a_game_ends_with_careful_bids_and_its_outcome_adds_up(
    seed: int, random_deck: Shuffle
) -> None:
    random = Random(seed)
    game = new_game(Rules(), random, random_deck)
    while game.outcome is None:
        hand = game.hand
        bid_three = hand.phase is Phase.CALL and random.random() < 0.2
        nobody_bid = all(bid is Bid.PASS for bid in hand.public.calls)
        careful = CALLS[Bid.THREE] if bid_three and nobody_bid else substitute(hand)
        game.act(careful)
    outcome = game.outcome
    assert outcome.ending is Ending.TARGET or outcome.hands == 60
    assert outcome.hands == len(game.results)
    assert (sum(outcome.sixths), sum(outcome.margin_thirds)) == (6, 0)


@given(rules=all_rules, seed=seeds)
@laws
def test_r3_r18_the_deal_moves_left_each_hand_and_stays_for_a_redeal(
    rules: Rules, seed: int, random_action: Choose, random_deck: Shuffle
) -> None:
    random, dealt = Random(seed), list[tuple[int, int]]()

    def deal(hand: int, redeal: int) -> Deck:
        dealt.append((hand, redeal))
        return random_deck(random)

    game = Game(rules, first_dealer=4, deal=deal)
    while game.outcome is None:
        public = game.hand.public
        assert (public.number, public.redeal) == dealt[-1] == (game.hand_number, game.redeal)
        assert public.dealer == game.dealer == (4 + public.number) % 6
        assert public.redeal <= rules.max_consecutive_redeals
        assert (public.scores, public.max_hands) == (game.scores, rules.max_hands)
        game.act(random_action(game.hand, random))
    for (hand, redeal), following in pairwise(dealt):
        assert following in {(hand, redeal + 1), (hand + 1, 0)}
