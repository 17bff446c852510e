"""The leaderboard as JSON: schema `schmier-leaderboard`, version 1, in `leaderboard.schema.json`.

Names are whole and exact. Signs that a reader cannot see are written as `\\uXXXX` in strings, so
the file is safe on a terminal and equal as data.
"""

from __future__ import annotations

import json
import re
import unicodedata
from importlib.resources import files

from referee.ranking import HalfWidth, Interval
from referee.report.leaderboard.meta import Meta
from referee.tourney import FAULT_KINDS, Row, Standings, rules_json

__all__ = [
    "LEADERBOARD_FORMAT",
    "LEADERBOARD_VERSION",
    "leaderboard_data",
    "leaderboard_json",
    "leaderboard_schema",
    "safe_json",
]

LEADERBOARD_FORMAT = "schmier-leaderboard"
"""The `format` of the JSON leaderboard."""

LEADERBOARD_VERSION = 1
"""The `version` of the JSON leaderboard; additions keep it."""

_UNUSUAL = re.compile(r"[^\n -~]")
"""Outside strings JSON text has only ASCII, and line ends where it is indented."""
_NOT_SEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"})


def leaderboard_json(standings: Standings, meta: Meta) -> str:
    """Return the leaderboard as indented JSON."""
    return safe_json(leaderboard_data(standings, meta), indent=2) + "\n"


def leaderboard_schema() -> str:
    """Return the JSON Schema of the JSON leaderboard."""
    return (
        files("referee.report.leaderboard").joinpath("leaderboard.schema.json").read_text("utf-8")
    )


def safe_json(value: object, *, indent: int | None = None) -> str:
    """Return JSON text, keys in the order given; raises `ValueError` for nan and inf."""
    separators = (",", ":") if indent is None else (",", ": ")
    text = json.dumps(
        value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators
    )
    return _UNUSUAL.sub(_shown, text)


def leaderboard_data(standings: Standings, meta: Meta) -> dict[str, object]:
    """Return the leaderboard as plain JSON data."""
    return {
        "format": LEADERBOARD_FORMAT,
        "version": LEADERBOARD_VERSION,
        "event": {"id": meta.event_id, "name": meta.event_name},
        "closed": standings.closed,
        "rounds": {"scored": standings.rounds_scored, "planned": standings.rounds_planned},
        "games": {"scored": standings.games_scored, "planned": standings.games_planned},
        "winner": standings.winner,
        "leaders": list(standings.leaders),
        "rows": [_row(row) for row in standings.rows],
        "separated": [list(pair) for pair in standings.separated],
        "not_started": [
            {"partnership": entry.name, "reason": entry.reason} for entry in standings.not_started
        ],
        "words": list(standings.words),
        "stamps": list(standings.stamps),
        "rules": rules_json(meta.rules),
        "rules_changed": meta.rules_changed(),
        "commitment": meta.commitment.hex(),
        "master": None if meta.master is None else meta.master.hex(),
    }


def _row(row: Row) -> dict[str, object]:
    return {
        "place": None if row.place is None else list(row.place),
        "partnership": row.name,
        "win_share": row.win_share,
        "interval": _interval(row.interval),
        "margin_per_game": row.margin_per_game,
        "games": row.total.games,
        "wins": row.wins,
        "sixths": row.total.sixths,
        "margin_thirds": row.total.margin_thirds,
        "hands": row.total.hands,
        "hands_per_game": row.hands_per_game,
        "forfeits": row.total.forfeits,
        "faults": sum(row.total.faults),
        "faults_by_kind": dict(zip(FAULT_KINDS, row.total.faults, strict=True)),
        "equal_to_above": row.equal_to_above,
        "out": row.out,
    }


def _interval(interval: Interval | None) -> dict[str, object] | None:
    match interval:
        case None:
            return None
        case HalfWidth(value):
            return {"kind": "half_width", "half_width": value}
        case _:
            return {"kind": "range", "low": interval.low, "high": interval.high}


def _shown(found: re.Match[str]) -> str:
    """Keep letters, and the joiners and styles of emoji; write all that is not seen as its code."""
    letter = found.group()
    if letter in "\u200c\u200d\ufe0e\ufe0f" or unicodedata.category(letter) not in _NOT_SEEN:
        return letter
    number = ord(letter)
    if number < 0x10000:
        return f"\\u{number:04x}"
    high, low = divmod(number - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
