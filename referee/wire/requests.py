"""What a bot sends, read without trust: any bytes give a Hello, Answers or `Unparsable`.

What an answer is worth is split in three. Malformed is decided here as far as the message alone
shows it: no choice, or a number that is no bid, suit or card. Whether the choice is of the kind the
question asks for is for whoever knows the question: compare the action's type. Whether it is legal
is decided by the engine's question, cards named twice included.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from referee.engine import CALLS, PLAYS, TRUMPS, Action, Discard
from referee.wire.pb.schmier.v1 import decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as pb

__all__ = [
    "MAX_ACTIONS",
    "MAX_BATCH",
    "MAX_MESSAGE_BYTES",
    "Answer",
    "Hello",
    "Unparsable",
    "read_hello",
    "read_request",
]

MAX_MESSAGE_BYTES: Final = 65536
"""The largest message of a bot that is read."""
MAX_BATCH: Final = 256
"""The most decisions a bot is ever sent at once."""
MAX_ACTIONS: Final = 1256
"""The most actions that are read in one message: 256 can be open, and a thousand ignored ones cost
a bot its process anyway. 64 KiB of empty actions would hold the referee up for 30 ms."""
MAX_CARDS: Final = 54
"""The most cards that are read of a discard: more than there are, so that it stays illegal."""
MAX_TEXT: Final = 64
"""So many characters of a bot's name and version are kept."""


class Unparsable(ValueError):  # noqa: N818 (it is what happened, as a bot's conduct)
    """Bytes that are no message of this protocol; `str()` says why."""


class Hello(NamedTuple):
    """A bot says who it is.

    `name` and `version` are fit to print: no control characters, at most 64 characters.
    `revision` is at least 1, `max_batch` within 1 to 256. `as_sent`: nothing had to be changed in
    name and version to make them so.
    """

    token: str
    name: str
    version: str
    revision: int
    max_batch: int
    wants_game_ended: bool
    as_sent: bool = True


class Answer(NamedTuple):
    """An action for the decision `id`; None with the `problem` when it is malformed.

    `id` is what the bot wrote, also when no such decision is open.
    """

    id: int
    action: Action | None
    problem: str = ""


def read_request(data: bytes) -> Hello | list[Answer]:
    """Return what the bytes of one `PlayRequest` say.

    Raises Unparsable, and nothing else, if they are too many or hold too many actions, do not
    parse, or say nothing.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise Unparsable(f"a message of {len(data)} bytes, at most {MAX_MESSAGE_BYTES} are read")
    try:
        request = pb.PlayRequest.FromString(data)
    except (DecodeError, ValueError):
        raise Unparsable(f"{len(data)} bytes that are no PlayRequest") from None
    content = request.WhichOneof("content")
    if content == "actions":
        actions = request.actions.actions
        if len(actions) > MAX_ACTIONS:
            raise Unparsable(f"{len(actions)} actions in a message, at most {MAX_ACTIONS} are read")
        return [_answer(action) for action in actions]
    if content == "hello":
        return _hello(request.hello)
    raise Unparsable("a PlayRequest with neither hello nor actions")


def read_hello(data: bytes) -> Hello | None:
    """Return the hello that the bytes of one `PlayRequest` are, or None if they are none.

    For first messages, whoever they are from: actions are not looked at, which would take long.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        return None
    try:
        request = pb.PlayRequest.FromString(data)
    except (DecodeError, ValueError):
        return None
    return _hello(request.hello) if request.WhichOneof("content") == "hello" else None


def _hello(hello: pb.Hello) -> Hello:
    name, version = _printable(hello.name), _printable(hello.version)
    return Hello(
        token=hello.token,
        name=name,
        version=version,
        revision=max(1, hello.revision),
        max_batch=min(MAX_BATCH, max(1, hello.max_batch)),
        wants_game_ended=hello.wants_game_ended,
        as_sent=(name, version) == (hello.name, hello.version),
    )


def _printable(text: str) -> str:
    """The start of a bot's text, fit for a log or a terminal: spaces for what does not print."""
    kept = text[: 4 * MAX_TEXT]
    clean = "".join(character if character.isprintable() else " " for character in kept)
    return " ".join(clean.split())[:MAX_TEXT].rstrip()


def _answer(action: decision_pb2.Action) -> Answer:
    number: int = action.play  # 0 when it is another choice; but most answers are plays
    found: Action | None = PLAYS.get(number)
    if found is not None:
        return Answer(action.decision_id, found)
    choice, what = action.WhichOneof("choice"), "card"
    if choice == "call":
        number = action.call
        found, what = CALLS.get(number), "bid"  # type: ignore[call-overload]
    elif choice == "discard":
        return _discard(action)
    elif choice == "trump":
        number = action.trump
        found, what = TRUMPS.get(number), "suit"  # type: ignore[call-overload]
    elif choice is None:
        return Answer(action.decision_id, None, "no choice")
    if found is None:
        return Answer(action.decision_id, None, f"{choice}: no {what} has the number {number}")
    return Answer(action.decision_id, found)


def _discard(action: decision_pb2.Action) -> Answer:
    cards = tuple(action.discard.cards[:MAX_CARDS])
    strange = set(cards).difference(PLAYS)
    if strange:
        problem = f"discard: no card has the number {min(strange)}"
        return Answer(action.decision_id, None, problem)
    return Answer(action.decision_id, Discard(cards))
