"""The cells of a leaderboard as a reader sees them: which columns there are, and how numbers look.

Text and Markdown print these cells, so the two never differ in a figure. A number that is not
known is "-": nothing is ever printed as nan, inf or +- 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.report.leaderboard.meta import Meta
from referee.tourney import FAULT_KINDS, Row, Standings

__all__ = [
    "EQUAL_WORDS",
    "FAULT_HEADERS",
    "HEADERS",
    "NAME_COLUMN",
    "Fact",
    "all_names",
    "fault_cells",
    "foot_facts",
    "row_cells",
    "rule_texts",
]

HEADERS = (
    "place",
    "partnership",
    "win share %",
    "+- or range",
    "margin per game",
    "games",
    "wins",
    "hands per game",
    "forfeits",
    "faults",
)
"""The columns of the main table."""

NAME_COLUMN = 1
"""Where the name stands in both tables; every other column but the first is a number."""

FAULT_HEADERS = ("place", "partnership", *FAULT_KINDS)
"""The columns of the table of faults, which is printed only when there are any."""

EQUAL_WORDS = "= : wins and margin are equal to those of the row above."
"""Explains the sign behind a place; printed only when a row bears it."""


def all_names(standings: Standings) -> list[str]:
    """Return every partnership that the table may speak of."""
    return [row.name for row in standings.rows] + [one.name for one in standings.not_started]


def row_cells(rows: Sequence[Row]) -> list[list[str]]:
    """Return the cells of each row by `HEADERS`, the name left as it is."""
    whole = all(row.total.sixths % 6 == 0 for row in rows)
    return [
        [
            place_cell(row),
            row.name,
            "-" if row.win_share is None else f"{100 * row.win_share:.1f}",
            row.interval_text,
            "-" if row.margin_per_game is None else signed(row.margin_per_game),
            str(row.total.games),
            f"{row.total.sixths // 6}" if whole else f"{row.wins:.2f}",
            "-" if row.hands_per_game is None else f"{row.hands_per_game:.1f}",
            str(row.total.forfeits),
            str(sum(row.total.faults)),
        ]
        for row in rows
    ]


def fault_cells(rows: Sequence[Row]) -> list[list[str]]:
    """Return the cells of rows with faults by `FAULT_HEADERS`; none if there are no faults."""
    return [
        [place_cell(row), row.name, *map(str, row.total.faults)]
        for row in rows
        if any(row.total.faults)
    ]


def place_cell(row: Row) -> str:
    """Return the place, with the sign for equal wins and margin."""
    return f"{row.place_text} =" if row.equal_to_above else row.place_text


def signed(margin: float) -> str:
    """Return a margin with its sign and two decimals; what rounds to nothing has no sign."""
    text = f"{margin:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of the foot; `literal` text is to be copied, not read."""

    name: str
    text: str
    literal: bool = False


def foot_facts(standings: Standings, meta: Meta) -> list[Fact]:
    """Return the facts of the foot but for the event's name: scored, commitment, master, rules."""
    facts = [
        Fact("scored", scored_text(standings)),
        Fact("commitment", meta.commitment.hex(), literal=True),
    ]
    if meta.master is not None:
        facts.append(Fact("master", meta.master.hex(), literal=True))
    changed = ", ".join(rule_texts(meta))
    return [*facts, Fact("rules", changed or "the defaults", literal=bool(changed))]


def rule_texts(meta: Meta) -> list[str]:
    """Return each changed rule as a line of the configuration."""
    return [f"{name} = {_toml(value)}" for name, value in meta.rules_changed().items()]


def scored_text(standings: Standings) -> str:
    """Say how much of the plan is scored, and that the rest is not."""
    text = (
        f"{standings.rounds_scored:,} of {standings.rounds_planned:,} rounds, "
        f"{standings.games_scored:,} of {standings.games_planned:,} games"
    )
    if standings.closed:
        return text
    return f"{text}; {'the rest is ' if standings.rounds_scored else ''}not yet scored"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else f"{value}"
