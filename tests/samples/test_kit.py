"""Each misbehaving bot does what its first lines say; what the referee makes of it is not here."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.table import FaultKind
from referee.wire import MAX_MESSAGE_BYTES, Unparsable, read_request
from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from tests.sdk.scripted_referee import (
    DEADLINE,
    TOKEN,
    BotProcess,
    OpenTable,
    ScriptedReferee,
    StreamEndedError,
    finish,
    over_the_stream,
    started,
)

KIT = Path(__file__).parents[1] / "kit"
SCRIPTS = sorted(path.name for path in KIT.glob("*.py") if path.name != "raw.py")
WELL_BEHAVED = {
    "prints_for_ever.py": (),
    "prints_invalid_utf8.py": (),
    "spins.py": (),
    "unsteady.py": (),
    "answers_late.py": ("0.01", "7"),
    "crashes_sometimes.py": ("2147483647",),
    "garbage_bytes.py": ("2147483647",),
    "oversized_message.py": ("70000", "2147483647"),
    "strange_name.py": ("long",),
    "answers_after_goodbye.py": (),
}
"""Those that play legally, and whether they do so with arguments that never come true."""


@contextmanager
def kit_bot(script: str, *arguments: str) -> Iterator[tuple[ScriptedReferee, BotProcess]]:
    with started(str(KIT / script), *arguments) as (referee, bot):
        yield referee, bot


def play_decision(id: int, *, random_seed: int = 1, limit_ms: int = 1000) -> decision_pb2.Decision:
    cards = [cards_pb2.CARD_CLUBS_TWO, cards_pb2.CARD_JOKER]
    return decision_pb2.Decision(
        id=id,
        random_seed=random_seed,
        limit_ms=limit_ms,
        holding=cards,
        play=decision_pb2.PlayQuestion(cards=cards),
    )


def answered(referee: ScriptedReferee, *decisions: decision_pb2.Decision) -> list[int]:
    """Ask the decisions in one message; return the ids of the next message's actions."""
    referee.ask(*decisions)
    return [action.decision_id for action in referee.receive().actions.actions]


def test_every_script_is_tested_here_and_says_what_it_does() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    for script in SCRIPTS:
        assert f'"{script}"' in text
        assert (KIT / script).read_text(encoding="utf-8").startswith('"""')


@pytest.mark.parametrize("script", WELL_BEHAVED)
def test_but_for_its_one_habit_it_plays_legally(script: str) -> None:
    with kit_bot(script, *WELL_BEHAVED[script]) as (referee, bot):
        referee.welcome()
        assert finish([OpenTable(3)], over_the_stream(referee), batch=1) == []
        referee.goodbye()
        assert bot.end()[0] == 0


def test_never_starts_says_nothing() -> None:
    with kit_bot("never_starts.py") as (referee, bot):
        assert referee.hears_nothing()
        assert bot.lives
        assert not referee.streams


@pytest.mark.parametrize("code", [0, 3])
def test_exits_at_once(code: int) -> None:
    with kit_bot("exits_at_once.py", str(code)) as (referee, bot):
        assert bot.end() == (code, "", "exits_at_once: this is its last word\n")
        assert not referee.streams


@pytest.mark.parametrize("code", [0, 3])
def test_exits_after_hello(code: int) -> None:
    with kit_bot("exits_after_hello.py", str(code)) as (referee, bot):
        assert referee.welcome().token == TOKEN
        assert bot.end()[0] == code


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGKILL])
def test_dies_mid_game_by_the_signal_on_the_decision(number: signal.Signals) -> None:
    with kit_bot("dies_mid_game.py", str(int(number)), "3") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(1)) == [1]
        assert answered(referee, play_decision(2)) == [2]
        referee.ask(play_decision(3))
        assert bot.end()[0] == -number


def test_dies_in_batches_only() -> None:
    with kit_bot("dies_in_batches.py") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(1)) == [1]
        referee.ask(play_decision(2), play_decision(3))
        assert bot.end()[0] == 1


def test_crashes_sometimes_by_the_random_seed_alone() -> None:
    with kit_bot("crashes_sometimes.py", "100") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(1, random_seed=99)) == [1]
        referee.ask(play_decision(2, random_seed=300))
        code, _, error = bot.end()
        assert code == 1
        assert error.endswith("RuntimeError: this bot does not like the number 300\n")


def test_hangs_forever_but_ends_at_the_goodbye() -> None:
    with kit_bot("hangs_forever.py") as (referee, bot):
        referee.welcome()
        referee.ask(play_decision(1))
        assert referee.hears_nothing()
        referee.goodbye()
        assert bot.end()[0] == 0


