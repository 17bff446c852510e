"""What a check of a bot found: plain values, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.tourney import Limits

__all__ = ["CheckReport", "SlowDecision", "StepResult", "StepVerdict"]


class StepVerdict(StrEnum):
    """What became of a step."""

    PASS = "pass"
    FAIL = "fail"
    NOTE = "note"
    """It is told, and not judged."""
    NOT_TRIED = "not_tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """One step. `text` is the reason of a failure, or what is worth knowing of a pass.

    `asked` holds the lines of the decision that was open, `came_back` the answer as text, and
    `output_tail` the last that the bot printed, as it came: whoever shows it makes it visible.
    """

    number: int
    name: str
    verdict: StepVerdict
    text: str = ""
    asked: tuple[str, ...] = ()
    came_back: str = ""
    output_tail: str = ""
    took_ms: int = 0


@dataclass(frozen=True, slots=True)
class SlowDecision:
    """One of the slowest answers: its time, the kind of question, the lines of what was asked."""

    ms: float
    kind: str
    asked: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """All that a check found.

    `limits_of` names where the limits are from. `keeps_limits`: no time limit was passed; None if
    too little could be tried to say so, with the reason in `keeps_limits_text`. `reproducible` is
    None if that could not be found out. `peak_memory_kib` is None where the system does not tell.
    """

    bot: str
    command: tuple[str, ...]
    calls_itself: str
    max_batch: int | None
    limits: Limits
    limits_of: str
    steps: tuple[StepResult, ...]
    decisions: int
    slowest: tuple[SlowDecision, ...]
    peak_memory_kib: int | None
    keeps_limits: bool | None
    keeps_limits_text: str
    reproducible: bool | None
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether no step failed; one that could not be tried has another before it that did."""
        return all(step.verdict is not StepVerdict.FAIL for step in self.steps)
