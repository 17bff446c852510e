"""On which line a key of a TOML text stands: what the standard reader does not tell.

Only for texts that `tomllib` has already accepted. So nothing is checked here: the scanner walks
over keys and values, and notes the line where each of them begins.

A place is a path of keys, with a number for an entry of an array: `("partnerships", 1, "bots", 0)`
is the first bot of the second partnership. A table's line is that of its header, or of the first
key that speaks of it.
"""

from __future__ import annotations

import re
import tomllib
from typing import Final, TypeAlias

__all__ = ["Place", "find_lines"]

Place: TypeAlias = tuple[str | int, ...]

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY: Final = re.compile(r"[^\s=.\[\]{}\"'#,]+")
_STRINGS: Final = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}(?!")', re.DOTALL),
    re.compile(r"'''.*?'{3,5}(?!')", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
_SCALAR: Final = re.compile(r"[^,\]}\n#]*")


def find_lines(text: str) -> dict[Place, int]:
    """Return the line, counted from 1, of every table, key and array entry of a valid text."""
    return _Scanner(text.replace("\r\n", "\n")).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._lines: dict[Place, int] = {}
        self._lengths: dict[Place, int] = {}

    def scan(self) -> dict[Place, int]:
        table: Place = ()
        while self._next() is not None:
            if self._text.startswith("[[", self._at):
                table = self._header("[[", is_array=True)
            elif self._text[self._at] == "[":
                table = self._header("[", is_array=False)
            else:
                self._pair(table)
        return self._lines

    def _header(self, bracket: str, *, is_array: bool) -> Place:
        line = self._line
        self._advance(self._at + len(bracket))
        keys = self._key()
        self._advance(self._at + len(bracket))
        place: Place = ()
        for depth, key in enumerate(keys, start=1):
            place = (*place, key)
            self._lines.setdefault(place, line)
            if depth == len(keys) and is_array:
                self._lengths[place] = self._lengths.get(place, 0) + 1
            if place in self._lengths:
                place = (*place, self._lengths[place] - 1)
                self._lines.setdefault(place, line)
        return place

    def _pair(self, table: Place) -> None:
        line = self._line
        place = table
        for key in self._key():
            place = (*place, key)
            self._lines.setdefault(place, line)
        self._advance(self._at + 1)
        self._value(place)

    def _key(self) -> list[str]:
        """Read a dotted key and stop at what follows it."""
        keys = []
        while True:
            start = self._next()
            if start in ('"', "'"):
                quoted = self._string()
                keys.append(str(tomllib.loads(f"key = {quoted}")["key"]))
            else:
                match = _BARE_KEY.match(self._text, self._at)
                assert match is not None
                self._advance(match.end())
                keys.append(match.group())
            if self._next() != ".":
                return keys
            self._advance(self._at + 1)

    def _value(self, place: Place) -> None:
        match self._next():
            case "[":
                self._entries(place)
            case "{":
                self._inline_table(place)
            case '"' | "'":
                self._string()
            case _:
                match = _SCALAR.match(self._text, self._at)
                assert match is not None
                self._advance(match.end())

    def _entries(self, place: Place) -> None:
        self._advance(self._at + 1)
        number = 0
        while self._next() != "]":
            self._lines[(*place, number)] = self._line
            self._value((*place, number))
            number += 1
            if self._next() == ",":
                self._advance(self._at + 1)
        self._advance(self._at + 1)

    def _inline_table(self, place: Place) -> None:
        self._advance(self._at + 1)
        while self._next() != "}":
            self._pair(place)
            if self._next() == ",":
                self._advance(self._at + 1)
        self._advance(self._at + 1)

    def _string(self) -> str:
        for form in _STRINGS:
            if match := form.match(self._text, self._at):
                self._advance(match.end())
                return match.group()
        raise AssertionError(f"no TOML string at line {self._line}")

    def _next(self) -> str | None:
        """Go over blanks, line ends and comments, and return the character there."""
        match = _BLANK.match(self._text, self._at)
        assert match is not None
        self._advance(match.end())
        return self._text[self._at] if self._at < len(self._text) else None

    def _advance(self, end: int) -> None:
        self._line += self._text.count("\n", self._at, end)
        self._at = end
