"""All that can be said of a game and of a leg against the plan, first difference first.

A game: its seats, its id, its record recomputed from the decks, its consequences. A leg: every
planned game exactly once, and who was out in which sitting, counted again from its games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from referee.report.audit.boards import BoardError, Boards, InferredBoards, PlannedBoards
from referee.report.audit.recount import recount
from referee.report.export.entries import Entry
from referee.report.facts import Facts
from referee.report.game_name import GamePlace
from referee.report.names import visible
from referee.table import RecordError, replay
from referee.tourney import (
    SITTINGS,
    Fixture,
    GameLine,
    Plan,
    RoundScores,
    Tally,
    game_id,
    line_of,
)

__all__ = ["Auditor", "Mismatch", "place_text"]


class Mismatch(ValueError):  # noqa: N818 (it is what was found, not an error of ours)
    """The first difference: one sentence, and the game it is in, None if in no single game."""

    def __init__(self, text: str, *, place: GamePlace | None = None) -> None:
        self.place = place
        super().__init__(text)


def place_text(place: GamePlace) -> str:
    """Return the name of a game in a sentence."""
    return f"game {place.text}"


@dataclass(slots=True)
class _Sitting:
    """What the games of one sitting say of its entrants, by number."""

    games: dict[int, int] = field(default_factory=dict)
    forfeits: dict[int, int] = field(default_factory=dict)
    first_said: dict[tuple[int, bool], GamePlace] = field(default_factory=dict)


class Auditor:
    """Checks games in the order of round, index, replay; raises `Mismatch` at the first difference.

    `checked` counts games, `rounds` are those of the legs ended, `out` the entrants out by then.
    """

    def __init__(self, facts: Facts, plan: Plan) -> None:
        self._facts, self._plan = facts, plan
        self._rules = facts.config.rules
        known = facts.master is not None
        self._boards: Boards = PlannedBoards(plan) if known else InferredBoards(plan)
        self.checked = 0
        self.rounds: list[RoundScores] = []
        self.out: set[int] = set()
        self._begin_leg()

    def check(self, entry: Entry) -> GameLine:
        """Check all of one game but what it says of those out, and return its result."""
        place = entry.place
        try:
            fixture = self._boards.fixture(entry)
            self._check_seats(entry, fixture)
            self._check_id(entry)
            self._check_record(entry, fixture)
        except (BoardError, RecordError, _Difference) as error:
            raise Mismatch(f"{place_text(place)}: {error}", place=place) from None
        self.checked += 1
        return line_of(fixture, entry.record)

    def take(self, entry: Entry) -> GameLine:
        """Check a game of the leg under way, and count it."""
        line = self.check(entry)
        self._tally.add(line)
        sitting = self._sittings[entry.sitting]
        for pair, entrant in enumerate(line.entrants):
            sitting.games[entrant] = sitting.games.get(entrant, 0) + 1
            forfeits = sitting.forfeits.get(entrant, 0) + line.forfeits[pair]
            sitting.forfeits[entrant] = forfeits
            said = (entrant, pair in entry.record.out)
            sitting.first_said.setdefault(said, entry.place)
        return line

    def end_leg(self, leg: int) -> tuple[frozenset[int], ...]:
        """Check who was out when, score the leg, and return who is out after each sitting."""
        if self.has_ended:
            raise Mismatch(f"leg {leg + 1} was played although the duel had ended before it")
        after = []
        for number, sitting in enumerate(self._sittings):
            self._check_out(leg, number, sitting)
            gone = {i for i, games in sitting.games.items() if 2 * sitting.forfeits[i] > games}
            self.out |= gone
            after.append(frozenset(self.out))
        self.rounds.extend(map(self._tally.scores, self._plan.rounds_of(leg)))
        self._begin_leg()
        return tuple(after)

    @property
    def has_ended(self) -> bool:
        """Whether a duel knows its answer after the legs ended."""
        look = self._facts.duel_look(self._plan, self.rounds)
        return look is not None and look.ended

    def out_names(self) -> list[str]:
        """Return the partnerships that are out, in the order of the plan."""
        return [self._plan.entrants[number].name for number in sorted(self.out)]

    def _begin_leg(self) -> None:
        entrants, blocks = len(self._plan.entrants), self._plan.blocks_per_round
        self._tally = Tally(entrants=entrants, blocks_per_round=blocks)
        self._sittings = [_Sitting() for _ in range(SITTINGS)]

    def _check_seats(self, entry: Entry, fixture: Fixture) -> None:
        plan = self._plan
        members = tuple(holder.member for holder in fixture.seats)
        _same("sitting", entry.sitting + 1, fixture.sitting + 1)
        _same("partnerships", _names(entry.partnerships), _names(plan.partnership_names(fixture)))
        _same("members by seat", entry.members, members)
        _same("bots by seat", _names(entry.bots), _names(plan.bot_names(fixture)))

    def _check_id(self, entry: Entry) -> None:
        place = entry.place
        digest = game_id(
            tournament_id=self._facts.tournament_id,
            commitment=self._facts.commitment,
            rules=self._rules,
            block=f"{place.round}.{place.index}",
            replay=place.replay,
            partnerships=entry.partnerships,
            members=entry.bots,
        )
        _same("id", entry.id.hex(), digest.hex())

    def _check_record(self, entry: Entry, fixture: Fixture) -> None:
        limit = self._facts.faults_per_game
        if self._facts.master is None:
            if entry.record.first_dealer != fixture.first_dealer:
                _same("first dealer", entry.record.first_dealer, fixture.first_dealer)
            recount(entry.record, rules=self._rules, faults_per_game=limit)
            return
        replay(
            entry.record,
            rules=self._rules,
            seeds=self._facts.seeds(fixture.block.id),
            faults_per_game=limit,
            first_dealer=fixture.first_dealer,
        )

    def _check_out(self, leg: int, number: int, sitting: _Sitting) -> None:
        """What the records of a sitting say of those out must be what earlier sittings gave."""
        wrong = [
            (place, entrant)
            for (entrant, said), place in sitting.first_said.items()
            if said != (entrant in self.out)
        ]
        if not wrong:
            return
        place, entrant = min(
            wrong, key=lambda found: (found[0].round, found[0].index, found[0].replay)
        )
        name = visible(self._plan.entrants[entrant].name)
        was = "was out" if entrant in self.out else "was not out"
        raise Mismatch(
            f"{place_text(place)}: {name} {was} before sitting {number + 1} of leg {leg + 1}, "
            "the record says otherwise",
            place=place,
        )


class _Difference(ValueError):  # noqa: N818 (as above)
    """What a game says, and what was computed."""


def _same(what: str, found: object, computed: object) -> None:
    if found != computed:
        raise _Difference(f"its {what}: {found} is given, computed is {computed}")


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(visible, names))
