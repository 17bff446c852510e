"""Names for what is stored: a game is known by what decides it, never by when it was played.

The bytes that are hashed are canonical JSON (RFC 8785): keys sorted, nothing between the tokens,
UTF-8. For texts, whole numbers, booleans, lists and objects with ASCII keys that is what
`json.dumps` writes when told so; other numbers are refused here, so that nobody relies on them.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import fields
from enum import Enum
from typing import TypeAlias

from referee.engine import Rules

__all__ = ["GAME_FORMAT", "Json", "canonical_json", "content_digest", "game_id", "rules_json"]

GAME_FORMAT = "schmier-game-v1"
"""The `format` of a game's identity; another one names other games."""

Json: TypeAlias = bool | int | str | Sequence["Json"] | Mapping[str, "Json"] | None

_LARGEST_INTEGER = 2**53 - 1


def game_id(
    *,
    tournament_id: str,
    commitment: bytes,
    rules: Rules,
    block: str,
    replay: int,
    partnerships: Sequence[str],
    members: Sequence[str],
) -> bytes:
    """Return the 16 bytes a game is stored under.

    `commitment` is the event's, `block` the text `R.I`, `partnerships` the three names by seat
    pair and `members` the six bot names by seat. Names are taken in NFC.
    """
    if len(partnerships) != 3 or len(members) != 6:
        raise ValueError(f"{len(partnerships)} partnerships and {len(members)} members in a game")
    identity: dict[str, Json] = {
        "format": GAME_FORMAT,
        "tournament_id": tournament_id,
        "commitment": commitment.hex(),
        "rules": rules_json(rules),
        "block": block,
        "replay": replay,
        "partnerships": [unicodedata.normalize("NFC", name) for name in partnerships],
        "members": [unicodedata.normalize("NFC", name) for name in members],
    }
    return hashlib.sha256(canonical_json(identity)).digest()[:16]


def content_digest(value: Json) -> str:
    """Return the SHA-256 of a value's canonical JSON in hex, to tell conditions apart."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def rules_json(rules: Rules) -> dict[str, Json]:
    """Return all rules by name, options as their text, defaults filled in."""
    return {item.name: _plain(getattr(rules, item.name)) for item in fields(rules)}


def canonical_json(value: Json) -> bytes:
    """Return the bytes of RFC 8785 for a value without fractions.

    Raises `TypeError` for floats and other types or keys that are no ASCII text, `ValueError` for
    integers that JavaScript would not keep, `UnicodeEncodeError` for lone surrogates.
    """
    _check(value)
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def _plain(value: object) -> Json:
    plain = value.value if isinstance(value, Enum) else value
    if isinstance(plain, bool | int | str):
        return plain
    raise TypeError(f"a rule is a text, a number or true or false, is {value!r}")


def _check(value: object) -> None:
    match value:
        case None | bool() | str():
            pass
        case int():
            if abs(value) > _LARGEST_INTEGER:
                raise ValueError(f"{value} does not fit canonical JSON")
        case dict():
            for key, item in value.items():
                if not (isinstance(key, str) and key.isascii()):
                    raise TypeError(f"a key of canonical JSON here is ASCII text, is {key!r}")
                _check(item)
        case list() | tuple():
            for item in value:
                _check(item)
        case _:
            raise TypeError(f"no canonical JSON here for {value!r}")
