"""A stored run as the report sees it: its facts, how many legs are finished, who is out.

Everything is read through the store's reader, which changes nothing: a run that is being played
can be shown, exported and verified.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.errors import StoreError
from referee.report.facts import Facts, Findings
from referee.store import FinishedGame, RunReader, SittingEnd
from referee.tourney import SITTINGS, DuelLook, Fixture, Plan, RoundScores, Standings

__all__ = ["Run", "facts_of_run", "fixture_of", "run_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one look at a stored run shows; `legs` counts the finished ones."""

    facts: Facts
    plan: Plan
    legs: int
    rounds: tuple[RoundScores, ...]
    out: frozenset[int]

    @property
    def closed(self) -> bool:
        """Whether nothing is left to play: all planned rounds are scored, or a duel has ended."""
        look = self.duel_look()
        return self.legs == len(self.plan.legs) or (look is not None and look.ended)

    def duel_look(self) -> DuelLook | None:
        """Return how a duel stands after the finished legs, None if the run is none."""
        return self.facts.duel_look(self.plan, self.rounds)

    @property
    def rounds_finished(self) -> int:
        """How many rounds the finished legs have."""
        return len(self.rounds)

    def out_names(self) -> tuple[str, ...]:
        """Return the partnerships that are out, in the order of the plan."""
        return tuple(self.plan.entrants[number].name for number in sorted(self.out))

    def standings(self) -> Standings:
        """Return the standings after the finished legs."""
        return self.facts.standings(self.plan, self.rounds, out=self.out_names())


def facts_of_run(reader: RunReader) -> Facts:
    """Return the facts of a stored run, with the configuration it was begun with.

    Raises `StoreError` if the stored conditions cannot be read.
    """
    beginning = reader.beginning()
    configuration = beginning.conditions.get("config")
    if not isinstance(configuration, dict):
        raise StoreError(f"{reader.path}: the stored conditions hold no configuration")
    try:
        return Facts.of(
            configuration,
            commitment=beginning.commitment,
            master=beginning.master,
            findings=Findings.from_json(beginning.roll_call),
        )
    except ValueError as error:
        raise StoreError(f"{reader.path}: the stored conditions are damaged: {error}") from None


def run_of(reader: RunReader) -> Run:
    """Return what the store holds now; use it inside the reader's `snapshot`."""
    facts = facts_of_run(reader)
    plan = facts.plan()
    scored = {scores.round: scores for scores in reader.round_scores()}
    ends = reader.sittings()
    _check_entrants(reader, plan, scored.values(), ends)
    legs = 0
    for leg in plan.legs:
        if not all(round in scored for round in plan.rounds_of(leg)):
            break
        legs += 1
    last = plan.rounds_of(legs - 1).stop if legs else 0
    out: set[int] = set()
    for end in ends:
        if end.leg < legs and 0 <= end.sitting < SITTINGS:
            out |= end.out
    return Run(
        facts=facts,
        plan=plan,
        legs=legs,
        rounds=tuple(scored[round] for round in range(last)),
        out=frozenset(out),
    )


def fixture_of(reader: RunReader, plan: Plan, game: FinishedGame) -> Fixture:
    """Return the fixture of a stored game; raises `StoreError` if the plan has none there."""
    line = game.line
    try:
        return plan.fixture(line.round, line.index, line.replay)
    except ValueError as error:
        raise StoreError(f"{reader.path}: a game is stored that is not planned: {error}") from None


def _check_entrants(
    reader: RunReader, plan: Plan, rounds: Iterable[RoundScores], ends: Iterable[SittingEnd]
) -> None:
    """Stored rounds and ends of sittings must speak of the entrants of the plan."""
    count = len(plan.entrants)
    for scores in rounds:
        if len(scores.scores) != count:
            raise StoreError(f"{reader.path}: round {scores.round + 1} is not of {count} entrants")
    for end in ends:
        if not end.out <= set(range(count)):
            raise StoreError(
                f"{reader.path}: sitting {end.sitting + 1} of leg {end.leg + 1} ends with "
                "entrants out that are not in the plan"
            )
