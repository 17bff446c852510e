"""One bot that misbehaves among five good ones, in real processes: each kind of fault by name.

Every record is recomputed as it is filed, so that each fault stands at its place and the action
after it is the substitute (see `Played.file`).
"""

from __future__ import annotations

import pytest

from referee.report import Evidence
from referee.table import FaultKind
from tests.runner.real_bots import GOOD, RANDOM, Command, Played, Sit, kit

TIMEOUT, ILLEGAL, MALFORMED = FaultKind.TIMEOUT, FaultKind.ILLEGAL, FaultKind.MALFORMED
CRASH, HANDSHAKE = FaultKind.CRASH, FaultKind.HANDSHAKE

LATE = "no answer within decision_ms"
GIVEN_UP = "the bot was given up for this sitting"


def charged_to_odd(played: Played) -> list[FaultKind]:
    """The faults, after making sure that all are those of the odd bot."""
    assert {name for name, _ in played.faults} <= {"Odd"}
    assert {evidence.bot for evidence in played.evidence} <= {"odd"}
    assert {evidence.partnership for evidence in played.evidence} <= {"Odd"}
    return [kind for _, kind in played.faults]


def the_evidence(played: Played, kind: FaultKind) -> Evidence:
    """What was seen first, after making sure that all faults are of one kind and of one bot."""
    kinds = charged_to_odd(played)
    assert kinds and set(kinds) == {kind}
    return played.evidence[0]


# --- no fault -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odd", "partner"),
    [
        (kit("refuses_to_end"), kit("prints_for_ever")),
        (kit("prints_invalid_utf8"), kit("wrong_token", "spent")),
        (kit("strange_name", "long"), kit("strange_name", "control")),
        (kit("forks_daemon"), kit("unsteady")),
    ],
)
def test_odd_conduct_that_harms_nobody_is_no_fault_and_one_process_serves(
    sit: Sit, odd: Command, partner: Command
) -> None:
    played = sit(odd, partner=partner, limits={"stop_ms": 100})
    assert played.faults == []
    assert [member.started for member in played.members] == [1] * 6


def test_a_reproducible_field_plays_the_same_games_at_any_number_of_tables_and_batch_size(
    sit: Sit,
) -> None:
    first, *others = (
        sit(
            RANDOM,
            partner=RANDOM,
            good_bot=RANDOM,
            games=8,
            tables=tables,
            max_batch=max_batch,
            limits={"decision_ms": 10_000},
        )
        for tables, max_batch in ((1, 64), (7, 64), (64, 64), (64, 1))
    )
    assert first.faults == [] and len(first.games) == 8
    assert all(other.games == first.games for other in others)


def test_many_answers_to_ids_that_are_not_open_replace_the_process_without_a_charge(
    sit: Sit,
) -> None:
    played = sit(kit("too_many_ids", "50"))
    assert charged_to_odd(played) == []
    odd = played.member("odd")
    assert odd.started > 1 and odd.talk.ignored >= 1000


def test_a_bot_at_three_fifths_of_its_limit_is_never_late(sit: Sit) -> None:
    played = sit(kit("answers_late", "0.6", "15"), limits={"decision_ms": 1000})
    assert charged_to_odd(played) == []


# --- timeout --------------------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [kit("hangs_forever"), kit("never_reads")])
def test_a_bot_that_never_answers_is_late_with_each_decision(sit: Sit, odd: Command) -> None:
    limits = {"decision_ms": 600, "faults_per_game": 2}
    seen = the_evidence(played := sit(odd, limits=limits), TIMEOUT)
    assert len(played.faults) == 2
    assert (seen.detail, seen.came_back, seen.ended) == (LATE, "", "")
    assert seen.asked_alone and seen.limit_ms == 600
    assert seen.waited_ms is not None and seen.waited_ms >= 600


def test_an_answer_after_the_limit_is_late_however_long_the_start_was_allowed_to_take(
    sit: Sit,
) -> None:
    limits = {"decision_ms": 400, "start_ms": 60_000}
    played = sit(kit("answers_late", "3.5", "1"), limits=limits)
    the_evidence(played, TIMEOUT)
    assert len(played.faults) == 3
    assert played.member("odd").talk.asked == 0, "no answer was taken as in time"


@pytest.mark.parametrize("max_batch", [1, 7, 64])
def test_one_hang_is_one_fault_at_any_batch_size(sit: Sit, max_batch: int) -> None:
    """The bot hangs on one decision of each of its processes."""
    limits = {"decision_ms": 500, "faults_per_game": 1}
    played = sit(kit("sleeps", "play"), games=3, max_batch=max_batch, limits=limits)
    the_evidence(played, TIMEOUT)
    assert len(played.faults) <= min(3, played.member("odd").started)
    assert all(evidence.asked_alone for evidence in played.evidence)


# --- illegal --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["call", "discard", "repeat", "play"])
def test_an_illegal_answer_is_seen_with_what_came_back(sit: Sit, kind: str) -> None:
    played = sit(kit("illegal", kind), games=2)
    seen = the_evidence(played, ILLEGAL)
    assert (seen.detail, seen.ended) == ("not among the legal choices", "")
    assert seen.came_back and seen.limit_ms == 2000
    assert seen.waited_ms is not None and seen.waited_ms < 2000
    assert played.member("odd").started == 1


