"""A bot started by hand: one stream for many memberships, without a process of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from referee.bots import BotStream, EndReason
from referee.engine import CALLS, Bid, BoardSeeds, Rules
from referee.runner.attachment import AttachedLink, Attachment
from referee.runner.rulings import Trouble
from referee.table import Table
from referee.wire import (
    Answer,
    DecisionEncoder,
    GoodbyeReason,
    Hello,
    decisions_message,
    game_ended,
)
from referee.wire.pb.schmier.v1 import decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service


class Stream(BotStream):
    """A stream without a call: keeps what it is sent."""

    def __init__(self, token: str) -> None:
        super().__init__(token, target="127.0.0.1:1", retire=lambda _stream: None)
        self.sent: list[service.PlayResponse] = []

    def send(self, data: bytes) -> None:
        self.sent.append(service.PlayResponse.FromString(data))

    def says(self, request: service.PlayRequest) -> None:
        self.on_message(request.SerializeToString())

    @property
    def ids(self) -> list[int]:
        return [each.id for message in self.sent for each in message.decisions.decisions]


class Room:
    """Lets streams in, and keeps what the person is told."""

    def __init__(self) -> None:
        self.streams: list[Stream] = []
        self.told: list[Mapping[str, str]] = []
        self.attachment = Attachment(self, welcome=lambda _hello: b"", tell=self.told.append)

    def expect(self, token: str) -> BotStream:
        self.streams.append(Stream(token))
        return self.streams[-1]

    def hello(self) -> None:
        self.streams[-1].says(service.PlayRequest(hello=service.Hello(token="t", max_batch=8)))


class Ear:
    """Keeps what a link reports."""

    def __init__(self, room: Room) -> None:
        self.hellos: list[Hello] = []
        self.answers: list[Answer] = []
        self.over: list[Trouble] = []
        self.link: AttachedLink = room.attachment.link(self)

    def on_hello(self, hello: Hello) -> None:
        self.hellos.append(hello)

    def on_answers(self, answers: list[Answer]) -> None:
        self.answers += answers

    def on_over(self, trouble: Trouble, detail: str) -> None:
        self.over.append(trouble)


def decision(id: int) -> bytes:
    table = Table(rules=Rules(), seeds=BoardSeeds(b"1", b"2"), first_dealer=0, faults_per_game=3)
    assert table.decision is not None
    return DecisionEncoder().encode(table.decision, id=id, table="t", limit_ms=1)


def actions(*ids: int) -> service.PlayRequest:
    each = [decision_pb2.Action(decision_id=id, call=Bid.THREE) for id in ids]  # type: ignore[arg-type]
    return service.PlayRequest(actions=service.Actions(actions=each))


def test_each_membership_gets_the_answers_to_its_own_ids() -> None:
    room = Room()
    first, second = Ear(room), Ear(room)
    room.hello()
    assert len(room.streams) == len(room.told) == len(first.hellos) == len(second.hellos) == 1
    first.link.send(decisions_message([decision(1), decision(2)]))
    second.link.send(decisions_message([decision(1)]))
    assert room.streams[0].ids == [1, 2, 3]
    room.streams[0].says(actions(3, 1, 77))
    assert first.answers == [Answer(1, CALLS[Bid.THREE])] == second.answers
    first.link.send(decisions_message([decision(2)]))  # asked again alone: under its old id
    assert room.streams[0].ids == [1, 2, 3, 2]
    room.streams[0].says(actions(2))
    assert [answer.id for answer in first.answers] == [1, 2]


def test_the_first_hello_is_waited_for_and_a_link_made_later_hears_it() -> None:
    async def scenario() -> None:
        room = Room()
        assert await room.attachment.arrive(0.01) is None
        arriving = asyncio.ensure_future(room.attachment.arrive(60))
        await asyncio.sleep(0)
        room.hello()
        hello = await arriving
        assert hello is not None and hello.max_batch == 8
        ear = Ear(room)
        await asyncio.sleep(0)
        assert [each.max_batch for each in ear.hellos] == [8]

    asyncio.run(scenario())


def test_a_malformed_answer_leaves_its_decision_open() -> None:
    room = Room()
    ear = Ear(room)
    room.hello()
    ear.link.send(decisions_message([decision(5)]))
    nothing = service.Actions(actions=[decision_pb2.Action(decision_id=1)])
    room.streams[0].says(service.PlayRequest(actions=nothing))
    room.streams[0].says(actions(1))
    assert [(answer.id, answer.action is None) for answer in ear.answers] == [
        (5, True),
        (5, False),
    ]


def test_a_later_membership_hears_the_hello_after_its_start_and_needs_no_new_process() -> None:
    async def scenario() -> None:
        room = Room()
        first = Ear(room)
        room.hello()
        first.link.end(GoodbyeReason.SITTING_OVER, "over", stop_s=1)
        assert first.link.is_gone and (await first.link.ended()).exit is None
        later = Ear(room)
        assert later.hellos == []
        await asyncio.sleep(0)
        assert [hello.max_batch for hello in later.hellos] == [8]
        assert len(room.told) == 1

    asyncio.run(scenario())


def test_what_is_answered_to_a_membership_that_is_over_is_nobodys() -> None:
    room = Room()
    first, second = Ear(room), Ear(room)
    room.hello()
    first.link.send(decisions_message([decision(1)]))
    first.link.end(GoodbyeReason.SITTING_OVER, "over", stop_s=1)
    second.link.send(decisions_message([decision(1)]))
    room.streams[0].says(actions(1, 2))
    assert first.answers == [] and [answer.id for answer in second.answers] == [1]


def test_a_stream_that_ends_is_told_to_all_and_the_next_one_is_asked_for() -> None:
    room = Room()
    ears = [Ear(room), Ear(room)]
    room.hello()
    room.streams[0].on_end(EndReason.ENDED, "the bot ended its stream")
    assert [ear.over for ear in ears] == [[Trouble.ENDED]] * 2
    again = Ear(room)
    room.hello()
    assert len(room.streams) == len(room.told) == 2
    assert room.told[0] != room.told[1] and len(again.hellos) == 1
    again.link.send(decisions_message([decision(9)]))
    assert room.streams[1].ids == [1]


def test_what_does_not_parse_ends_the_stream_and_a_second_hello_too() -> None:
    for data in (b"\xff\xff\xff", None):
        room = Room()
        ear = Ear(room)
        room.hello()
        if data is None:
            room.hello()
        else:
            room.streams[0].on_message(data)
        assert ear.over == [Trouble.UNREADABLE]


def test_a_notice_of_a_games_end_passes_as_it_is() -> None:
    table = Table(
        rules=Rules(max_hands=1),
        seeds=BoardSeeds(b"1", b"2"),
        first_dealer=0,
        faults_per_game=1,
        out=frozenset({0, 1}),
    )
    assert table.record is not None
    room = Room()
    ear = Ear(room)
    room.hello()
    notice = game_ended(table="t", seat=4, outcome=table.record.outcome)
    ear.link.send(notice)
    assert room.streams[0].sent[-1] == service.PlayResponse.FromString(notice)
