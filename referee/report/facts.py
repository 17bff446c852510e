"""What a run is beside its games: configuration, commitment, and what was found before the start.

From these facts and the games everything else follows: the plan, the decks, who was out when, the
standings. The export's manifest and the store's beginning are two ways to write them down.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.engine import BoardSeeds, block_key, key
from referee.ranking import design_problem
from referee.report.leaderboard.meta import Meta
from referee.tourney import (
    Config,
    DuelLook,
    Entrant,
    Json,
    NotStarted,
    Plan,
    RoundScores,
    Sibling,
    Standings,
    effective,
    load_effective,
    look_at_duel,
    standings_of,
)

__all__ = ["Facts", "Findings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What was found of the entrants before the first game, and the stamps known by then.

    Names are those of partnerships. `stamps` are those that nothing else here says: isolation, a
    typed seed, programs without a fingerprint.
    """

    not_started: tuple[NotStarted, ...] = ()
    not_reproducible: tuple[str, ...] = ()
    siblings: tuple[Sibling, ...] = ()
    stamps: tuple[str, ...] = ()

    def to_json(self) -> tuple[Json, ...]:
        """Return the findings one by one, each with its `kind`, as the store keeps a roll call."""
        found: list[dict[str, Json]] = []
        for entry in self.not_started:
            found.append({"kind": "not_started", "partnership": entry.name, "reason": entry.reason})
        for name in self.not_reproducible:
            found.append({"kind": "not_reproducible", "partnership": name})
        for pair in self.siblings:
            partnerships = [pair.first, pair.second]
            found.append({"kind": "siblings", "partnerships": partnerships, "reason": pair.reason})
        for text in self.stamps:
            found.append({"kind": "stamp", "text": text})
        return tuple(found)

    @staticmethod
    def from_json(entries: Sequence[object]) -> Findings:
        """Return what `to_json` wrote; entries of other kinds are passed over.

        Raises `ValueError` for an entry of these kinds that is not as `to_json` writes it.
        """
        not_started: list[NotStarted] = []
        not_reproducible: list[str] = []
        siblings: list[Sibling] = []
        stamps: list[str] = []
        for entry in entries:
            match entry:
                case {"kind": "not_started", "partnership": str(name), "reason": str(reason)}:
                    not_started.append(NotStarted(name, reason))
                case {"kind": "not_reproducible", "partnership": str(name)}:
                    not_reproducible.append(name)
                case {
                    "kind": "siblings",
                    "partnerships": [str(first), str(second)],
                    "reason": str(reason),
                }:
                    siblings.append(Sibling(first, second, reason))
                case {"kind": "stamp", "text": str(text)}:
                    stamps.append(text)
                case {"kind": "not_started" | "not_reproducible" | "siblings" | "stamp"}:
                    raise ValueError(f"no finding of the roll call: {entry!r}")
                case _:
                    pass
        return Findings(
            not_started=tuple(not_started),
            not_reproducible=tuple(not_reproducible),
            siblings=tuple(siblings),
            stamps=tuple(stamps),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A run without its games. `master` is None where it is not known."""

    config: Config
    commitment: bytes
    master: bytes | None
    findings: Findings

    @staticmethod
    def of(
        configuration: Mapping[str, Any],
        *,
        commitment: bytes,
        master: bytes | None,
        findings: Findings,
    ) -> Facts:
        """Return the facts from an effective configuration; raises `ConfigError` if it is none."""
        config = load_effective(configuration, path=Path("configuration"))
        return Facts(config=config, commitment=commitment, master=master, findings=findings)

    @property
    def tournament_id(self) -> str:
        """What keys and game ids are derived with."""
        return self.config.event.id

    @property
    def faults_per_game(self) -> int:
        """The fault that forfeits."""
        return self.config.limits.faults_per_game

    def configuration(self) -> dict[str, Json]:
        """Return the effective configuration."""
        return effective(self.config)

    def entrants(self) -> tuple[Entrant, ...]:
        """Return the partnerships that started, in configured order."""
        absent = {entry.name for entry in self.findings.not_started}
        return tuple(
            Entrant(entry.name, entry.bots)
            for entry in self.config.partnerships
            if entry.name not in absent
        )

    def design_problem(self) -> str:
        """Return why the entrants that are left cannot have the event's design, "" if they can."""
        return design_problem(len(self.entrants()), design=self.config.event.design)

    def plan(self) -> Plan:
        """Return the plan; without the master only its parameters are true, not its seatings.

        Raises `ValueError` for fewer than three entrants.
        """
        event = self.config.event
        known = self.master is not None
        return Plan(
            event.id,
            self.key("plan") if known else bytes(32),
            self.entrants(),
            event.rounds,
            event.design,
            event.leg_rounds,
        )

    def key(self, name: str) -> bytes:
        """Return one of the run's keys; the master must be known."""
        if self.master is None:
            raise ValueError("the master is not known")
        return key(self.master, self.tournament_id, name)

    def seeds(self, block_id: str) -> BoardSeeds:
        """Return the decks and random seeds of a block; the master must be known."""
        deal, bot = (block_key(self.key(name), block_id) for name in ("deal", "bot"))
        return BoardSeeds(deal, bot)

    def standings(
        self, plan: Plan, rounds: Sequence[RoundScores], *, out: Collection[str]
    ) -> Standings:
        """Return the standings after these rounds; `out` names partnerships."""
        look = self.duel_look(plan, rounds)
        return standings_of(
            plan,
            rounds,
            not_started=self.findings.not_started,
            out=out,
            siblings=self.findings.siblings,
            not_reproducible=self.findings.not_reproducible,
            stamps=self.findings.stamps if look is None else (*self.findings.stamps, look.words()),
            ended_early=look is not None and look.ended,
        )

    def duel_look(self, plan: Plan, rounds: Sequence[RoundScores]) -> DuelLook | None:
        """Return how a duel stands after these rounds, None if the event is none."""
        duel = self.config.duel
        if duel is None:
            return None
        names = [entrant.name for entrant in plan.entrants]
        return look_at_duel(self.config, duel, names, rounds)

    def meta(self, *, closed: bool) -> Meta:
        """Return what a leaderboard says of the event; the master only of a closed run."""
        return Meta(
            event_id=self.tournament_id,
            event_name=self.config.event.name,
            rules=self.config.rules,
            commitment=self.commitment,
            master=self.master if closed else None,
        )
