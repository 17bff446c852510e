"""Protobuf's wire format, as far as decisions need it: varints, fields and length-delimited parts.

A message is the concatenation of its fields, so a part that does not change can be kept as bytes
and joined with the parts that do. Field numbers come from the generated descriptors, never from
here. Written in ascending field number, zeros left out, the bytes are those protobuf writes.
Source: the encoding page of the protobuf documentation.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.message import Message

__all__ = [
    "SMALL",
    "delimited",
    "delimited_tag",
    "number_field",
    "number_tag",
    "numbers_field",
    "varint",
    "zigzag",
]

_VARINT: Final = 0
_DELIMITED: Final = 2

SMALL: Final = tuple(bytes((n,)) for n in range(128))
"""The varints of 0 to 127."""
_MORE: Final = tuple(bytes((n & 127 | 128, n >> 7 | 128)) for n in range(0x4000))
"""Fourteen bits of a varint that goes on: every decision carries a random seed of five bytes."""


def varint(number: int) -> bytes:
    """Return a number of 0 to 2^31 - 1 as a varint."""
    if number < 0x80:
        return SMALL[number]
    if number < 0x4000:
        return bytes((number & 127 | 128, number >> 7))
    if number < 0x200000:
        return _MORE[number & 0x3FFF] + SMALL[number >> 14]
    if number < 0x10000000:
        return _MORE[number & 0x3FFF] + bytes((number >> 14 & 127 | 128, number >> 21))
    return _MORE[number & 0x3FFF] + _MORE[number >> 14 & 0x3FFF] + SMALL[number >> 28]


def zigzag(number: int) -> int:
    """Return the number a sint32 is written as: 0, -1, 1, -2 are 0, 1, 2, 3."""
    return number << 1 if number >= 0 else (-number << 1) - 1


def number_tag(message: type[Message], name: str) -> bytes:
    """Return the tag of a field that holds one number."""
    return varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | _VARINT)


def delimited_tag(message: type[Message], name: str) -> bytes:
    """Return the tag of a field that holds a text, messages or packed numbers."""
    return varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | _DELIMITED)


def number_field(tag: bytes, number: int) -> bytes:
    """Return a field with one number; nothing for 0, which is what an absent field means."""
    return tag + varint(number) if number else b""


def numbers_field(tag: bytes, numbers: Iterable[int]) -> bytes:
    """Return a field with packed numbers of 0 to 127, at most 127 of them; nothing for none."""
    packed = bytes(numbers)
    return tag + SMALL[len(packed)] + packed if packed else b""


def delimited(tag: bytes, content: bytes) -> bytes:
    """Return a field with a text or message, also an empty one."""
    return tag + varint(len(content)) + content
