"""What is open at one bot, and what its answers, its silence and its end mean.

Everything about batches, the clock of a decision and who is charged is decided here. Nothing is
read or sent: time comes in as an argument (monotonic seconds), what follows goes out as a `Ruling`.
One conversation lasts a sitting; the process behind it may be replaced many times.

                 start           hello            ask             last answer
        DOWN ---------> STARTING -----> FREE ------------> ASKED ------------> FREE
          ^                |              |                |   ^
          |                |              |       silence  v   | an answer
          +----------------+--------------+------------- BUSY -+
                       the process ends or is replaced

Laws:
* Only a decision asked alone can be charged `timeout`, `crash` or `malformed`. What a batch leaves
  behind is asked again alone, under the same id while the process lives.
* An answer to an open id is taken at any time until that id is asked again.
* A failed start is charged to the waiting decision of the lowest order; after two in a row the bot
  is given up for the sitting.
* A process that ends without a charge is counted: after three the bot is asked one decision at a
  time, after ten it is given up.
* Ten processes in a row that did not answer anything at all, and the bot is given up: it hangs at
  whatever it is asked, and each of its games would cost minutes of waiting.
* A decision that was not answered while the referee itself stood still gets a new clock, twice. The
  third time this machine is too slow and the run stops; unless the referee was awake for twice the
  limit all the same, then the bot is late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Generic

from referee.engine import (
    Call,
    CallQuestion,
    Discard,
    DiscardQuestion,
    NameTrump,
    Play,
    PlayQuestion,
    TrumpQuestion,
)
from referee.runner.rulings import Charge, OpenQuestion, Ruling, T, Trouble
from referee.table import FaultKind, action_text
from referee.tourney import Limits
from referee.wire import MAX_IGNORED_ACTIONS

if TYPE_CHECKING:
    from referee.wire import Answer

__all__ = [
    "Conversation",
    "State",
    "Want",
    "busy_s",
]

STOOD_STILL_S = 0.030
"""A longer gap between two beats of the referee's heart puts an overrun down to the referee."""
MAX_INFRA = 3
"""As often as this on one decision, and the machine cannot keep the limit."""
SINGLE_AFTER = 3
"""As many uncharged endings, and the bot is asked one decision at a time."""
GIVEN_UP_AFTER = 10
"""As many uncharged endings, and the bot is not started again in the sitting."""
MUTE_AFTER = 10
"""As many processes in a row without any answer, and the bot is not started again."""
FAILED_STARTS = 2
"""As many failed starts in a row, and the bot is not started again in the sitting."""
MIN_BUSY_S = 1.0
"""A bot that overran is waited for at least this long before its process is replaced."""

_ACTION_OF = {
    CallQuestion: Call,
    TrumpQuestion: NameTrump,
    DiscardQuestion: Discard,
    PlayQuestion: Play,
}


def busy_s(limits: Limits) -> float:
    """Return how long a bot that overran is waited for before its process is replaced."""
    return max(limits.decision_ms / 1000, MIN_BUSY_S)


class State(Enum):
    """Where the conversation stands; a bot holds its clock slots in STARTING, ASKED and BUSY."""

    DOWN = auto()
    STARTING = auto()
    FREE = auto()
    ASKED = auto()
    BUSY = auto()


class Want(Enum):
    """What the conversation would do next: nothing, start a process, ask, or charge what waits."""

    NOTHING = auto()
    START = auto()
    ASK = auto()
    CHARGE = auto()


