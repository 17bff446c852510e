"""Events in miniature: plans with a known key, and results that are drawn by the game's name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from referee import engine
from referee.tourney import Entrant, GameLine, Plan

NAMES = ("Zeta", "Careful pair", "alpha", "Émile", "Beta", "10", "9", "omega")


def _plan_of(
    entrants: int = 4,
    *,
    rounds: int = 20,
    leg_rounds: int = 10,
    seed: str = "demo",
    names: Sequence[str] = (),
) -> Plan:
    chosen = names or [*NAMES, *(f"entrant {i}" for i in range(len(NAMES), entrants))][:entrants]
    key = engine.key(engine.master_from_text(seed), "demo", "plan")
    return Plan(
        tournament_id="demo",
        plan_key=key,
        entrants=tuple(Entrant(name, (f"{name} a", f"{name} b")) for name in chosen),
        rounds=rounds,
        leg_rounds=leg_rounds,
    )


def _play(plan: Plan, strengths: Sequence[float] | None = None) -> list[GameLine]:
    """Return a line for every game of the plan, in the order of rounds, blocks and replays."""
    weights = strengths or [1.0] * len(plan.entrants)
    lines = []
    for round in range(plan.rounds):
        for block in plan.blocks(round):
            for replay in range(6):
                fixture = plan.fixture(round, block.index, replay)
                chance = Random(fixture.id)
                scores = [chance.randrange(-9, 21) for _ in range(3)]
                pair = chance.choices(range(3), [weights[i] for i in fixture.entrants])[0]
                scores[pair] = 21
                lines.append(
                    GameLine(
                        round=round,
                        index=block.index,
                        replay=replay,
                        entrants=fixture.entrants,
                        sixths=(6 * (pair == 0), 6 * (pair == 1), 6 * (pair == 2)),
                        margin_thirds=(
                            3 * scores[0] - sum(scores),
                            3 * scores[1] - sum(scores),
                            3 * scores[2] - sum(scores),
                        ),
                        hands=chance.randrange(8, 16),
                    )
                )
    return lines


@pytest.fixture(scope="session")
def plan_of() -> Callable[..., Plan]:
    """A function that makes a plan of so many entrants."""
    return _plan_of


@pytest.fixture(scope="session")
def play() -> Callable[..., list[GameLine]]:
    """A function that plays every game of a plan, by strengths if they are given."""
    return _play
