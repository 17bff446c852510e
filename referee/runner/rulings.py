"""What a conversation is asked to decide about, and what it decides: plain values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from referee.engine import Action, Decision
from referee.table import FaultKind

__all__ = ["Charge", "OpenQuestion", "Ruling", "Trouble"]

T = TypeVar("T")
"""What a question carries of its table; a conversation does not look at it."""


@dataclass(slots=True, eq=False)
class OpenQuestion(Generic[T]):
    """One decision on its way through a conversation: waiting, open, or left to be asked alone.

    `infra` counts the clocks that ran out while the referee stood still; for `awake_s` of them it
    did not.
    """

    table: T
    decision: Decision
    order: tuple[int, ...]
    id: int = 0
    infra: int = 0
    awake_s: float = 0.0


class Trouble(Enum):
    """Why a process is over before its sitting is."""

    ENDED = "the stream ended or the process exited"
    UNREADABLE = "a message does not parse"
    TOO_LARGE = "a message is over 64 KiB"
    FLOOD = "too many answers to ids that are not open"
    SILENT = "no answer to a batch"


@dataclass(frozen=True, slots=True)
class Charge(Generic[T]):
    """A fault to be charged to the table that waits; `detail` says what was seen, for people.

    `came_back` is the answer as far as it could be read, `waited_s` None when no clock ran.
    """

    question: OpenQuestion[T]
    kind: FaultKind
    detail: str
    waited_s: float | None
    came_back: str = ""


@dataclass(slots=True)
class Ruling(Generic[T]):
    """What follows from one event: answers to hand on, faults to charge, a process to replace."""

    taken: list[tuple[OpenQuestion[T], Action]] = field(default_factory=list)
    charges: list[Charge[T]] = field(default_factory=list)
    replace: Trouble | None = None
    infra: list[OpenQuestion[T]] = field(default_factory=list)
    stop: bool = False
    """The machine cannot keep the limit: the third `infra` on one decision."""
