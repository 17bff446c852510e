"""The benchmark: what the referee adds to what cannot be avoided, as ratios measured in one run.

    python -m tests.benchmarks [--quick] [--repetitions N] [--bots LANGUAGE] [--tables N ...]

Six bot processes play at 1, 6, 64 and 256 tables in one worker. Two baselines are measured in
turn with them, again and again, so that a busy machine burdens all alike:

    echo   a bare gRPC stream echo of the same messages, server and clients in processes of their
           own: for one table one message at a time, for many tables the same batches
    alone  the same games in one process, without streams: table, codec, the SDK's parser, the bot

Each figure is the median of the repetitions. Ratios are what counts; microseconds are this
machine's, today. `wall` is time that passed, `cpu` the referee's and the bots' processor time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import TypeVar

from referee.bots import Warden
from referee.cli.playing import collect_rarely
from tests.benchmarks import playout
from tests.benchmarks.bots import BOTS
from tests.benchmarks.echo import all_at_once, bare_echo, one_by_one
from tests.benchmarks.inprocess import on_wire, table_us
from tests.benchmarks.sittings import Hall, Played, open_hall
from tests.benchmarks.starting import Begun, begin, command_s
from tests.benchmarks.tape import Tape

__all__ = ["main"]

_T = TypeVar("_T")

LIMITS = {1: "must 1.5, goal 1.15 x echo", 256: "must 20, goal 12 us"}
"""What the wall time at so many tables must be."""

_VERSION = "import sys; sys.argv = ['', '--version']; from referee.cli import main; main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is measured."""

    repetitions: int
    tables: tuple[int, ...]
    decisions_alone: int
    decisions: int
    games: int
    rounds: tuple[int, int]


FULL = Sizes(
    repetitions=5,
    tables=(1, 6, 64, 256),
    decisions_alone=1500,
    decisions=30_000,
    games=64,
    rounds=(167, 166_667),
)
QUICK = Sizes(
    repetitions=1, tables=(1, 6), decisions_alone=60, decisions=200, games=2, rounds=(2, 2000)
)


@dataclass(slots=True)
class Measured:
    """All repetitions of everything."""

    engine_us: list[float] = field(default_factory=list)
    table_us: list[float] = field(default_factory=list)
    referee_us: list[float] = field(default_factory=list)
    bot_us: list[float] = field(default_factory=list)
    echo_us: dict[int, list[float]] = field(default_factory=dict)
    played: dict[int, list[Played]] = field(default_factory=dict)
    python_s: list[float] = field(default_factory=list)
    version_s: list[float] = field(default_factory=list)
    begun: dict[int, list[Begun]] = field(default_factory=dict)

    @property
    def alone_us(self) -> float:
        """The same games without streams: both sides of the wire in one process."""
        return median(self.referee_us) + median(self.bot_us)