@pytest.mark.parametrize("kind", ["call", "trump", "discard", "play"])
def test_sleeps_on_one_kind_of_decision(kind: str) -> None:
    questions = {
        "call": decision_pb2.Decision(call=decision_pb2.CallQuestion(bids=[cards_pb2.BID_PASS])),
        "trump": decision_pb2.Decision(
            trump=decision_pb2.TrumpQuestion(suits=[cards_pb2.SUIT_CLUBS])
        ),
        "discard": decision_pb2.Decision(discard=decision_pb2.DiscardQuestion()),
        "play": play_decision(1),
    }
    with kit_bot("sleeps.py", kind) as (referee, bot):
        referee.welcome()
        for other in questions.keys() - {kind}:
            assert len(answered(referee, questions[other])) == 1
        referee.ask(questions[kind])
        assert referee.hears_nothing()
        assert bot.lives


def test_answers_late_takes_the_factor_of_the_limit() -> None:
    with kit_bot("answers_late.py", "1.5", "10") as (referee, _):
        referee.welcome()
        before = time.monotonic()
        assert answered(referee, play_decision(1, random_seed=20, limit_ms=100)) == [1]
        assert time.monotonic() - before >= 0.15
        assert answered(referee, play_decision(2, random_seed=21, limit_ms=10**9)) == [2]


def kinds_of_faults(script: str, *arguments: str) -> set[FaultKind]:
    """The kinds of faults of one game; it must have some."""
    with kit_bot(script, *arguments) as (referee, _):
        referee.welcome()
        table = OpenTable(4, faults_per_game=1000)
        return {fault.kind for fault in finish([table], over_the_stream(referee), batch=1)}


@pytest.mark.parametrize("kind", ["call", "discard", "repeat", "play"])
def test_illegal_is_the_right_kind_of_action_and_not_legal(kind: str) -> None:
    assert kinds_of_faults("illegal.py", kind) == {FaultKind.ILLEGAL}


@pytest.mark.parametrize("kind", ["call", "trump", "discard", "play"])
def test_wrong_question_is_another_kind_of_action(kind: str) -> None:
    assert kinds_of_faults("wrong_question.py", kind) == {FaultKind.MALFORMED}


@pytest.mark.parametrize("what", ["empty", "zero", "unknown"])
def test_no_choice_is_malformed(what: str) -> None:
    assert kinds_of_faults("no_choice.py", "play", what) == {FaultKind.MALFORMED}


def test_garbage_bytes_do_not_parse() -> None:
    with kit_bot("garbage_bytes.py", "10") as (referee, _):
        referee.welcome()
        referee.ask(play_decision(1, random_seed=20))
        with pytest.raises(Unparsable):
            read_request(referee.receive_bytes())


def test_oversized_message_parses_but_is_too_large() -> None:
    with kit_bot("oversized_message.py", "70000", "10") as (referee, _):
        referee.welcome()
        referee.ask(play_decision(1, random_seed=20))
        data = referee.receive_bytes()
        assert len(data) > MAX_MESSAGE_BYTES
        assert service.PlayRequest.FromString(data).actions.actions[0].decision_id == 1


def test_floods_with_ids_that_were_never_asked() -> None:
    with kit_bot("floods.py") as (referee, bot):
        assert referee.receive().hello.token == TOKEN
        for _ in range(2000):
            assert referee.receive().actions.actions[0].decision_id == 2**31 - 1
        assert bot.lives


def test_too_many_ids_come_with_each_answer() -> None:
    with kit_bot("too_many_ids.py", "100") as (referee, _):
        referee.welcome()
        ids = answered(referee, play_decision(1))
        assert ids[:2] == [1, 1]
        assert len(ids) == 102
        assert min(ids[2:]) >= 1_000_000_000


def test_prints_for_ever_on_both_outputs() -> None:
    with kit_bot("prints_for_ever.py") as (referee, bot):
        referee.welcome()
        assert bot.popen.stdout is not None
        assert bot.popen.stderr is not None
        for pipe in (bot.popen.stdout, bot.popen.stderr):
            assert pipe.read(2**20).count(b"Schmier!") > 2**16
        assert answered(referee, play_decision(1)) == [1]


def test_prints_invalid_utf8_on_both_outputs() -> None:
    with kit_bot("prints_invalid_utf8.py") as (referee, bot):
        referee.welcome()
        referee.goodbye()
        for output in bot.popen.communicate(timeout=DEADLINE):
            assert output.startswith(b"\xff\xfe")
            assert b"\x1b[31m" in output


