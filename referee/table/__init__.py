"""The sans-IO referee of one game: who is asked, what an answer does, faults, and the record.

A table needs no process, no clock and no file: what was seen comes in by plain calls, and a
finished game goes out as a record that anyone with the board's seeds can recompute.
"""

from __future__ import annotations

from referee.table.actions import DealSteps, Step, action_text, decode_actions
from referee.table.faults import Fault, FaultKind
from referee.table.record import Difference, GameRecord, RecordError
from referee.table.record_bytes import record_digest, record_from_bytes, record_to_bytes
from referee.table.record_json import record_from_json, record_to_json
from referee.table.replay import replay
from referee.table.table import Table
from referee.table.transcript import transcript

__all__ = [
    "DealSteps",
    "Difference",
    "Fault",
    "FaultKind",
    "GameRecord",
    "RecordError",
    "Step",
    "Table",
    "action_text",
    "decode_actions",
    "record_digest",
    "record_from_bytes",
    "record_from_json",
    "record_to_bytes",
    "record_to_json",
    "replay",
    "transcript",
]
