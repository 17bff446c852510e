"""Records: bytes and JSON and back, readable without decks, and nothing damaged goes through."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMPS,
    Action,
    Bid,
    BoardSeeds,
    Call,
    Deck,
    Discard,
    NameTrump,
    Play,
    Rules,
    parse_bid,
    parse_card,
    parse_suit,
)
from referee.table import (
    FaultKind,
    GameRecord,
    RecordError,
    Table,
    decode_actions,
    record_digest,
    record_from_bytes,
    record_from_json,
    record_to_bytes,
    record_to_json,
)

OpenTable = Callable[..., Table]
Conduct = Callable[..., GameRecord]
NUMBERS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def record(open_table: OpenTable, conduct: Conduct) -> GameRecord:
    """A game with redeals, faults and a forfeit."""
    rules = Rules(max_hands=2, max_consecutive_redeals=1)
    for number in range(100):
        table = open_table(number, rules=rules, faults_per_game=2)
        record = conduct(table, Random(number), faults=0.04)
        deals = decode_actions(record.actions, first_dealer=record.first_dealer)
        if len(record.outcome.out) == 1 and any(deal.redeal for deal in deals):
            return record
    raise AssertionError("no board gave such a game")


@given(NUMBERS, st.sampled_from([0.0, 0.02, 0.3]))
@settings(max_examples=60)
def test_a_record_survives_bytes_and_json(
    open_table: OpenTable, conduct: Conduct, number: int, faults: float
) -> None:
    record = conduct(open_table(number), Random(number), faults=faults)
    assert record_from_bytes(record_to_bytes(record)) == record
    assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record


@pytest.mark.parametrize("out", [{0, 1}, {0, 1, 2}])
def test_a_game_without_actions_survives_bytes_and_json(
    open_table: OpenTable, out: set[int]
) -> None:
    record = open_table(4, out=frozenset(out)).record
    assert record is not None
    assert record_from_bytes(record_to_bytes(record)) == record
    assert record_from_json(record_to_json(record)) == record
    assert len(record_to_json(record)["deals"]) == 1


def test_the_same_answers_give_the_same_bytes(open_table: OpenTable, conduct: Conduct) -> None:
    first, second = (conduct(open_table(6), Random(6), faults=0.1) for _ in range(2))
    assert record_to_bytes(first) == record_to_bytes(second)
    assert json.dumps(record_to_json(first)) == json.dumps(record_to_json(second))


def test_a_record_is_small(record: GameRecord) -> None:
    assert len(record_to_bytes(record)) < 100 * (record.outcome.hands + 1) + 60


def test_a_records_json_is_card_text_with_discards_ascending(record: GameRecord) -> None:
    data = record_to_json(record)
    assert list(data) == ["first_dealer", "out", "deals", "faults", "result", "digest"]
    for deal in data["deals"]:
        assert set(deal["calls"]) <= set("P3456")
        assert deal["trump"] in {None, *"CDHS"}
        if deal["trump"] and len(deal["tricks"]) == 6:
            cards = [card for trick in (*deal["tricks"], *deal["discards"]) for card in trick]
            assert len(cards) == len(set(cards))
            assert [len(trick) for trick in deal["tricks"]] == [6] * 6
    assert {fault["kind"] for fault in data["faults"]} <= {kind.value for kind in FaultKind}
    assert data["digest"] == record_digest(record).hex()


H1_DECK = """
    JH JS 6C TC 4H AS 7S KD 2H AC AH 7C 8H 8D 8S 3S 9D 7H 7D 4S JK KS 5S 2S QS TH KC 6H 8C 3H
    KH 3D QH 5D AD 6D JD 5H TD 9C 9S QD JC 6S 5C 3C 4D QC 4C TS 9H 2C 2D
