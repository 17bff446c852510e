"""One table in four formats: text, md, csv, json.

A leaderboard speaks of games only. Its bytes follow from standings and event, never from speed,
batches, workers, interruptions, dates, hosts, paths or versions.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import assert_never

from referee.report.leaderboard.as_csv import leaderboard_csv
from referee.report.leaderboard.as_json import leaderboard_json
from referee.report.leaderboard.as_markdown import leaderboard_markdown
from referee.report.leaderboard.as_text import leaderboard_text
from referee.report.leaderboard.meta import Meta
from referee.store import write_whole
from referee.tourney import Standings

__all__ = ["Format", "render", "write_leaderboards"]


class Format(StrEnum):
    """How a leaderboard is printed."""

    TEXT = "text"
    MARKDOWN = "md"
    CSV = "csv"
    JSON = "json"

    @property
    def file_name(self) -> str:
        """The file it is kept in, in the folder of the run."""
        return f"leaderboard.{'txt' if self is Format.TEXT else self.value}"


def render(standings: Standings, meta: Meta, format: Format | str) -> str:
    """Return the leaderboard as text that ends with one newline.

    Encoded as UTF-8, with newlines left as they are, it is the bytes of the file. Raises
    `ValueError` for an unknown format, and for a master shown before the run is closed.
    """
    meta.check(standings)
    match Format(format):
        case Format.TEXT:
            return leaderboard_text(standings, meta)
        case Format.MARKDOWN:
            return leaderboard_markdown(standings, meta)
        case Format.CSV:
            return leaderboard_csv(standings, meta)
        case Format.JSON:
            return leaderboard_json(standings, meta)
        case unknown:
            assert_never(unknown)


def write_leaderboards(folder: Path, standings: Standings, meta: Meta) -> dict[str, str]:
    """Write the leaderboard, each file whole or not at all; return the texts by format.

    All are rendered before the first is written. Raises `RunFailed` if one cannot be written.
    """
    rendered = {format.value: render(standings, meta, format) for format in Format}
    for format in Format:
        write_whole(folder / format.file_name, rendered[format])
    return rendered
