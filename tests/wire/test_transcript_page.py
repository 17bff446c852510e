"""The hand shown on the protocol page is what referee and bots really say.

`pytest tests/wire/test_transcript_page.py --regenerate` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import assert_never

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from referee.engine import (
    Action,
    Bid,
    BoardSeeds,
    Call,
    CallQuestion,
    Decision,
    Discard,
    DiscardQuestion,
    NameTrump,
    Play,
    PlayQuestion,
    Question,
    Rules,
    TrumpQuestion,
    bid_text,
    block_key,
    card_text,
    derive,
    key,
    master_from_text,
    number_below,
    suit_text,
)
from referee.table import Table
from referee.wire import (
    Answer,
    DecisionEncoder,
    GoodbyeReason,
    Hello,
    decisions_message,
    goodbye,
    read_request,
    welcome,
)
from referee.wire.pb.schmier.v1 import decision_pb2 as pb
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service_pb

PAGE = Path(__file__).parent.parent.parent / "proto" / "README.md"
BEGIN, END = "<!-- transcript -->\n", "<!-- end of transcript -->"
WIDTH = 96

INTRODUCTION = """\
This is the first hand of block `0.0` of the typed seed and the tournament `demo`, dealt by seat
{dealer}. Each bot sees the messages of its own stream alone; here those of all six are shown, in
the order of play. The bots bid three if nobody has bid, name the first suit, put away as many cards
as they may, lowest first, and play the lowest legal card.

