"""The sample bots of every language: built by their own tools, asked over the real protocol."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from referee.bots import resolved_command
from referee.engine import Rules
from referee.engine.rules import FinalTie, GameTie, LowPoint, RedealWhen
from referee.wire import Answer
from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from referee.wire.samples import Sample, sample_bots
from sample_bots.python.rule_based import RuleBased
from tests.samples.languages import build, started
from tests.samples.vectors import read_vectors
from tests.sdk.discard_cases import DISCARDS, discard_decision, legal_discards
from tests.sdk.scripted_referee import (
    TOKEN,
    OpenTable,
    ScriptedReferee,
    finish,
    in_process,
    over_the_stream,
    program,
)

LANGUAGES = sample_bots()
STRATEGIES = ("rules", "random")
OTHER_RULES = Rules(
    low_point=LowPoint.TAKER,
    redeal_when=RedealWhen.FIVE_NONDEALERS_PASS,
    game_tie=GameTie.BIDDER,
    final_tie=FinalTie.SHARED,
    set_keeps_points=True,
)
LATER_FIELD = b"\xa2\x06\x03new"
"""A field with number 100, of a revision to come."""
DONE = (0, "", "")


@pytest.fixture(scope="module", params=list(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Sample:
    """Each language in turn, built."""
    found = LANGUAGES[request.param]
    build(found)
    return found


def play_decision(id: int, *, random_seed: int = 1) -> decision_pb2.Decision:
    """Two cards to lead with, as the first of a hand without trumps in sight."""
    cards = [cards_pb2.CARD_CLUBS_TWO, cards_pb2.CARD_JOKER]
    contract = decision_pb2.Contract(bid=cards_pb2.BID_THREE, trump=cards_pb2.SUIT_HEARTS)
    return decision_pb2.Decision(
        id=id,
        random_seed=random_seed,
        limit_ms=1000,
        holding=cards,
        hand=decision_pb2.PublicHand(contract=contract, tricks=[decision_pb2.Trick()]),
        play=decision_pb2.PlayQuestion(cards=cards),
    )


def ask_all(
    referee: ScriptedReferee, decisions: list[decision_pb2.Decision]
) -> dict[int, decision_pb2.Action]:
    """Ask decisions in one message; return the actions by id, each without its id."""
    referee.ask(*decisions)
    actions: dict[int, decision_pb2.Action] = {}
    while len(actions) < len(decisions):
        for action in referee.receive().actions.actions:
            id = action.decision_id
            assert id not in actions
            action.ClearField("decision_id")
            actions[id] = action
    return actions


# --- the hello ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name"),
    [((), "rule based"), (("rules",), "rule based"), (("random",), "random legal")],
)
def test_the_hello_says_which_bot_it_is(
    language: Sample, arguments: tuple[str, ...], name: str
) -> None:
    with started(language, *arguments) as (referee, bot):
        assert referee.welcome() == service.Hello(
            token=TOKEN,
            name=f"{name} {language.folder.name}",
            version="1",
            revision=service.REVISION_ONE,
            max_batch=64,
        )
        referee.goodbye()
        assert bot.end() == DONE


# --- the answers ----------------------------------------------------------------------------------


def test_rules_answers_the_recorded_decisions_as_written(language: Sample) -> None:
    vectors = read_vectors()
    for id, vector in enumerate(vectors, 1):
        vector.decision.id = id
    with started(language, "rules") as (referee, _):
        referee.welcome()
        for start in range(0, len(vectors), 64):
            asked = vectors[start : start + 64]
            actions = ask_all(referee, [vector.decision for vector in asked])
            for vector in asked:
                assert actions[vector.decision.id] == vector.action, vector.about


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_whole_games_are_played_without_a_fault(language: Sample, strategy: str) -> None:
    with started(language, strategy) as (referee, bot):
        referee.welcome()
        tables = [OpenTable(seed, rules=OTHER_RULES if seed % 2 else None) for seed in range(8)]
        assert finish(tables, over_the_stream(referee), batch=5) == []
        assert all(table.table.record is not None for table in tables)
        referee.goodbye()
        assert bot.end() == DONE


def test_rules_plays_whole_games_as_rule_based_py_does(language: Sample) -> None:
    in_python = in_process(RuleBased())
    with started(language, "rules") as (referee, _):
        referee.welcome()

        def ask_both(decisions: list[bytes]) -> list[Answer]:
            answers = over_the_stream(referee)(decisions)
            assert {answer.id: answer for answer in answers} == {
                answer.id: answer for answer in in_python(decisions)
            }
            return answers

        finish([OpenTable(seed) for seed in range(100, 108)], ask_both, batch=8)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_kind_of_discard_is_answered_legally_r21_r22_r23(
    language: Sample, strategy: str
) -> None:
    with started(language, strategy) as (referee, _):
        referee.welcome()
        for seed in range(1, 9):
            for case in DISCARDS:
                decision, question = discard_decision(case, seed=seed)
                (action,) = ask_all(referee, [decision.message]).values()
                assert action.HasField("discard")
                assert tuple(sorted(action.discard.cards)) in legal_discards(question), case


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_decision_gets_the_same_answer_under_another_id_and_in_another_order(
    language: Sample, strategy: str
) -> None:
    asked: list[bytes] = []
    answers: dict[int, Answer] = {}
    with started(language, strategy) as (referee, _):
        referee.welcome()

        def ask_and_keep(decisions: list[bytes]) -> list[Answer]:
            asked.extend(decisions)
            answered = over_the_stream(referee)(decisions)
            answers.update({answer.id: answer for answer in answered})
            return answered

        finish([OpenTable(seed) for seed in range(3)], ask_and_keep, batch=3)

    order = random.Random(8).sample(range(len(asked)), len(asked))
    again = [decision_pb2.Decision.FromString(asked[i]) for i in order]
    first_ids = {}
    for id, decision in enumerate(again, 5000):
        first_ids[id] = decision.id
        decision.id, decision.table = id, "another table"
    with started(language, strategy) as (referee, _):
        referee.welcome()
        for start in range(0, len(again), 40):
            batch = [decision.SerializeToString() for decision in again[start : start + 40]]
            for answer in over_the_stream(referee)(batch):
                assert answer.action == answers[first_ids[answer.id]].action
    kinds = {decision.WhichOneof("question") for decision in again}
    assert kinds == {"call", "trump", "discard", "play"}


def test_random_draws_from_the_seed_and_passes_three_calls_in_four(language: Sample) -> None:
    bids = [cards_pb2.BID_PASS, cards_pb2.BID_FOUR, cards_pb2.BID_FIVE, cards_pb2.BID_SIX]
    question = decision_pb2.CallQuestion(bids=bids)
    calls: list[int] = []
    plays: list[int] = []
    with started(language, "random") as (referee, _):
        referee.welcome()
        for start in range(1, 4001, 100):
            seeds = range(start, start + 100)
            asked = [
                decision_pb2.Decision(id=seed, random_seed=seed * 500_000, call=question)
                for seed in seeds
            ]
            calls += [action.call for action in ask_all(referee, asked).values()]
            asked = [play_decision(seed, random_seed=seed * 500_000) for seed in seeds]
            plays += [action.play for action in ask_all(referee, asked).values()]
    assert set(calls) == {cards_pb2.BID_PASS, cards_pb2.BID_FOUR}
    assert 2850 < calls.count(cards_pb2.BID_PASS) < 3150
    assert set(plays) == {cards_pb2.CARD_CLUBS_TWO, cards_pb2.CARD_JOKER}
    assert 1850 < plays.count(cards_pb2.CARD_JOKER) < 2150


# --- the conversation -----------------------------------------------------------------------------


def test_messages_that_came_before_an_answer_went_out_are_answered_too(language: Sample) -> None:
    with started(language) as (referee, _):
        referee.welcome()
        for id in range(1, 6):
            referee.ask(play_decision(id))
        answered = [referee.receive().actions.actions[0].decision_id for _ in range(5)]
        assert answered == [1, 2, 3, 4, 5]


def test_a_batch_of_quick_choices_is_answered_in_few_messages(language: Sample) -> None:
    with started(language) as (referee, _):
        referee.welcome()
        ask_all(referee, [play_decision(id) for id in range(1, 65)])
        referee.ask(*(play_decision(id) for id in range(1, 65)))
        counts: list[int] = []
        while sum(counts) < 64:
            counts.append(len(referee.receive().actions.actions))
        assert len(counts) < 32


def test_what_a_later_revision_adds_is_skipped(language: Sample) -> None:
    with started(language) as (referee, bot):
        referee.outgoing.put(LATER_FIELD)
        referee.welcome()
        referee.outgoing.put(LATER_FIELD)
        referee.send(service.PlayResponse(game_ended=service.GameEnded(scores=[21, -3, 7])))
        later = decision_pb2.Decision.FromString(play_decision(4).SerializeToString() + LATER_FIELD)
        message = service.PlayResponse(decisions=service.Decisions(decisions=[later]))
        referee.outgoing.put(message.SerializeToString() + LATER_FIELD)
        assert referee.receive().actions.actions[0].decision_id == 4
        referee.goodbye()
        assert bot.end() == DONE


def test_a_question_of_a_later_revision_ends_the_bot_with_one_line(language: Sample) -> None:
    with started(language) as (referee, bot):
        referee.welcome()
        data = decision_pb2.Decision(id=2).SerializeToString() + LATER_FIELD
        referee.ask(decision_pb2.Decision.FromString(data))
        code, out, error = bot.end()
    assert (code, out) == (1, "")
    assert error.startswith("decision 2 asks what revision 1 of the protocol does not know: ")
    assert error.count("\n") == 1


def test_a_referee_that_hangs_up_without_goodbye_ends_a_bot_quietly(language: Sample) -> None:
    with started(language) as (referee, bot):
        referee.welcome()
        referee.hang_up()
        assert bot.end() == DONE


def test_a_referee_that_is_gone_ends_a_bot_quietly(language: Sample) -> None:
    with started(language) as (referee, bot):
        referee.welcome()
        referee.ask(play_decision(1))
        referee.receive()
        referee.ask(*(play_decision(id) for id in range(2, 50)))
        referee.stop()
        assert bot.end() == DONE


def test_a_refused_bot_says_why(language: Sample) -> None:
    with started(language) as (referee, bot):
        referee.receive()
        referee.goodbye(service.GOODBYE_REASON_REFUSED, "the token is spent")
        assert bot.end() == (1, "", "goodbye from the referee: the token is spent\n")


def test_a_replaced_bot_says_why_and_ends_quietly(language: Sample) -> None:
    with started(language) as (referee, bot):
        referee.welcome()
        referee.goodbye(service.GOODBYE_REASON_REPLACED, "1,000 unknown ids")
        assert bot.end() == (0, "", "goodbye from the referee: 1,000 unknown ids\n")


# --- how it is started ----------------------------------------------------------------------------


@pytest.mark.parametrize("set_variables", [{}, {"SCHMIER_TOKEN": "x"}, {"SCHMIER_REFEREE": "x"}])
def test_without_its_variables_a_bot_says_what_to_do(
    language: Sample, set_variables: dict[str, str]
) -> None:
    with program(
        *resolved_command(language.command), directory=language.folder, **set_variables
    ) as bot:
        code, out, error = bot.end()
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    missing = "SCHMIER_TOKEN" if "SCHMIER_REFEREE" in set_variables else "SCHMIER_REFEREE"
    assert error.startswith(f"{missing} is not set: a bot is started by the referee.")
    assert "schmier-referee match" in error


@pytest.mark.parametrize("arguments", [("clever",), ("rules", "random"), ("",)])
def test_an_argument_it_does_not_know_is_one_line(
    language: Sample, arguments: tuple[str, ...]
) -> None:
    with started(language, *arguments) as (_, bot):
        code, out, error = bot.end()
    assert (code, out) == (2, "")
    assert "rules" in error
    assert "random" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("target", ["unix:/nonexistent/referee", "127.0.0.1:1"])
def test_where_no_referee_is_a_bot_says_so(language: Sample, target: str) -> None:
    variables = {"SCHMIER_REFEREE": target, "SCHMIER_TOKEN": "x"}
    with program(
        *resolved_command(language.command), directory=language.folder, **variables
    ) as bot:
        code, out, error = bot.end()
    assert (code, out) == (1, "")
    assert error.startswith(f"no referee at {target}: ")
    assert error.count("\n") == 1


def test_a_referee_at_a_socket_is_found(language: Sample, tmp_path: Path) -> None:
    target = f"unix:{tmp_path}/referee"
    with started(language, target=target) as (referee, bot):
        referee.welcome()
        assert ask_all(referee, [play_decision(7)]).keys() == {7}
        referee.goodbye()
        assert bot.end() == DONE


def test_a_proxy_in_the_environment_does_not_matter(
    language: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "grpc_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.setenv(name.upper(), "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    with started(language) as (referee, bot):
        referee.welcome()
        referee.goodbye()
        assert bot.end() == DONE


# --- the project ----------------------------------------------------------------------------------


def test_a_lock_file_names_the_public_registries_alone() -> None:
    locks = [
        lock
        for language in LANGUAGES.values()
        for name in ("package-lock.json", "Cargo.lock")
        for lock in language.folder.glob(name)
    ]
    source = re.compile(r'(?:"resolved": |source = )"(.*)"')
    sources = {name for lock in locks for name in source.findall(lock.read_text(encoding="utf-8"))}
    assert sources <= {"registry+https://github.com/rust-lang/crates.io-index"}
