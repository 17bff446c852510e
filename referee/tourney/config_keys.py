"""How one table of a configuration is read: every key known, every value of its type and range.

Mistakes are collected, not raised: a key that is wrong gives its default and the reading goes on,
so that at the end the first mistake in the order of the file can be told, whatever order the keys
were read in. There is no silent default for a bad value.
"""

from __future__ import annotations

import difflib
import json
import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from referee.tourney.config import AUTO, Origin
from referee.tourney.toml_lines import Place

__all__ = [
    "LONGEST_NAME",
    "Problems",
    "Table",
    "id_problem",
    "name_problem",
    "nearest",
    "shown",
    "text_problem",
]

LONGEST_NAME: Final = 64
"""Code points of a name, after NFC."""

_LONGEST_TEXT: Final = 1000
_NOT_SET: Final = object()
_UNSEEN: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}

_OTHER_WORDS: Final = {
    "timeout_ms": "decision_ms",
    "timeout": "decision_ms",
    "time_ms": "decision_ms",
    "time_limit_ms": "decision_ms",
    "move_ms": "decision_ms",
    "startup_ms": "start_ms",
    "cmd": "command",
    "args": "command",
    "program": "command",
    "cwd": "directory",
    "dir": "directory",
    "folder": "directory",
    "environment": "env",
    "author": "owner",
    "members": "bots",
    "games": "rounds",
    "concurrency": "tables",
    "max_faults": "faults_per_game",
    "bot": "bots",
    "teams": "partnerships",
    "entrants": "partnerships",
    "partnership": "partnerships",
}


