"""Fixtures of this floor: parts of a sitting and whole events, with real bot processes.

The machinery is in `tests.runner.real_bots`.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from referee.bots import Warden
from referee.engine import commitment, master_from_text
from referee.report.facts import Facts, Findings
from referee.runner.clock import ClockSlots
from referee.runner.dispatcher import TablesPolicy
from referee.runner.house import open_house
from referee.runner.sitting import Sitting, Stage
from referee.tourney import conditions, parse_config
from tests.runner.real_bots import (
    DEADLINE_S,
    GOOD,
    Command,
    Event,
    MakeEvent,
    Played,
    Sit,
    Surroundings,
    marked,
    toml,
    wait_until,
)


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Surroundings]:
    """Where a test's referees live; nothing of theirs is left afterwards."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    around = Surroundings(f"mark-{secrets.token_hex(8)}", temporary)
    yield around
    wait_until(lambda: not marked(around.mark), what="all bot processes are gone")
    if around.swept:
        assert sorted(temporary.iterdir()) == [], "private directories are left"


@pytest.fixture
def sit(surroundings: Surroundings) -> Iterator[Sit]:
    """Play the first games of a sitting: the partnership Odd (bots odd, partner) and good ones.

    `during` is called on the loop when the sitting has begun, `failing` when a game is filed.
    """
    wardens: list[Warden] = []

    def play(
        odd: Command,
        *,
        partner: Command = GOOD,
        games: int = 1,
        good: int = 2,
        good_bot: Command = GOOD,
        max_batch: int = 64,
        tables: int = 64,
        slots: int = 8,
        event: Mapping[str, object] | None = None,
        limits: Mapping[str, int] | None = None,
        during: Callable[[Sitting, Warden], Any] | None = None,
        failing: Callable[[], None] | None = None,
    ) -> Played:
        bots = {"odd": odd, "partner": partner, "good": good_bot}
        pairs = {"Odd": ["odd", "partner"]} | {f"Good {i}": ["good"] for i in range(good)}
        text = toml(
            bots,
            pairs,
            mark=surroundings.mark,
            event={"rounds": games, "leg_rounds": games, **(event or {})},
            limits=limits,
        )
        config = parse_config(text, path=Path("test.toml"))
        master = master_from_text("test")
        facts = Facts.of(
            conditions(config, fingerprints={}, versions={})["config"],  # type: ignore[arg-type]
            commitment=commitment(master, config.event.id),
            master=master,
            findings=Findings(),
        )
        played = Played(config, facts, failing=failing)
        warden = Warden.start()
        wardens.append(warden)

        async def scenario() -> None:
            stop: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            plan = facts.plan()
            async with asyncio.timeout(DEADLINE_S), open_house(config, warden, stop) as house:
                stage = Stage(
                    config=config,
                    plan=plan,
                    facts=facts,
                    launcher=house.launcher,
                    heartbeat=house.heartbeat,
                    slots=ClockSlots(slots),
                    policy=TablesPolicy(fixed=tables, clock_slots=slots),
                    file_game=played.file,
                    max_batch=max_batch,
                )
                sitting = Sitting(stage, plan.sitting(0, 0), out=())
                played.members = tuple(sitting.members)
                if during is not None:
                    asyncio.get_running_loop().call_soon(during, sitting, warden)
                await house.play(sitting.play())

        asyncio.run(scenario())
        return played

    yield play
    for warden in wardens:
        warden.end()


@pytest.fixture
def make_event(surroundings: Surroundings, tmp_path: Path) -> Iterator[MakeEvent]:
    """Write a configuration; every bot is a partnership of its own unless said otherwise."""
    made: list[Event] = []

    def make(
        bots: Mapping[str, Command],
        partnerships: Mapping[str, Sequence[str]] | None = None,
        *,
        name: str = "event",
        event: Mapping[str, object] | None = None,
        limits: Mapping[str, int] | None = None,
        rules: Mapping[str, object] | None = None,
        keys: Mapping[str, Mapping[str, object]] | None = None,
    ) -> Event:
        if partnerships is None:
            partnerships = {bot.capitalize(): [bot] for bot in bots}
        text = toml(
            bots,
            partnerships,
            mark=surroundings.mark,
            event=event,
            limits=limits,
            rules=rules,
            keys=keys,
        )
        config = tmp_path / f"{name}.toml"
        config.write_text(text, encoding="utf-8")
        made.append(Event(config, tmp_path / name, surroundings))
        return made[-1]

    yield make
    for each in made:
        for process in each.started:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.communicate()
