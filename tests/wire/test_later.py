"""A message of a later revision says what it said before, and more that a bot skips."""

from __future__ import annotations

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from referee.engine import Hand, Rules, decision_of, deck_from
from referee.wire import (
    DecisionEncoder,
    GoodbyeReason,
    decisions_message,
    goodbye,
    newer,
    newer_kind_of_message,
    welcome,
)
from referee.wire.pb.schmier.v1 import referee_service_pb2 as pb

WELCOME = welcome(
    name="a", rules=Rules(), decision_ms=1000, stop_ms=1000, faults_per_game=3, max_batch=1
)


def decisions() -> bytes:
    decision = decision_of(Hand(Rules(), deck_from(bytes(32)), 0), 1)
    return decisions_message(
        [DecisionEncoder().encode(decision, id=id, table="t", limit_ms=1000) for id in (1, 2)]
    )


def unknown(message: Message) -> list[int]:
    """The wire types of the fields that a message holds and its revision does not know."""
    fields = UnknownFieldSet(message)
    return [fields[number].wire_type for number in range(len(fields))]


def test_what_was_said_is_still_there() -> None:
    for data in (decisions(), goodbye(GoodbyeReason.SITTING_OVER, "bye")):
        message = pb.PlayResponse.FromString(newer(data))
        for part in (message, *(value for _, value in message.ListFields())):
            assert isinstance(part, Message) and len(unknown(part)) == 4
        message.DiscardUnknownFields()
        assert message == pb.PlayResponse.FromString(data)


def test_each_decision_has_unknown_fields_of_each_wire_type_down_to_its_question() -> None:
    message = pb.PlayResponse.FromString(newer(decisions()))
    for decision in message.decisions.decisions:
        for part in (decision, decision.hand, decision.call):
            assert sorted(unknown(part)) == [0, 1, 2, 5]


def test_a_welcome_is_of_the_next_revision() -> None:
    message = pb.PlayResponse.FromString(newer(WELCOME)).welcome
    assert message.revision == 2
    assert unknown(message.rules) and unknown(message.limits)


def test_a_message_of_a_new_kind_has_none_that_is_known() -> None:
    message = pb.PlayResponse.FromString(newer_kind_of_message())
    assert message.WhichOneof("content") is None
    assert len(unknown(message)) == 4
