"""A decision's bytes are those of protobuf, hold all of it, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.engine import (
    CALLS,
    PLAYS,
    TRUMPS,
    Action,
    Bid,
    BoardSeeds,
    CallQuestion,
    Decision,
    Discard,
    DiscardQuestion,
    Hand,
    PlayQuestion,
    PublicHand,
    Question,
    Rules,
    Suit,
    Trick,
    TrumpQuestion,
    decision_of,
)
from referee.table import FaultKind, Table
from referee.wire import DecisionEncoder, decisions_message
from referee.wire.framing import varint, zigzag
from referee.wire.pb.schmier.v1 import decision_pb2 as pb
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service_pb

# --- the clear path -------------------------------------------------------------------------------


def clear(decision: Decision, *, id: int, table: str, limit_ms: int) -> pb.Decision:
    """The decision's message, built from scratch with protobuf alone."""
    message = pb.Decision(
        id=id,
        table=table,
        seat=decision.seat,
        limit_ms=limit_ms,
        hand=clear_hand(decision),
        holding=decision.holding,  # type: ignore[arg-type]
        own_discards=decision.discards,  # type: ignore[arg-type]
        random_seed=decision.random_seed,
    )
    clear_question(message, decision.question)
    return message


def clear_hand(decision: Decision) -> pb.PublicHand:
    public = decision.public
    message = pb.PublicHand(
        number=public.number,
        redeal=public.redeal,
        dealer=public.dealer,
        scores=public.scores,
        teams_out=sorted(public.out),
        max_hands=public.max_hands,
        calls=public.calls,  # type: ignore[arg-type]
        discard_counts=public.discard_counts,
    )
    if public.bidder is not None:
        message.contract.bidder = public.bidder
        message.contract.bid = public.bid  # type: ignore[assignment]
        if public.trump is not None:
            message.contract.trump = public.trump  # type: ignore[assignment]
    for trick in public.tricks:
        message.tricks.add(leader=trick.leader, cards=trick.cards)
    leads = not public.tricks or len(public.tricks[-1].cards) == 6
    if isinstance(decision.question, PlayQuestion) and leads:
        message.tricks.add(leader=decision.seat)
    return message


def clear_question(message: pb.Decision, question: Question) -> None:
    match question:
        case CallQuestion(bids):
            message.call.bids.extend(bids)  # type: ignore[arg-type]
        case TrumpQuestion(suits):
            message.trump.suits.extend(suits)  # type: ignore[arg-type]
        case DiscardQuestion(cards, trump_cards):
            side_cards = [card for card in cards if card not in trump_cards]
            message.discard.side_cards.extend(side_cards)  # type: ignore[arg-type]
            message.discard.trump_cards.extend(trump_cards)  # type: ignore[arg-type]
            message.discard.min_count = question.min_count
            message.discard.max_count = question.max_count
            message.discard.trump_count = question.trump_count
        case PlayQuestion(cards):
            message.play.cards.extend(cards)  # type: ignore[arg-type]


def check(encoder: DecisionEncoder, decision: Decision, *, id: int, table: str) -> pb.Decision:
    """The fast path gives what the clear path gives, to the byte; return the message."""
    data = encoder.encode(decision, id=id, table=table, limit_ms=1000)
    message = pb.Decision.FromString(data)
    expected = clear(decision, id=id, table=table, limit_ms=1000)
    assert message == expected
    assert data == expected.SerializeToString(deterministic=True)
    return message


# --- games to encode ------------------------------------------------------------------------------


def legal(question: Question, random: Random) -> Action:
    match question:
        case CallQuestion(bids):
            return CALLS[random.choice(bids) if random.random() < 0.3 else bids[0]]
        case TrumpQuestion(suits):
            return TRUMPS[random.choice(suits)]
        case DiscardQuestion(cards, trump_cards):
            side_cards = [card for card in cards if card not in trump_cards]
            count = random.randint(question.min_count, question.max_count) - question.trump_count
            trumps = random.sample(trump_cards, question.trump_count)
            return Discard((*trumps, *random.sample(side_cards, count)))
        case PlayQuestion(cards):
            return PLAYS[random.choice(cards)]


def new_table(number: int, rules: Rules, out: frozenset[int] = frozenset()) -> Table:
    seeds = BoardSeeds(number.to_bytes(32, "big"), bytes(32))
    return Table(rules=rules, seeds=seeds, first_dealer=number % 6, faults_per_game=3, out=out)


def played(table: Table, random: Random, *, fault_rate: float = 0.0) -> Iterator[Decision]:
    """Each decision while it is open."""
    while table.decision is not None:
        yield table.decision
        if random.random() < fault_rate:
            table.charge(FaultKind.TIMEOUT)
        else:
            table.answer(legal(table.decision.question, random))


QUICK = Rules(max_hands=4)


@pytest.mark.parametrize("number", range(12))
def test_the_fast_path_is_the_clear_path_through_whole_games(number: int) -> None:
    encoder, random = DecisionEncoder(), Random(number)
    decisions = played(new_table(number, QUICK), random)
    for id, decision in enumerate(decisions, start=1 + number * 500):
        check(encoder, decision, id=id, table=f"table-{number}")


