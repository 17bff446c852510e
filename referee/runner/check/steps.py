"""The steps of a check, in the order they are done: each is a name and a plain function.

A step returns what is worth knowing of a pass, or raises `Failed`, `Noted` or `NotTried`. Whatever
process it finds it may use, and if there is none it starts one: after a failure the next step
begins anew.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Final

from referee.bots import Ending, usage_of
from referee.engine import Decision
from referee.runner.check.diagnosis import turned_away, what_it_speaks
from referee.runner.check.failing import Failed, Limit, Noted, NotTried, counted
from referee.runner.check.positions import Position, each_kind, rare_positions
from referee.runner.check.session import Asked, Session
from referee.runner.check.subject import Subject
from referee.table import action_text
from referee.wire import newer, newer_kind_of_message

__all__ = ["STEPS", "Step"]

TABLES_AT_ONCE: Final = 4
IDLE_S: Final = 0.3
IDLE_LOOKS: Final = 10
IDLE_SHARE: Final = 0.5
IDLE_CPU_SHARE: Final = 0.1
IDLE_BYTES: Final = 256 * 1024
RESTARTS_AFTER: Final = 5


@dataclass(frozen=True, slots=True)
class Step:
    """A step: its name, as a sentence about the bot, and what is done."""

    name: str
    do: Callable[[Subject], Awaitable[str]]


# --- the start ------------------------------------------------------------------------------------


async def starts(subject: Subject) -> str:
    """The process starts and calls the referee within start_ms."""
    began = time.monotonic()
    limits = subject.config.limits
    try:
        await subject.fresh()
    except Failed as failed:
        reason, output = await subject.after(failed)
        told = turned_away(subject.strangers)
        if not told and not reason.startswith("cannot start"):
            start_s = limits.start_ms / 1000
            told = await what_it_speaks(subject.bot, subject.launcher, start_s=start_s)
            if told.startswith("it never"):
                told, reason = "", f"{reason}: {told}"
        if not told:
            raise Failed(reason, limit=failed.limit, output=output) from None
        subject.no_hello = Failed(told, output=output)
        return "it calls the referee"
    took_ms = 1000 * (time.monotonic() - began)
    return f"hello after {took_ms:.0f} ms of {limits.start_ms}"


async def says_hello(subject: Subject) -> str:
    """The hello is right, and what it says of the bot."""
    if subject.no_hello is not None:
        raise subject.no_hello
    hello = subject.hello
    assert hello is not None
    if not hello.as_sent:
        subject.notes.append(
            "the name or version of its hello was changed for print: 64 characters are kept, "
            "control characters are not"
        )
    itself = f"{hello.name} {hello.version}".strip() or "no name"
    return f"{itself}, revision {hello.revision}, max_batch {hello.max_batch}"


# --- what is asked --------------------------------------------------------------------------------


async def each_question(subject: Subject) -> str:
    """Each kind of question, alone."""
    return await _ask_positions(subject, each_kind(subject.config.rules))


async def rare_questions(subject: Subject) -> str:
    """What random games seldom meet, alone."""
    return await _ask_positions(subject, rare_positions(subject.config.rules))


async def several_tables(subject: Subject) -> str:
    """Some hands at once, decision by decision in turn, never two of one table in a message."""
    hands = subject.recorded[:TABLES_AT_ONCE]
    turns = [[replace(one, key=-1) for one in turn] for turn in _in_turn(hands)]
    asked = await _ask_for(await subject.live(), turns, seconds=subject.pace.tables_s)
    return f"{counted(asked, 'decision')} of {counted(len(hands), 'table')} in turn"


async def full_batches(subject: Subject) -> str:
    """As many at once as the bot says it takes, or as would be sent to a bot of its speed."""
    session = await subject.live()
    assert session.hello is not None
    max_batch = session.hello.max_batch
    if max_batch == 1:
        return "it takes one decision at a time (max_batch 1)"
    many = [
        Asked(decision, f"batch{number}")
        for number, decision in enumerate(chain.from_iterable(subject.recorded))
    ]
    # The first ones tell its speed, for a process that was not asked anything yet.
    await session.ask(many[:1], at_once=1)
    at_once = min(max_batch, session.fits)
    await session.ask(many[1 : 1 + 2 * at_once], at_once=at_once)
    if session.largest_batch >= min(max_batch, len(many) - 1):
        return f"{session.largest_batch} at once"
    return (
        f"up to {session.largest_batch} at once, not its {max_batch}: "
        "no more are sent than it answers in a quarter of decision_ms"
    )


async def asked_again(subject: Subject) -> str:
    """A decision that was answered comes again under its id, as after a batch that went wrong."""
    session = await subject.live()
    for number, position in enumerate(each_kind(subject.config.rules)):
        await session.ask_again(Asked(position.decision, f"again{number}"))
    return "the same ids again"


async def recorded_hands(subject: Subject) -> str:
    """All hands, each at a table of its own, many at once."""
    turns = list(_in_turn(subject.recorded))
    seconds, whole = subject.pace.recorded_s, sum(map(len, turns))
    asked = await _ask_for(await subject.live(), turns, seconds=seconds)
    if asked < whole:
        many = counted(whole, "decision")
        return f"{asked:,} of {many}, as many as it could answer in {seconds:g} s"
    return f"{counted(asked, 'decision')} of {counted(len(subject.recorded), 'hand')}"


async def same_again(subject: Subject) -> str:
    """The same decisions shuffled, under other ids and table names: told, not judged."""
    known = [
        Asked(decision, f"x{key * 7919 % 65_537}", key)
        for key, decision in enumerate(chain.from_iterable(subject.recorded))
        if key in subject.answers
    ]
    if not known:
        raise NotTried("no recorded hand was answered")
    random.Random(len(known)).shuffle(known)
    before = len(subject.changed)
    asked = await _ask_for(await subject.live(), [known], seconds=subject.pace.again_s)
    changed = subject.changed[before:]
    if not changed:
        return f"reproducible: the same {counted(asked, 'answer')}"
    decision, first, second = changed[0]
    raise Noted(
        f"not reproducible: {len(changed):,} of {counted(asked, 'answer')} changed; "
        "the leaderboard will say so",
        decision=decision,
        came_back=f"{action_text(first)}, then {action_text(second)}",
    )


# --- manners --------------------------------------------------------------------------------------


async def rests(subject: Subject) -> str:
    """While nothing is asked it says nothing, prints nothing and leaves the processor alone."""
    session = await subject.live()
    for _ in range(IDLE_LOOKS):  # a virtual machine may still be tidying up after the last step
        idle = await _idle(session)
        session.listen()
        if idle.printed > IDLE_BYTES:
            raise Failed(
                f"it prints while nothing is asked: {idle.printed:,} bytes in {IDLE_S:g} s"
            )
        if idle.wanted <= IDLE_SHARE or idle.had <= IDLE_CPU_SHARE:
            break
    else:
        raise Failed(
            f"it keeps the processor busy while nothing is asked: {idle.wanted:.0%} of a core"
        )
    if session.ignored + subject.ignored:
        count = counted(session.ignored + subject.ignored, "answer")
        raise Failed(f"it sent {count} to ids that were not open; the 1,000th ends its process")
    if subject.strangers:
        raise Failed(turned_away(subject.strangers))
    return ""


@dataclass(frozen=True, slots=True)
class _Idle:
    """What a bot did in a while in which nothing was asked: bytes printed, and shares of a core
    that it wanted and had."""

    printed: int
    wanted: float
    had: float


async def _idle(session: Session) -> _Idle:
    pid = session.link.pid
    before = None if pid is None else usage_of(pid)
    await session.link.output()
    dropped, began = session.link.dropped, time.monotonic()
    await asyncio.sleep(IDLE_S)
    after = None if pid is None else usage_of(pid)
    took_s = time.monotonic() - began
    await session.link.output()
    printed = session.link.dropped - dropped
    if before is None or after is None:
        return _Idle(printed, 0.0, 0.0)
    wanted_s, had_s = after.wanted_s - before.wanted_s, after.cpu_s - before.cpu_s
    return _Idle(printed, wanted_s / took_s, had_s / took_s)


async def ends_at_goodbye(subject: Subject) -> str:
    """After the goodbye it says nothing more, and ends by itself within stop_ms."""
    session = await subject.live()
    subject.look()
    began = time.monotonic()
    said = await session.say_goodbye()
    if said:
        raise Failed(f"{said} after the goodbye; that is the last word on a stream")
    took = _ended_by_itself(subject, session, "the goodbye", began=began)
    ending = session.ended
    assert ending is not None
    if ending.exit is not None and ending.exit.code:
        raise Failed(f"it ended with {ending.exit} after the goodbye; 0 says that all went well")
    await subject.let_go("")
    return took


async def newer_referee(subject: Subject) -> str:
    """Unknown fields at every level, a higher revision, and a message of an unknown kind."""
    session = await subject.fresh(changed=newer)
    session.tell(newer_kind_of_message())
    for number, position in enumerate(each_kind(subject.config.rules)):
        await session.ask([Asked(position.decision, f"newer{number}")])
        session.tell(newer_kind_of_message())
    return "unknown fields in welcome and decisions, and unknown messages between them"


async def restart(subject: Subject) -> str:
    """Its process is ended in the middle of a hand, and a new one goes on from the decision."""
    hand = max(subject.recorded[:TABLES_AT_ONCE], key=len)
    session = await subject.live()
    middle = min(len(hand) // 2, RESTARTS_AFTER)
    asked = [Asked(decision, "restart") for decision in hand[: middle + RESTARTS_AFTER]]
    for one in asked[:middle]:
        await session.ask([one])
    session.leave_open(asked[middle])
    session = await subject.fresh()
    for one in asked[middle:]:
        await session.ask([one])
    return f"a new process goes on at decision {middle + 1} of a hand"


async def referee_gone(subject: Subject) -> str:
    """The stream breaks off: the bot is to end by itself, nobody else will end it."""
    session = await subject.live()
    position = next(each_kind(subject.config.rules))
    await session.ask([Asked(position.decision, "gone")])
    subject.look()
    began = time.monotonic()
    await session.break_off()
    took = _ended_by_itself(subject, session, "its stream broke off", began=began)
    ending = session.ended
    await subject.let_go("")
    code = None if ending is None or ending.exit is None else ending.exit.code
    return f"{took}, {ending.exit}" if ending is not None and code else took


async def nothing_left(subject: Subject) -> str:
    """What it started is gone when it is."""
    await subject.let_go("the check is over", stop_s=subject.config.limits.stop_ms / 1000)
    if subject.leftovers:
        count = subject.leftovers
        noun = "process" if count == 1 else "processes"
        raise Failed(f"{count} {noun} outlived it and had to be killed; end what you start")
    return ""


def _ended_by_itself(subject: Subject, session: Session, since: str, *, began: float) -> str:
    """Say how long a process took to end; raises Failed if it did not, or not quietly."""
    took_ms = 1000 * (time.monotonic() - began)
    ending = session.ended
    assert ending is not None
    limits = subject.config.limits
    if session.link.was_killed:
        raise Failed(
            f"it still ran stop_ms ({limits.stop_ms} ms) after {since} and was killed",
            limit=Limit.STOP,
        )
    if _died(ending):
        raise Failed(f"it died ({ending.exit}) after {since}; end by leaving the main program")
    return f"within {took_ms:.0f} ms of {limits.stop_ms}"


def _died(ending: Ending) -> bool:
    return ending.exit is not None and ending.exit.signal is not None


# --- asking ---------------------------------------------------------------------------------------


async def _ask_for(session: Session, turns: Iterable[Sequence[Asked]], *, seconds: float) -> int:
    """Ask what can be asked in so many seconds, turn after turn; return how many that were.

    What goes out before the clock is looked at again is what fits in a quarter of decision_ms.
    """
    end = time.monotonic() + seconds
    asked = 0
    for turn in turns:
        start = 0
        while start < len(turn):
            if time.monotonic() > end:
                return asked
            portion = turn[start : start + session.fits]
            await session.ask(portion)
            start += len(portion)
            asked += len(portion)
    return asked


async def _ask_positions(subject: Subject, positions: Iterable[Position]) -> str:
    session = await subject.live()
    asked = 0
    for asked, position in enumerate(positions, 1):
        try:
            await session.ask([Asked(position.decision, f"single{asked}")])
        except Failed as failed:
            failed.suffix += f" (asked: {position.what})"
            raise
    return counted(asked, "decision")


def _in_turn(hands: Sequence[Sequence[Decision]]) -> Iterable[list[Asked]]:
    """Yield the first decisions of all hands, then the second ones, and so on; each hand is a
    table, and keys count through all decisions hand by hand."""
    keyed: list[list[Asked]] = []
    key = 0
    for number, hand in enumerate(hands):
        keyed.append([Asked(d, f"t{number:04}", key + place) for place, d in enumerate(hand)])
        key += len(hand)
    for turn in zip_longest(*keyed):
        yield [one for one in turn if one is not None]


STEPS: Final = (
    Step("starts in time", starts),
    Step("says hello", says_hello),
    Step("answers each kind of question", each_question),
    Step("answers what random games seldom meet", rare_questions),
    Step("plays at several tables at once", several_tables),
    Step("takes full batches", full_batches),
    Step("answers a decision that comes again", asked_again),
    Step("answers recorded hands", recorded_hands),
    Step("gives the same answers again", same_again),
    Step("rests while nothing is asked", rests),
    Step("ends quietly after the goodbye", ends_at_goodbye),
    Step("skips what a newer referee adds", newer_referee),
    Step("goes on after a restart in mid-game", restart),
    Step("ends when the referee is gone", referee_gone),
    Step("leaves no process behind", nothing_left),
)
"""All steps, in order."""
