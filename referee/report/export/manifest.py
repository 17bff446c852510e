"""The first line of an export: format, version, and the facts of the run.

The master is in it only when the run is closed, that is all planned rounds are scored. There is no
resolved path, no version of a program and no time in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.engine import master_from_text
from referee.errors import ConfigError, UsageError
from referee.report.facts import Facts, Findings
from referee.report.leaderboard.as_json import safe_json

__all__ = ["EXPORT_FORMAT", "EXPORT_VERSION", "Manifest", "ManifestError", "read_manifest"]

EXPORT_FORMAT = "schmier-export"
"""The `format` of an export."""

EXPORT_VERSION = 1
"""The `version` of an export; a higher one is refused."""

_KEYS = (
    "type",
    "format",
    "version",
    "closed",
    "legs",
    "evidence",
    "commitment",
    "master",
    "configuration",
    "plan",
    "findings",
)


class ManifestError(ValueError):
    """In what a manifest contradicts itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What an export says before its games: `legs` finished ones, with or without evidence.

    Of an export of an open run `facts.master` is None, unless the seed was typed: who reads the
    seed knows the master.
    """

    facts: Facts
    legs: int
    closed: bool
    evidence: bool

    def to_json(self) -> dict[str, object]:
        """Return the line as plain JSON."""
        facts = self.facts
        master = facts.master.hex() if self.closed and facts.master is not None else None
        return {
            "type": "manifest",
            "format": EXPORT_FORMAT,
            "version": EXPORT_VERSION,
            "closed": self.closed,
            "legs": self.legs,
            "evidence": self.evidence,
            "commitment": facts.commitment.hex(),
            "master": master,
            "configuration": facts.configuration(),
            "plan": facts.plan().parameters(),
            "findings": list(facts.findings.to_json()),
        }


def read_manifest(data: object, *, source: str) -> Manifest:
    """Return the manifest of a line.

    Raises `UsageError`, naming `source`, for what is no export or a newer one, `ManifestError` for
    one that contradicts itself.
    """
    if not isinstance(data, dict) or data.get("format") != EXPORT_FORMAT:
        raise UsageError(f"{source}: is no export: its first line is no {EXPORT_FORMAT} manifest")
    version = data.get("version")
    if type(version) is int and version > EXPORT_VERSION:
        raise UsageError(
            f"{source}: is an export of version {version}, newer than {EXPORT_VERSION}, "
            "the newest known here; update schmier-referee"
        )
    if version != EXPORT_VERSION or type(version) is not int:
        raise UsageError(f"{source}: is an export of version {version!r}, known is 1")
    if set(data) != set(_KEYS) or data["type"] != "manifest":
        raise ManifestError(f"the manifest must have the keys {', '.join(_KEYS)}")
    closed, evidence = _yes(data, "closed"), _yes(data, "evidence")
    legs = data["legs"]
    if type(legs) is not int or legs < 0:
        raise ManifestError(f"the number of finished legs is {legs!r}")
    manifest = Manifest(
        facts=_facts(data, closed=closed), legs=legs, closed=closed, evidence=evidence
    )
    _check_plan(manifest, data["plan"])
    return manifest


def _facts(data: Mapping[str, Any], *, closed: bool) -> Facts:
    commitment, master = _digest(data, "commitment"), None
    if closed:
        master = _digest(data, "master")
    elif data["master"] is not None:
        raise ManifestError("the master of an open run is given")
    configuration, entries = data["configuration"], data["findings"]
    if not isinstance(configuration, dict) or not isinstance(entries, list):
        raise ManifestError("configuration or findings are missing")
    try:
        findings = Findings.from_json(entries)
        facts = Facts.of(configuration, commitment=commitment, master=master, findings=findings)
        if list(findings.to_json()) != entries or _repeats(entries):
            raise ManifestError("the findings are not in their order, or hold what is none")
    except (ConfigError, ValueError) as error:
        raise ManifestError(str(error)) from None
    if safe_json(facts.configuration()) != safe_json(configuration):
        raise ManifestError("the configuration is not complete, or not in its plain form")
    seed = facts.config.event.seed
    if seed is not None and not closed:
        return Facts(
            config=facts.config,
            commitment=commitment,
            master=master_from_text(seed),
            findings=findings,
        )
    return facts


def _repeats(entries: list[object]) -> bool:
    texts = list(map(safe_json, entries))
    return len(set(texts)) < len(texts)


def _check_plan(manifest: Manifest, parameters: object) -> None:
    try:
        plan = manifest.facts.plan()
    except ValueError as error:
        raise ManifestError(f"no plan: {error}") from None
    if safe_json(parameters) != safe_json(plan.parameters()):
        raise ManifestError("the plan's parameters are not those of configuration and entrants")
    all_legs = manifest.legs == len(plan.legs)
    may_end_early = manifest.facts.config.duel is not None
    if manifest.legs > len(plan.legs) or (manifest.closed != all_legs and not may_end_early):
        raise ManifestError(
            f"{manifest.legs} of {len(plan.legs)} legs are finished, and the run is "
            f"{'closed' if manifest.closed else 'open'}"
        )


def _yes(data: Mapping[str, Any], name: str) -> bool:
    value = data[name]
    if not isinstance(value, bool):
        raise ManifestError(f"{name} must be true or false, is {value!r}")
    return value


def _digest(data: Mapping[str, Any], name: str) -> bytes:
    value = data[name]
    if not isinstance(value, str) or len(value) != 64 or value != value.lower():
        raise ManifestError(f"the {name} must be 64 hex digits, is {value!r}")
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise ManifestError(f"the {name} must be 64 hex digits, is {value!r}") from None
