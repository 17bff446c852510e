"""The run on disk: its folder, its conditions, its finished games; what a resume starts from."""

from referee.store.folder import RunFolder, Start, write_whole
from referee.store.reader import RunReader
from referee.store.rows import (
    Beginning,
    Counts,
    Evidence,
    FinishedGame,
    RunStart,
    RunState,
    SittingEnd,
)
from referee.store.schema import APPLICATION_ID, RECORD_FORMAT
from referee.store.writer import RunWriter

__all__ = [
    "APPLICATION_ID",
    "RECORD_FORMAT",
    "Beginning",
    "Counts",
    "Evidence",
    "FinishedGame",
    "RunFolder",
    "RunReader",
    "RunStart",
    "RunState",
    "RunWriter",
    "SittingEnd",
    "Start",
    "write_whole",
]
