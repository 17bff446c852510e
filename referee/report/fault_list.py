"""The games of a run in which something went wrong: where to look with `show`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from referee.report.game_name import GamePlace
from referee.report.names import isolated, visible
from referee.report.run import facts_of_run
from referee.store import RunReader
from referee.tourney import FAULT_KINDS, GameLine, Plan

__all__ = ["FaultyGame", "faulty_games"]


@dataclass(frozen=True, slots=True)
class FaultyGame:
    """A game with faults: its place, and in words who was charged with what."""

    place: GamePlace
    text: str


def faulty_games(path: Path) -> Iterator[FaultyGame]:
    """Yield the games with faults by round, index and replay; memory is flat in their number.

    Raises `StoreError` for a folder without a usable run.
    """
    with RunReader(path) as reader, reader.snapshot():
        plan = facts_of_run(reader).plan()
        for line in reader.lines():
            if any(map(any, line.faults)):
                place = GamePlace(line.round, line.index, line.replay)
                yield FaultyGame(place, _text(line, plan))


def _text(line: GameLine, plan: Plan) -> str:
    charged = []
    for team, entrant in enumerate(line.entrants):
        kinds = [
            f"{kind} {count}"
            for kind, count in zip(FAULT_KINDS, line.faults[team], strict=True)
            if count
        ]
        if kinds:
            name = isolated(visible(plan.entrants[entrant].name))
            forfeit = ", game forfeited" if line.forfeits[team] else ""
            charged.append(f"{name}: {', '.join(kinds)}{forfeit}")
    return "; ".join(charged)
