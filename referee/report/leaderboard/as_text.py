"""The leaderboard for a terminal or a plain text file."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import tabulate

from referee.report.leaderboard.cells import (
    EQUAL_WORDS,
    FAULT_HEADERS,
    HEADERS,
    NAME_COLUMN,
    Fact,
    all_names,
    fault_cells,
    foot_facts,
    row_cells,
)
from referee.report.leaderboard.meta import Meta
from referee.report.names import isolated, name_texts, visible, with_names
from referee.tourney import Standings

__all__ = ["NAME_COLUMNS", "leaderboard_text"]

NAME_COLUMNS = 40
"""Terminal columns that a name may take in a table; a wider one is cut with an ellipsis."""

LINE = 100
"""Characters in a line of the sentences under the table."""

tabulate.MIN_PADDING = 0
"""tabulate would make each column two wider than its header, and the table too wide to read."""

_FACT_WIDTH = len("commitment")

_TWO_LINES = {
    "win share %": "win\nshare %",
    "+- or range": "+- or\nrange",
    "margin per game": "margin\nper game",
    "hands per game": "hands\nper game",
}
"""Headers that would make their column wider than its figures."""


def leaderboard_text(standings: Standings, meta: Meta) -> str:
    """Return the leaderboard as plain text."""
    names = name_texts([row.name for row in standings.rows], columns=NAME_COLUMNS)
    shown = dict(zip((row.name for row in standings.rows), names, strict=True))
    title = isolated(visible(meta.event_name))
    parts = [f"{title} ({meta.event_id})", _table(HEADERS, row_cells(standings.rows), shown)]
    if any(row.equal_to_above for row in standings.rows):
        parts.append(EQUAL_WORDS)
    faults = fault_cells(standings.rows)
    if faults:
        parts.append("Faults by kind\n" + _table(FAULT_HEADERS, faults, shown))
    if standings.not_started:
        parts.append(_not_started(standings))
    parts.extend(_wrapped(_sentence(sentence, standings)) for sentence in standings.words)
    if standings.stamps:
        lines = (f"  * {_sentence(stamp, standings)}" for stamp in standings.stamps)
        parts.append("\n".join(["Stamps", *lines]))
    facts = [Fact("event", title), *foot_facts(standings, meta)]
    parts.append("\n".join(f"{fact.name:<{_FACT_WIDTH}}  {fact.text}" for fact in facts))
    return "\n\n".join(parts) + "\n"


def _table(headers: Sequence[str], rows: list[list[str]], shown: dict[str, str]) -> str:
    for cells in rows:
        cells[NAME_COLUMN] = shown[cells[NAME_COLUMN]]
    alignment = ["left", "left", *["right"] * (len(headers) - 2)]
    headings = [_TWO_LINES.get(header, header) for header in headers]
    printed = tabulate.tabulate(
        rows, headers=headings, disable_numparse=True, colalign=alignment, tablefmt="simple"
    )
    return "\n".join(line.rstrip(" ") for line in printed.splitlines())


def _not_started(standings: Standings) -> str:
    lines = ["Not started"]
    for entry in standings.not_started:
        reason = isolated(visible(entry.reason))
        lines.append(f"  * {isolated(visible(entry.name))}: {reason}")
    return "\n".join(lines)


def _sentence(sentence: str, standings: Standings) -> str:
    names = all_names(standings)
    return with_names(sentence, names, name=lambda name: isolated(visible(name)), prose=visible)


def _wrapped(text: str) -> str:
    """Break a paragraph between words; a word wider than a line stays whole."""
    return textwrap.fill(text, LINE, break_long_words=False, break_on_hyphens=False)
