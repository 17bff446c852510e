"""One game of an export: where it stands in the plan, who sat where, and its record.

The record is written by `referee.table`: actions in card text, faults, result, and a digest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.report.game_name import GamePlace
from referee.table import GameRecord, RecordError, record_from_json, record_to_json
from referee.tourney import Fixture, Plan

__all__ = ["Entry", "EntryError"]

_KEYS = (
    "type",
    "round",
    "index",
    "replay",
    "sitting",
    "id",
    "partnerships",
    "bots",
    "members",
    "record",
)

_T = TypeVar("_T", int, str)


class EntryError(ValueError):
    """Why a line is no game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A game as an export shows it.

    `partnerships` go by seat pair; `bots` by seat, and `members` say which of its partnership's
    two bots, 0 or 1. `evidence` is what was seen around its faults, None in an export without.
    """

    place: GamePlace
    sitting: int
    id: bytes
    partnerships: tuple[str, ...]
    bots: tuple[str, ...]
    members: tuple[int, ...]
    record: GameRecord
    evidence: tuple[Mapping[str, Any], ...] | None = None

    @staticmethod
    def of(
        plan: Plan,
        fixture: Fixture,
        *,
        id: bytes,
        record: GameRecord,
        evidence: Sequence[Mapping[str, Any]] | None = None,
    ) -> Entry:
        """Return the entry of a finished game of the plan."""
        return Entry(
            place=GamePlace(fixture.round, fixture.index, fixture.replay),
            sitting=fixture.sitting,
            id=id,
            partnerships=plan.partnership_names(fixture),
            bots=plan.bot_names(fixture),
            members=tuple(holder.member for holder in fixture.seats),
            record=record,
            evidence=None if evidence is None else tuple(evidence),
        )

    def to_json(self) -> dict[str, object]:
        """Return the line as plain JSON; raises `RecordError` if the record is no game's."""
        data: dict[str, object] = {
            "type": "game",
            "round": self.place.round,
            "index": self.place.index,
            "replay": self.place.replay,
            "sitting": self.sitting,
            "id": self.id.hex(),
            "partnerships": list(self.partnerships),
            "bots": list(self.bots),
            "members": list(self.members),
            "record": record_to_json(self.record),
        }
        if self.evidence is not None:
            data["evidence"] = [dict(seen) for seen in self.evidence]
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any], *, place: GamePlace, evidence: bool) -> Entry:
        """Return the game of a line whose place is known; raises `EntryError` if it is none."""
        keys = {*_KEYS, "evidence"} if evidence else set(_KEYS)
        if set(data) != keys:
            odd = ", ".join(sorted(map(repr, set(data) ^ keys)))
            raise EntryError(f"its keys are not those of a game: {odd}")
        try:
            record = record_from_json(data["record"])
        except RecordError as error:
            raise EntryError(str(error)) from None
        return Entry(
            place=place,
            sitting=_list([data["sitting"]], int, 1, "sitting")[0],
            id=_id(data["id"]),
            partnerships=_list(data["partnerships"], str, 3, "partnerships"),
            bots=_list(data["bots"], str, 6, "bots"),
            members=_list(data["members"], int, 6, "members"),
            record=record,
            evidence=_evidence(data["evidence"]) if evidence else None,
        )


def _list(value: object, kind: type[_T], count: int, name: str) -> tuple[_T, ...]:
    if (
        not isinstance(value, list)
        or len(value) != count
        or not all(type(item) is kind for item in value)
    ):
        raise EntryError(f"its {name} are {value!r}")
    return tuple(value)


def _id(value: object) -> bytes:
    try:
        digest = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        digest = b""
    if len(digest) != 16 or digest.hex() != value:
        raise EntryError(f"its id is {value!r}, not 32 hex digits")
    return digest


def _evidence(value: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise EntryError("its evidence is no list of objects")
    return tuple(value)
