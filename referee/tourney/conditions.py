"""The conditions a run was begun under, and what has changed when it is taken up again.

What decides who plays, what is dealt or how it is judged must not change within a run: such a
change is refused. What only decides how fast or from where it is played is noted. Each change is
told by the key that changed, with the old and the new value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.tourney.config import Config, effective
from referee.tourney.config_keys import shown
from referee.tourney.fingerprints import Fingerprint
from referee.tourney.identity import Json

__all__ = ["Changes", "changed_conditions", "conditions"]

_NOTED: Final = {
    "event": frozenset({"name", "tables", "clock_slots", "processes"}),
    "bots": frozenset({"directory", "files", "threads"}),
}
"""Keys of a section whose change is noted; every other change of a configuration is refused."""

_TOLD_ABOVE: Final = ("command", "env")
"""Parts of a fingerprint that stand in the configuration too, where their change is told."""

_GONE: Final = object()

Rows: TypeAlias = Mapping[str, Mapping[str, object]]
"""Tables of one kind by name, in their order."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What changed, one line each: `refused` stops a resume, `noted` is written down."""

    refused: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()


def conditions(
    config: Config, *, fingerprints: Mapping[str, Fingerprint], versions: Mapping[str, str]
) -> dict[str, Json]:
    """Return the conditions of a run as JSON: configuration, fingerprints by bot, versions."""
    return {
        "config": effective(config),
        "fingerprints": [
            {"bot": name, **fingerprints[name].to_json()} for name in sorted(fingerprints)
        ],
        "versions": dict(versions),
    }


def changed_conditions(old: Mapping[str, object], new: Mapping[str, object]) -> Changes:
    """Return what differs between two values of `conditions`, in the order of the file format."""
    refused: list[str] = []
    noted: list[str] = []
    old_config, new_config = _table(old, "config"), _table(new, "config")
    for section in ("event", "limits", "rules", "duel"):
        for key, text in _changes(_table(old_config, section), _table(new_config, section)):
            quiet = key in _NOTED.get(section, ())
            (noted if quiet else refused).append(f"{section}.{key} {text}")
    _compare_bots(_rows(old_config, "bots"), _rows(new_config, "bots"), refused, noted)
    refused += _partnership_changes(
        _rows(old_config, "partnerships"), _rows(new_config, "partnerships")
    )
    refused += _fingerprint_changes(
        _rows(old, "fingerprints", name="bot"), _rows(new, "fingerprints", name="bot")
    )
    for key, text in _changes(_table(old, "versions"), _table(new, "versions")):
        noted.append(f"version of {key} {text}")
    return Changes(tuple(refused), tuple(noted))


def _changes(old: Mapping[str, object], new: Mapping[str, object]) -> list[tuple[str, str]]:
    changes = []
    for key in [*old, *(key for key in new if key not in old)]:
        before, after = old.get(key, _GONE), new.get(key, _GONE)
        if before != after or type(before) is not type(after):
            changes.append((key, f"was {_told(before)}, is {_told(after)}"))
    return changes


def _compare_bots(
    old: Rows,
    new: Rows,
    refused: list[str],
    noted: list[str],
) -> None:
    for name in sorted({*old, *new}):
        if name not in new:
            refused.append(f"bots.{name} was there, is gone")
        elif name not in old:
            refused.append(f"bots.{name} was not there, is new")
        else:
            for key, text in _changes(old[name], new[name]):
                quiet = key in _NOTED["bots"]
                (noted if quiet else refused).append(f"bots.{name}.{key} {text}")


def _partnership_changes(before: Rows, after: Rows) -> list[str]:
    changes = [f"partnership {shown(name)} is gone" for name in before if name not in after]
    changes += [f"partnership {shown(name)} is new" for name in after if name not in before]
    for name in before:
        if name in after:
            for key, text in _changes(before[name], after[name]):
                changes.append(f"partnership {shown(name)}: {key} {text}")
    if not changes and list(before) != list(after):
        orders = (", ".join(shown(name) for name in names) for names in (before, after))
        changes.append("order of partnerships was {}, is {}".format(*orders))
    return changes


def _fingerprint_changes(old: Rows, new: Rows) -> list[str]:
    changes = []
    for name in sorted({*old, *new}):
        if name not in old or name not in new:
            continue  # a bot that came or went is told above
        before = Fingerprint.from_json(old[name])
        after = Fingerprint.from_json(new[name])
        if before.digest == after.digest:
            continue
        parts, others = _parts(before), _parts(after)
        labels = [*parts, *(label for label in others if label not in parts)]
        changed = [label for label in labels if parts.get(label) != others.get(label)]
        told = [
            f"{label} {_part_change(parts.get(label), others.get(label))}"
            for label in changed
            if label not in _TOLD_ABOVE
        ]
        if told or not changed:
            changes.append(f"bots.{name} is another program: {', '.join(told) or 'parts moved'}")
    return changes


def _parts(fingerprint: Fingerprint) -> dict[str, tuple[str, ...]]:
    """Return the digests by label; files of one name in two folders share a label."""
    parts: dict[str, tuple[str, ...]] = {}
    for part in fingerprint.parts:
        parts[part.label] = (*parts.get(part.label, ()), part.digest)
    return parts


def _part_change(before: tuple[str, ...] | None, after: tuple[str, ...] | None) -> str:
    if before is None:
        return "is new"
    if after is None:
        return "is gone"
    was, now = ("+".join(digest[:12] for digest in digests) for digests in (before, after))
    return f"changed (SHA-256 was {was}, is {now})"


def _told(value: object) -> str:
    if value is None or value is _GONE:
        return "not set"
    match value:
        case list():
            return "[" + ", ".join(_told(item) for item in value) + "]"
        case dict():
            return "{" + ", ".join(f"{key} = {_told(item)}" for key, item in value.items()) + "}"
        case _:
            return shown(value)


def _table(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    inner = value.get(key, {})
    if not isinstance(inner, Mapping):
        raise ValueError(f"not the conditions of a run: {key} is {inner!r}")
    return inner


def _rows(value: Mapping[str, object], key: str, *, name: str = "name") -> Rows:
    """Return a list of tables by their names, in their order."""
    rows = value.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) and name in row for row in rows):
        raise ValueError(f"not the conditions of a run: {key} is {rows!r}")
    return {row[name]: row for row in rows}