"""
H1_DEAL = {
    "hand": 0,
    "redeal": 0,
    "dealer": 4,
    "calls": ["3", "P", "4", "P", "P", "P"],
    "trump": "C",
    "discards": [
        ["7D", "8H", "7S"],
        ["3D", "8D", "4S"],
        ["2H", "QH", "8S"],
        ["5D", "6H", "3S"],
        ["9D", "4H", "5S"],
        ["2D", "2S"],
    ],
    "tricks": [
        ["KC", "AC", "8C", "2C", "5H", "9C"],
        ["QC", "4C", "7C", "TD", "JS", "6C"],
        ["TC", "9H", "3H", "JD", "9S", "JC"],
        ["5C", "3C", "AD", "6D", "QS", "TH"],
        ["JK", "KS", "TS", "7H", "JH", "QD"],
        ["6S", "4D", "AH", "AS", "KH", "KD"],
    ],
}


def test_the_full_hand_h1_reads_in_json_as_on_the_rules_page(
    stacked_board: Callable[[Deck], BoardSeeds],
) -> None:
    table = Table(
        rules=Rules(max_hands=1),
        seeds=stacked_board(tuple(map(parse_card, H1_DECK.split()))),
        first_dealer=4,
        faults_per_game=1,
    )
    deal: dict[str, Any] = H1_DEAL
    actions: list[Action] = [
        *(CALLS[parse_bid(text)] for text in deal["calls"]),
        TRUMPS[parse_suit(deal["trump"])],
        *(Discard(tuple(map(parse_card, cards))) for cards in deal["discards"]),
        *(PLAYS[parse_card(text)] for trick in deal["tricks"] for text in trick),
    ]
    while table.decision is not None:
        assert table.answer(actions[table.action_count]) is None
    assert table.record is not None
    data = record_to_json(table.record)
    assert data["deals"] == [deal]
    assert data["result"] == {
        "scores": [0, 4, 2],
        "sixths": [0, 6, 0],
        "margin_thirds": [-6, 6, 0],
        "hands": 1,
        "ending": "max_hands",
        "out": [],
    }


# --- actions without decks ------------------------------------------------------------------------


def test_actions_are_read_with_hand_and_seat_though_no_deck_is_known(
    open_table: OpenTable, conduct: Conduct
) -> None:
    table = open_table(12)
    asked = {}
    bare = open_table(12)
    record = conduct(table, Random(12))
    actions = {
        step.index: (deal, step)
        for deal in decode_actions(record.actions, first_dealer=0)
        for step in deal.steps
    }
    while bare.decision is not None:
        deal, step = actions[bare.action_count]
        asked[bare.action_count] = bare.decision
        public = bare.decision.public
        assert step.seat == bare.decision.seat
        assert (deal.hand, deal.redeal, deal.dealer) == (
            public.number,
            public.redeal,
            public.dealer,
        )
        bare.answer(step.action)
    assert bare.record == record
    assert len(asked) > 50


@given(st.binary(max_size=60))
def test_any_bytes_are_read_as_actions_or_refused(data: bytes) -> None:
    try:
        deals = list(decode_actions(data, first_dealer=0))
    except RecordError:
        return
    for deal in deals:
        for step in deal.steps:
            match step.action:
                case Play(card):
                    assert card in CARDS
                case Discard(cards):
                    assert set(cards) <= set(CARDS)
                case Call(bid):
                    assert bid in Bid
                case NameTrump():
                    pass


@pytest.mark.parametrize(
    ("actions", "problem"),
    [
        (b"", "begins with a deal"),
        (b"\x41", "begins with a deal"),
        (b"\x00\x00", "in the middle of a hand"),
        (b"\x00\x42", "begins no action"),
        (b"\x00\x05", "not what this phase asks"),
        (b"\x00\x49", "not what this phase asks"),
        (b"\x00\x43\x49\x60\x01", "not what this phase asks"),
        (b"\x00\x43\x49\x62\x01", "begins no action"),
        (b"\x00\x43\x49\x62\x02\x01", "begins no action"),
        (b"\x00\x43\x49\x61\x36", "begins no action"),
        (b"\x00" + b"\x41" * 7, "not what this phase asks"),
    ],
)
def test_bytes_that_are_no_game_are_refused(actions: bytes, problem: str) -> None:
    with pytest.raises(RecordError, match=problem):
        list(decode_actions(actions, first_dealer=0))


# --- damage ---------------------------------------------------------------------------------------


def test_every_change_of_one_byte_is_found(record: GameRecord) -> None:
    data = record_to_bytes(record)
    for position in range(len(data)):
        for change in (1, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[position] ^= change
            with pytest.raises(RecordError):
                record_from_bytes(bytes(damaged))


def test_every_torn_record_is_found(record: GameRecord) -> None:
    data = record_to_bytes(record)
    for length in range(len(data)):
        with pytest.raises(RecordError):
            record_from_bytes(data[:length])
    with pytest.raises(RecordError):
        record_from_bytes(data + b"\x00")


@given(st.binary(max_size=80))
def test_bytes_that_are_no_record_are_refused(data: bytes) -> None:
    with pytest.raises(RecordError):
        record_from_bytes(data)


def test_a_record_of_a_newer_format_is_refused_by_its_number(record: GameRecord) -> None:
    with pytest.raises(RecordError, match="format 2, this version reads 1"):
        record_from_bytes(b"\x02" + record_to_bytes(record)[1:])


def leaves(data: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    items: list[tuple[object, object]] = []
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data))
    return [leaf for key, value in items for leaf in leaves(value, (*path, key))] or [path]


@pytest.mark.parametrize(
    "value", ["P", "3", "S", "2C", "JK", 0, 1, -1, 2**40, True, None, 1.0, [], {}, "timeout"]
)
def test_every_change_in_the_json_is_found(record: GameRecord, value: object) -> None:
    text = json.dumps(record_to_json(record))
    for *path, last in leaves(json.loads(text)):
        data = json.loads(text)
        holder = data
        for key in path:
            holder = holder[key]
        if holder[last] == value and type(holder[last]) is type(value):
            continue
        holder[last] = value
        with pytest.raises(RecordError):
            record_from_json(data)


@pytest.mark.parametrize("place", ["", "faults", "result", "deals"])
def test_a_key_too_many_or_too_few_in_the_json_is_found(record: GameRecord, place: str) -> None:
    for change in ("more", "less"):
        data = record_to_json(record)
        holder = data[place] if place else data
        holder = holder[0] if isinstance(holder, list) else holder
        if change == "more":
            holder["extra"] = 1
        else:
            holder.pop(next(iter(holder)))
        with pytest.raises(RecordError, match="must have the keys"):
            record_from_json(data)


@pytest.mark.parametrize("key", ["deals", "faults"])
def test_a_dropped_deal_or_fault_is_found_in_the_json(record: GameRecord, key: str) -> None:
    for position in range(len(record_to_json(record)[key])):
        data = record_to_json(record)
        del data[key][position]
        with pytest.raises(RecordError):
            record_from_json(data)


def test_equal_records_have_equal_digests_and_others_do_not(record: GameRecord) -> None:
    assert record_digest(record) == record_digest(replace(record))
    assert record_digest(record) != record_digest(replace(record, faults=record.faults[1:]))
