"""A check of one bot: all steps, one after the other, and what was found, as a report."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from referee.bots import Warden
from referee.engine import CallQuestion, Decision, DiscardQuestion, PlayQuestion, TrumpQuestion
from referee.report import CheckReport, SlowDecision, StepResult, StepVerdict, decision_lines
from referee.runner.check.failing import Failed, Limit, Noted, NotTried
from referee.runner.check.recorded import recorded_hands
from referee.runner.check.session import Asked
from referee.runner.check.steps import STEPS, Step
from referee.runner.check.subject import Pace, Subject
from referee.runner.house import open_house
from referee.tourney import Bot, Config

__all__ = ["check_bot"]

ALONE_S: Final = 3.0
"""So long the decisions of a batch that went wrong are asked one by one."""
TAIL_BYTES: Final = 4096
MOST_HANGS: Final = 3
"""As many failures for silence, and the steps that are left are not tried."""


def _nobody(_result: StepResult) -> None:
    pass


async def check_bot(
    config: Config,
    bot: Bot,
    *,
    limits_of: str,
    warden: Warden,
    stop: asyncio.Future[int],
    pace: Pace | None = None,
    stop_at_first: bool = False,
    on_step: Callable[[StepResult], None] = _nobody,
) -> CheckReport:
    """Check a bot under the limits and rules of a configuration; closes the warden.

    `on_step` is told each result as it comes; with `stop_at_first` the steps after a failure are
    not tried. Raises Interrupted when `stop` is set to a signal,
    RunFailed when the machine is too busy to judge, or has no more to give.
    """
    # Before anything runs: it takes a second, in which no bot could be heard.
    pace = pace or Pace()
    recorded = tuple(recorded_hands(config.rules, pace.hands))
    steps: list[StepResult] = []
    async with open_house(config, warden, stop) as house:
        subject = Subject(config, bot, house.launcher, house.heartbeat, pace, recorded)

        async def take_steps() -> None:
            try:
                for number, step in enumerate(STEPS, 1):
                    over = stop_at_first and any(done.verdict is StepVerdict.FAIL for done in steps)
                    steps.append(await _take(number, step, subject, over=over))
                    on_step(steps[-1])
            finally:
                await subject.let_go("the check is over")

        await house.play(take_steps())
    return _report(subject, steps, limits_of)


async def _take(number: int, step: Step, subject: Subject, *, over: bool) -> StepResult:
    began = time.monotonic()

    def result(verdict: StepVerdict, text: str, **more: object) -> StepResult:
        took_ms = round(1000 * (time.monotonic() - began))
        return StepResult(
            number=number,
            name=step.name,
            verdict=verdict,
            text=text,
            took_ms=took_ms,
            **more,  # type: ignore[arg-type]
        )

    try:
        if over:
            raise NotTried("the check stops at the first failure")
        _look_for_reasons_not_to(number, subject)
        text = await step.do(subject)
    except NotTried as not_tried:
        return result(StepVerdict.NOT_TRIED, str(not_tried))
    except Noted as noted:
        subject.look()
        asked = tuple(decision_lines(noted.decision))
        return result(StepVerdict.NOTE, noted.text, asked=asked, came_back=noted.came_back)
    except Failed as failed:
        reason, output = await subject.after(failed)
        if failed.batch:
            same = await _alone(subject, failed.batch)
            if same is None:
                reason += "; asked one by one it was fine"
            else:
                failed = same
                told, output = await subject.after(same)
                reason += f"; asked alone, one of them does it: {told}"
        asked = () if failed.decision is None else tuple(decision_lines(failed.decision))
        return result(
            StepVerdict.FAIL,
            reason,
            asked=asked,
            came_back=failed.came_back,
            output_tail=output[-TAIL_BYTES:],
        )
    subject.look()
    return result(StepVerdict.PASS, text)


async def _alone(subject: Subject, batch: Sequence[Decision]) -> Failed | None:
    """Ask what a batch left open one by one, for a while; return how it fails if it does."""
    end = time.monotonic() + ALONE_S
    try:
        session = await subject.fresh()
        for number, decision in enumerate(batch):
            if time.monotonic() > end:
                break
            await session.ask([Asked(decision, f"alone{number}")])
    except Failed as failed:
        return failed
    return None


def _look_for_reasons_not_to(number: int, subject: Subject) -> None:
    """Raise NotTried for a step that would only cost time."""
    if subject.hello is None and subject.no_hello is None and number > 1:
        raise NotTried("the bot did not say hello")
    if subject.no_hello is not None and number > 2:
        raise NotTried("the bot did not say hello")
    if subject.hangs >= MOST_HANGS:
        raise NotTried(f"the bot was silent for too long, {subject.hangs} times by now")


def _report(subject: Subject, steps: list[StepResult], limits_of: str) -> CheckReport:
    hello = subject.hello
    verdicts = {step.verdict for step in steps}
    reproducible = None
    if subject.changed:
        reproducible = False
    elif subject.asked_twice:
        reproducible = True
    keeps: bool | None = not subject.broken
    if keeps and StepVerdict.NOT_TRIED in verdicts:
        keeps = None
    return CheckReport(
        bot=subject.bot.name,
        command=subject.bot.command,
        calls_itself="" if hello is None else f"{hello.name} {hello.version}".strip(),
        max_batch=None if hello is None else hello.max_batch,
        limits=subject.config.limits,
        limits_of=limits_of,
        steps=tuple(steps),
        decisions=subject.decisions,
        slowest=tuple(
            SlowDecision(ms, _KIND[type(decision.question)], tuple(decision_lines(decision)))
            for ms, decision in subject.slowest
        ),
        peak_memory_kib=subject.peak_kib,
        keeps_limits=keeps,
        keeps_limits_text=_why(subject, keeps),
        reproducible=reproducible,
        notes=tuple(subject.notes),
    )


_KIND: Final = {
    CallQuestion: "call",
    TrumpQuestion: "trump",
    DiscardQuestion: "discard",
    PlayQuestion: "play",
}
_PASSED_LIMIT: Final = {
    Limit.START: "start_ms was passed",
    Limit.DECISION: "decision_ms was passed",
    Limit.STOP: "stop_ms was passed",
}


def _why(subject: Subject, keeps: bool | None) -> str:
    if keeps is None:
        return "not all steps could be tried"
    if not keeps:
        return ", ".join(_PASSED_LIMIT[limit] for limit in Limit if limit in subject.broken)
    slowest = subject.slowest
    if not slowest:
        return "nothing was asked"
    return f"the slowest answer took {slowest[0][0]:.1f} ms of {subject.config.limits.decision_ms}"
