from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import (
    Action,
    BoardSeeds,
    FinalTie,
    GameTie,
    LowPoint,
    Question,
    RedealWhen,
    Rules,
)
from referee.report.audit.recount import recount
from referee.table import FaultKind, GameRecord, Table

RULES = st.builds(
    Rules,
    low_point=st.sampled_from(LowPoint),
    redeal_when=st.sampled_from(RedealWhen),
    game_tie=st.sampled_from(GameTie),
    set_keeps_points=st.booleans(),
    final_tie=st.sampled_from(FinalTie),
    target_score=st.integers(1, 12),
    max_hands=st.integers(1, 6),
    max_consecutive_redeals=st.integers(0, 2),
)


Answer = Callable[[Question, random.Random], Action]


def played(
    rules: Rules, board: int, *, answer: Answer, fault_rate: float, out: frozenset[int]
) -> GameRecord:
    """A game by a seeded generator, with faults at a rate."""
    dice = random.Random(board)
    seeds = BoardSeeds(board.to_bytes(32), bytes(32))
    table = Table(rules=rules, seeds=seeds, first_dealer=board % 6, faults_per_game=3, out=out)
    while (decision := table.decision) is not None:
        if dice.random() < fault_rate:
            table.charge(FaultKind.TIMEOUT)
        else:
            table.answer(answer(decision.question, dice))
    assert table.record is not None
    return table.record


@settings(max_examples=150)
@given(
    rules=RULES,
    board=st.integers(0, 10**6),
    fault_rate=st.sampled_from([0.0, 0.01, 0.1, 0.5]),
    out=st.frozensets(st.integers(0, 2)),
)
def test_the_outcome_of_any_game_follows_from_its_cards_and_faults(
    legal_answer: Answer, rules: Rules, board: int, fault_rate: float, out: frozenset[int]
) -> None:
    record = played(rules, board, answer=legal_answer, fault_rate=fault_rate, out=out)
    recount(record, rules=rules, faults_per_game=3)
