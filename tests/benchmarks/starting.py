"""What a run costs before it plays: start-up time and memory, however many games are planned.

    python -m tests.benchmarks.starting ROUNDS DIRECTORY PROGRAM

plays the first games of an event in a folder below DIRECTORY and prints one line of JSON: games
planned, seconds from the start of the command to the first finished game, and the memory held then.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.bots import BOTS, Program

__all__ = ["Begun", "begin", "command_s"]

_ROOT = Path(__file__).parents[2]
_CONFIG = """
[event]
id = "benchmark"
name = "Benchmark"
rounds = {rounds}
seed = "benchmark"
[bots.bench]
command = {command}
directory = "{directory}"
[[partnerships]]
name = "One"
bots = ["bench"]
[[partnerships]]
name = "Two"
bots = ["bench"]
[[partnerships]]
name = "Three"
bots = ["bench"]
"""


@dataclass(frozen=True, slots=True)
class Begun:
    """A run that has begun: games planned, seconds to the first of them, mebibytes held then."""

    games: int
    seconds: float
    memory_mib: float


def begin(rounds: int, folder: Path, program: str) -> Begun:
    """Begin a run of so many rounds in a process of its own."""
    module = "tests.benchmarks.starting"
    arguments = [sys.executable, "-m", module, str(rounds), str(folder), program]
    done = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, cwd=_ROOT)
    return Begun(**json.loads(done.stdout))


def command_s(*arguments: str) -> float:
    """Seconds that a Python command takes."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _begin_here(rounds: int, folder: Path, program: Program) -> Begun:
    started = time.perf_counter()
    from referee.bots import Warden
    from referee.runner import Interrupted, Progress, play_event, prepare
    from referee.store import RunFolder
    from referee.tourney import load_config

    file = folder / f"{rounds}.toml"
    text = _CONFIG.format(
        rounds=rounds, command=json.dumps(program.command), directory=program.directory
    )
    file.write_text(text, encoding="utf-8")
    setup = prepare(load_config(file), versions={})
    begun: list[Begun] = []

    class Onlooker:
        def __init__(self, stop: asyncio.Future[int]) -> None:
            self._stop = stop

        def show(self, progress: Progress) -> None:
            if progress.games and not self._stop.done():
                seconds = time.perf_counter() - started
                begun.append(Begun(progress.games_planned, seconds, _memory_mib()))
                self._stop.set_result(2)

        def say(self, text: str) -> None:
            pass

    warden = Warden.start()
    with RunFolder.claim(folder / f"run-{rounds}") as run_folder:

        async def play() -> None:
            stop: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            await play_event(setup, run_folder, warden, Onlooker(stop), stop)

        with suppress(Interrupted):
            asyncio.run(play())
    return begun[0]


def _memory_mib() -> float:
    status = Path("/proc/self/status").read_text()
    (kib,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(kib) / 1024


if __name__ == "__main__":
    result = _begin_here(int(sys.argv[1]), Path(sys.argv[2]), BOTS[sys.argv[3]])
    print(json.dumps({name: getattr(result, name) for name in Begun.__slots__}))
