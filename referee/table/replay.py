"""A record is recomputed here, from the board's seeds and what the bots did, and compared.

The recorded actions are put into a new table as answers, at recorded faults as charges; all that
the table does by itself must then be in the record too. The first difference is the one named.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Final, assert_never

from referee.engine import (
    Action,
    BoardSeeds,
    Call,
    Decision,
    Discard,
    NameTrump,
    Outcome,
    Play,
    Rules,
)
from referee.table.actions import action_text, decode_actions, read_action
from referee.table.faults import Fault
from referee.table.record import Difference, GameRecord, RecordError
from referee.table.table import Table

__all__ = ["replay"]


def replay(
    record: GameRecord,
    *,
    rules: Rules,
    seeds: BoardSeeds,
    faults_per_game: int,
    first_dealer: int | None = None,
    out: frozenset[int] | None = None,
) -> None:
    """Recompute a game; RecordError names the first difference.

    `first_dealer` and `out` (before the first hand) are compared with the record if given.
    Law: the record of any table passes, with that table's rules, seeds and faults per game.
    """
    if first_dealer is not None and record.first_dealer != first_dealer:
        detail = f"the board says {first_dealer}, the record {record.first_dealer}"
        raise RecordError(Difference.FIRST_DEALER, detail)
    if out is not None and record.out != out:
        raise RecordError(
            Difference.OUT, f"{_teams(out)} were, the record says {_teams(record.out)}"
        )
    table = Table(
        rules=rules,
        seeds=seeds,
        first_dealer=record.first_dealer,
        faults_per_game=faults_per_game,
        out=record.out,
    )
    _Replay(record, table).run()


class _Replay:
    """A table driven by a record; up to `position` and `index` both are known to be the same."""

    def __init__(self, record: GameRecord, table: Table) -> None:
        self.record: Final = record
        self.table: Final = table
        self.position = 0
        self.index = 0
        self.faults_due = list(reversed(record.faults))

    def run(self) -> None:
        self.compare_actions()
        while self.table.decision is not None:
            if self.faults_due and self.faults_due[-1].action_index <= self.index:
                self.charge(self.faults_due.pop())
            else:
                self.answer(self.table.decision)
            self.compare_actions()
        self.compare_end()

    def charge(self, recorded: Fault) -> None:
        """Charge the open decision as recorded, if it is there that the fault was recorded."""
        if recorded.action_index < self.index:
            raise _not_asked(recorded)
        computed = self.table.charge(recorded.kind)
        if computed != recorded:
            detail = f"recorded {_fault_text(recorded)}, it is {_fault_text(computed)}"
            raise RecordError(Difference.FAULT, detail, action_index=self.index)

    def answer(self, decision: Decision) -> None:
        """Answer the open decision with the recorded action."""
        actions = self.record.actions
        action = None
        if self.position < len(actions):
            action, _ = read_action(actions, self.position)
        place = _place(decision.seat, decision.public.number, decision.public.redeal)
        if action is None:
            detail = f"{place} is to act"
            raise RecordError(Difference.MISSING_ACTION, detail, action_index=self.index)
        if self.table.answer(action) is not None:
            detail = f"{place} cannot {_verb(action)} here"
            raise RecordError(Difference.ILLEGAL_ACTION, detail, action_index=self.index)

    def compare_actions(self) -> None:
        """Compare what the table has recorded since the last time."""
        computed = self.table.actions
        if not self.record.actions.startswith(computed[self.position :], self.position):
            raise self.first_difference(computed)
        self.position, self.index = len(computed), self.table.action_count

    def first_difference(self, computed: bytes) -> RecordError:
        """Find the first of the new actions that is not recorded so."""
        position, index, actions = self.position, self.index, self.record.actions
        while True:
            due, following = read_action(computed, position)
            ended = position >= len(actions)
            recorded = None if ended else read_action(actions, position)[0]
            if ended or recorded != due:
                break
            position, index = following, index + (due is not None)
        if due is None:
            detail = "the cards are dealt here"
            kind = Difference.MISSING_ACTION if ended else Difference.UNEXPECTED_ACTION
        else:
            place = _place_of(index, computed, self.record.first_dealer)
            detail = f"{place} must {_verb(due)}"
            kind = Difference.MISSING_ACTION
            if recorded is not None:
                detail += f", recorded is {action_text(recorded)}"
                kind = Difference.OTHER_ACTION
        return RecordError(kind, detail, action_index=index)

    def compare_end(self) -> None:
        if self.faults_due:
            raise _not_asked(self.faults_due[-1])
        if self.position < len(self.record.actions):
            detail = "the game is over, the record goes on"
            raise RecordError(Difference.UNEXPECTED_ACTION, detail, action_index=self.index)
        assert self.table.record is not None
        computed, recorded = self.table.record.outcome, self.record.outcome
        for name in (field.name for field in fields(Outcome)):
            here, there = getattr(computed, name), getattr(recorded, name)
            if here != there:
                detail = f"{name} recorded {_plain(there)}, recomputed {_plain(here)}"
                raise RecordError(Difference.OUTCOME, detail)


def _place_of(index: int, actions: bytes, first_dealer: int) -> str:
    for deal in decode_actions(actions, first_dealer=first_dealer):
        for step in deal.steps:
            if step.index == index:
                return _place(step.seat, deal.hand, deal.redeal)
    raise AssertionError(f"action {index} is not among those recomputed")


def _place(seat: int, hand: int, redeal: int) -> str:
    again = f", redeal {redeal}" if redeal else ""
    return f"seat {seat} in hand {hand + 1}{again}"


def _verb(action: Action) -> str:
    match action:
        case Call():
            return f"call {action_text(action)}"
        case NameTrump():
            return f"name {action_text(action)}"
        case Discard():
            return f"discard {action_text(action)}"
        case Play():
            return f"play {action_text(action)}"
        case _:
            assert_never(action)


def _fault_text(fault: Fault) -> str:
    return f"{fault.kind} of {_place(fault.seat, fault.hand, fault.redeal)}"


def _not_asked(fault: Fault) -> RecordError:
    detail = f"{_fault_text(fault)}, but nobody was asked there"
    return RecordError(Difference.FAULT, detail, action_index=fault.action_index)


def _teams(teams: frozenset[int]) -> str:
    return " ".join(f"T{team}" for team in sorted(teams)) or "none"


def _plain(value: object) -> str:
    if isinstance(value, frozenset):
        return _teams(value)
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
