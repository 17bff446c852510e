"""A run as JSON lines that a stranger can recompute everything from.

    line 1       the manifest: format and version, configuration, entrants, plan, commitment, and
                 the master once the run is closed
    then         every game of the finished legs by round, index and replay
    last line    the standings as printed, and the SHA-256 of all earlier lines with their newlines

Lines are UTF-8 JSON without spaces between tokens, keys in the order of this version, each ended
by one newline. Games are streamed: memory does not grow with their number. The schema of a line
is `export.schema.json`; `manifest` holds format and version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from pathlib import Path

from referee.report.export.entries import Entry
from referee.report.export.manifest import Manifest
from referee.report.leaderboard.as_json import leaderboard_data, safe_json
from referee.report.leaderboard.rendering import Format
from referee.report.run import Run, fixture_of, run_of
from referee.store import RunReader
from referee.table import record_from_bytes

__all__ = ["export_lines", "export_schema", "line_of_json"]


def export_lines(path: Path, *, evidence: bool = False) -> Iterator[bytes]:
    """Yield the lines of an export of a run folder as it stands now, each with its newline.

    `evidence` adds to each game what was seen around its faults, times included. Raises
    `StoreError` for a folder without a usable run, `RecordError` for a record that is damaged.
    """
    with RunReader(path) as reader, reader.snapshot():
        run = run_of(reader)
        digest = sha256()
        manifest = Manifest(facts=run.facts, legs=run.legs, closed=run.closed, evidence=evidence)
        games = (entry.to_json() for entry in _entries(reader, run, evidence=evidence))
        for data in chain([manifest.to_json()], games):
            line = line_of_json(data)
            digest.update(line)
            yield line
        leaderboard = _leaderboard(reader, run)
        yield line_of_json(
            {"type": "standings", "leaderboard": leaderboard, "sha256": digest.hexdigest()}
        )


def export_schema() -> str:
    """Return the JSON Schema of a line of an export."""
    return files("referee.report.export").joinpath("export.schema.json").read_text("utf-8")


def line_of_json(data: object) -> bytes:
    """Return a line of an export: compact JSON in UTF-8 and a newline."""
    return safe_json(data).encode() + b"\n"


def _entries(reader: RunReader, run: Run, *, evidence: bool) -> Iterator[Entry]:
    for game in reader.games(range(run.rounds_finished)):
        record = record_from_bytes(game.record)
        seen = None
        if evidence:
            kept = reader.evidence(game.id)
            seen = [{"action_index": one.position, "seen": one.content} for one in kept]
        yield Entry.of(
            run.plan,
            fixture_of(reader, run.plan, game),
            id=game.id,
            record=record,
            evidence=seen,
        )


def _leaderboard(reader: RunReader, run: Run) -> object:
    """The table as it was printed if the run has ended, else as it would be."""
    printed = reader.leaderboards().get(Format.JSON) if reader.state().is_closed else None
    if printed is not None:
        return json.loads(printed)
    return leaderboard_data(run.standings(), run.facts.meta(closed=run.closed))
