"""A small synthetic event: results by a seeded generator, so no game has to be played."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from referee.engine import FinalTie, Rules, commitment, key, master_from_text
from referee.report import Meta
from referee.tourney import (
    Entrant,
    GameLine,
    NotStarted,
    Plan,
    Standings,
    finished_rounds,
    standings_of,
)

MASTER = master_from_text("demo")


@dataclass(frozen=True, kw_only=True)
class Event:
    """What is asked of `standings`: who plays, how long, and what goes wrong."""

    names: Sequence[str] = ("Careful pair", "Bold pair", "Random pair")
    event_name: str = "Demo league"
    rounds: int = 12
    scored: int = 12
    leg_rounds: int = 1
    favourite: float = 0.5
    fault_rate: float = 0.0
    shared: bool = False
    equal: bool = False
    out: Sequence[str] = ()
    not_reproducible: Sequence[str] = ()
    not_started: Sequence[NotStarted] = ()
    stamps: Sequence[str] = ("deals known to whoever knows the seed",)
    rules: Rules = field(default_factory=lambda: Rules(final_tie=FinalTie.SHARED, max_hands=40))

    def plan(self) -> Plan:
        entrants = tuple(Entrant(name, (f"bot{i}", f"bot{i}")) for i, name in enumerate(self.names))
        plan_key = key(MASTER, "demo", "plan")
        return Plan("demo", plan_key, entrants, self.rounds, leg_rounds=self.leg_rounds)

    def lines(self, plan: Plan) -> list[GameLine]:
        dice = random.Random(7)
        return [
            self.line(plan, round, block.index, replay, dice)
            for round in range(self.scored)
            for block in plan.blocks(round)
            for replay in range(6)
        ]

    def line(
        self, plan: Plan, round: int, index: int, replay: int, dice: random.Random
    ) -> GameLine:
        entrants = plan.fixture(round, index, replay).entrants
        chances = [dice.random() + self.favourite * (entrant == 0) for entrant in entrants]
        winner = max(range(3), key=chances.__getitem__)
        scores = [21 if pair == winner else dice.randrange(-3, 20) for pair in range(3)]
        sixths = [6 if pair == winner else 0 for pair in range(3)]
        if self.equal or (self.shared and dice.random() < 0.2):
            sixths, scores = [2, 2, 2], [20, 20, 20]
        faults = [[0] * 5 for _ in range(3)]
        if dice.random() < self.fault_rate:
            faults[dice.randrange(3)][dice.randrange(5)] += 1
        return GameLine(
            round,
            index,
            replay,
            entrants,
            (sixths[0], sixths[1], sixths[2]),
            tuple(3 * score - sum(scores) for score in scores),  # type: ignore[arg-type]
            dice.randrange(6, 14),
            (False, False, faults[2] != [0] * 5),
            tuple(map(tuple, faults)),  # type: ignore[arg-type]
        )

    def standings(self) -> Standings:
        plan = self.plan()
        return standings_of(
            plan,
            finished_rounds(plan, self.lines(plan)),
            not_started=self.not_started,
            out=self.out,
            not_reproducible=self.not_reproducible,
            stamps=self.stamps,
        )

    def meta(self) -> Meta:
        return Meta(
            event_id="demo",
            event_name=self.event_name,
            rules=self.rules,
            commitment=commitment(MASTER, "demo"),
            master=MASTER if self.scored == self.rounds else None,
        )


@pytest.fixture(scope="session")
def event() -> type[Event]:
    """`event(names=..., ...)` describes a synthetic event."""
    return Event


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, bytes], None]:
    """Compare bytes with a committed file of this folder, or write it anew (`--regenerate`)."""
    folder = Path(__file__).parent / "golden"

    def compare(name: str, data: bytes) -> None:
        path = folder / name
        if request.config.getoption("--regenerate"):
            folder.mkdir(exist_ok=True)
            path.write_bytes(data)
        assert path.read_bytes() == data

    return compare
