"""One bot's batches, clock and charges: the verdicts of a sitting without a process or a clock."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine import CALLS, PLAYS, Bid, CallQuestion, Decision, PublicHand
from referee.runner.conversation import (
    FAILED_STARTS,
    GIVEN_UP_AFTER,
    MUTE_AFTER,
    SINGLE_AFTER,
    Conversation,
    State,
    Want,
)
from referee.runner.rulings import OpenQuestion, Ruling, Trouble
from referee.table import FaultKind
from referee.tourney import Limits
from referee.wire import MAX_IGNORED_ACTIONS, Answer

LIMITS = Limits(decision_ms=1000, start_ms=10_000)
PASS = CALLS[Bid.PASS]


def question(number: int) -> OpenQuestion[str]:
    public = PublicHand(
        number=0, redeal=0, dealer=0, scores=(0, 0, 0), out=frozenset(), max_hands=60
    )
    decision = Decision(
        public=public,
        seat=1,
        holding=(1, 2, 3, 4, 5, 6),
        discards=(),
        random_seed=1,
        question=CallQuestion((Bid.PASS, Bid.THREE)),
    )
    return OpenQuestion(f"table {number}", decision, (number,))


def ready(questions: int = 0, *, max_batch: int = 64, warm: bool = True) -> Conversation[str]:
    """A free bot with questions waiting; a warm one has shown that it answers in a millisecond."""
    talk: Conversation[str] = Conversation(LIMITS)
    talk.put(question(10_000))
    talk.start(0.0)
    talk.hello(max_batch)
    if warm:
        talk.ask()
        talk.start_clock(0.0)
        talk.hear([Answer(1, PASS)], 0.001)
    for number in range(questions):
        talk.put(question(number))
    return talk


def asked(talk: Conversation[str], now: float = 10.0) -> list[OpenQuestion[str]]:
    batch = talk.ask()
    talk.start_clock(now)
    return batch


def state_of(talk: Conversation[str]) -> State:
    return talk.state


def want_of(talk: Conversation[str]) -> Want:
    return talk.want


def charged(ruling: Ruling[str]) -> list[tuple[str, FaultKind]]:
    return [(charge.question.table, charge.kind) for charge in ruling.charges]


def good(batch: Sequence[OpenQuestion[str]]) -> list[Answer]:
    return [Answer(each.id, PASS) for each in batch]


def test_the_first_question_is_asked_alone_until_the_pace_is_known() -> None:
    talk = ready(5, warm=False)
    assert len(asked(talk)) == 1


def test_a_batch_is_no_larger_than_what_the_bot_answers_in_a_quarter_of_its_limit() -> None:
    talk = ready(50)
    talk.ask()  # one millisecond each: the whole batch of 50
    assert len(talk.open_questions) == 50
    slow = ready(1, warm=False)
    asked(slow, 0.0)
    slow.hear(good(slow.open_questions), 0.1)
    for number in range(50):
        slow.put(question(number))
    assert len(asked(slow)) == 2


def test_a_bot_that_names_no_batch_size_is_asked_one_at_a_time() -> None:
    talk = ready(5, max_batch=1)
    assert len(asked(talk)) == 1


def test_answers_are_taken_in_any_order_and_grouping_and_free_the_bot() -> None:
    talk = ready(3)
    first, second, third = asked(talk)
    ruling = talk.hear(good([third, first]), 10.1)
    assert [taken.table for taken, _ in ruling.taken] == [third.table, first.table]
    assert state_of(talk) is State.ASKED
    talk.hear(good([second]), 10.2)
    assert state_of(talk) is State.FREE


def test_each_answer_that_closes_a_decision_restarts_the_clock_of_the_batch() -> None:
    talk = ready(2)
    first, _second = asked(talk, 10.0)
    talk.hear(good([first]), 10.9)
    assert talk.deadline == pytest.approx(11.9)
    assert not talk.overrun(11.5, stood_still_s=0.0).charges


def test_a_decision_asked_alone_and_not_answered_is_a_timeout() -> None:
    talk = ready(1)
    (alone,) = asked(talk, 10.0)
    ruling = talk.overrun(11.0, stood_still_s=0.0)
    assert charged(ruling) == [(alone.table, FaultKind.TIMEOUT)]
    assert ruling.charges[0].waited_s == pytest.approx(1.0)
    assert ruling.replace is None
    assert state_of(talk) is State.BUSY


def test_nothing_happens_before_the_deadline() -> None:
    talk = ready(1)
    asked(talk, 10.0)
    assert talk.overrun(10.99, stood_still_s=0.0) == Ruling()
    assert state_of(talk) is State.ASKED


def test_a_late_answer_is_ignored_and_frees_the_busy_bot() -> None:
    talk = ready(1)
    batch = asked(talk, 10.0)
    talk.overrun(11.0, stood_still_s=0.0)
    ruling = talk.hear(good(batch), 11.5)
    assert ruling.taken == [] and talk.ignored == 1
    assert state_of(talk) is State.FREE


def test_a_bot_that_stays_silent_after_a_timeout_is_replaced_without_a_second_charge() -> None:
    talk = ready(2, max_batch=1)
    asked(talk, 10.0)
    talk.overrun(11.0, stood_still_s=0.0)
    ruling = talk.overrun(12.0, stood_still_s=0.0)
    assert ruling.replace is Trouble.SILENT and ruling.charges == []
    assert talk.uncharged == 0
    assert want_of(talk) is Want.START


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_one_hang_is_one_fault_at_any_batch_size(size: int) -> None:
    """The bot hangs for ever on one table; every other table gets its answer."""
    talk = ready(size)
    hangs_on = question(0).table
    now, charges, answered = 10.0, [], []
    while talk.want is not Want.NOTHING or talk.on_the_clock:
        if talk.want is Want.START:
            talk.start(now)
            talk.hello(64)
        elif talk.want is Want.ASK:
            batch = asked(talk, now)
            stuck = (
                [each.table for each in batch].index(hangs_on)
                if any(each.table == hangs_on for each in batch)
                else len(batch)
            )
            answered += [taken.table for taken, _ in talk.hear(good(batch[:stuck]), now).taken]
        else:
            now = talk.deadline
            charges += charged(talk.overrun(now, stood_still_s=0.0))
    assert charges == [(hangs_on, FaultKind.TIMEOUT)]
    assert sorted(answered) == sorted(question(number).table for number in range(1, size))


def test_answers_in_busy_time_are_taken_and_put_the_batch_back_on_the_clock() -> None:
    talk = ready(3)
    first, second, third = asked(talk, 10.0)
    assert talk.overrun(11.0, stood_still_s=0.0).charges == []
    assert state_of(talk) is State.BUSY
    ruling = talk.hear(good([first]), 11.5)
    assert [taken.table for taken, _ in ruling.taken] == [first.table]
    assert state_of(talk) is State.ASKED and talk.deadline == pytest.approx(12.5)
    talk.hear(good([second, third]), 12.0)
    assert state_of(talk) is State.FREE


def test_what_a_silent_batch_leaves_is_asked_alone_by_the_next_process() -> None:
    talk = ready(3)
    asked(talk, 10.0)
    talk.overrun(11.0, stood_still_s=0.0)
    ruling = talk.overrun(12.0, stood_still_s=0.0)
    assert ruling.replace is Trouble.SILENT and ruling.charges == []
    assert talk.uncharged == 1
    talk.start(12.0)
    talk.hello(64)
    assert [each.id for each in asked(talk, 13.0)] == [1]


@pytest.mark.parametrize("size", [2, 64])
def test_a_crash_inside_a_batch_charges_nothing_by_itself(size: int) -> None:
    talk = ready(size)
    asked(talk)
    ruling = talk.broken(Trouble.ENDED, 10.1, detail="exit code 3")
    assert ruling.charges == [] and ruling.replace is Trouble.ENDED
    assert talk.uncharged == 1 and want_of(talk) is Want.START


def test_the_last_open_decision_of_a_batch_was_not_asked_alone() -> None:
    talk = ready(2)
    first, _second = asked(talk)
    talk.hear(good([first]), 10.1)
    assert talk.broken(Trouble.ENDED, 10.2).charges == []


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        (Trouble.ENDED, FaultKind.CRASH),
        (Trouble.UNREADABLE, FaultKind.MALFORMED),
        (Trouble.TOO_LARGE, FaultKind.MALFORMED),
    ],
)
def test_an_end_with_one_decision_asked_alone_is_charged(trouble: Trouble, kind: FaultKind) -> None:
    talk = ready(1)
    (alone,) = asked(talk)
    ruling = talk.broken(trouble, 10.2, detail="seen")
    assert charged(ruling) == [(alone.table, kind)]
    assert ruling.charges[0].detail == "seen"
    assert ruling.replace is trouble and talk.uncharged == 0


def test_an_end_with_nothing_open_is_counted_and_not_charged() -> None:
    talk = ready()
    ruling = talk.broken(Trouble.ENDED, 10.0)
    assert ruling.charges == [] and talk.uncharged == 1
    assert want_of(talk) is Want.NOTHING


@pytest.mark.parametrize(
    "answer",
    [lambda id: Answer(id, None, "no choice"), lambda id: Answer(id, PLAYS[7])],
    ids=["no choice", "another kind"],
)
def test_a_malformed_answer_is_charged_alone_and_asked_alone_in_a_batch(answer: object) -> None:
    assert callable(answer)
    talk = ready(1)
    (alone,) = asked(talk)
    assert charged(talk.hear([answer(alone.id)], 10.1)) == [(alone.table, FaultKind.MALFORMED)]
    assert state_of(talk) is State.FREE
    talk = ready(3)
    first, second, third = asked(talk)
    ruling = talk.hear([answer(second.id), *good([first, third])], 10.1)
    assert ruling.charges == [] and talk.malformed_in_batch == 1
    again = asked(talk, 11.0)
    assert [(each.table, each.id) for each in again] == [(second.table, second.id)]
    assert charged(talk.hear([answer(second.id)], 11.1)) == [(second.table, FaultKind.MALFORMED)]


def test_a_good_answer_after_a_malformed_one_in_a_batch_is_taken() -> None:
    talk = ready(2)
    first, second = asked(talk)
    ruling = talk.hear([Answer(first.id, None, "no choice"), *good([first, second])], 10.1)
    assert len(ruling.taken) == 2 and want_of(talk) is Want.NOTHING


def test_unknown_and_duplicate_ids_are_counted_and_never_a_fault() -> None:
    talk = ready(1)
    (alone,) = asked(talk)
    ruling = talk.hear([Answer(99, PASS), Answer(alone.id, PASS), Answer(alone.id, PASS)], 10.1)
    assert len(ruling.taken) == 1 and ruling.charges == [] and talk.ignored == 2


def test_the_thousandth_ignored_id_replaces_the_process_and_charges_nothing() -> None:
    talk = ready(1)
    (alone,) = asked(talk)
    talk.hear([Answer(99, PASS)] * (MAX_IGNORED_ACTIONS - 1), 10.1)
    assert state_of(talk) is State.ASKED
    ruling = talk.hear([Answer(99, PASS)], 10.2)
    assert ruling.replace is Trouble.FLOOD and ruling.charges == []
    talk.start(11.0)
    talk.hello(64)
    assert [each.table for each in asked(talk, 11.0)] == [alone.table]


def test_messages_without_answers_are_counted_like_ignored_ids() -> None:
    talk = ready(1)
    (alone,) = asked(talk)
    for _ in range(MAX_IGNORED_ACTIONS - 1):
        assert talk.hear([], 10.1).replace is None
    ruling = talk.hear([], 10.1)
    assert ruling.replace is Trouble.FLOOD and ruling.charges == []
    talk.start(11.0)
    talk.hello(64)
    assert [each.table for each in asked(talk, 11.0)] == [alone.table]


def test_a_malformed_answer_that_is_repeated_in_a_batch_is_counted_as_ignored() -> None:
    talk = ready(2)
    first, _second = asked(talk)
    malformed = Answer(first.id, None, "no choice")
    talk.hear([malformed] * MAX_IGNORED_ACTIONS, 10.1)
    assert talk.malformed_in_batch == 1 and talk.ignored == MAX_IGNORED_ACTIONS - 1
    assert talk.hear([malformed], 10.1).replace is Trouble.FLOOD


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("id", [0, -1, 2**31 - 1])
def test_an_id_that_was_never_asked_does_not_free_a_busy_bot(id: int, size: int) -> None:
    talk = ready(size)
    assert len(asked(talk, 10.0)) == size
    talk.overrun(11.0, stood_still_s=0.0)
    talk.hear([Answer(id, PASS)], 11.1)
    assert state_of(talk) is State.BUSY
    talk.hear([], 11.1)
    assert state_of(talk) is State.BUSY


def test_after_three_uncharged_endings_the_bot_is_asked_one_decision_at_a_time() -> None:
    talk = ready(30)
    for _ in range(SINGLE_AFTER):
        assert talk.broken(Trouble.ENDED, 10.0).charges == []
        talk.start(10.0)
        talk.hello(64)
    assert len(asked(talk)) == 1


def test_after_ten_uncharged_endings_the_bot_is_given_up_for_the_sitting() -> None:
    talk = ready(2)
    for _ in range(GIVEN_UP_AFTER - 1):
        talk.broken(Trouble.ENDED, 10.0)
        talk.start(10.0)
        talk.hello(64)
    talk.broken(Trouble.ENDED, 10.0)
    assert want_of(talk) is Want.CHARGE
    assert [charge.kind for charge in talk.charge_waiting()] == [FaultKind.CRASH] * 2
    assert want_of(talk) is Want.NOTHING


def silent_process(talk: Conversation[str], *, answers: int = 0) -> list[FaultKind]:
    """A process that hangs after so many answers, and is replaced; returns what was charged."""
    if talk.state is State.DOWN:
        talk.start(0.0)
        talk.hello(1)
    for _ in range(answers):
        talk.hear(good(asked(talk)), 10.0)
    asked(talk)
    charges = talk.overrun(11.0, stood_still_s=0.0).charges
    assert talk.overrun(99.0, stood_still_s=0.0).replace is Trouble.SILENT
    return [charge.kind for charge in charges]


def test_after_ten_processes_in_a_row_that_answered_nothing_the_bot_is_given_up() -> None:
    """It hangs for ever: its event costs ten waits a sitting, not three for each of its games."""
    talk = ready(MUTE_AFTER + 3, max_batch=1, warm=False)
    silent_process(talk, answers=1)  # it has answered: not one of the ten
    for _ in range(MUTE_AFTER):
        assert talk.given_up is None
        assert silent_process(talk) == [FaultKind.TIMEOUT]
    assert want_of(talk) is Want.CHARGE
    assert [charge.kind for charge in talk.charge_waiting()] == [FaultKind.TIMEOUT] * 2


@pytest.mark.parametrize("late", [False, True])
def test_any_answer_begins_the_count_of_silent_processes_anew(late: bool) -> None:
    talk = ready(3 * MUTE_AFTER, max_batch=1, warm=False)
    for _ in range(MUTE_AFTER - 1):
        silent_process(talk)
    if late:
        talk.start(0.0)
        talk.hello(1)
        (question,) = asked(talk)
        talk.overrun(11.0, stood_still_s=0.0)
        talk.hear([Answer(question.id, PASS)], 11.5)
        asked(talk)
        talk.overrun(12.5, stood_still_s=0.0)
        talk.overrun(99.0, stood_still_s=0.0)
    else:
        silent_process(talk, answers=1)
    silent_process(talk)
    assert talk.given_up is None and want_of(talk) is Want.START


def test_a_failed_start_is_charged_to_the_waiting_decision_lowest_in_order() -> None:
    talk: Conversation[str] = Conversation(LIMITS)
    for number in (5, 2, 9):
        talk.put(question(number))
    talk.start(0.0)
    ruling = talk.overrun(10.0, stood_still_s=0.0)
    assert charged(ruling) == [("table 2", FaultKind.HANDSHAKE)]
    assert ruling.replace is not None and want_of(talk) is Want.START


def test_after_two_failed_starts_in_a_row_every_decision_is_charged() -> None:
    talk: Conversation[str] = Conversation(LIMITS)
    for number in range(5):
        talk.put(question(number))
    for _ in range(FAILED_STARTS):
        talk.start(0.0)
        assert len(talk.broken(Trouble.ENDED, 0.1, detail="exit code 1").charges) == 1
    assert want_of(talk) is Want.CHARGE
    assert [charge.question.table for charge in talk.charge_waiting()] == [
        "table 2",
        "table 3",
        "table 4",
    ]
    talk.put(question(7))
    assert want_of(talk) is Want.CHARGE


def test_a_hello_between_two_failed_starts_forgives_the_first() -> None:
    talk: Conversation[str] = Conversation(LIMITS)
    for number in range(5):
        talk.put(question(number))
    talk.start(0.0)
    talk.broken(Trouble.ENDED, 0.1)
    talk.start(0.2)
    talk.hello(1)
    talk.broken(Trouble.ENDED, 0.3)
    talk.start(0.4)
    talk.broken(Trouble.ENDED, 0.5)
    assert want_of(talk) is Want.START


def test_an_overrun_while_the_referee_stood_still_gets_a_new_clock() -> None:
    talk = ready(1)
    (alone,) = asked(talk, 10.0)
    ruling = talk.overrun(11.3, stood_still_s=0.3)
    assert ruling.charges == [] and ruling.infra == [alone] and not ruling.stop
    assert state_of(talk) is State.ASKED and talk.deadline == pytest.approx(12.3)
    assert charged(talk.overrun(12.3, stood_still_s=0.0)) == [(alone.table, FaultKind.TIMEOUT)]


def test_the_third_infra_on_one_decision_stops_the_run() -> None:
    talk = ready(1)
    asked(talk, 10.0)
    rulings = [talk.overrun(talk.deadline, stood_still_s=0.4) for _ in range(3)]
    assert [ruling.stop for ruling in rulings] == [False, False, True]
    assert [len(ruling.infra) for ruling in rulings] == [1, 1, 1]


@pytest.mark.parametrize("lost_s", [0.04, 0.3])
def test_a_silent_bot_is_charged_on_a_machine_that_is_merely_busy(lost_s: float) -> None:
    talk = ready(1)
    (alone,) = asked(talk, 10.0)
    rulings = [talk.overrun(talk.deadline, stood_still_s=0.04, lost_s=lost_s) for _ in range(3)]
    assert [ruling.stop for ruling in rulings] == [False] * 3
    assert [charged(ruling) for ruling in rulings] == [[], [], [(alone.table, FaultKind.TIMEOUT)]]


def test_a_silent_bot_in_a_batch_does_not_stop_the_run_either() -> None:
    talk = ready(3)
    asked(talk, 10.0)
    rulings = [talk.overrun(talk.deadline, stood_still_s=0.04) for _ in range(3)]
    assert not any(ruling.stop or ruling.charges for ruling in rulings)
    assert state_of(talk) is State.BUSY


def test_a_start_is_extended_by_all_the_time_the_referee_stood_still() -> None:
    talk: Conversation[str] = Conversation(LIMITS)
    talk.put(question(1))
    talk.start(0.0)
    assert talk.overrun(10.0, stood_still_s=0.5, lost_s=0.8).charges == []
    assert talk.deadline == pytest.approx(10.8)
    assert talk.overrun(10.8, stood_still_s=0.5, lost_s=1.1).charges == []
    assert len(talk.overrun(11.1, stood_still_s=0.5, lost_s=1.1).charges) == 1


def test_retiring_an_idle_process_costs_nothing() -> None:
    talk = ready()
    talk.retire()
    assert talk.uncharged == 0 and want_of(talk) is Want.NOTHING
    talk.put(question(1))
    assert want_of(talk) is Want.START


@given(st.data())
def test_whatever_happens_every_question_is_answered_or_charged_exactly_once(
    data: st.DataObject,
) -> None:
    talk: Conversation[str] = Conversation(LIMITS)
    count = data.draw(st.integers(1, 12))
    for number in range(count):
        talk.put(question(number))
    settled: list[str] = []
    now = 0.0

    def settle(ruling: Ruling[str]) -> None:
        settled.extend(taken.table for taken, _ in ruling.taken)
        settled.extend(charge.question.table for charge in ruling.charges)
        assert (ruling.replace is not None) == (state_of(talk) is State.DOWN)

    for _ in range(400):
        now += data.draw(st.sampled_from([0.0, 0.01, 0.6]))
        match talk.state, talk.want:
            case State.DOWN, Want.NOTHING:
                break
            case State.DOWN, Want.CHARGE:
                settled.extend(charge.question.table for charge in talk.charge_waiting())
            case State.DOWN, _:
                talk.start(now)
            case State.STARTING, _:
                if data.draw(st.booleans()):
                    talk.hello(data.draw(st.integers(1, 8)))
                else:
                    settle(talk.broken(Trouble.ENDED, now))
            case State.FREE, Want.NOTHING:
                break
            case State.FREE, _:
                asked(talk, now)
            case _:
                match data.draw(st.sampled_from(["answer", "malformed", "wait", "trouble"])):
                    case "answer":
                        ids = [each.id for each in talk.open_questions]
                        some = data.draw(st.lists(st.sampled_from([*ids, 0, -1, 999]), max_size=4))
                        settle(talk.hear([Answer(id, PASS) for id in some], now))
                    case "malformed":
                        ids = [each.id for each in talk.open_questions] or [999]
                        settle(talk.hear([Answer(ids[0], None, "no choice")], now))
                    case "wait":
                        now = max(now, talk.deadline)
                        settle(talk.overrun(now, stood_still_s=0.0))
                    case _:
                        settle(talk.broken(data.draw(st.sampled_from(list(Trouble))), now))
    else:
        return
    assert sorted(settled) == sorted(question(number).table for number in range(count))
