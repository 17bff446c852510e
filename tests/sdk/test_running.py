"""A bot's process from start to end: hello, batches, exit codes, last words."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2, rules_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from tests.sdk.scripted_referee import (
    DEADLINE,
    TOKEN,
    OpenTable,
    StreamEndedError,
    bot_process,
    finish,
    over_the_stream,
    started,
)

BOT = str(Path(__file__).parent / "bot_to_run.py")
DONE = (0, "after run\n", "")
LATER_FIELD = b"\xa2\x06\x03new"
"""A field with number 100, of a revision to come."""


def play_decision(id: int, *, random_seed: int = 1) -> decision_pb2.Decision:
    question = decision_pb2.PlayQuestion(cards=[cards_pb2.CARD_CLUBS_TWO, cards_pb2.CARD_JOKER])
    return decision_pb2.Decision(id=id, random_seed=random_seed, play=question)


def test_the_hello_says_who_the_bot_is() -> None:
    with started(BOT) as (referee, bot):
        assert referee.welcome() == service.Hello(
            token=TOKEN,
            name="under test",
            version="1.2",
            revision=service.REVISION_ONE,
            max_batch=64,
            wants_game_ended=False,
        )
        referee.goodbye()
        assert bot.end() == DONE


def test_a_bot_without_a_name_is_called_like_its_class() -> None:
    with started(BOT, "batch", "256") as (referee, _):
        hello = referee.welcome()
        assert (hello.name, hello.max_batch) == ("UnderTest", 256)


@pytest.mark.parametrize("batch", [1, 7, 40])
def test_games_are_played_to_the_end_in_batches_of(batch: int) -> None:
    with started(BOT) as (referee, bot):
        referee.welcome()
        tables = [OpenTable(seed) for seed in range(batch)]
        assert finish(tables, over_the_stream(referee), batch=batch) == []
        referee.goodbye()
        assert bot.end() == DONE


def test_a_batch_of_quick_choices_is_answered_in_its_order() -> None:
    with started(BOT) as (referee, _):
        referee.welcome()
        ids = random.Random(5).sample(range(1, 1000), 30)
        referee.ask(*(play_decision(id) for id in ids))
        answered: list[int] = []
        while len(answered) < len(ids):
            answered += [action.decision_id for action in referee.receive().actions.actions]
        assert answered == ids


def test_messages_that_came_before_an_answer_went_out_are_answered_too() -> None:
    with started(BOT) as (referee, _):
        referee.welcome()
        for id in range(1, 6):
            referee.ask(play_decision(id))
        answered = [referee.receive().actions.actions[0].decision_id for _ in range(5)]
        assert answered == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("set_variables", [{}, {"SCHMIER_TOKEN": "x"}, {"SCHMIER_REFEREE": "x"}])
def test_without_its_variables_a_bot_says_what_to_do(set_variables: dict[str, str]) -> None:
    with bot_process(BOT, **set_variables) as bot:
        code, out, error = bot.end()
    assert (code, out) == (2, "")
    assert error.count("\n") == 1
    missing = "SCHMIER_TOKEN" if "SCHMIER_REFEREE" in set_variables else "SCHMIER_REFEREE"
    assert error.startswith(f"{missing} is not set: a bot is started by the referee.")
    assert "schmier-referee match" in error


@pytest.mark.parametrize("max_batch", ["0", "257", "-1"])
def test_a_max_batch_out_of_range_is_refused_at_once(max_batch: str) -> None:
    with bot_process(BOT, "batch", max_batch) as bot:
        code, _, error = bot.end()
    assert code == 1
    assert f"ValueError: max_batch must be 1 to 256, is {max_batch}" in error


def test_an_exception_ends_the_process_with_its_traceback() -> None:
    with started(BOT, "raises") as (referee, bot):
        referee.welcome()
        referee.ask(play_decision(1), play_decision(2, random_seed=13), play_decision(3))
        with pytest.raises(StreamEndedError):
            referee.receive()
        code, out, error = bot.end()
        assert (code, out) == (1, "")
        assert error.startswith("Traceback")
        assert error.endswith("LookupError: thirteen is no number to play by\n")
        files = [line.split('"')[1] for line in error.splitlines() if '  File "' in line]
        assert files == [BOT, BOT], "nothing between the bot's main program and its choice"


def test_a_referee_that_hangs_up_without_goodbye_ends_a_bot_quietly() -> None:
    with started(BOT) as (referee, bot):
        referee.welcome()
        referee.hang_up()
        assert bot.end() == DONE


def test_a_referee_that_is_gone_ends_a_bot_quietly() -> None:
    with started(BOT) as (referee, bot):
        referee.welcome()
        referee.ask(play_decision(1))
        referee.receive()
        referee.ask(*(play_decision(id) for id in range(2, 50)))
        referee.stop()
        assert bot.end() == DONE


def test_where_no_referee_is_a_bot_says_so() -> None:
    variables = {"SCHMIER_REFEREE": "unix:/nonexistent/referee", "SCHMIER_TOKEN": "x"}
    with bot_process(BOT, **variables) as bot:
        code, out, error = bot.end()
    assert (code, out) == (1, "")
    assert error.startswith("no referee at unix:/nonexistent/referee: ")
    assert error.count("\n") == 1


def test_a_refused_bot_says_why() -> None:
    with started(BOT) as (referee, bot):
        referee.receive()
        referee.goodbye(service.GOODBYE_REASON_REFUSED, "the token is spent")
        assert bot.end() == (1, "", "goodbye from the referee: the token is spent\n")


def test_a_replaced_bot_says_why_and_ends_quietly() -> None:
    with started(BOT) as (referee, bot):
        referee.welcome()
        referee.goodbye(service.GOODBYE_REASON_REPLACED, "1,000 unknown ids")
        assert bot.end() == (
            0,
            "after run\n",
            "goodbye from the referee: 1,000 unknown ids\n",
        )


def test_notices_come_to_a_bot_that_asks_for_them() -> None:
    with started(BOT, "notices") as (referee, bot):
        assert referee.welcome().wants_game_ended
        referee.send(service.PlayResponse(game_ended=service.GameEnded(scores=[21, -3, 7])))
        referee.goodbye()
        assert bot.end() == (0, "welcome the bot\ngame ended [21, -3, 7]\nafter run\n", "")


def test_the_rules_of_the_welcome_are_in_every_decision() -> None:
    with started(BOT, "rules") as (referee, bot):
        referee.welcome(service.Welcome(rules=rules_pb2.Rules(target_score=15)))
        referee.ask(play_decision(1))
        referee.receive()
        referee.goodbye()
        assert bot.end() == (0, "target score 15\nafter run\n", "")


def test_what_a_later_revision_adds_is_skipped() -> None:
    with started(BOT) as (referee, bot):
        referee.welcome()
        referee.outgoing.put(LATER_FIELD)
        later = decision_pb2.Decision.FromString(play_decision(4).SerializeToString() + LATER_FIELD)
        message = service.PlayResponse(decisions=service.Decisions(decisions=[later]))
        referee.outgoing.put(message.SerializeToString() + LATER_FIELD)
        assert referee.receive().actions.actions[0].decision_id == 4
        referee.goodbye()
        assert bot.end() == DONE


def test_a_question_of_a_later_revision_ends_the_bot_with_one_line() -> None:
    with started(BOT) as (referee, bot):
        referee.welcome()
        later = decision_pb2.Decision.FromString(
            decision_pb2.Decision(id=2).SerializeToString() + LATER_FIELD
        )
        referee.ask(later)
        code, out, error = bot.end()
        assert (code, out) == (1, "")
        assert error == (
            "decision 2 asks what revision 1 of the protocol does not know: "
            "install a newer schmier-referee\n"
        )


def loaded_by(statement: str) -> set[str]:
    script = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=DEADLINE
    )
    return set(done.stdout.split())


def test_importing_the_sdk_loads_neither_grpc_nor_the_engine() -> None:
    loaded = loaded_by("import referee.sdk")
    assert not {"grpc", "google", "numpy", "referee.engine", "referee.table"} & loaded


def test_a_running_bot_loads_grpc_and_protobuf_and_nothing_that_only_the_referee_needs() -> None:
    loaded = loaded_by("import referee.sdk.stream, referee.sdk.running")
    ours = {name.split(".")[1] for name in loaded if name.startswith("referee.")}
    assert ours == {"sdk", "wire", "errors"}
    assert {name for name in loaded if name.startswith("referee.wire.") if "pb" not in name} <= {
        "referee.wire.installed"
    }
    assert "random" not in loaded or "random" in loaded_by("import grpc")
    assert not {"numpy", "scipy", "typer", "rich", "tabulate", "sqlite3"} & loaded
