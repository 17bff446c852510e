"""The recorded decisions are those that come up in games, and `rule_based.py` answers them so."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.engine import Suit
from referee.sdk import answer
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from sample_bots.python.rule_based import RuleBased
from tests.samples.vectors import FILE, read_vectors, written


def test_the_file_is_what_the_games_and_the_strategy_give(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--regenerate"):
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(written(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == written(), "stale: run this test with --regenerate"


def test_the_vectors_hold_every_kind_of_question_and_the_rare_ones() -> None:
    vectors = read_vectors()
    kinds = Counter(vector.decision.WhichOneof("question") for vector in vectors)
    assert all(kinds[kind] >= 10 for kind in ("call", "trump", "discard", "play")), kinds
    hands = [vector.decision.hand for vector in vectors]
    assert any(score < 0 for hand in hands for score in hand.scores)
    assert any(hand.redeal for hand in hands)
    assert any(vector.decision.discard.min_count == 17 for vector in vectors)
    assert any(vector.decision.discard.trump_count for vector in vectors)
    assert {hand.contract.trump for hand in hands} >= set(map(int, Suit))


def test_the_strategy_answers_the_vectors_as_written() -> None:
    for vector in read_vectors():
        answers = service.Actions()
        answer(RuleBased(), vector.decision, answers)
        answers.actions[0].ClearField("decision_id")
        assert answers.actions[0] == vector.action, vector.about
