"""Whether a run or an export is what it claims to be: everything that can be recomputed is.

One record for each planned game of the finished legs, seats, game ids, decks, legality, faults and
their consequences, who was out when, scores, standings, digest. The first difference is named.
What no recomputation can show is said as well.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from referee.engine import commitment, master_from_text
from referee.errors import UsageError
from referee.report.audit.checks import Auditor, Mismatch, place_text
from referee.report.audit.reading import ExportReader
from referee.report.export.entries import Entry, EntryError
from referee.report.export.manifest import Manifest, ManifestError, read_manifest
from referee.report.facts import Facts
from referee.report.game_name import GamePlace
from referee.report.leaderboard.as_json import leaderboard_data, safe_json
from referee.report.leaderboard.meta import Meta
from referee.report.names import visible
from referee.tourney import SITTINGS, Plan, Sibling, Standings, sibling_pairs

__all__ = [
    "Verdict",
    "check_facts",
    "check_standings",
    "first_difference",
    "places",
    "unproven",
    "verify_export",
]

_PROGRAM = "same program"
"""The one reason for siblings that only the run could see."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found: `difference` is one sentence, None if all is as computed.

    `games` were checked without a difference. `game` is where the difference lies if it lies in
    one game. `unproven` are the sentences on what no check here can show. `digest` is the SHA-256,
    in hex, of an export that was read to its end.
    """

    source: str
    games: int
    difference: str | None
    game: GamePlace | None
    unproven: tuple[str, ...]
    digest: str | None = None

    @property
    def ok(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    def lines(self) -> list[str]:
        """Return the verdict for people, without line ends."""
        count = "1 game" if self.games == 1 else f"{self.games:,} games"
        if self.difference is None:
            head = [f"{self.source}: {count} recomputed, no difference"]
        else:
            head = [f"{self.source}: {self.difference}", f"before it {count} without a difference"]
        if self.digest is not None:
            head.append(f"digest {self.digest}")
        return [*head, "", "What this cannot show:", *(f"  * {text}" for text in self.unproven)]


def verify_export(path: Path) -> Verdict:
    """Verify an export file.

    Raises `UsageError` for a file that cannot be read, is no export, or is of a newer version.
    """
    try:
        with path.open("rb") as file:
            return _verify(file, source=str(path))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None


def _verify(file: BinaryIO, *, source: str) -> Verdict:
    lines = ExportReader(file)
    try:
        first = lines.next()
    except Mismatch as mismatch:
        raise UsageError(f"{source}: is no export: {mismatch}") from None
    manifest, auditor = None, None
    difference, place = None, None
    try:
        manifest = read_manifest(first, source=source)
        check_facts(manifest.facts)
        plan = manifest.facts.plan()
        auditor = Auditor(manifest.facts, plan)
        _check_games(lines, manifest, plan, auditor)
    except ManifestError as error:
        difference = f"manifest: {error}"
    except Mismatch as mismatch:
        difference, place = str(mismatch), mismatch.place
    return Verdict(
        source=visible(source),
        games=auditor.checked if auditor else 0,
        difference=difference,
        game=place,
        unproven=unproven(manifest.facts, closed=manifest.closed) if manifest else (),
        digest=lines.digest if difference is None else None,
    )


def check_facts(facts: Facts) -> None:
    """Raise `Mismatch` where the facts contradict each other or the commitment."""
    seed = facts.config.event.seed
    if seed is not None and facts.master not in (None, master_from_text(seed)):
        raise Mismatch("the master is not that of the typed seed")
    if facts.master is not None:
        computed = commitment(facts.master, facts.tournament_id)
        if computed != facts.commitment:
            raise Mismatch(
                f"the commitment {facts.commitment.hex()} is not that of the master: "
                f"{computed.hex()}"
            )
    configured = [entry.name for entry in facts.config.partnerships]
    found = facts.findings
    named = [*(entry.name for entry in found.not_started), *found.not_reproducible]
    for pair in found.siblings:
        named += [pair.first, pair.second]
    for name in named:
        if name not in configured:
            raise Mismatch(f"{visible(name)} is spoken of, but is not configured")
    _check_siblings(facts)


def _check_siblings(facts: Facts) -> None:
    """Owners and shared bots are in the configuration; equal programs only the run could see."""
    owners = {
        entry.name: entry.owner for entry in facts.config.partnerships if entry.owner is not None
    }
    said = {(pair.first, pair.second): _reasons(pair) for pair in facts.findings.siblings}
    seen = {
        (pair.first, pair.second): _reasons(pair)
        for pair in sibling_pairs(facts.entrants(), owners=owners, fingerprints={})
    }
    for pair, reasons in sorted({**said, **seen}.items()):
        computed = seen.get(pair, frozenset())
        if said.get(pair, frozenset()) - {_PROGRAM} != computed - {_PROGRAM} or not reasons:
            first, second = map(visible, pair)
            raise Mismatch(
                f"{first} and {second}: what makes them siblings by the configuration is "
                f"{', '.join(sorted(computed)) or 'nothing'}, something else is said"
            )


def _reasons(pair: Sibling) -> frozenset[str]:
    return frozenset(pair.reason.split(", "))


def _check_games(lines: ExportReader, manifest: Manifest, plan: Plan, auditor: Auditor) -> None:
    for leg in range(manifest.legs):
        for place in places(plan, leg):
            auditor.take(_entry(lines.next(), place, evidence=manifest.evidence))
        auditor.end_leg(leg)
    if manifest.closed != (manifest.legs == len(plan.legs) or auditor.has_ended):
        said = "closed" if manifest.closed else "open"
        raise Mismatch(f"the run is said to be {said}, by its rounds it is not")
    _check_end(lines, manifest, plan, auditor)


def places(plan: Plan, leg: int) -> Iterator[GamePlace]:
    """Yield the games of a leg in the order of round, index and replay."""
    for round in plan.rounds_of(leg):
        for index in range(plan.blocks_per_round):
            for replay in range(SITTINGS):
                yield GamePlace(round, index, replay)


def _entry(data: Mapping[str, Any] | None, place: GamePlace, *, evidence: bool) -> Entry:
    """Return the game that must come now; what comes instead is told from what is missing."""
    if data is None:
        raise Mismatch(f"{place_text(place)} is missing: the file ends", place=place)
    if data.get("type") != "game":
        raise Mismatch(f"{place_text(place)} is missing: the games end before it", place=place)
    found = tuple(data.get(name) for name in ("round", "index", "replay"))
    if not all(type(number) is int for number in found) or found != (
        place.round,
        place.index,
        place.replay,
    ):
        name = ".".join(map(str, found))
        raise Mismatch(
            f"{place_text(place)} is missing: game {visible(name)} stands in its place", place=place
        )
    try:
        return Entry.from_json(data, place=place, evidence=evidence)
    except EntryError as error:
        raise Mismatch(f"{place_text(place)}: {error}", place=place) from None


def _check_end(lines: ExportReader, manifest: Manifest, plan: Plan, auditor: Auditor) -> None:
    data = lines.next()
    if data is None:
        raise Mismatch(
            "the last line, with standings and digest, is missing: the file is cut short"
        )
    digest = lines.digest
    if data.get("type") == "game":
        raise Mismatch(f"there are more games than the {auditor.checked:,} planned")
    if set(data) != {"type", "leaderboard", "sha256"} or data["type"] != "standings":
        raise Mismatch("the last line does not hold standings and digest")
    facts = manifest.facts
    standings = facts.standings(plan, auditor.rounds, out=auditor.out_names())
    check_standings(data["leaderboard"], standings, facts.meta(closed=manifest.closed))
    if data["sha256"] != digest:
        raise Mismatch(
            f"the SHA-256 of the lines is {digest}, the last line says "
            f"{visible(str(data['sha256']))}: a line was changed where nothing else shows it"
        )
    if lines.next() is not None:
        raise Mismatch("there are lines after the last one")


def check_standings(found: object, standings: Standings, meta: Meta) -> None:
    """Raise `Mismatch` where a JSON leaderboard is not that of the standings."""
    computed = json.loads(safe_json(leaderboard_data(standings, meta)))
    difference = first_difference(found, computed)
    if difference is not None:
        raise Mismatch(f"standings: {difference}")


def first_difference(found: object, computed: object, *, at: str = "") -> str | None:
    """Return where two JSON values differ first, and how; None if they are equal."""
    where = at or "the whole"
    match found, computed:
        case dict(), dict():
            for key in [*computed, *(key for key in found if key not in computed)]:
                if key not in found or key not in computed:
                    return f"{where}: {key} is {'missing' if key in computed else 'unknown'}"
                inner = f"{at}.{key}" if at else str(key)
                difference = first_difference(found[key], computed[key], at=inner)
                if difference is not None:
                    return difference
            return None
        case list(), list():
            if len(found) != len(computed):
                return f"{where}: {len(found)} are given, computed are {len(computed)}"
            for number, pair in enumerate(zip(found, computed, strict=True)):
                difference = first_difference(*pair, at=f"{at}[{number}]")
                if difference is not None:
                    return difference
            return None
        case _:
            if found == computed and type(found) is type(computed):
                return None
            return f"{where}: {_shown(found)} is given, computed is {_shown(computed)}"


def _shown(value: object) -> str:
    return visible(value) if isinstance(value, str) else visible(repr(value))


def unproven(facts: Facts, *, closed: bool) -> tuple[str, ...]:
    """Return what no recomputation can show of a run or export, one sentence each."""
    said = []
    if not closed:
        said.append(
            "the rest of the run: it is not closed, only the games of finished legs were checked"
        )
    if facts.master is None:
        said.append(
            "the decks of an open run: its master is secret until it is closed, so seatings, "
            "cards held, legality, forced and substitute actions could not be recomputed"
        )
    if facts.config.event.seed is not None:
        said.append("that nobody knew the decks: the seed was typed, and a bot could guess it")
    return (
        *said,
        "that the master was drawn fairly and committed to in time: who draws it can draw again "
        "until the commitment is published",
        "who played and how: programs, commands and time limits leave no trace in the games",
        "that a fault happened: records say what was charged, not what was seen",
        "what the roll call found: who did not start, who is not reproducible, equal programs, "
        "and the stamps of the run",
        "that this is what was published: compare its digest with the published one",
    )
