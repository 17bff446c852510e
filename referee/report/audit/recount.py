"""What a record must keep to even where the decks are not known: its scores and its forfeits.

The cards played are public, so hand points, scores and the end of the game follow from them. Which
cards were held, and with them legality, forced and substitute actions, do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields

from referee.engine import (
    TEAMS,
    Bid,
    Call,
    Ending,
    HandResult,
    NameTrump,
    Outcome,
    Play,
    Rules,
    Trick,
    decide,
    game_outcome,
    score_hand,
    team_of,
)
from referee.table import DealSteps, Difference, GameRecord, RecordError, decode_actions

__all__ = ["recount"]

_CARDS_PLAYED = 36


def recount(record: GameRecord, *, rules: Rules, faults_per_game: int) -> None:
    """Compute the outcome from the cards played and the faults; RecordError names a difference."""
    outcome = _Count(record, rules, faults_per_game).outcome()
    for field in fields(Outcome):
        recorded, counted = (getattr(one, field.name) for one in (record.outcome, outcome))
        if recorded != counted:
            raise RecordError(
                Difference.OUTCOME,
                f"{field.name} {_text(recorded)} recorded, the cards played give {_text(counted)}",
            )


class _Count:
    """A game counted hand by hand; `out` grows with the faults that come before each hand's end."""

    def __init__(self, record: GameRecord, rules: Rules, faults_per_game: int) -> None:
        self._record, self._rules, self._limit = record, rules, faults_per_game
        self._faults = list(reversed(record.faults))
        self._count: Counter[int] = Counter()
        self._scores = (0, 0, 0)
        self._hands = 0
        self._out = record.out

    def outcome(self) -> Outcome:
        deals = list(decode_actions(self._record.actions, first_dealer=self._record.first_dealer))
        ended = self._forfeited()
        for number, deal in enumerate(deals):
            if ended is None and deal.steps:
                ended = self._play(deal)
            if ended is not None and number < len(deals) - 1:
                raise RecordError(Difference.UNEXPECTED_ACTION, "the game was over before")
        ended = ended or self._charge(None)
        if ended is None:
            raise RecordError(Difference.MISSING_ACTION, "the record ends, the game does not")
        return ended

    def _play(self, deal: DealSteps) -> Outcome | None:
        ended = self._charge(deal.steps[-1].index)
        plays = [step for step in deal.steps if isinstance(step.action, Play)]
        if ended is not None or len(plays) < _CARDS_PLAYED:
            return ended
        result = _score(self._rules, deal)
        first, second, third = (s + d for s, d in zip(self._scores, result.deltas, strict=True))
        self._scores = (first, second, third)
        self._hands += 1
        return decide(
            self._rules,
            scores=self._scores,
            bidder=result.bidder,
            hands=self._hands,
            out=self._out,
        )

    def _charge(self, last: int | None) -> Outcome | None:
        """Count the faults up to an action, or all that are left."""
        while self._faults and (last is None or self._faults[-1].action_index <= last):
            fault = self._faults.pop()
            team = team_of(fault.seat)
            if team in self._out:
                detail = f"seat {fault.seat} has a fault after its team was out"
                raise RecordError(Difference.FAULT, detail, action_index=fault.action_index)
            self._count[team] += 1
            if self._count[team] == self._limit:
                self._out |= {team}
                ended = self._forfeited()
                if ended is not None:
                    return ended
        return None

    def _forfeited(self) -> Outcome | None:
        left = set(TEAMS) - self._out
        if len(left) > 1:
            return None
        return game_outcome(
            scores=self._scores,
            winners=left or set(TEAMS),
            hands=self._hands,
            ending=Ending.FORFEIT,
            out=self._out,
        )


def _score(rules: Rules, deal: DealSteps) -> HandResult:
    bidder, bid, trump = None, Bid.PASS, None
    played: list[tuple[int, int]] = []
    for step in deal.steps:
        match step.action:
            case Call(called) if called > bid:
                bidder, bid = step.seat, called
            case NameTrump(suit):
                trump = suit
            case Play(card):
                played.append((step.seat, card))
            case _:
                pass
    try:
        if bidder is None or trump is None or len({card for _, card in played}) < len(played):
            raise KeyError
        return score_hand(rules, bidder=bidder, bid=bid, trump=trump, tricks=_tricks(played))
    except KeyError:
        raise RecordError(
            Difference.ILLEGAL_ACTION,
            f"hand {deal.hand} was not played with the cards of one deck",
            action_index=deal.steps[-1].index,
        ) from None


def _tricks(played: Sequence[tuple[int, int]]) -> list[Trick]:
    return [
        Trick(played[i][0], [card for _, card in played[i : i + 6]])
        for i in range(0, len(played), 6)
    ]


def _text(value: object) -> str:
    return f"{sorted(value)}" if isinstance(value, frozenset) else f"{value}"