class Conversation(Generic[T]):
    """The state of one bot's sitting; see the module for the theory of operation.

    Public counters are for people and evidence: `ignored` ids, `malformed_in_batch` answers,
    `uncharged` endings, `asked` decisions, `clock_s`, the seconds they were on the clock, and
    `waited_s`, how long the latest answer was waited for.
    """

    def __init__(self, limits: Limits, *, max_batch: int = 256) -> None:
        self.limits = limits
        self._decision_s = limits.decision_ms / 1000
        self._busy_s = busy_s(limits)
        self.state = State.DOWN
        self.deadline = 0.0
        self.clock_started = 0.0
        self.waited_s = 0.0
        self.ignored = 0
        self.malformed_in_batch = 0
        self.uncharged = 0
        self.asked = 0
        self.clock_s = 0.0
        self.given_up: FaultKind | None = None
        self._max_batch = self._bot_batch = max_batch
        self._waiting: deque[OpenQuestion[T]] = deque()
        self._again: deque[OpenQuestion[T]] = deque()
        self._open: dict[int, OpenQuestion[T]] = {}
        self._malformed: set[int] = set()
        self._alone = False
        self._late_id = 0
        self._next_id = 1
        self._failed_starts = 0
        self._mute_processes = 0
        self._has_answered = False
        self._asked_at = 0.0
        self._batch_size = 0
        self._seconds_each = 0.0

    # --- what is wanted -------------------------------------------------------------------------

    @property
    def want(self) -> Want:
        """What the conversation would do next if a clock slot were to be had."""
        if not (self._waiting or self._again):
            return Want.NOTHING
        if self.given_up is not None and self.state is State.DOWN:
            return Want.CHARGE
        if self.state is State.DOWN:
            return Want.START
        return Want.ASK if self.state is State.FREE else Want.NOTHING

    @property
    def on_the_clock(self) -> bool:
        """Whether the bot holds its clock slots."""
        return self.state is not State.FREE and self.state is not State.DOWN

    @property
    def open_questions(self) -> tuple[OpenQuestion[T], ...]:
        """The decisions that are open at the process, in the order they were asked."""
        return tuple(self._open.values())

    @property
    def asked_alone(self) -> bool:
        """Whether the latest message to the bot held one decision."""
        return self._alone

    def put(self, question: OpenQuestion[T]) -> None:
        """Let a decision wait for this bot."""
        self._waiting.append(question)

    # --- what the dispatcher does ---------------------------------------------------------------

    def start(self, now: float) -> None:
        """A process is being started; its hello is due by `deadline`."""
        assert self.state is State.DOWN
        self.state = State.STARTING
        self._has_answered = False
        self._next_id = 1
        self.clock_started = now
        self.deadline = now + self.limits.start_ms / 1000
        for question in self._again:
            question.id = 0

    def hello(self, max_batch: int) -> None:
        """The process said hello and takes up to `max_batch` decisions in one message."""
        assert self.state is State.STARTING
        self.state = State.FREE
        self._failed_starts = 0
        self._bot_batch = max(1, min(self._max_batch, max_batch))

    def ask(self) -> list[OpenQuestion[T]]:
        """Open the next batch, to be written at once; what a batch left goes first, alone."""
        assert self.state is State.FREE
        if self._again:
            batch = [self._again.popleft()]
        else:
            size = min(self._batch_limit(), len(self._waiting))
            batch = [self._waiting.popleft() for _ in range(size)]
        for question in batch:
            if not question.id:
                question.id = self._next_id
                self._next_id += 1
            self._open[question.id] = question
        self.state = State.ASKED
        self._alone = len(batch) == 1
        self._batch_size = len(batch)
        return batch

    def start_clock(self, now: float) -> None:
        """The batch is being written: its clock starts."""
        self._asked_at = self.clock_started = now
        self.deadline = now + self._decision_s

    def retire(self) -> None:
        """An idle process is being ended to make room; the bot is started again on demand."""
        assert self.state is State.FREE
        self.state = State.DOWN

    def charge_waiting(self) -> list[Charge[T]]:
        """Charge all that waits for a bot that was given up."""
        assert self.given_up is not None
        questions = sorted((*self._again, *self._waiting), key=lambda question: question.order)
        self._again.clear()
        self._waiting.clear()
        detail = "the bot was given up for this sitting"
        return [Charge(question, self.given_up, detail, None) for question in questions]

    # --- what the bot does ----------------------------------------------------------------------

    def hear(self, answers: Sequence[Answer], now: float) -> Ruling[T]:
        """Take answers to open ids, in any grouping and order; count and ignore all others.

        A message without any answer counts as an ignored one, and so does each repetition of a
        malformed answer: both cost the referee time.
        """
        ruling: Ruling[T] = Ruling()
        still_open, malformed, taken = self._open, self._malformed, ruling.taken
        if not answers:
            self._ignore(0, ruling)
        for answer in answers:
            question = still_open.get(answer.id)
            if question is None:
                self._ignore(answer.id, ruling)
                continue
            action = answer.action
            kind = _ACTION_OF[type(question.decision.question)]
            if action is not None and type(action) is kind:
                del still_open[answer.id]
                malformed.discard(answer.id)
                taken.append((question, action))
            else:
                self._hear_malformed(question, answer, now, ruling)
        if taken:
            self._has_answered = True
            self.waited_s = now - self.clock_started
            self.clock_started = now
            self.deadline = now + self._decision_s
            self.state = State.ASKED
        if ruling.replace is Trouble.FLOOD:
            self._count_ending()
        elif self.state is not State.FREE and len(self._open) == len(self._malformed):
            self._end_of_batch(now)
        return ruling

    def overrun(self, now: float, *, stood_still_s: float, lost_s: float = 0.0) -> Ruling[T]:
        """The deadline passed and all that had arrived was heard; no effect before the deadline.

        `stood_still_s` is the longest stretch since `clock_started` in which the referee stood
        still, `lost_s` all of them together.
        """
        ruling: Ruling[T] = Ruling()
        if now < self.deadline or not self.on_the_clock:
            return ruling
        awake_s = now - self.clock_started - max(stood_still_s, lost_s)
        if self.state is State.STARTING:
            missing_s = self.limits.start_ms / 1000 - awake_s
            if missing_s > STOOD_STILL_S:
                self.deadline = now + missing_s
                return ruling
            return self._failed_start("no valid hello within start_ms", now)
        if self.state is State.ASKED:
            if stood_still_s > STOOD_STILL_S and not self._had_its_time(awake_s):
                self._put_down_to_referee(now, awake_s, ruling)
            else:
                self._run_over(now, ruling)
            return ruling
        self._count_mute()
        if self._open:
            return self._end(Trouble.SILENT, now)
        self._take_down()
        ruling.replace = Trouble.SILENT
        return ruling

    def broken(self, trouble: Trouble, now: float, *, detail: str = "") -> Ruling[T]:
        """The process has ended, or must be ended because of what it sent."""
        if self.state is State.DOWN:
            return Ruling()
        if self.state is State.STARTING:
            return self._failed_start(detail or trouble.value, now)
        return self._end(trouble, now, detail=detail)

    # --- inside ---------------------------------------------------------------------------------

    def _batch_limit(self) -> int:
        if self.uncharged >= SINGLE_AFTER or not self._seconds_each:
            return 1
        quarter = self._decision_s / 4
        return max(1, min(self._bot_batch, int(quarter / self._seconds_each)))

    def _ignore(self, answer_id: int, ruling: Ruling[T]) -> None:
        self.ignored += 1
        # No id is 0, but a bot can write it: nothing is late then, least of all a batch.
        if self._late_id and self.state is State.BUSY and answer_id == self._late_id:
            self._late_id = 0
            self._has_answered = True
            self.state = State.FREE
        if self.ignored % MAX_IGNORED_ACTIONS == 0:
            ruling.replace = Trouble.FLOOD

    def _hear_malformed(
        self, question: OpenQuestion[T], answer: Answer, now: float, ruling: Ruling[T]
    ) -> None:
        if self._alone:
            del self._open[question.id]
            came_back = "" if answer.action is None else action_text(answer.action)
            problem = answer.problem or "another kind of choice than the question's"
            waited = now - self.clock_started
            ruling.charges.append(Charge(question, FaultKind.MALFORMED, problem, waited, came_back))
        elif question.id not in self._malformed:
            self._malformed.add(question.id)
            self.malformed_in_batch += 1
        else:
            self._ignore(question.id, ruling)

    def _end_of_batch(self, now: float) -> None:
        """All open ids are answered; those answered malformed are left to be asked alone."""
        if self.state is State.BUSY and self._late_id:
            return
        self._leave_open()
        self.state = State.FREE
        spent = now - self._asked_at
        self.asked += self._batch_size
        self.clock_s += spent
        each = spent / self._batch_size
        self._seconds_each = each if not self._seconds_each else (3 * self._seconds_each + each) / 4

    def _had_its_time(self, awake_s: float) -> bool:
        """Whether the run would be stopped for a bot that has had its limit twice over.

        A silent bot on a machine that is merely busy must not be able to stop it.
        """
        return any(
            question.infra + 1 >= MAX_INFRA and question.awake_s + awake_s >= 2 * self._decision_s
            for question in self._open.values()
        )

    def _put_down_to_referee(self, now: float, awake_s: float, ruling: Ruling[T]) -> None:
        for question in self._open.values():
            question.infra += 1
            question.awake_s += awake_s
            ruling.stop = ruling.stop or question.infra >= MAX_INFRA
        ruling.infra.extend(self._open.values())
        self.clock_started = now
        self.deadline = now + self._decision_s

    def _run_over(self, now: float, ruling: Ruling[T]) -> None:
        waited = now - self.clock_started
        if self._alone:
            (question,) = self._open.values()
            self._open.clear()
            self._late_id = question.id
            detail = "no answer within decision_ms"
            ruling.charges.append(Charge(question, FaultKind.TIMEOUT, detail, waited))
        self.state = State.BUSY
        self.deadline = now + self._busy_s

    def _failed_start(self, detail: str, now: float) -> Ruling[T]:
        ruling: Ruling[T] = Ruling(replace=Trouble.ENDED)
        self.state = State.DOWN
        self._failed_starts += 1
        if self._failed_starts >= FAILED_STARTS:
            self.given_up = FaultKind.HANDSHAKE
        waiting = (*self._again, *self._waiting)
        if waiting:
            lowest = min(waiting, key=lambda question: question.order)
            (self._again if lowest in self._again else self._waiting).remove(lowest)
            waited = now - self.clock_started
            ruling.charges.append(Charge(lowest, FaultKind.HANDSHAKE, detail, waited))
        return ruling

    def _end(self, trouble: Trouble, now: float, *, detail: str = "") -> Ruling[T]:
        """The process is over after its hello: charge what was asked alone, count all else."""
        ruling: Ruling[T] = Ruling(replace=trouble)
        chargeable = trouble in (Trouble.ENDED, Trouble.UNREADABLE, Trouble.TOO_LARGE)
        if self._open and self._alone and chargeable:
            (question,) = self._open.values()
            kind = FaultKind.CRASH if trouble is Trouble.ENDED else FaultKind.MALFORMED
            waited = now - self.clock_started
            ruling.charges.append(Charge(question, kind, detail or trouble.value, waited))
        else:
            self._count_ending()
        self._take_down()
        return ruling

    def _count_ending(self) -> None:
        """The process is over and nobody is charged; what was open is left to be asked alone."""
        self._leave_open()
        self.uncharged += 1
        if self.uncharged >= GIVEN_UP_AFTER:
            self.given_up = FaultKind.CRASH
        self._take_down()

    def _count_mute(self) -> None:
        """A process is replaced for its silence; had it ever said anything, others may fare so."""
        self._mute_processes = 0 if self._has_answered else self._mute_processes + 1
        if self._mute_processes >= MUTE_AFTER:
            self.given_up = self.given_up or FaultKind.TIMEOUT

    def _leave_open(self) -> None:
        if not self._open:
            return
        self._again.extend(sorted(self._open.values(), key=lambda question: question.order))
        self._open.clear()
        self._malformed.clear()

    def _take_down(self) -> None:
        self._open.clear()
        self._malformed.clear()
        self._late_id = 0
        self.state = State.DOWN
