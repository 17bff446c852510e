"""The leaderboard as GitHub Markdown."""

from __future__ import annotations

from referee.report.leaderboard.cells import (
    EQUAL_WORDS,
    FAULT_HEADERS,
    HEADERS,
    NAME_COLUMN,
    all_names,
    fault_cells,
    foot_facts,
    row_cells,
)
from referee.report.leaderboard.markdown_text import (
    code,
    markdown_name,
    markdown_prose,
    markdown_table,
)
from referee.report.leaderboard.meta import Meta
from referee.report.names import with_names
from referee.tourney import Standings

__all__ = ["leaderboard_markdown"]


def leaderboard_markdown(standings: Standings, meta: Meta) -> str:
    """Return the leaderboard as one Markdown section."""
    parts = [
        [f"# {markdown_name(meta.event_name)}"],
        _table(HEADERS, row_cells(standings.rows)),
    ]
    if any(row.equal_to_above for row in standings.rows):
        parts.append([markdown_prose(EQUAL_WORDS)])
    faults = fault_cells(standings.rows)
    if faults:
        parts.extend([["## Faults by kind"], _table(FAULT_HEADERS, faults)])
    if standings.not_started:
        entries = [[entry.name, markdown_prose(entry.reason)] for entry in standings.not_started]
        for cells in entries:
            cells[0] = markdown_name(cells[0])
        parts.append(["## Not started"])
        parts.append(markdown_table(["partnership", "reason"], entries, right=frozenset()))
    parts.extend([_sentence(sentence, standings)] for sentence in standings.words)
    if standings.stamps:
        parts.append(["## Stamps"])
        parts.append([f"- {_sentence(stamp, standings)}" for stamp in standings.stamps])
    parts.append(["## Event"])
    parts.append(_facts(standings, meta))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _table(headers: tuple[str, ...], rows: list[list[str]]) -> list[str]:
    for cells in rows:
        cells[NAME_COLUMN] = markdown_name(cells[NAME_COLUMN])
    right = frozenset(range(NAME_COLUMN + 1, len(headers)))
    return markdown_table(list(headers), rows, right=right)


def _sentence(sentence: str, standings: Standings) -> str:
    names = all_names(standings)
    return with_names(sentence, names, name=markdown_name, prose=markdown_prose)


def _facts(standings: Standings, meta: Meta) -> list[str]:
    lines = [f"- event: {markdown_name(meta.event_name)} ({code(meta.event_id)})"]
    for fact in foot_facts(standings, meta):
        lines.append(f"- {fact.name}: {code(fact.text) if fact.literal else fact.text}")
    return lines
