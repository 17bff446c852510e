"""What a bot sends is read without trust: any bytes give a Hello, Answers or Unparsable."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import CALLS, PLAYS, TRUMPS, Bid, Discard, Suit
from referee.wire import (
    MAX_ACTIONS,
    MAX_IGNORED_ACTIONS,
    MAX_MESSAGE_BYTES,
    Answer,
    Hello,
    Unparsable,
    read_hello,
    read_request,
)
from referee.wire.pb.schmier.v1 import decision_pb2 as pb
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service_pb


def request(*actions: pb.Action) -> bytes:
    message = service_pb.PlayRequest(actions=service_pb.Actions(actions=actions))
    return message.SerializeToString()


def hello(**fields: object) -> Hello:
    message = service_pb.PlayRequest(hello=service_pb.Hello(**fields))  # type: ignore[arg-type]
    read = read_request(message.SerializeToString())
    assert isinstance(read, Hello)
    return read


def answers(data: bytes) -> list[Answer]:
    read = read_request(data)
    assert isinstance(read, list)
    return read


def raw(field: int, value: int, *, id: int = 1) -> bytes:
    """A request with one action whose choice is written by hand, so that it can be any number."""
    action = pb.Action(decision_id=id).SerializeToString() + bytes((field << 3,))
    value %= 2**64
    while value > 127:
        action += bytes((value & 127 | 128,))
        value >>= 7
    action += bytes((value,))
    wrapped = bytes((1 << 3 | 2, len(action))) + action
    return bytes((2 << 3 | 2, len(wrapped))) + wrapped


# --- answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("bid", Bid)
def test_every_call_is_read(bid: Bid) -> None:
    data = request(pb.Action(decision_id=7, call=bid.value))  # type: ignore[arg-type]
    assert answers(data) == [Answer(7, CALLS[bid])]


@pytest.mark.parametrize("suit", Suit)
def test_every_suit_is_read(suit: Suit) -> None:
    data = request(pb.Action(decision_id=7, trump=suit.value))  # type: ignore[arg-type]
    assert answers(data) == [Answer(7, TRUMPS[suit])]


def test_every_card_is_read() -> None:
    data = request(*(pb.Action(decision_id=card, play=card) for card in PLAYS))  # type: ignore[arg-type]
    assert answers(data) == [Answer(card, play) for card, play in PLAYS.items()]


def test_discards_are_read_in_ascending_order_whatever_was_sent() -> None:
    data = request(pb.Action(decision_id=7, discard=pb.Discard(cards=[40, 3, 17])))  # type: ignore[list-item]
    assert answers(data) == [Answer(7, Discard((3, 17, 40)))]


def test_a_discard_of_no_cards_is_an_action_and_not_a_missing_choice() -> None:
    assert answers(request(pb.Action(decision_id=7, discard=pb.Discard()))) == [
        Answer(7, Discard(()))
    ]


def test_a_card_named_twice_is_left_for_the_question_to_reject_as_illegal() -> None:
    data = request(pb.Action(decision_id=7, discard=pb.Discard(cards=[5, 3, 5])))  # type: ignore[list-item]
    assert answers(data) == [Answer(7, Discard((3, 5, 5)))]


def test_of_a_discard_without_end_so_much_is_read_that_it_is_no_legal_one() -> None:
    cards = [1] * 60_000
    data = request(pb.Action(decision_id=7, discard=pb.Discard(cards=cards)))  # type: ignore[arg-type]
    assert answers(data) == [Answer(7, Discard((1,) * 54))]


def test_discards_that_are_not_packed_are_read_too() -> None:
    action = pb.Action(decision_id=7).SerializeToString() + b"\x22\x04\x08\x05\x08\x03"
    data = b"\x12" + bytes((len(action) + 2,)) + b"\x0a" + bytes((len(action),)) + action
    assert answers(data) == [Answer(7, Discard((3, 5)))]


def test_answers_keep_their_order_and_their_ids_also_repeated_and_never_asked_ones() -> None:
    ids = [9, 2**31 - 1, 9, 0, -4]
    data = request(*(pb.Action(decision_id=id, call="BID_PASS") for id in ids))
    assert [answer.id for answer in answers(data)] == ids


def test_actions_without_any_action_are_no_answers() -> None:
    assert answers(request()) == []


def test_fields_of_a_later_revision_are_passed_over() -> None:
    action = pb.Action(decision_id=7, call="BID_THREE").SerializeToString() + b"\xf8\x07\x05"
    data = b"\x12" + bytes((len(action) + 2,)) + b"\x0a" + bytes((len(action),)) + action
    assert answers(data + b"\xfa\x07\x01x") == [Answer(7, CALLS[Bid.THREE])]


# --- malformed answers ----------------------------------------------------------------------------

CALL, TRUMP, PLAY = 2, 3, 5


def test_an_action_without_a_choice_is_malformed() -> None:
    assert answers(request(pb.Action(decision_id=7))) == [Answer(7, None, "no choice")]


@pytest.mark.parametrize("number", [0, 2, 7, 100, 2**31 - 1, -1, -(2**31), 2**32 + 2])
def test_a_call_that_is_no_bid_is_malformed(number: int) -> None:
    (answer,) = answers(raw(CALL, number))
    assert (answer.id, answer.action) == (1, None)
    assert answer.problem.startswith("call: no bid has the number")


@pytest.mark.parametrize("number", [0, 5, 100, 2**31 - 1, -1])
def test_trumps_that_are_no_suit_are_malformed(number: int) -> None:
    assert answers(raw(TRUMP, number)) == [
        Answer(1, None, f"trump: no suit has the number {number}")
    ]


@pytest.mark.parametrize("number", [0, 54, 127, 128, 2**31 - 1, -1, -(2**31)])
def test_a_play_of_no_card_is_malformed(number: int) -> None:
    assert answers(raw(PLAY, number)) == [Answer(1, None, f"play: no card has the number {number}")]


@pytest.mark.parametrize("number", [0, 54, 127])
def test_one_number_among_the_discards_that_is_no_card_is_malformed(number: int) -> None:
    action = pb.Action(decision_id=7).SerializeToString() + bytes((0x22, 5, 0x0A, 3, 4, number, 53))
    data = b"\x12" + bytes((len(action) + 2,)) + b"\x0a" + bytes((len(action),)) + action
    assert answers(data) == [Answer(7, None, f"discard: no card has the number {number}")]


def test_a_malformed_answer_leaves_the_others_of_its_message_good() -> None:
    data = request(pb.Action(decision_id=1), pb.Action(decision_id=2, play="CARD_JOKER"))
    assert answers(data) == [Answer(1, None, "no choice"), Answer(2, PLAYS[53])]


# --- messages that cannot be read -----------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"hello\n", id="text"),
        pytest.param(b"\x12\x7f", id="cut short"),
        pytest.param(b"\x0a\x03\x12\x01\xff", id="name is not UTF-8"),
        pytest.param(b"\x0a\x03\x0a\x01\xff", id="token is not UTF-8"),
        pytest.param(b"\xff" * 20, id="endless number"),
        pytest.param(b"\xfa\x07\x01x", id="only fields of a later revision"),
        pytest.param(b"\x0b" * 30000, id="groups in groups"),
    ],
)
def test_bytes_that_say_nothing_are_unparsable(data: bytes) -> None:
    with pytest.raises(Unparsable):
        read_request(data)


def test_a_message_of_64_kib_is_read_and_one_byte_more_is_not() -> None:
    start = service_pb.PlayRequest(hello=service_pb.Hello(name="")).SerializeToString()
    assert start == b"\x0a\x00"
    size = MAX_MESSAGE_BYTES - 8
    text = b"\x12" + bytes((size & 127 | 128, size >> 7 & 127 | 128, size >> 14)) + b"x" * size
    longest = b"\x0a" + bytes((len(text) & 127 | 128, len(text) >> 7 & 127 | 128, len(text) >> 14))
    assert len(longest + text) == MAX_MESSAGE_BYTES
    assert isinstance(read_request(longest + text), Hello)
    with pytest.raises(Unparsable, match="65537 bytes"):
        read_request(longest + text + b"\x00")


def test_a_message_of_more_actions_than_could_ever_be_heard_is_unparsable() -> None:
    """A bot that sends 64 KiB of empty actions must not hold the referee up."""
    most = [pb.Action(decision_id=1)] * MAX_ACTIONS
    assert len(answers(request(*most))) == MAX_ACTIONS == 256 + MAX_IGNORED_ACTIONS
    with pytest.raises(Unparsable, match="1257 actions in a message"):
        read_request(request(*most, pb.Action()))


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_are_read_or_unparsable(data: bytes) -> None:
    read_or_unparsable(data)


MESSAGES = [
    request(
        pb.Action(decision_id=300, call="BID_FOUR"),
        pb.Action(decision_id=2, trump="SUIT_HEARTS"),
        pb.Action(decision_id=3, discard=pb.Discard(cards=["CARD_CLUBS_TWO", "CARD_JOKER"])),
        pb.Action(decision_id=4, play="CARD_SPADES_ACE"),
    ),
    service_pb.PlayRequest(
        hello=service_pb.Hello(
            token="0123", name="bot", version="1.0", revision="REVISION_ONE", max_batch=256
        )
    ).SerializeToString(),
]


@given(st.data())
@settings(max_examples=200)
def test_a_good_message_with_bytes_changed_put_in_or_left_out_is_read_or_unparsable(
    data: st.DataObject,
) -> None:
    message = bytearray(data.draw(st.sampled_from(MESSAGES)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(message)))
        with_bytes = data.draw(st.binary(max_size=3))
        message[place : place + data.draw(st.integers(0, 3))] = with_bytes
    read_or_unparsable(bytes(message))


def read_or_unparsable(data: bytes) -> None:
    """Whatever is read keeps its promises."""
    try:
        read = read_request(data)
    except Unparsable as problem:
        assert "\n" not in str(problem)
        return
    if isinstance(read, Hello):
        assert read.revision >= 1
        assert 1 <= read.max_batch <= 256
        assert (read.name + read.version).isprintable()
        return
    for answer in read:
        assert (answer.action is None) == bool(answer.problem)
        assert answer.problem.isprintable()


# --- hello ----------------------------------------------------------------------------------------


def test_a_hello_with_nothing_but_its_token_is_of_the_first_revision_and_asked_one_by_one() -> None:
    assert hello(token="t") == Hello("t", "", "", 1, 1, False)


def test_a_hello_is_read_whole() -> None:
    read = hello(
        token="t", name="Robo", version="2.1", revision=1, max_batch=64, wants_game_ended=True
    )
    assert read == Hello("t", "Robo", "2.1", 1, 64, True)


def test_a_later_revision_than_ours_is_taken_as_it_is() -> None:
    assert hello(revision=17).revision == 17


@pytest.mark.parametrize("revision", [0, -1])
def test_a_revision_that_never_was_is_the_first(revision: int) -> None:
    assert hello(revision=revision).revision == 1


@pytest.mark.parametrize(
    ("asked", "got"), [(-5, 1), (0, 1), (1, 1), (256, 256), (257, 256), (2**31 - 1, 256)]
)
def test_the_batch_a_bot_asks_for_is_held_within_1_to_256(asked: int, got: int) -> None:
    assert hello(max_batch=asked).max_batch == got


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Žofie 2", "Žofie 2"),
        ("a\x00b\x1b[31mc\r\nd\u2028e", "a b [31mc d e"),
        ("\u202eevil\u202c\ufeff", "evil"),
        ("  much \t space  ", "much space"),
        ("x" * 65, "x" * 64),
        ("x" * 65000, "x" * 64),
        ("\x07" * 65000, ""),
        ("\x7f\x9b", ""),
    ],
)
def test_a_bots_name_and_version_are_cut_and_fit_for_a_terminal(sent: str, kept: str) -> None:
    assert hello(name=sent).name == kept
    assert hello(version=sent).version == kept


def test_a_token_is_kept_as_it_is() -> None:
    assert hello(token=" \x00" * 100).token == " \x00" * 100


@pytest.mark.parametrize(
    ("data", "token"),
    [
        (service_pb.PlayRequest(hello=service_pb.Hello(token="t")).SerializeToString(), "t"),
        (request(pb.Action(decision_id=1)), None),
        (b"", None),
        (b"\xff", None),
        (b"\x0a" * MAX_MESSAGE_BYTES, None),
        (
            service_pb.PlayRequest(hello=service_pb.Hello(name="n" * 70_000)).SerializeToString(),
            None,
        ),
    ],
    ids=["hello", "actions", "nothing", "noise", "long noise", "too long"],
)
def test_a_first_message_is_a_hello_or_nothing(data: bytes, token: str | None) -> None:
    read = read_hello(data)
    assert (read.token if read is not None else None) == token
