"""Every sample plays whole games legally, and gives the same decision the same answer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.engine import Rules
from referee.engine.rules import FinalTie, GameTie, LowPoint, RedealWhen
from referee.sdk import Bot, Decision
from referee.wire import Answer
from referee.wire.pb.schmier.v1 import decision_pb2
from sample_bots.python.first_legal import FirstLegal
from sample_bots.python.random_legal import RandomLegal
from sample_bots.python.rule_based import RuleBased
from tests.sdk.discard_cases import DISCARDS, discard_decision, legal_discards
from tests.sdk.scripted_referee import (
    OpenTable,
    finish,
    in_process,
    over_the_stream,
    started,
)

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_bots" / "python"
COMMANDS = {
    "first legal": ("first_legal.py",),
    "random legal": ("random_legal.py",),
    "rule based": ("rule_based.py",),
    "bold": ("rule_based.py", "--boldness", "1"),
    "the bot of the folder": ("bot.py",),
    "the same, random": ("bot.py", "random"),
}
BOTS = [FirstLegal(), RandomLegal(), RuleBased(), RuleBased(1)]
OTHER_RULES = Rules(
    low_point=LowPoint.TAKER,
    redeal_when=RedealWhen.FIVE_NONDEALERS_PASS,
    game_tie=GameTie.BIDDER,
    final_tie=FinalTie.SHARED,
    set_keeps_points=True,
)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_sample_plays_whole_games_without_a_fault(command: tuple[str, ...]) -> None:
    script, *arguments = command
    with started(str(SAMPLES / script), *arguments) as (referee, bot):
        referee.welcome()
        tables = [OpenTable(seed, rules=OTHER_RULES if seed % 2 else None) for seed in range(8)]
        assert finish(tables, over_the_stream(referee), batch=5) == []
        assert all(table.table.record is not None for table in tables)
        referee.goodbye()
        assert bot.end() == (0, "", "")


@pytest.mark.parametrize("case", DISCARDS)
@pytest.mark.parametrize("bot", BOTS)
def test_every_kind_of_discard_is_answered_legally_r21_r22_r23(bot: Bot, case: str) -> None:
    decision, question = discard_decision(case)
    assert tuple(sorted(bot.discards(decision))) in legal_discards(question)


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_decision_gets_the_same_answer_whenever_it_is_asked(bot: Bot) -> None:
    asked: list[bytes] = []
    answers: list[Answer] = []

    def ask_and_keep(decisions: list[bytes]) -> list[Answer]:
        answered = in_process(bot)(decisions)
        asked.extend(decisions)
        answers.extend(answered)
        return answered

    finish([OpenTable(seed) for seed in range(3)], ask_and_keep, batch=3)

    order = random.Random(8).sample(range(len(asked)), len(asked))
    again = [decision_pb2.Decision.FromString(asked[i]) for i in order]
    for id, decision in enumerate(again, 5000):
        decision.id, decision.table = id, "another table"
    fresh: list[Answer] = []
    for start in range(0, len(again), 40):
        batch = again[start : start + 40]
        fresh += in_process(bot)([decision.SerializeToString() for decision in batch])
    assert [answer.action for answer in fresh] == [answers[i].action for i in order]
    kinds = {decision.WhichOneof("question") for decision in again}
    assert kinds == {"call", "trump", "discard", "play"}


def test_random_legal_passes_three_calls_in_four() -> None:
    legal = (1, 3, 4, 5, 6)
    calls = [
        RandomLegal().call(Decision(decision_pb2.Decision(random_seed=seed), legal))
        for seed in range(1, 4001)
    ]
    assert set(calls) == {1, 3}
    assert 2900 < calls.count(1) < 3100


def test_games_of_random_legal_bots_end_by_a_winner() -> None:
    tables = [OpenTable(seed) for seed in range(20)]
    finish(tables, in_process(RandomLegal()), batch=20)
    records = [table.table.record for table in tables]
    assert {record.outcome.ending.name for record in records if record} == {"TARGET"}
