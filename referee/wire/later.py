"""What a referee of a later revision might send: known messages with unknown fields, and new ones.

Within v1 there are only additions, so a bot must take all of this and answer as ever. Here is made
what a bot is checked with; nothing else in the house sends it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf.message import Message

from referee.wire.framing import varint
from referee.wire.notices import REVISION
from referee.wire.pb.schmier.v1 import referee_service_pb2 as pb

__all__ = ["newer", "newer_kind_of_message"]

_FIRST_UNKNOWN: Final = 1000
_TEXT: Final = b"from a later revision"


def _field(number: int, wire_type: int, content: bytes) -> bytes:
    return varint(number << 3 | wire_type) + content


_UNKNOWN: Final = b"".join(
    (
        _field(_FIRST_UNKNOWN, 0, varint(300)),
        _field(_FIRST_UNKNOWN + 1, 2, varint(len(_TEXT)) + _TEXT),
        _field(_FIRST_UNKNOWN + 2, 5, bytes(4)),
        _field(_FIRST_UNKNOWN + 3, 1, bytes(8)),
    )
)
"""A field of each wire type there is: a number, a text or message, four bytes, eight bytes."""


def newer(data: bytes) -> bytes:
    """Return a `PlayResponse` with unknown fields at every level; a welcome is of revision 2."""
    message = pb.PlayResponse.FromString(data)
    if message.HasField("welcome"):
        message.welcome.revision = REVISION + 1  # type: ignore[assignment]
    for part in _parts(message):
        part.MergeFromString(_UNKNOWN)
    return message.SerializeToString()


def newer_kind_of_message() -> bytes:
    """Return a `PlayResponse` of a kind that this revision does not have: a bot skips it."""
    return _UNKNOWN


def _parts(message: Message) -> Iterator[Message]:
    """The message and all messages in it, the innermost first."""
    for _, value in message.ListFields():
        if isinstance(value, Message):
            yield from _parts(value)
        elif not isinstance(value, str | bytes | int | float):
            for each in value:
                if isinstance(each, Message):
                    yield from _parts(each)
    yield message
