"""The leaderboard as CSV (RFC 4180): one header, then one line for each partnership.

Lines end with CRLF. Numbers are plain: shares are fractions of 1, figures have six decimals, an
empty cell is "not known" or "not yet scored". Texts are whole, never cut; control characters and
backslashes in them look as in the text table (`\\x1b`, `\\\\`). A text that a spreadsheet would
take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a carriage return, or is written so
with wide letters), or that begins with an apostrophe, gets one apostrophe in front: a reader drops
one. The event's facts and stamps are repeated on every line, so that tables of several events can
be put together. The sentences under the table are left out.
"""

from __future__ import annotations

import csv
import io

from referee.ranking import HalfWidth
from referee.report.leaderboard.cells import rule_texts
from referee.report.leaderboard.meta import Meta
from referee.report.names import visible
from referee.tourney import FAULT_KINDS, Row, Standings

__all__ = ["CSV_COLUMNS", "leaderboard_csv"]

CSV_COLUMNS = (
    "place_best",
    "place_worst",
    "partnership",
    "win_share",
    "half_width",
    "range_low",
    "range_high",
    "margin_per_game",
    "games",
    "wins",
    "hands_per_game",
    "forfeits",
    "faults",
    *FAULT_KINDS,
    "status",
    "reason",
    "event_id",
    "event_name",
    "rounds_scored",
    "rounds_planned",
    "games_scored",
    "games_planned",
    "rules_changed",
    "commitment",
    "master",
    "stamps",
)
"""The header; `status` is scored, not yet scored, out, or not started (then with a reason)."""

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'", "＝", "＋", "－", "＠")


def leaderboard_csv(standings: Standings, meta: Meta) -> str:
    """Return the leaderboard as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, dialect="excel", lineterminator="\r\n")
    writer.writerow(CSV_COLUMNS)
    facts = _event(standings, meta)
    for row in standings.rows:
        writer.writerow([*_row(row), *facts])
    between = len(CSV_COLUMNS) - len(facts) - 5
    for entry in standings.not_started:
        name, reason = _text(entry.name), _text(entry.reason)
        writer.writerow(["", "", name, *[""] * between, "not started", reason, *facts])
    return file.getvalue()


def _row(row: Row) -> list[str]:
    best, worst = ("", "") if row.place is None else map(str, row.place)
    interval = row.interval
    if interval is None:
        bar = ["", "", ""]
    elif isinstance(interval, HalfWidth):
        bar = [_number(interval.value), "", ""]
    else:
        bar = ["", _number(interval.low), _number(interval.high)]
    scored = "not yet scored" if row.win_share is None else "scored"
    return [
        best,
        worst,
        _text(row.name),
        _number(row.win_share),
        *bar,
        _number(row.margin_per_game),
        str(row.total.games),
        _number(row.wins),
        _number(row.hands_per_game),
        str(row.total.forfeits),
        str(sum(row.total.faults)),
        *map(str, row.total.faults),
        "out" if row.out else scored,
        "",
    ]


def _event(standings: Standings, meta: Meta) -> list[str]:
    return [
        meta.event_id,
        _text(meta.event_name),
        str(standings.rounds_scored),
        str(standings.rounds_planned),
        str(standings.games_scored),
        str(standings.games_planned),
        "; ".join(rule_texts(meta)),
        meta.commitment.hex(),
        meta.master.hex() if meta.master is not None else "",
        _text("; ".join(standings.stamps)) if standings.stamps else "",
    ]


def _number(value: float | None) -> str:
    """Return six decimals without an exponent; -0 is 0."""
    return "" if value is None else f"{value + 0.0:.6f}".replace("-0.000000", "0.000000")


def _text(text: str) -> str:
    shown = visible(text) if text else ""
    return "'" + shown if text.startswith(_FORMULA_STARTS) else shown
