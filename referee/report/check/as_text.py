"""A check as text: a line for each step, what there is to see of a failure, and a summary.

All that came from the bot is made visible before it is printed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from referee.report.check.results import CheckReport, SlowDecision, StepResult, StepVerdict
from referee.report.names import isolated, visible, visible_line
from referee.tourney import Limits

__all__ = ["check_head_lines", "check_step_lines", "check_summary_lines"]

NOTHING_PRINTED = "it printed nothing that arrived; what a killed process has not flushed is lost"
OUTPUT_LINES: Final = 15
_WORDS: Final = {
    StepVerdict.PASS: "pass",
    StepVerdict.FAIL: "FAIL",
    StepVerdict.NOTE: "note",
    StepVerdict.NOT_TRIED: "----",
}


def check_head_lines(
    *, bot: str, command: tuple[str, ...], limits: Limits, limits_of: str
) -> Iterator[str]:
    """Yield what is checked, and under which limits."""
    name = f"{isolated(visible(bot))}: " if bot else ""
    yield f"checking {name}{visible(shlex.join(command))}"
    yield (
        f"limits of {visible(limits_of)}: {limits.decision_ms} ms a decision, "
        f"{limits.start_ms} ms to start, {limits.stop_ms} ms to stop"
    )


def check_step_lines(step: StepResult, *, brief: bool = False) -> Iterator[str]:
    """Yield the line of a step, and below it what was asked, what came back and the output.

    `brief` leaves out what is below, and why a step was not tried: of a reason that was there
    before, once is enough.
    """
    line = f"{step.number:>2}  {_WORDS[step.verdict]}  {step.name}"
    is_told = step.text and not (brief and step.verdict is StepVerdict.NOT_TRIED)
    yield f"{line}: {visible(step.text)}" if is_told else line
    if brief:
        return
    yield from (f"          {line}" for line in step.asked)
    if step.asked and step.verdict is not StepVerdict.PASS:
        yield f"          came back    {visible(step.came_back) if step.came_back else 'nothing'}"
    if step.verdict is StepVerdict.FAIL:
        yield from _output_lines(step.output_tail)


def check_summary_lines(report: CheckReport) -> Iterator[str]:
    """Yield what was found besides the steps, and at the end whether the bot passed."""
    for note in report.notes:
        yield f"note: {visible(note)}"
    if report.slowest:
        yield f"slowest of {report.decisions:,} answers:"
        yield from (f"  {slow.ms:8.1f} ms  {_short(slow)}" for slow in report.slowest)
    if report.peak_memory_kib is not None:
        yield f"peak memory: {report.peak_memory_kib / 1024:.0f} MiB"
    keeps = {True: "yes", False: "no", None: "cannot be said"}[report.keeps_limits]
    limits_of = visible(report.limits_of)
    yield f"would keep the limits of {limits_of}: {keeps} ({report.keeps_limits_text})"
    again = {True: "yes", False: "no", None: "cannot be said"}[report.reproducible]
    yield f"reproducible: {again}"
    failed = [step for step in report.steps if step.verdict is StepVerdict.FAIL]
    if not failed:
        yield f"PASSED all {len(report.steps)} steps"
        return
    left = sum(step.verdict is StepVerdict.NOT_TRIED for step in report.steps)
    numbers = (" " if len(failed) == 1 else "s ") + ", ".join(str(step.number) for step in failed)
    not_tried = f"; {left} could not be tried" if left else ""
    yield f"FAILED step{numbers} of {len(report.steps)}{not_tried}"


def _output_lines(tail: str) -> Iterator[str]:
    lines = tail.removesuffix("\n").split("\n") if tail else []
    if not lines:
        yield f"          {NOTHING_PRINTED}"
        return
    yield "          last output"
    yield from (f"          | {visible_line(line)[:400]}" for line in lines[-OUTPUT_LINES:])


def _short(slow: SlowDecision) -> str:
    """What was asked, in one line: what the seat held, and what was legal."""
    known = dict(line.split(None, 1) for line in slow.asked if " " in line)
    return f"{slow.kind}: held {known.get('held', '?')}; legal {known.get('legal', '?')}"
