"""A small synthetic event: results by a seeded generator, so no game has to be played."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from referee.engine import (
    Action,
    Call,
    CallQuestion,
    Discard,
    DiscardQuestion,
    FinalTie,
    NameTrump,
    Play,
    PlayQuestion,
    Question,
    Rules,
    TrumpQuestion,
    commitment,
    key,
    master_from_text,
)
from referee.report import Evidence, Facts, Findings, Meta, write_leaderboards
from referee.store import Beginning, FinishedGame, RunFolder
from referee.store import Evidence as StoredEvidence
from referee.table import Fault, FaultKind, Table, record_to_bytes
from referee.tourney import (
    Entrant,
    Fixture,
    GameLine,
    NotStarted,
    Plan,
    RoundScores,
    Sibling,
    Standings,
    finished_rounds,
    game_id,
    line_of,
    out_after,
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


class Player:
    """Plays the games of a stored run without bots: seeded random answers, faults at a rate."""

    def __init__(self, folder: Path, *, rounds: int = 2, seed: str | None = "demo") -> None:
        self.folder = folder
        self.faulty = True
        self.configuration: dict[str, Any] = {
            "event": {"id": "demo", "name": "Demo | league", "rounds": rounds, "leg_rounds": 1},
            "limits": {"faults_per_game": 2},
            "rules": {"target_score": 6, "max_hands": 4},
            "bots": {name: {"command": ["true"]} for name in ("careful", "bold", "faulty")},
            "partnerships": [
                {"name": "Careful pair", "bots": ["careful"], "owner": "Ann"},
                {"name": "Mixed|pair", "bots": ["bold", "careful"], "owner": "Ann"},
                {"name": "漢字", "bots": ["faulty", "bold"]},
                {"name": "Absent pair", "bots": ["bold"]},
            ],
        }
        if seed is not None:
            self.configuration["event"]["seed"] = seed
        self.findings = Findings(
            not_started=(NotStarted("Absent pair", "no hello within 10000 ms"),),
            not_reproducible=("漢字",),
            siblings=(
                Sibling("Careful pair", "Mixed|pair", "same owner, shared bot"),
                Sibling("Mixed|pair", "漢字", "shared bot"),
            ),
            stamps=("deals known to whoever knows the seed",) if seed is not None else (),
        )
        self.facts = Facts.of(
            self.configuration, commitment=bytes(32), master=MASTER, findings=self.findings
        )
        self.facts = replace(self.facts, commitment=commitment(MASTER, "demo"))
        self.plan = self.facts.plan()
        self.kinds = cycle(FaultKind)

    def begin(self) -> RunFolder:
        held = RunFolder.claim(self.folder)
        held.begin(
            Beginning(
                tournament_id="demo",
                conditions={"config": self.facts.configuration()},
                master=MASTER,
                commitment=self.facts.commitment,
                plan=self.plan.parameters(),  # type: ignore[arg-type]
                roll_call=({"kind": "presence", "bot": "careful"}, *self.findings.to_json()),
            )
        )
        return held

    def play(self, *, legs: int, sittings: int = 0) -> None:
        """Play so many whole legs, and so many sittings of the next one; close after the last."""
        out: frozenset[int] = frozenset()
        rounds: list[RoundScores] = []
        with self.begin() as held, held.writer() as writer:
            for leg in range(min(legs + bool(sittings), len(self.plan.legs))):
                lines = []
                for sitting in range(6 if leg < legs else sittings):
                    played = [
                        self.game(fixture, out) for fixture in self.plan.sitting(leg, sitting)
                    ]
                    for game, evidence in played:
                        writer.add_game(game, evidence)
                    lines += [game.line for game, _ in played]
                    gone = out_after(game.line for game, _ in played)
                    out |= gone
                    writer.end_sitting(leg=leg, sitting=sitting, out=gone)
                if leg < legs:
                    scores = finished_rounds(self.plan, lines)
                    rounds += scores
                    writer.add_round_scores(scores)
            if legs == len(self.plan.legs):
                names = [self.plan.entrants[number].name for number in sorted(out)]
                standings = self.facts.standings(self.plan, rounds, out=names)
                meta = self.facts.meta(closed=True)
                printed = write_leaderboards(self.folder, standings, meta)
                writer.end_run(is_closed=True, exit_code=3, leaderboards=printed)

    def game(
        self, fixture: Fixture, out: frozenset[int]
    ) -> tuple[FinishedGame, list[StoredEvidence]]:
        teams = frozenset(team for team in range(3) if fixture.entrants[team] in out)
        table = Table(
            rules=self.facts.config.rules,
            seeds=self.facts.seeds(fixture.block.id),
            first_dealer=fixture.first_dealer,
            faults_per_game=2,
            out=teams,
        )
        dice = random.Random(fixture.id)
        evidence = []
        while (decision := table.decision) is not None:
            entrant = fixture.entrants[decision.seat % 3]
            early = len(self.plan.legs) > 1 and fixture.leg == 0
            rates = (0.002, 0.01, 0.02 if early else 0.2)
            if self.faulty and dice.random() < rates[entrant]:
                fault = table.charge(next(self.kinds))
                seen = self.seen(fault, fixture)
                evidence.append(StoredEvidence(fault.action_index, seen.to_json()))  # type: ignore[arg-type]
            else:
                table.answer(legal_action(decision.question, dice))
        assert table.record is not None
        bots = self.plan.bot_names(fixture)
        game = FinishedGame(
            id=game_id(
                tournament_id="demo",
                commitment=self.facts.commitment,
                rules=self.facts.config.rules,
                block=fixture.block.id,
                replay=fixture.replay,
                partnerships=self.plan.partnership_names(fixture),
                members=bots,
            ),
            leg=fixture.leg,
            sitting=fixture.sitting,
            line=line_of(fixture, table.record),
            record=record_to_bytes(table.record),
        )
        return game, evidence

    def seen(self, fault: Fault, fixture: Fixture) -> Evidence:
        ended = "exit code 3" if fault.kind is FaultKind.CRASH else ""
        return Evidence(
            kind=fault.kind,
            bot=self.plan.bot_names(fixture)[fault.seat],
            partnership=self.plan.partnership_names(fixture)[fault.seat % 3],
            detail="no answer within decision_ms",
            came_back="JK" if fault.kind is FaultKind.ILLEGAL else "",
            limit_ms=1000,
            waited_ms=1003,
            asked_alone=True,
            ended=ended,
            output_tail="thinking...\n\x1b[31mboom\n",
        )


def legal_action(question: Question, dice: random.Random) -> Action:
    """A legal answer, drawn with a seeded generator."""
    match question:
        case CallQuestion(bids):
            return Call(dice.choice(bids))
        case TrumpQuestion(suits):
            return NameTrump(dice.choice(suits))
        case PlayQuestion(cards):
            return Play(dice.choice(cards))
        case DiscardQuestion():
            others = sorted(set(question.cards) - set(question.trump_cards))
            count = dice.randint(question.min_count, question.max_count) - question.trump_count
            trumps = dice.sample(question.trump_cards, question.trump_count)
            return Discard((*dice.sample(others, count), *trumps))


@pytest.fixture(scope="session")
def legal_answer() -> Callable[[Question, random.Random], Action]:
    """`legal_answer(question, dice)` draws a legal action."""
    return legal_action


@pytest.fixture(scope="session")
def player() -> type[Player]:
    """`player(folder, ...).play(legs=..., sittings=...)` makes a run folder."""
    return Player


@pytest.fixture(scope="session")
def closed_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed run of two legs, in which one partnership went out."""
    folder = tmp_path_factory.mktemp("closed") / "run"
    Player(folder).play(legs=2)
    return folder


@pytest.fixture(scope="session")
def open_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a random master, one leg of three finished and two sittings of the next."""
    folder = tmp_path_factory.mktemp("open") / "run"
    Player(folder, rounds=3, seed=None).play(legs=1, sittings=2)
    return folder
