"""The beginning of a run: the roll is called, the master drawn, and all that is fixed is stored.

It is stored at once, before the commitment is told and before the first game. A run that is killed
earlier has not begun, and the same command begins it.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection
from typing import cast

from referee.engine import commitment, master_from_text
from referee.errors import RunFailed
from referee.report import Facts, Findings, visible, visible_line
from referee.runner.clock import ClockSlots
from referee.runner.house import House
from referee.runner.progress import Observer
from referee.runner.rollcall import Presence, call_roll
from referee.runner.setup import Setup
from referee.store import Beginning, RunFolder
from referee.tourney import Entrant, Json, NotStarted, effective, sibling_pairs
from referee.wire import Hello

__all__ = ["begin"]

log = logging.getLogger(__name__)

FEWEST_PARTNERSHIPS = 3
OUTPUT_LINES = 15


async def begin(setup: Setup, folder: RunFolder, house: House, observer: Observer) -> None:
    """Call the roll, draw the master, store both with the plan, and tell the commitment.

    A bot that a person starts is not called: it would have to be stepped through practice.
    """
    config = setup.config
    called: list[Presence] = []

    async def call() -> None:
        called.extend(Presence(bot.name, present=True) for bot in config.bots if bot.is_attached)
        called.extend(
            await call_roll(
                [bot for bot in config.bots if not bot.is_attached],
                rules=config.rules,
                limits=config.limits,
                launcher=house.launcher,
                slots=ClockSlots(setup.clock_slots),
                heartbeat=house.heartbeat,
            )
        )

    await house.play(call())
    for presence in called:
        log.info("roll call: %s", presence)
    await _wait_for_attached(setup, house, observer)
    seed = config.event.seed
    master = secrets.token_bytes(32) if seed is None else master_from_text(seed)
    findings = _findings(setup, called, kind=house.launcher.warden.kind)
    promise = commitment(master, config.event.id)
    facts = Facts.of(
        effective(config),
        commitment=promise,
        master=master,
        findings=findings,
    )
    for absent in findings.not_started:
        observer.say(f"not started: {visible(absent.name)}: {visible(absent.reason)}")
    for presence in called:
        _tell_output(presence, observer)
    if len(facts.entrants()) < FEWEST_PARTNERSHIPS:
        raise RunFailed(
            f"only {len(facts.entrants())} partnerships could be started, "
            f"an event needs {FEWEST_PARTNERSHIPS}"
        )
    if problem := facts.design_problem():
        raise RunFailed(f"{problem} (those that could be started); change [event] design")
    plan = cast(dict[str, Json], facts.plan().parameters())
    folder.begin(
        Beginning(
            tournament_id=config.event.id,
            conditions=setup.conditions(),
            master=master,
            commitment=promise,
            plan=plan,
            roll_call=(*findings.to_json(), *map(_presence_json, called)),
        )
    )
    observer.say(f"commitment: {promise.hex()}")


async def _wait_for_attached(setup: Setup, house: House, observer: Observer) -> None:
    """Wait for the bot that a person starts: nothing is played and nobody pays until it is here."""
    attachment, attach = house.attachment, setup.attach
    if attachment is None or attach is None:
        return
    wait_s = attach.limits.start_ms / 1000
    arrived: list[Hello | None] = []

    async def wait() -> None:
        arrived.append(await attachment.arrive(wait_s))

    await house.play(wait())
    hello = arrived[0]
    if hello is None:
        raise RunFailed(
            f"the attached bot did not say hello within {wait_s:g} s, so nothing was played; give "
            "the command again, and start the bot with the variables that it tells"
        )
    observer.say(f"the attached bot is here: {visible(hello.name) or 'without a name'}")


def _tell_output(presence: Presence, observer: Observer) -> None:
    """Show what a bot that is absent printed last: that is mostly its traceback."""
    if presence.present or not presence.output_tail.strip():
        return
    observer.say(f"last output of {visible(presence.bot)}:")
    for line in presence.output_tail.rstrip().split("\n")[-OUTPUT_LINES:]:
        observer.say(f"  | {visible_line(line)}".rstrip())


def _findings(setup: Setup, called: Collection[Presence], *, kind: str) -> Findings:
    """Tell what the roll call means for the partnerships, and the stamps known by now."""
    config = setup.config
    by_bot = {presence.bot: presence for presence in called}
    not_started, not_reproducible, entrants = [], [], []
    for entry in config.partnerships:
        bots = dict.fromkeys(entry.bots)
        reasons = [
            by_bot[bot].reason if bot == entry.name else f"{bot}: {by_bot[bot].reason}"
            for bot in bots
            if not by_bot[bot].present
        ]
        if reasons:
            not_started.append(NotStarted(entry.name, "; ".join(reasons)))
            continue
        entrants.append(Entrant(entry.name, entry.bots))
        if not all(by_bot[bot].reproducible for bot in bots):
            not_reproducible.append(entry.name)
    stamps = ["isolation none: boards could be remembered"]
    if kind != "subreaper":
        stamps.append("processes of bots watched by process group only")
    if config.event.seed is not None:
        stamps.append("practice: deals known to whoever knows the seed")
    stamps += [
        f"not fingerprinted: {name}"
        for name, fingerprint in sorted(setup.fingerprints.items())
        if not fingerprint.complete
    ]
    return Findings(
        not_started=tuple(not_started),
        not_reproducible=tuple(not_reproducible),
        siblings=sibling_pairs(
            entrants,
            owners={
                entry.name: entry.owner for entry in config.partnerships if entry.owner is not None
            },
            fingerprints={name: each.digest for name, each in setup.fingerprints.items()},
        ),
        stamps=tuple(stamps),
    )


def _presence_json(presence: Presence) -> Json:
    return {
        "kind": "presence",
        "bot": presence.bot,
        "present": presence.present,
        "reason": presence.reason,
        "reproducible": presence.reproducible,
        "calls_itself": presence.calls_itself,
        "notes": list(presence.notes),
        "output_tail": presence.output_tail,
    }