def test_forks_daemon_that_outlives_it(tmp_path: Path) -> None:
    path = tmp_path / "daemon"
    with kit_bot("forks_daemon.py", str(path)) as (referee, bot):
        referee.welcome()
        daemon = int(path.read_text(encoding="ascii"))
        try:
            assert answered(referee, play_decision(1)) == [1]
            referee.goodbye()
            assert bot.popen.wait(DEADLINE) == 0
            assert os.getsid(daemon) != os.getsid(0)
        finally:
            os.kill(daemon, signal.SIGKILL)


def test_refuses_to_end() -> None:
    with kit_bot("refuses_to_end.py") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(1)) == [1]
        referee.goodbye()
        with pytest.raises(StreamEndedError):
            referee.receive()
        bot.popen.send_signal(signal.SIGTERM)
        assert referee.hears_nothing()
        assert bot.lives


def test_half_closes_and_lives_on() -> None:
    with kit_bot("half_closes.py", "2") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(1)) == [1]
        referee.ask(play_decision(2))
        with pytest.raises(StreamEndedError):
            referee.receive()
        referee.goodbye()
        assert referee.hears_nothing()
        assert bot.lives


def test_never_reads() -> None:
    with kit_bot("never_reads.py") as (referee, bot):
        referee.welcome()
        referee.ask(play_decision(1))
        assert referee.hears_nothing()
        assert bot.lives


@pytest.mark.parametrize("what", ["wrong", "empty"])
def test_wrong_token(what: str) -> None:
    with kit_bot("wrong_token.py", what) as (referee, bot):
        token = referee.receive().hello.token
        assert token != TOKEN
        assert (token == "") == (what == "empty")
        referee.goodbye(service.GOODBYE_REASON_REFUSED)
        assert bot.end() == (0, "the referee said: goodbye\n", "")


def test_a_spent_token_is_tried_on_a_second_stream() -> None:
    with kit_bot("wrong_token.py", "spent") as (referee, bot):
        assert referee.welcome().token == TOKEN
        assert referee.receive().hello.token == TOKEN
        first, _ = referee.streams
        referee.goodbye(service.GOODBYE_REASON_REFUSED)
        with pytest.raises(StreamEndedError):
            referee.receive()
        referee.outgoing = first
        assert answered(referee, play_decision(1)) == [1]
        referee.goodbye()
        assert bot.end() == (0, "the second stream heard: goodbye\n", "")


def test_strange_name_long_and_with_control_characters() -> None:
    for what, sign in (("long", "long " * 100), ("control", "\x1b[31m")):
        with kit_bot("strange_name.py", what) as (referee, _):
            assert sign in referee.welcome().name


def test_strange_name_that_is_no_utf8_does_not_parse() -> None:
    with kit_bot("strange_name.py", "invalid") as (referee, _), pytest.raises(Unparsable):
        read_request(referee.receive_bytes())


def test_unsteady_answers_the_same_decision_differently() -> None:
    with kit_bot("unsteady.py") as (referee, _):
        referee.welcome()
        plays = set()
        for id in range(1, 4):
            referee.ask(play_decision(id))
            plays.add(referee.receive().actions.actions[0].play)
        assert plays == {1, 53}


def test_spins_while_it_is_not_asked() -> None:
    with kit_bot("spins.py") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(1)) == [1]
        referee.goodbye()
        _, _, usage = os.wait4(bot.popen.pid, 0)
        bot.popen.returncode = 0
        assert usage.ru_utime > 0


def test_answers_after_goodbye_once() -> None:
    with kit_bot("answers_after_goodbye.py") as (referee, bot):
        referee.welcome()
        assert answered(referee, play_decision(7)) == [7]
        referee.send(service.PlayResponse(goodbye=service.Goodbye()))
        assert [action.decision_id for action in referee.receive().actions.actions] == [1]
        assert bot.end()[0] == 0


def test_calls_another_method_which_is_not_there() -> None:
    with kit_bot("calls_another_method.py") as (referee, bot):
        assert bot.end() == (1, "", "the call failed: UNIMPLEMENTED\n")
        assert not referee.streams


@pytest.mark.parametrize("what", ["http", "tls", "text"])
def test_speaks_another_protocol_and_is_hung_up_on(what: str) -> None:
    with kit_bot("speaks_another_protocol.py", what) as (referee, bot):
        assert bot.end() == (0, "", "")
        assert not referee.streams