async def measure(sizes: Sizes, program: str, warden: Warden, folder: Path) -> Measured:
    """Measure everything, the repetitions of one thing never side by side."""
    found = Measured()
    tapes = {tables: Tape() for tables in sizes.tables}
    async with open_hall(BOTS[program], warden) as hall:
        for tables, tape in tapes.items():
            await hall.play(tables=tables, decisions=_decisions(sizes, tables) // 2, tape=tape)
        for _ in range(sizes.repetitions):
            _measure_alone(sizes, found)
            for tables, tape in tapes.items():
                await _measure_tables(sizes, found, hall, tables, tape, folder)
    return found


def _decisions(sizes: Sizes, tables: int) -> int:
    return sizes.decisions_alone * min(tables, 4) if tables < 16 else sizes.decisions


def _measure_alone(sizes: Sizes, found: Measured) -> None:
    started = process_time()
    decisions = sum(playout.random_playout(seed)[1] for seed in range(sizes.games))
    found.engine_us.append((process_time() - started) / decisions * 1e6)
    found.table_us.append(table_us(sizes.games))
    wire = on_wire(sizes.games, batch=min(sizes.games, 64))
    found.referee_us.append(wire.referee_us)
    found.bot_us.append(wire.bot_us)


async def _measure_tables(
    sizes: Sizes, found: Measured, hall: Hall, tables: int, tape: Tape, folder: Path
) -> None:
    echo = one_by_one if tables == 1 else all_at_once
    async with bare_echo(tape, folder) as streams:
        await echo(streams, tape)
        found.echo_us.setdefault(tables, []).append(await echo(streams, tape))
    played = await hall.play(tables=tables, decisions=_decisions(sizes, tables))
    found.played.setdefault(tables, []).append(played)


def measure_starts(sizes: Sizes, program: str, folder: Path, found: Measured) -> None:
    """Measure what starting takes; not beside the sittings, which have a warden open."""
    for repetition in range(sizes.repetitions):
        found.python_s.append(command_s("-c", "import asyncio"))
        found.version_s.append(command_s("-c", _VERSION))
        for rounds in sizes.rounds:
            place = folder / f"begin-{repetition}-{rounds}"
            place.mkdir()
            begun = begin(rounds, place, program)
            found.begun.setdefault(begun.games, []).append(begun)


# --- the table ------------------------------------------------------------------------------------


def show(found: Measured) -> None:
    """Print all figures."""
    print(f"load {' '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores")
    _show_alone(found)
    _show_played(found)
    _show_starts(found)


def _show_alone(found: Measured) -> None:
    print("\nin one process, us a decision (cpu)")
    engine, table = median(found.engine_us), median(found.table_us)
    referee = median(found.referee_us)
    _row("engine, random play-out, forced ones counted", f"{engine:.2f}", "must 10, goal 5")
    _row("table, an asked decision", f"{table:.2f}", f"{table / engine:.2f} x engine")
    _row("table and wire codec", f"{referee:.2f}", f"{referee / table:.2f} x table")
    _row("the SDK's side, the bot included", f"{median(found.bot_us):.2f}", "")


def _show_played(found: Measured) -> None:
    print("\nsix bot processes, us an asked decision")
    print("tables    wall    echo  x echo  x alone  cpu referee  cpu bots  batch")
    for tables, played in found.played.items():
        wall = _median(played, lambda each: each.wall_us)
        echo = median(found.echo_us[tables])
        ratios = f"{wall / echo:6.2f}  {wall / found.alone_us:7.2f}"
        print(
            f"{tables:6d}  {wall:6.1f}  {echo:6.1f}  {ratios}"
            f"  {_median(played, lambda each: each.referee_us):11.1f}"
            f"  {_median(played, lambda each: each.bots_us):8.1f}"
            f"  {_median(played, lambda each: each.batch):5.1f}   {LIMITS.get(tables, '')}"
        )


def _show_starts(found: Measured) -> None:
    print("\nstarting")
    firsts = [each.first_answer_s for played in found.played.values() for each in played]
    _row("start to first answer of all six bots, s", f"{median(firsts):.2f}", "must 1.5, goal 0.5")
    if not found.begun:
        return
    python, version = median(found.python_s), median(found.version_s)
    _row("python -c 'import asyncio', s", f"{python:.3f}", "")
    _row("schmier-referee --version, s", f"{version:.3f}", f"{version / python:.2f} x that")
    for games, begun in found.begun.items():
        seconds = _median(begun, lambda each: each.seconds)
        memory = _median(begun, lambda each: each.memory_mib)
        _row(f"{games} games planned: first game after, s", f"{seconds:.2f}", "flat")
        _row(f"{games} games planned: memory, MiB", f"{memory:.1f}", "flat")


def _row(what: str, figure: str, note: str) -> None:
    print(f"{what:48} {figure:>10}   {note}")


def _median(played: Sequence[_T], figure: Callable[[_T], float]) -> float:
    return median(map(figure, played))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description="Measure the referee against a bare gRPC echo.",
    )
    parser.add_argument("--quick", action="store_true", help="only see that everything runs")
    parser.add_argument("--repetitions", type=int, help="how often everything is measured")
    parser.add_argument("--bots", choices=sorted(BOTS), default="python", help="whose bots play")
    parser.add_argument("--tables", type=int, nargs="+", help="at how many tables")
    parser.add_argument("--no-starts", action="store_true", help="leave out what starting takes")
    given = parser.parse_args()
    sizes = QUICK if given.quick else FULL
    if given.repetitions is not None:
        sizes = replace(sizes, repetitions=given.repetitions)
    if given.tables is not None:
        sizes = replace(sizes, tables=tuple(given.tables))
    if problem := BOTS[given.bots].problem:
        parser.error(problem)
    warden = Warden.start()
    collect_rarely()  # as the command line does
    with tempfile.TemporaryDirectory(prefix="benchmark-") as name:
        folder = Path(name)
        found = asyncio.run(measure(sizes, given.bots, warden, folder))
        if not given.no_starts:
            measure_starts(sizes, given.bots, folder, found)
    show(found)


if __name__ == "__main__":
    main()