# --- malformed ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odd", "detail", "came_back"),
    [
        (kit("no_choice", "play", "empty"), "no choice", False),
        (kit("no_choice", "play", "zero"), "0", False),
        (kit("no_choice", "call", "unknown"), "99", False),
        (kit("wrong_question", "play"), "another kind of choice", True),
        (kit("wrong_question", "trump"), "another kind of choice", True),
    ],
)
def test_an_answer_that_is_none_is_malformed_and_the_process_goes_on(
    sit: Sit, odd: Command, detail: str, came_back: bool
) -> None:
    played = sit(odd)
    seen = the_evidence(played, MALFORMED)
    assert detail in seen.detail and bool(seen.came_back) is came_back
    assert seen.asked_alone and seen.ended == ""
    assert played.member("odd").started == 1


@pytest.mark.parametrize(
    ("odd", "detail"),
    [
        (kit("garbage_bytes", "1"), "no PlayRequest"),
        (kit("oversized_message", "70000", "1"), "65536"),
        (kit("oversized_message", "600000", "1"), "65536"),
    ],
)
def test_a_message_that_is_none_is_malformed_and_the_process_is_replaced(
    sit: Sit, odd: Command, detail: str
) -> None:
    played = sit(odd)
    seen = the_evidence(played, MALFORMED)
    assert detail in seen.detail
    assert len(played.faults) == 3
    assert 3 <= played.member("odd").started <= 4


# --- crash ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odd", "ended", "tail"),
    [
        (kit("dies_mid_game", "6", "1"), "signal 6", ""),
        (kit("dies_mid_game", "9", "1"), "signal 9", ""),
        (kit("exits_after_hello", "0"), "exit code 0", ""),
        (kit("exits_after_hello", "3"), "exit code 3", ""),
        (kit("crashes_sometimes", "1"), "exit code 1", "RuntimeError: this bot does not like"),
        (kit("half_closes", "1"), "killed by the referee", ""),
    ],
)
def test_a_crash_is_seen_with_how_the_process_ended(
    sit: Sit, odd: Command, ended: str, tail: str
) -> None:
    played = sit(odd, limits={"stop_ms": 300})
    seen = the_evidence(played, CRASH)
    assert seen.ended == ended
    assert tail in seen.output_tail
    assert seen.asked_alone and seen.limit_ms == 2000
    assert len(played.faults) == 3


def test_a_crash_in_a_batch_charges_nothing_by_itself(sit: Sit) -> None:
    played = sit(kit("dies_in_batches"), games=8)
    assert charged_to_odd(played) == []
    odd = played.member("odd")
    assert odd.talk.uncharged == 3 and odd.started == 4


def test_a_decision_that_crashes_its_bot_is_charged_once_at_any_batch_size(sit: Sit) -> None:
    """Which decisions these are is a matter of the random seed alone."""
    alone, batched = (
        sit(kit("crashes_sometimes", "90"), games=2, max_batch=max_batch) for max_batch in (1, 64)
    )
    assert charged_to_odd(alone) == charged_to_odd(batched) != []
    assert alone.games == batched.games


# --- handshake ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("odd", "ended", "tail"),
    [
        (kit("exits_at_once", "0"), "exit code 0", "this is its last word"),
        (kit("exits_at_once", "3"), "exit code 3", "this is its last word"),
        (kit("never_starts"), "killed by the referee", ""),
        (kit("wrong_token", "wrong"), "exit code 0", "goodbye"),
        (kit("strange_name", "invalid"), "exit code 0", ""),
        (("/nowhere/no-such-program",), "cannot start program", ""),
    ],
)
def test_a_failed_start_is_a_fault_and_two_in_a_row_give_the_bot_up(
    sit: Sit, odd: Command, ended: str, tail: str
) -> None:
    # The good bots have to start in this time too.
    limits = {"start_ms": 4000, "stop_ms": 200}
    played = sit(odd, limits=limits)
    seen = the_evidence(played, HANDSHAKE)
    assert ended in seen.ended and tail in seen.output_tail
    assert seen.limit_ms == 4000 and seen.came_back == ""
    assert [evidence.detail for evidence in played.evidence[2:]] == [GIVEN_UP]
    assert played.member("odd").started == 2


# --- given up -------------------------------------------------------------------------------------


def test_a_bot_that_floods_is_given_up_and_nobody_else_pays(sit: Sit) -> None:
    played = sit(kit("floods"))
    kinds = charged_to_odd(played)
    assert len(kinds) == 3 and set(kinds) <= {CRASH, TIMEOUT}


def test_both_bots_of_a_partnership_crash_and_each_fault_names_its_own(sit: Sit) -> None:
    played = sit(kit("dies_mid_game", "6", "1"), partner=kit("exits_after_hello", "3"), games=2)
    assert {name for name, _ in played.faults} == {"Odd"}
    seats = {
        (evidence.bot, evidence.ended, played.facts.plan().bot_names(fixture)[fault.seat])
        for fixture, fault, evidence in played.seen
    }
    assert seats <= {("odd", "signal 6", "odd"), ("partner", "exit code 3", "partner")}
    assert len(seats) == 2


# --- processes ------------------------------------------------------------------------------------


def test_with_fewer_processes_than_bots_each_is_started_once_a_game_at_most(sit: Sit) -> None:
    """Games wait for others to end, or every move would start a process."""
    played = sit(GOOD, good=3, event={"processes": 6})
    assert len(played.games) == 4 and played.faults == []
    assert len(played.members) == 8
    assert 8 <= sum(member.started for member in played.members) <= 6 * 4
