"""The bot under check: its processes one after the other, and all that is found out on the way."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from referee.bots import Ending, usage_of
from referee.engine import Action, Decision
from referee.runner.check.diagnosis import Stranger
from referee.runner.check.failing import Failed, Limit
from referee.runner.check.session import Asked, Reply, Session
from referee.runner.clock import Heartbeat
from referee.runner.link import Launcher
from referee.tourney import Bot, Config
from referee.wire import Hello

__all__ = ["Pace", "Subject"]

STRANGE_OUTPUT = (
    "what it prints is not all text in UTF-8, or acts on a terminal; it is shown escaped"
)
LAST_WORDS_S = 1.0
"""How long a process whose stream has ended is waited for, to learn its exit code."""
SLOWEST = 5
MOST_STRANGERS = 100


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is asked: so many recorded hands, and for how many seconds at most, first at some
    tables in turn, then all of them, then all of them again."""

    hands: int = 200
    tables_s: float = 4.0
    recorded_s: float = 6.0
    again_s: float = 4.0


@dataclass(slots=True, eq=False)
class Subject:
    """What the steps of a check share.

    `session` is the process that plays now, None before the first and after each failure.
    `recorded` are the decisions of the recorded hands, hand by hand; `answers` the first answer to
    each decision that was asked with a key. `strangers` says which calls were turned away.
    """

    config: Config
    bot: Bot
    launcher: Launcher
    heartbeat: Heartbeat
    pace: Pace
    recorded: Sequence[Sequence[Decision]]
    session: Session | None = None
    hello: Hello | None = None
    no_hello: Failed | None = None
    strangers: list[Stranger] = field(default_factory=list)
    answers: dict[int, Action] = field(default_factory=dict)
    changed: list[tuple[Decision, Action, Action]] = field(default_factory=list)
    asked_twice: int = 0
    decisions: int = 0
    leftovers: int = 0
    ignored: int = 0
    peak_kib: int | None = None
    broken: set[Limit] = field(default_factory=set)
    hangs: int = 0
    notes: list[str] = field(default_factory=list)
    _slowest: list[tuple[float, int, Decision]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.launcher.endpoints.on_turned_away = self._turned_away

    @property
    def slowest(self) -> list[tuple[float, Decision]]:
        """The slowest answers, the slowest first, with their milliseconds."""
        return [(ms, decision) for ms, _, decision in sorted(self._slowest, reverse=True)]

    async def live(self) -> Session:
        """Return the process that plays now, or a new one."""
        return self.session or await self.fresh()

    async def fresh(self, *, changed: Callable[[bytes], bytes] | None = None) -> Session:
        """Start a new process, which takes the place of the one before; raises Failed.

        `changed` alters each message of the referee, the welcome included.
        """
        await self.let_go("another process takes its place")
        launcher = self.launcher
        if changed is not None:
            greet = launcher.welcome
            launcher = replace(launcher, welcome=lambda bot, hello: changed(greet(bot, hello)))
        self.session = Session(
            bot=self.bot,
            limits=self.config.limits,
            launcher=launcher,
            heartbeat=self.heartbeat,
            on_reply=self._replied,
            changed=changed or (lambda message: message),
        )
        self.hello = await self.session.start()
        return self.session

    def look(self) -> None:
        """Look at the memory that the bot's processes have used."""
        session = self.session
        pid = None if session is None else session.link.pid
        usage = None if pid is None else usage_of(pid)
        if usage is not None:
            self.peak_kib = max(self.peak_kib or 0, usage.peak_kib)

    async def let_go(self, text: str, *, stop_s: float = 0.0) -> Ending | None:
        """End the process that plays now, if there is one, and return how it ended."""
        session = self.session
        if session is None:
            return None
        self.look()
        self.session = None
        ending = await session.end(text, stop_s=stop_s)
        self.leftovers += ending.leftovers
        self.ignored += session.ignored
        if _is_strange(ending.output) and STRANGE_OUTPUT not in self.notes:
            self.notes.append(STRANGE_OUTPUT)
        return ending

    async def after(self, failed: Failed) -> tuple[str, str]:
        """End the process that failed; return the reason in full and the end of its output."""
        if failed.limit is not None:
            self.broken.add(failed.limit)
            self.hangs += failed.limit is not Limit.STOP
        session = self.session
        stop_s = min(self.config.limits.stop_ms / 1000, LAST_WORDS_S) if failed.ended else 0.0
        ending = await self.let_go("the check found a mistake", stop_s=stop_s)
        if ending is None or session is None:
            return failed.reason + failed.suffix, failed.output
        output = ending.output.decode("utf-8", "replace")
        if not failed.ended:
            return failed.reason + failed.suffix, output
        return f"{failed.reason}{_how(session, ending)}{failed.suffix}", output

    def compare(self, key: int, decision: Decision, action: Action) -> None:
        """Keep the first answer to a decision, and compare each later one with it."""
        first = self.answers.setdefault(key, action)
        if first != action:
            self.changed.append((decision, first, action))

    def _replied(self, reply: Reply) -> None:
        self.decisions += 1
        asked: Asked = reply.asked
        entry = (round(reply.ms, 3), -self.decisions, asked.decision)
        if len(self._slowest) < SLOWEST:
            heapq.heappush(self._slowest, entry)
        else:
            heapq.heappushpop(self._slowest, entry)
        if asked.key >= 0:
            self.asked_twice += asked.key in self.answers
            self.compare(asked.key, asked.decision, reply.action)

    def _turned_away(self, stranger: Stranger) -> None:
        if len(self.strangers) < MOST_STRANGERS:
            self.strangers.append(stranger)


def _is_strange(output: bytes) -> bool:
    """Tell whether an output is no UTF-8 or holds control characters; its middle may be missing."""
    try:
        text = output.decode()
    except UnicodeDecodeError:
        return True
    return any(letter < " " and letter not in "\n\r\t" for letter in text)


def _how(session: Session, ending: Ending) -> str:
    """Say how a process or its stream ended, in the same words whichever was seen first."""
    if ending.failure:
        return ending.failure
    if session.link.was_killed or ending.exit is None:
        return "the bot ended its stream and its process lived on"
    return f"the process ended ({ending.exit})"
