"""Runs in miniature: a beginning, and games whose content follows from their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.store import Beginning, FinishedGame, RunFolder
from referee.tourney import FAULT_KINDS, GameLine

BLOCKS = 4
ROUNDS_OF_LEG = 2


def _game_of(number: int, *, record: bytes | None = None) -> FinishedGame:
    """Game `number` of a plan of four blocks a round and two rounds a leg, in identity order."""
    block, replay = divmod(number, 6)
    round, index = divmod(block, BLOCKS)
    counts = tuple((number * 7 + kind) % 3 for kind in range(len(FAULT_KINDS)))
    no_faults = (0,) * len(FAULT_KINDS)
    return FinishedGame(
        id=number.to_bytes(8) + b"identity",
        leg=round // ROUNDS_OF_LEG,
        sitting=(replay + block) % 6,
        line=GameLine(
            round=round,
            index=index,
            replay=replay,
            entrants=(number % 5, 5 + number % 3, 9),
            sixths=((6, 0, 0), (3, 3, 0), (2, 2, 2))[number % 3],
            margin_thirds=(number, -1, 1 - number),
            hands=8 + number % 9,
            forfeits=(False, number % 4 == 0, False),
            faults=(no_faults, counts, no_faults) if number % 2 else (no_faults,) * 3,
        ),
        record=bytes([number % 256]) * (700 + number % 50) if record is None else record,
    )


@pytest.fixture(scope="session")
def game_of() -> Callable[..., FinishedGame]:
    return _game_of


@pytest.fixture
def beginning() -> Beginning:
    return Beginning(
        tournament_id="cup",
        conditions={"config": {"event": {"id": "cup", "name": "Ü"}}, "versions": {"python": "3"}},
        master=bytes(range(32)),
        commitment=bytes(32),
        plan={"rounds": 4, "entrants": ["A", "B", "C"]},
        roll_call=({"bot": "a", "present": True}, {"bot": "b", "present": False}),
    )


@pytest.fixture
def folder(tmp_path: Path, beginning: Beginning) -> Iterator[RunFolder]:
    """A run that has begun, held by this process."""
    with RunFolder.claim(tmp_path / "runs" / "cup") as held:
        held.begin(beginning)
        yield held