The first message of each kind is shown in full, as JSON in which unset numbers are written out. The
others are cut down to one line: what is asked, and the answer. Ids count on each stream, and nobody
is asked who has one legal answer.
"""


# --- a bot ----------------------------------------------------------------------------------------


def choice(question: Question) -> Action:
    """What each of the six bots does."""
    match question:
        case CallQuestion(bids):
            return Call(Bid.THREE if Bid.THREE in bids else Bid.PASS)
        case TrumpQuestion(suits):
            return NameTrump(suits[0])
        case DiscardQuestion(cards, trump_cards):
            side_cards = [card for card in cards if card not in trump_cards]
            count = question.max_count - question.trump_count
            return Discard((*trump_cards[: question.trump_count], *side_cards[:count]))
        case PlayQuestion(cards):
            return Play(cards[0])
        case _:
            assert_never(question)


def request(id: int, action: Action) -> service_pb.PlayRequest:
    """The message a bot sends for its choice."""
    message = pb.Action(decision_id=id)
    match action:
        case Call(bid):
            message.call = bid  # type: ignore[assignment]
        case NameTrump(suit):
            message.trump = suit  # type: ignore[assignment]
        case Discard(cards):
            message.discard.SetInParent()
            message.discard.cards.extend(cards)  # type: ignore[arg-type]
        case Play(card):
            message.play = card  # type: ignore[assignment]
        case _:
            assert_never(action)
    return service_pb.PlayRequest(actions=service_pb.Actions(actions=[message]))


# --- writing it down ------------------------------------------------------------------------------


def kind(question: Question) -> str:
    match question:
        case CallQuestion():
            return "a call"
        case TrumpQuestion():
            return "trumps"
        case DiscardQuestion():
            return "the dealer's discard" if question.min_count else "a discard"
        case PlayQuestion():
            return "a card"
        case _:
            assert_never(question)


def action_text(action: Action) -> str:
    match action:
        case Call(bid):
            return bid_text(bid)
        case NameTrump(suit):
            return suit_text(suit)
        case Discard(cards):
            return " ".join(map(card_text, cards)) or "nothing"
        case Play(card):
            return card_text(card)
        case _:
            assert_never(action)


def line(decision: Decision, *, id: int, action: Action) -> str:
    """One question and its answer."""
    question = decision.question
    match question:
        case CallQuestion(bids):
            asked = "may call " + " ".join(map(bid_text, bids))
        case TrumpQuestion(suits):
            asked = "may name " + " ".join(map(suit_text, suits))
        case DiscardQuestion(cards):
            asked = f"may put away {question.min_count} to {question.max_count} of " + " ".join(
                map(card_text, cards)
            )
        case PlayQuestion(cards):
            asked = f"{lying(decision)}, may play {' '.join(map(card_text, cards))}"
        case _:
            assert_never(question)
    return f"seat {decision.seat}  id {id}  {asked} -> {action_text(action)}"


def lying(decision: Decision) -> str:
    tricks = decision.public.tricks
    if not tricks or len(tricks[-1].cards) == 6:
        return f"leads to trick {len(tricks) + 1}"
    return f"trick {len(tricks)} is " + " ".join(map(card_text, tricks[-1].cards))


def full(who: str, message: Message) -> str:
    return f"{who}:\n\n```json\n{pretty(ordered(message))}\n```\n"


def ordered(message: Message) -> dict[str, object]:
    """The message for JSON, its fields in the order of their numbers, those of number 0 too."""
    value = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    result: dict[str, object] = {}
    for field in message.DESCRIPTOR.fields:
        content = getattr(message, field.name)
        if field.name not in value:
            continue
        if isinstance(content, Message):
            result[field.name] = ordered(content)
        elif field.message_type is not None:
            result[field.name] = [ordered(item) for item in content]
        else:
            result[field.name] = value[field.name]
    return result


def pretty(value: object, indent: str = "", used: int = 0) -> str:
    """JSON with everything on one line that fits there."""
    flat = json.dumps(value)
    if len(indent) + used + len(flat) <= WIDTH or not isinstance(value, dict | list):
        return flat
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f'"{name}": ' for name in value]
        items = [
            part + pretty(item, deeper, len(part))
            for part, item in zip(parts, value.values(), strict=True)
        ]
        return "{\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}}}"
    if all(isinstance(item, str | int) for item in value):
        return "[\n" + wrapped([json.dumps(item) for item in value], deeper) + f"\n{indent}]"
    items = [pretty(item, deeper) for item in value]
    return "[\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}]"


def wrapped(items: Sequence[str], indent: str) -> str:
    lines = [indent]
    for number, item in enumerate(items):
        word = item + ("," if number < len(items) - 1 else "")
        if len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(indent)
        lines[-1] += word if lines[-1] == indent else f" {word}"
    return "\n".join(lines)


# --- the hand -------------------------------------------------------------------------------------


def demo_table() -> tuple[Table, int]:
    master = master_from_text("demo")
    keys = [block_key(key(master, "demo", name), "0.0") for name in ("deal", "bot")]
    dealer = number_below(derive(key(master, "demo", "plan"), "dealer 0.0"), 6)
    table = Table(rules=Rules(), seeds=BoardSeeds(*keys), first_dealer=dealer, faults_per_game=3)
    return table, dealer


def handshake() -> Iterator[str]:
    hello = service_pb.PlayRequest(
        hello=service_pb.Hello(
            token="3f9c52a0d41e4b6f8a7725d0c1e94b13",
            name="first legal",
            version="1.0",
            revision="REVISION_ONE",
            max_batch=256,
        )
    )
    read = read_request(hello.SerializeToString())
    assert isinstance(read, Hello)
    yield full("Each bot begins with its hello", hello)
    data = welcome(
        name="demo-bot",
        rules=Rules(),
        decision_ms=1000,
        stop_ms=1000,
        faults_per_game=3,
        max_batch=read.max_batch,
    )
    yield full("The referee answers", service_pb.PlayResponse.FromString(data))


def transcript() -> str:
    """The section's text, from the hello to the last trick of the first hand."""
    table, dealer = demo_table()
    encoder, ids, shown, lines = DecisionEncoder(), [0] * 6, set[str](), list[str]()
    parts = [INTRODUCTION.format(dealer=dealer), *handshake()]

    def flush() -> None:
        if lines:
            parts.append("```text\n" + "\n".join(lines) + "\n```\n")
            lines.clear()

    while (decision := table.decision) is not None and decision.public.number == 0:
        seat = decision.seat
        ids[seat] += 1
        asked = encoder.encode(decision, id=ids[seat], table="k7Q2", limit_ms=1000)
        action = choice(decision.question)
        sent = request(ids[seat], action)
        if (name := kind(decision.question)) not in shown:
            shown.add(name)
            flush()
            response = service_pb.PlayResponse.FromString(decisions_message([asked]))
            parts.append(full(f"Seat {seat} is asked for {name}", response))
            parts.append(full("It answers", sent))
        else:
            lines.append(line(decision, id=ids[seat], action=action))
        heard = read_request(sent.SerializeToString())
        assert heard == [Answer(ids[seat], action)]
        assert table.answer(action) is None
    flush()
    assert decision is not None and len(shown) == 5
    scores = ", ".join(map(str, decision.public.scores))
    parts.append(
        "Nobody is asked in the sixth trick, for everybody has one card left. The next question is "
        f"of hand {decision.public.number},\nwith the scores {scores} of teams 0, 1 and 2.\n"
    )
    last = goodbye(GoodbyeReason.SITTING_OVER, "all games of this sitting are over")
    parts.append(full("When all games are over", service_pb.PlayResponse.FromString(last)))
    return "\n".join(parts)


def test_the_hand_on_the_page_is_what_is_said(request: pytest.FixtureRequest) -> None:
    before, begin, rest = PAGE.read_text().partition(BEGIN)
    section, end, after = rest.partition(END)
    assert begin and end, "the page has lost the marks of its transcript"
    if request.config.getoption("--regenerate"):
        PAGE.write_text(f"{before}{BEGIN}\n{transcript()}\n{END}{after}")
    else:
        assert section == f"\n{transcript()}\n", "stale: run this test with --regenerate"