class Problems:
    """The mistakes of one file; the first of them in file order is the one to tell."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._found: list[tuple[float, int, str, Place, str]] = []

    def add(self, message: str, *, place: Place, key: str) -> None:
        """Note a mistake at a place, told under `key`."""
        line = self._origin.line(place)
        order = float("inf") if line is None else line
        self._found.append((order, len(self._found), message, place, key))

    def raise_first(self) -> None:
        """Raise the `ConfigError` of the first mistake in the file, if there is any."""
        if self._found:
            _, _, message, place, key = min(self._found)
            raise self._origin.error(message, place=place, key=key)


class Table:
    """A table of the file while it is read; `end` tells what was not expected or is missing."""

    def __init__(
        self,
        values: Mapping[str, object],
        *,
        place: Place,
        title: str,
        problems: Problems,
        elsewhere: Mapping[str, str] | None = None,
    ) -> None:
        self._values = values
        self._place = place
        self._title = title
        self._problems = problems
        self._elsewhere = elsewhere or {}
        self._known: list[str] = []
        self._listed: set[str] = set()
        self._missing: dict[str, str] = {}

    def problem(self, key: str, message: str, *, entry: int | str | None = None) -> None:
        """Note a mistake in the value of a key, or in one entry of it."""
        place = (*self._place, key) if entry is None else (*self._place, key, entry)
        self._problems.add(message, place=place, key=f"{self._title} {key}".strip())

    def whole(self, key: str, default: int, *, low: int, high: int) -> int:
        """Read a whole number in a range, ends included."""
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            self.problem(key, f"must be a whole number without quotes, is {shown(value)}")
        elif low == 1 and value < 1:
            self.problem(key, f"must be > 0, is {value}")
        elif not low <= value <= high:
            self.problem(key, f"must be from {low} to {high}, is {value}")
        else:
            return value
        return default

    def whole_or_auto(self, key: str, *, high: int) -> int | None:
        """Read "auto" as None, or a whole number from 1."""
        value = self._take(key, AUTO)
        if value == AUTO:
            return None
        if not isinstance(value, int) or isinstance(value, bool):
            self.problem(key, f'must be a whole number or "{AUTO}", is {shown(value)}')
        elif not 1 <= value <= high:
            self.problem(key, f'must be from 1 to {high} or "{AUTO}", is {value}')
        else:
            return value
        return None

    def flag(self, key: str, *, default: bool) -> bool:
        """Read true or false."""
        value = self._take(key, default)
        if isinstance(value, bool):
            return value
        hint = " without quotes" if isinstance(value, str) else ""
        self.problem(key, f"must be true or false{hint}, is {shown(value)}")
        return default

    def choice(self, key: str, default: str, *, known: Sequence[str]) -> str:
        """Read one of a few texts."""
        value = self._take(key, default)
        if isinstance(value, str) and value in known:
            return value
        near = nearest(value, known) if isinstance(value, str) else None
        names = ", ".join(shown(name) for name in known)
        hint = f"; did you mean {shown(near)}?" if near else ""
        self.problem(key, f"must be one of {names}, is {shown(value)}{hint}")
        return default

    def required(self, key: str, check: Callable[[str], str | None], *, cure: str) -> str:
        """Read a text that must be there; `cure` is what to write when it is not."""
        if key not in self._values:
            self._known.append(key)
            self._missing[key] = cure
            return ""
        return self.optional(key, check) or ""

    def optional(self, key: str, check: Callable[[str], str | None]) -> str | None:
        """Read a text that may be left out."""
        value = self._take(key, None)
        if value is None:
            return None
        if not isinstance(value, str):
            cure = f"; write {key} = {shown(_plain(value))}" if _plain(value) else ""
            self.problem(key, f"must be text in quotes, is {shown(value)}{cure}")
        elif problem := check(value):
            self.problem(key, problem)
        else:
            return value
        return None

    def texts(self, key: str, *, cure: str, is_required: bool = False) -> tuple[str, ...]:
        """Read a list of texts; a text in place of the list is told with `cure`."""
        if key not in self._values and is_required:
            self._known.append(key)
            self._missing[key] = cure
            return ()
        value = self._take(key, [])
        if not isinstance(value, list):
            if isinstance(value, str) and (words := _words(value)):
                cure = f"{key} = [{', '.join(shown(word) for word in words)}]"
            self.problem(key, f"must be a list of texts, is {shown(value)}; write {cure}")
            return ()
        for number, item in enumerate(value):
            if not isinstance(item, str):
                fix = f"; write {shown(_plain(item))}" if _plain(item) else ""
                self.problem(
                    key, f"must hold texts in quotes, not {shown(item)}{fix}", entry=number
                )
            elif "\0" in item:
                self.problem(key, f"must hold no NUL, has {shown(item)}", entry=number)
        texts = tuple(item for item in value if isinstance(item, str))
        return texts if len(texts) == len(value) else ()

    def text_table(
        self, key: str, check: Callable[[str], str | None]
    ) -> tuple[tuple[str, str], ...]:
        """Read a table of texts, sorted by key; `check` looks at the keys."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            self.problem(key, f'must be a table like {{ NAME = "value" }}, is {shown(value)}')
            return ()
        for name, item in value.items():
            if problem := check(name):
                self.problem(key, problem, entry=name)
            elif not isinstance(item, str):
                fix = f"; write {name} = {shown(_plain(item))}" if _plain(item) else ""
                text = f"{name} must be text in quotes, is {shown(item)}{fix}"
                self.problem(key, text, entry=name)
            elif "\0" in item:
                self.problem(key, f"{name} must hold no NUL", entry=name)
        return tuple(sorted((k, v) for k, v in value.items() if isinstance(v, str)))

    def table(self, key: str) -> Mapping[str, object]:
        """Read a table in this one, empty if it is not there."""
        value = self._take(key, {})
        if isinstance(value, dict):
            return value
        self.problem(key, f"must be a table headed [{key}], is {shown(value)}")
        return {}

    def tables(self, key: str) -> Sequence[Mapping[str, object]]:
        """Read a list of tables, empty if it is not there."""
        self._listed.add(key)
        value = self._take(key, [])
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return value
        self.problem(key, f"must be tables, each headed [[{key}]], is {shown(value)}")
        return ()

    def end(self) -> None:
        """Tell of every key that is not known, and of every key that had to be there."""
        for key in self._values:
            if key not in self._known:
                near = nearest(key, self._known)
                self._missing.pop(near or "", None)
                self._unknown(key, near)
        for key, cure in self._missing.items():
            self._problems.add(
                f"is missing; write {cure}", place=self._place, key=f"{self._title} {key}".strip()
            )

    def _unknown(self, key: str, near: str | None) -> None:
        is_section = not self._place and isinstance(self._values[key], dict | list)
        kind, form = ("section", "[{}]") if is_section else ("key", "{}")
        if key in self._elsewhere:
            hint = f"it belongs in {self._elsewhere[key]}"
        elif near:
            meant = f"[{near}]" if near in self._listed else near
            hint = f"did you mean {form.format(meant)}?"
        else:
            hint = f"known here: {', '.join(self._known)}"
        name = form.format(_key_text(key))
        self._problems.add(
            f"is an unknown {kind}; {hint}",
            place=(*self._place, key),
            key=f"{self._title} {name}".strip(),
        )

    def _take(self, key: str, default: object) -> object:
        self._known.append(key)
        value = self._values.get(key, _NOT_SET)
        return default if value is _NOT_SET else value


