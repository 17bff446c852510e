"""The searching bot deals worlds that can be, answers alike every time, and wins."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import TRUMP_ORDERS, Suit, card_text, parse_card
from referee.sdk import Bot, Decision, answer
from referee.wire.pb.schmier.v1 import decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from sample_bots.python.random_legal import RandomLegal
from sample_bots.python.rule_based import RuleBased
from sample_bots.python.searching import LAYOUTS, LEAST_NODES, OUT, Searching, Seen
from tests.sdk.scripted_referee import OpenTable, finish, in_process


def cards(text: str) -> list[int]:
    return [parse_card(name) for name in text.split()]


def decisions(seed: int, bot: Bot | None = None) -> list[tuple[bytes, list[list[int]]]]:
    """Every decision of a game, with the true holdings of the six seats when it was asked."""
    table, found = OpenTable(seed), []
    ask = in_process(bot or RuleBased())
    while table.table.decision is not None:
        data = table.encode(1)
        holdings = table.table._game.hand._holdings
        found.append((data, [[int(card) for card in held] for held in holdings]))
        table.answer(ask([data])[0])
    return found


def plays(seed: int, bot: Bot) -> list[tuple[decision_pb2.Decision, list[list[int]]]]:
    parsed = [(decision_pb2.Decision.FromString(data), held) for data, held in decisions(seed, bot)]
    return [(message, held) for message, held in parsed if message.HasField("play")]


def as_decision(message: decision_pb2.Decision) -> Decision:
    return Decision(message, tuple(message.play.cards))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([RuleBased(), RandomLegal()]))
def test_every_world_agrees_with_what_was_seen(seed: int, bot: Bot) -> None:
    for message, _ in plays(seed, bot)[:60]:
        hand = message.hand
        order = TRUMP_ORDERS[Suit(hand.contract.trump)]
        seen = Seen(as_decision(message))
        world = seen.world(random.Random(seed))
        held = [{c for c in range(1, 54) if seen.layout.bits[c] & mask} for mask in world]
        gone = [card for trick in hand.tricks for card in trick.cards]
        played = [0] * 6
        assert held[message.seat] == set(message.holding)
        everywhere = [card for one in held for card in one]
        assert len(everywhere) == len(set(everywhere))
        assert not set(everywhere) & {*gone, *message.own_discards}
        for trick in hand.tricks:
            for i, card in enumerate(trick.cards):
                seat = (trick.leader + i) % 6
                played[seat] += 1
                if card not in order.followers[trick.cards[0]]:
                    assert not held[seat] & order.followers[trick.cards[0]]
        assert [len(one) for one in held] == [6 - count for count in played]
        out = set(range(1, 54)) - {*everywhere, *gone, *message.own_discards}
        always_played = {order.ranking[0], order.right, order.left, order.two, 53}
        assert not out & always_played
        if out & order.trumps:  # only a dealer with more than six trumps puts any away
            assert hand.dealer != message.seat
            assert held[hand.dealer] <= order.trumps


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([RuleBased(), RandomLegal()]))
def test_the_true_world_is_always_possible(seed: int, bot: Bot) -> None:
    for message, holdings in plays(seed, bot):
        seen = Seen(as_decision(message))
        true = [seen.layout.mask(held) for held in holdings]
        true[message.seat] = 0
        true.append(sum(seen.unknown) - sum(true))
        assert [mask.bit_count() for mask in true] == seen.needs
        bounds = [seen.may_hold] + ([seen.excess] if seen.may_excess else [])
        assert any(
            all(not mask & ~may for mask, may in zip(true, bound, strict=True)) for bound in bounds
        )


def test_a_dealer_that_put_trumps_away_leaves_a_world_with_trumps_out() -> None:
    """Seat 0 sees eight trumps that six other cards of the dealer cannot all be."""
    message = decision_pb2.Decision(
        seat=0,
        holding=cards("AH KH QH TH 9H 8H"),  # type: ignore[arg-type]
        play=decision_pb2.PlayQuestion(cards=cards("AH KH QH TH 9H 8H")),  # type: ignore[arg-type]
        hand=decision_pb2.PublicHand(
            dealer=5,
            contract=decision_pb2.Contract(bidder=0, bid=3, trump=3),  # type: ignore[arg-type]
            discard_counts=[0, 0, 0, 0, 0, 17],
            tricks=[decision_pb2.Trick(leader=0)],
        ),
    )
    seen = Seen(as_decision(message))
    rng = random.Random(1)
    worlds = [seen.deal(rng) for _ in range(2000)]
    with_trumps_out = [world for world in worlds if world[OUT] & seen.layout.trumps]
    assert 0 < len(with_trumps_out) < 200
    assert all(not world[5] & ~seen.layout.trumps for world in with_trumps_out)


def test_the_same_decision_gets_the_same_answer_in_any_order_and_batch() -> None:
    asked = [data for data, _ in decisions(3)][::5]

    def answers(order: list[int], bot: Bot) -> dict[int, bytes]:
        given = {}
        for i in order:
            request = service.PlayRequest()
            answer(bot, decision_pb2.Decision.FromString(asked[i]), request.actions)
            given[i] = request.SerializeToString()
        return given

    forward, bot = list(range(len(asked))), Searching(600)
    first = answers(forward, bot)
    assert answers(forward[::-1], bot) == first
    assert answers(forward, Searching(600)) == first


@pytest.mark.parametrize("nodes", [LEAST_NODES, 700, 2000])
def test_the_budget_of_nodes_is_kept_and_used(nodes: int) -> None:
    bot, most = Searching(nodes), 0
    for message, _ in plays(4, RuleBased())[:80]:
        bot.play(as_decision(message))
        assert bot.spent <= nodes
        most = max(most, bot.spent)
    assert most > nodes // 3


def test_a_budget_too_small_for_one_world_is_refused() -> None:
    with pytest.raises(ValueError, match="nodes must be at least 216, is 215"):
        Searching(LEAST_NODES - 1)


def play(*, tricks: list[tuple[int, str]], holding: str, legal: str, trump: Suit) -> str:
    message = decision_pb2.Decision(
        seat=0,
        random_seed=7,
        holding=cards(holding),  # type: ignore[arg-type]
        play=decision_pb2.PlayQuestion(cards=cards(legal)),  # type: ignore[arg-type]
        hand=decision_pb2.PublicHand(
            dealer=2,
            scores=[0, 0, 0],
            contract=decision_pb2.Contract(bidder=1, bid=3, trump=trump),  # type: ignore[arg-type]
            tricks=[
                decision_pb2.Trick(leader=leader, cards=cards(text))  # type: ignore[arg-type]
                for leader, text in tricks
            ],
        ),
    )
    return card_text(Searching(4000).play(as_decision(message)))


def test_the_last_to_play_takes_a_bauer_with_a_trump() -> None:
    holding, tricks = "QH 6H 2C 9C 3D 4D", [(1, "2H JH 3H 4H 5H")]
    assert play(tricks=tricks, holding=holding, legal="6H QH", trump=Suit.HEARTS) == "QH"


def test_the_last_to_play_gives_its_partner_the_ten() -> None:
    holding, tricks = "TS 7S 2C 9C 3D 4D", [(1, "2S 4S AS JS QS")]
    assert play(tricks=tricks, holding=holding, legal="7S TS", trump=Suit.HEARTS) == "TS"


def test_the_last_to_play_gives_a_rival_no_ten() -> None:
    holding, tricks = "TS 6S 2C 9C 3D 4D", [(1, "AS 5S 2S 4S 3S")]
    assert play(tricks=tricks, holding=holding, legal="6S TS", trump=Suit.HEARTS) == "6S"


def test_layouts_know_who_beats_whom() -> None:
    for suit in Suit:
        layout, order = LAYOUTS[suit], TRUMP_ORDERS[suit]
        for led in range(1, 54):
            followers = layout.suit_of[layout.bits[led]]
            assert followers == layout.mask(sorted(order.followers[led]))
            reach = sorted(order.followers[led] | order.trumps, key=lambda c: layout.bits[c])
            strengths = [order.strength[led][card] for card in reach]
            assert strengths == sorted(strengths)


def test_it_beats_the_rule_based_bot_on_a_few_boards() -> None:
    sixths = [0, 0, 0]
    for order in permutations(range(3)):
        trio = (Searching(1000), RuleBased(), RuleBased())
        tables = [OpenTable(seed) for seed in range(3)]
        assert finish(tables, in_process(*(trio[i] for i in order)), batch=3) == []
        for table in tables:
            assert table.table.record is not None
            for team, won in enumerate(table.table.record.outcome.sixths):
                sixths[order[team]] += won
    assert sixths[0] > max(sixths[1:])
