"""A record as compact bytes: fixed fields big-endian, the actions as they are, a digest last.

The digest is the first 8 bytes of the SHA-256 of all before it. It finds a record that was damaged
or changed even where the change makes another lawful game, which no replay could tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from struct import Struct
from typing import Final

from referee.engine import SEATS, TEAMS, Ending, Outcome
from referee.table.faults import Fault, FaultKind
from referee.table.record import Difference, GameRecord, RecordError

__all__ = ["FORMAT", "record_digest", "record_from_bytes", "record_to_bytes"]

FORMAT: Final = 1
"""The version written first; a reader refuses any other."""
_DIGEST_BYTES: Final = 8
_HEAD: Final = Struct(">BBBIH")
"""Format, first dealer, teams out (bit t for team t), bytes of actions, faults."""
_FAULT: Final = Struct(">IHHBB")
"""Action index, hand, redeal, seat, kind."""
_OUTCOME: Final = Struct(">3i3B3iHBB")
"""Scores, sixths, margin in thirds, hands, ending, teams out."""
_KINDS: Final = (
    FaultKind.TIMEOUT,
    FaultKind.ILLEGAL,
    FaultKind.MALFORMED,
    FaultKind.CRASH,
    FaultKind.HANDSHAKE,
)
_ENDINGS: Final = (Ending.TARGET, Ending.MAX_HANDS, Ending.FORFEIT)


def record_to_bytes(record: GameRecord) -> bytes:
    """Return a record's bytes; equal records have equal bytes."""
    body = _body(record)
    return body + _digest(body)


def record_digest(record: GameRecord) -> bytes:
    """Return the 8 bytes that end the record's bytes."""
    return _digest(_body(record))


def record_from_bytes(data: bytes) -> GameRecord:
    """Return the record of these bytes; RecordError if they are damaged or of another format.

    Any change of a single byte is found. Whether the game was lawful is not looked at: `replay`.
    """
    body, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    if body[:1] != bytes([FORMAT]):
        raise _unreadable(f"format {body[0] if body else 'none'}, this version reads {FORMAT}")
    if _digest(body) != digest or len(body) < _HEAD.size:
        raise _unreadable("the digest does not fit: the record was damaged or changed")
    _, first_dealer, out, action_bytes, fault_count = _HEAD.unpack_from(body)
    after_actions = _HEAD.size + action_bytes
    after_faults = after_actions + fault_count * _FAULT.size
    if len(body) != after_faults + _OUTCOME.size:
        raise _unreadable("its length does not fit what it says it holds")
    if first_dealer not in SEATS:
        raise _unreadable(f"{first_dealer} is no seat")
    return GameRecord(
        first_dealer=first_dealer,
        out=_teams(out),
        actions=body[_HEAD.size : after_actions],
        faults=tuple(map(_fault, _FAULT.iter_unpack(body[after_actions:after_faults]))),
        outcome=_outcome(_OUTCOME.unpack(body[after_faults:])),
    )


def _body(record: GameRecord) -> bytes:
    head = _HEAD.pack(
        FORMAT, record.first_dealer, _bits(record.out), len(record.actions), len(record.faults)
    )
    faults = [
        _FAULT.pack(fault.action_index, fault.hand, fault.redeal, fault.seat, _number(fault.kind))
        for fault in record.faults
    ]
    end = record.outcome
    outcome = _OUTCOME.pack(
        *end.scores,
        *end.sixths,
        *end.margin_thirds,
        end.hands,
        _ENDINGS.index(end.ending),
        _bits(end.out),
    )
    return b"".join((head, record.actions, *faults, outcome))


def _digest(body: bytes) -> bytes:
    return sha256(body).digest()[:_DIGEST_BYTES]


def _number(kind: FaultKind) -> int:
    return _KINDS.index(kind)


def _fault(fields: tuple[int, ...]) -> Fault:
    action_index, hand, redeal, seat, kind = fields
    if kind >= len(_KINDS) or seat not in SEATS:
        raise _unreadable(f"fault kind {kind} of seat {seat} is not known")
    return Fault(action_index=action_index, hand=hand, redeal=redeal, seat=seat, kind=_KINDS[kind])


def _outcome(fields: tuple[int, ...]) -> Outcome:
    first, second, third, *rest = fields
    win, place, show, a, b, c, hands, ending, out = rest
    if ending >= len(_ENDINGS):
        raise _unreadable(f"ending {ending} is not known")
    return Outcome(
        scores=(first, second, third),
        sixths=(win, place, show),
        margin_thirds=(a, b, c),
        hands=hands,
        ending=_ENDINGS[ending],
        out=_teams(out),
    )


def _bits(teams: Iterable[int]) -> int:
    return sum(1 << team for team in teams)


def _teams(bits: int) -> frozenset[int]:
    if bits >= 8:
        raise _unreadable(f"teams {bits:b} are not known")
    return frozenset(team for team in TEAMS if bits >> team & 1)


def _unreadable(detail: str) -> RecordError:
    return RecordError(Difference.UNREADABLE, detail)