def shown(value: object) -> str:
    """Return a value as a file would say it, on one line, cut when it is long."""
    match value:
        case bool():
            text = "true" if value else "false"
        case float():
            text = repr(value)
        case str() | int():
            text = json.dumps(value, ensure_ascii=not _is_plain(value))
        case list():
            text = "a list"
        case dict():
            text = "a table"
        case _:
            text = str(value)
    return text if len(text) <= 80 else f"{text[:60]}... ({len(text)} characters)"


def name_problem(text: str) -> str | None:
    """Return what is wrong with a name that people read, or None."""
    if not text.strip():
        return "must not be empty"
    length = len(unicodedata.normalize("NFC", text))
    if length > LONGEST_NAME:
        return f"must have at most {LONGEST_NAME} characters, has {length}"
    for character in text:
        if unicodedata.category(character) in _UNSEEN:
            return (
                f"must hold no control or invisible character, has U+{ord(character):04X} "
                f"in {shown(text)}"
            )
        if character != " " and unicodedata.category(character) == "Zs":
            return f"must hold plain spaces only, has U+{ord(character):04X} in {shown(text)}"
    if text != text.strip():
        return f"must not begin or end with a space, is {shown(text)}"
    return None


def text_problem(text: str) -> str | None:
    """Return what is wrong with a text that need not be a name, or None."""
    if not text:
        return "must not be empty; leave the key out instead"
    if len(text) > _LONGEST_TEXT:
        return f"must have at most {_LONGEST_TEXT} characters, has {len(text)}"
    if not _is_plain(text):
        return f"must hold no control character, is {shown(text)}"
    return None


def id_problem(text: str) -> str | None:
    """Return what is wrong with an event's id, or None."""
    if re.fullmatch(r"[a-z0-9-]{1,64}", text):
        return None
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    near = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:64]
    cure = f"; write id = {shown(near)}" if near else ""
    return f"must be 1 to 64 characters of a-z, 0-9 and -, is {shown(text)}{cure}"


def _plain(value: object) -> str:
    """Return a bare value as the text its writer may have meant, or nothing."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else ""


def _words(text: str) -> list[str]:
    """Return a command line as the list it should have been; nothing if it is none."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _is_plain(value: object) -> bool:
    return not any(unicodedata.category(character) in _UNSEEN for character in str(value))


def _key_text(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]{1,64}", key) else shown(key)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most likely meant, by another name for it too; None if none is near."""
    lower = word.lower()
    aliases = {alias: key for alias, key in _OTHER_WORDS.items() if key in known}
    meanings = {**aliases, **{key: key for key in known}}
    found = difflib.get_close_matches(lower, meanings, n=1, cutoff=0.6)
    return meanings[found[0]] if found else None