def test_it_is_the_clear_path_when_a_team_goes_out_between_two_cards_of_a_hand() -> None:
    changed = 0
    for number in range(12):
        encoder, random, before = DecisionEncoder(), Random(number), pb.PublicHand()
        for decision in played(new_table(number, QUICK), random, fault_rate=0.06):
            hand = check(encoder, decision, id=1, table="t").hand
            same_deal = (hand.number, hand.redeal) == (before.number, before.redeal)
            changed += same_deal and bool(before.tricks) and hand.teams_out != before.teams_out
            before = hand
    assert changed >= 3


@pytest.mark.parametrize("team", range(3))
def test_it_is_the_clear_path_when_a_team_is_out_from_the_first_hand(team: int) -> None:
    encoder, random = DecisionEncoder(), Random(team)
    for decision in played(new_table(team, QUICK, frozenset({team})), random):
        assert list(check(encoder, decision, id=1, table="t").hand.teams_out) == [team]


def test_it_is_the_clear_path_through_redeals() -> None:
    encoder, redeals = DecisionEncoder(), set()
    table = new_table(0, Rules(max_hands=1))
    while table.decision is not None:
        redeals.add(check(encoder, table.decision, id=1, table="t").hand.redeal)
        question = table.decision.question
        passes = isinstance(question, CallQuestion)
        table.answer(CALLS[Bid.PASS] if passes else legal(question, Random(1)))
    assert redeals == {0, 1, 2, 3, 4, 5}


def test_every_kind_of_question_and_of_dealer_is_among_the_games_encoded() -> None:
    """The games above are worth what they meet: the dealer's choice of trumps included."""
    kinds: set[str] = set()
    for number in range(12):
        for decision in played(new_table(number, QUICK), Random(number)):
            question = decision.question
            kinds.add(type(question).__name__)
            if isinstance(question, DiscardQuestion) and question.min_count:
                kinds.add("dealer")
    assert {"CallQuestion", "TrumpQuestion", "DiscardQuestion", "PlayQuestion", "dealer"} == kinds


def test_an_encoder_that_joins_in_the_middle_gives_the_same() -> None:
    for decision in played(new_table(3, QUICK), Random(3)):
        check(DecisionEncoder(), decision, id=1, table="t")


def test_a_decision_encoded_again_gives_the_same_but_for_its_id() -> None:
    encoder = DecisionEncoder()
    for decision in played(new_table(4, QUICK), Random(4)):
        first = encoder.encode(decision, id=1, table="t", limit_ms=1000)
        again = encoder.encode(decision, id=1, table="t", limit_ms=1000)
        other = encoder.encode(decision, id=2, table="other", limit_ms=5)
        assert first == again
        assert other == clear(decision, id=2, table="other", limit_ms=5).SerializeToString()


# --- positions that games seldom reach ------------------------------------------------------------

cards = st.integers(1, 53)
some_cards = st.lists(cards, max_size=23, unique=True).map(lambda found: tuple(sorted(found)))
scores = st.tuples(*[st.integers(-(2**30), 2**30)] * 3)
questions: st.SearchStrategy[Question] = st.one_of(
    st.lists(st.sampled_from(Bid), unique=True).map(lambda bids: CallQuestion(tuple(bids))),
    st.lists(st.sampled_from(Suit), unique=True).map(lambda suits: TrumpQuestion(tuple(suits))),
    some_cards.map(PlayQuestion),
    st.builds(
        lambda cards, split, low, high: DiscardQuestion(
            cards=cards,
            trump_cards=cards[split:],
            min_count=low,
            max_count=high,
            trump_count=len(cards[split:]),
        ),
        some_cards,
        st.integers(0, 23),
        st.integers(0, 17),
        st.integers(0, 17),
    ),
)
contracts = st.none() | st.tuples(
    st.integers(0, 5), st.sampled_from(Bid), st.none() | st.sampled_from(Suit)
)
full_tricks = st.lists(
    st.builds(Trick, st.integers(0, 5), st.lists(cards, min_size=6, max_size=6)), max_size=5
)
last_tricks = st.lists(
    st.builds(Trick, st.integers(0, 5), st.lists(cards, min_size=1, max_size=5)), max_size=1
)
numbers = st.integers(0, 2**31 - 1)


@st.composite
def decisions(draw: st.DrawFn) -> Decision:
    contract = draw(contracts) or (None, None, None)
    public = PublicHand(
        number=draw(numbers),
        redeal=draw(numbers),
        dealer=draw(st.integers(0, 5)),
        scores=draw(scores),
        out=draw(st.frozensets(st.integers(0, 2))),
        max_hands=draw(numbers),
        calls=draw(st.lists(st.sampled_from(Bid), max_size=6)),
        bidder=contract[0],
        bid=contract[1],
        trump=contract[2],
        discard_counts=draw(st.lists(st.integers(0, 17), max_size=6)),
    )
    question = draw(questions)
    if isinstance(question, PlayQuestion):
        public.tricks = draw(full_tricks) + draw(last_tricks)
    return Decision(
        seat=draw(st.integers(0, 5)),
        public=public,
        holding=draw(some_cards),
        discards=draw(some_cards),
        question=question,
        random_seed=draw(st.integers(1, 2**31 - 1)),
    )


@given(decisions(), st.integers(1, 2**31 - 1), st.text(max_size=200), numbers)
@settings(max_examples=60)
def test_the_fast_path_is_the_clear_path_for_decisions_of_any_numbers(
    decision: Decision, id: int, table: str, limit_ms: int
) -> None:
    expected = clear(decision, id=id, table=table, limit_ms=limit_ms)
    data = DecisionEncoder().encode(decision, id=id, table=table, limit_ms=limit_ms)
    assert pb.Decision.FromString(data) == expected


@given(numbers)
@example(2**7 - 1)
@example(2**7)
@example(2**14 - 1)
@example(2**14)
@example(2**21 - 1)
@example(2**21)
@example(2**28 - 1)
@example(2**28)
@example(2**31 - 1)
def test_a_varint_is_what_protobuf_writes(number: int) -> None:
    expected = pb.Decision(id=number).SerializeToString()
    assert (b"\x08" + varint(number) if number else b"") == expected


@given(st.integers(-(2**30), 2**30 - 1))
def test_a_score_is_written_as_protobuf_writes_a_sint32(number: int) -> None:
    packed = pb.PublicHand(scores=[number]).SerializeToString()
    assert packed.endswith(varint(zigzag(number)))
    assert pb.PublicHand.FromString(packed).scores == [number]


# --- several decisions in one message -------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 64, 256])
def test_joined_decisions_are_the_message_protobuf_would_write(count: int) -> None:
    encoder = DecisionEncoder()
    parts, messages = [], []
    for id, decision in zip(range(count), played(new_table(5, Rules()), Random(5)), strict=False):
        parts.append(encoder.encode(decision, id=id + 1, table="t", limit_ms=1000))
        messages.append(clear(decision, id=id + 1, table="t", limit_ms=1000))
    response = service_pb.PlayResponse(decisions=service_pb.Decisions(decisions=messages))
    assert len(parts) == count
    assert decisions_message(parts) == response.SerializeToString()


def test_tables_encoded_by_turns_do_not_mix() -> None:
    encoders = [DecisionEncoder() for _ in range(4)]
    games = [played(new_table(number, QUICK), Random(number)) for number in range(4)]
    for turn in zip(*games, strict=False):
        for number, decision in enumerate(turn):
            check(encoders[number], decision, id=number + 1, table=f"t{number}")


# --- nothing hidden -------------------------------------------------------------------------------


def swap_hidden(hand: Hand, seat: int, random: Random) -> None:
    """Deal the cards that are hidden from a seat anew among those who hold them, stock included."""
    others = [other for other in range(6) if other != seat]
    hidden = [card for other in others for card in hand._holdings[other]] + hand._stock
    random.shuffle(hidden)
    for other in others:
        count = len(hand._holdings[other])
        hand._holdings[other], hidden = sorted(hidden[:count]), hidden[count:]
        hand._discards[other] = tuple(
            sorted(random.sample(range(1, 54), len(hand.discards(other))))
        )
    hand._stock = hidden


@pytest.mark.parametrize("number", range(6))
def test_cards_hidden_from_a_seat_make_no_difference_to_its_bytes(number: int) -> None:
    """R4, A9: others' holdings, the stock and others' discards."""
    random = Random(number)
    hand = Hand(Rules(), tuple(random.sample(range(1, 54), 53)), number)
    encoded = 0
    while hand.seat is not None:
        before = encode_view(hand)
        holdings, stock = [list(held) for held in hand._holdings], list(hand._stock)
        discards = list(hand._discards)
        swap_hidden(hand, hand.seat, random)
        assert encode_view(hand) == before
        hand._holdings, hand._stock, hand._discards = holdings, stock, discards
        action = legal(hand.question(), random)
        hand.act(CALLS[Bid.THREE] if not hand.public.calls else action)
        encoded += 1
    assert encoded > 40


def encode_view(hand: Hand) -> bytes:
    decision = decision_of(hand, random_seed=1)
    return DecisionEncoder().encode(decision, id=1, table="t", limit_ms=1000)


def test_what_a_seat_may_choose_is_ascending_and_in_its_holding() -> None:
    for decision in played(new_table(6, QUICK), Random(6)):
        message = check(DecisionEncoder(), decision, id=1, table="t")
        for choices in (
            message.play.cards,
            message.discard.side_cards,
            message.discard.trump_cards,
        ):
            assert list(choices) == sorted(choices)
            assert set(choices) <= set(message.holding)
        assert list(message.call.bids) == sorted(message.call.bids)
        assert list(message.trump.suits) in ([], [1, 2, 3, 4])
