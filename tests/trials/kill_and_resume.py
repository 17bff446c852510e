"""Kills a run at random moments and takes it up again, over and over; the bytes must not differ.

    python tests/trials/kill_and_resume.py --trials 100

An event is played once undisturbed. Then each trial plays it in a new folder, is killed one to
three times at random moments (SIGKILL mostly, SIGTERM, SIGINT or SIGHUP else), and is taken up
again each time by the same command. At the end all leaderboards and the export must be the same
bytes as those of the undisturbed run, `verify` must find no difference, and no process of a bot may
be left after any ending. The seed of the random moments is printed; exit code 1 if anything failed.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
REFEREE = (sys.executable, "-c", "from referee.cli import main; main()")
SIGNALS = (*[signal.SIGKILL] * 7, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
GONE_S = 20.0
FILES = ("leaderboard.txt", "leaderboard.md", "leaderboard.csv", "leaderboard.json")

CONFIG = """
[event]
id = "trial"
name = "Trial"
rounds = 4
leg_rounds = 2
seed = "trial"
[bots.careful]
command = ["{python}", "rule_based.py"]
directory = "SAMPLES"
[bots.random]
command = ["{python}", "random_legal.py"]
directory = "SAMPLES"
[bots.first]
command = ["{python}", "first_legal.py"]
directory = "SAMPLES"
[[partnerships]]
name = "Careful"
bots = ["careful"]
[[partnerships]]
name = "Random"
bots = ["random"]
[[partnerships]]
name = "Mixed"
bots = ["first", "careful"]
"""


def main() -> int:
    """Run the trials and tell how they went."""
    parser = argparse.ArgumentParser(description="Kill runs at random moments and resume them.")
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    failed = kills = 0
    with tempfile.TemporaryDirectory(prefix="trials-") as name:
        place = Path(name)
        config = place / "trial.toml"
        samples = ROOT / "sample_bots" / "python"
        config.write_text(CONFIG.replace("SAMPLES", str(samples)), encoding="utf-8")
        began = time.monotonic()
        expected = finish(config, place / "undisturbed", place)
        whole_s = time.monotonic() - began
        for trial in range(1, options.trials + 1):
            folder = place / f"trial-{trial}"
            killed, problem = disturb(config, folder, place, chance, whole_s)
            kills += killed
            problem = problem or compare(expected, finish(config, folder, place))
            failed += bool(problem)
            print(f"trial {trial}: {killed} kills, {problem or 'same bytes'}", flush=True)
    print(f"{options.trials} trials, {kills} kills, {failed} failed")
    return 1 if failed else 0


def disturb(
    config: Path, folder: Path, place: Path, chance: random.Random, whole_s: float
) -> tuple[int, str]:
    """Start the event and end it at random moments; return how often, and what was left over."""
    killed = 0
    for _ in range(chance.randint(1, 3)):
        process = start(config, folder, place)
        try:
            process.wait(chance.uniform(0, 0.6 * whole_s))
        except subprocess.TimeoutExpired:
            process.send_signal(chance.choice(SIGNALS))
            killed += 1
        process.wait()
        if not bots_are_gone(place):
            return killed, "a process of a bot is left"
    return killed, ""


def finish(config: Path, folder: Path, place: Path) -> dict[str, bytes]:
    """Play to the end; return the bytes of the leaderboards and of the export."""
    process = start(config, folder, place)
    process.wait()
    files = {file: (folder / file).read_bytes() for file in FILES if (folder / file).exists()}
    for command in ("export", "verify"):
        result = subprocess.run([*REFEREE, command, folder], capture_output=True, check=False)
        output = result.stdout.replace(os.fsencode(folder), b"RUN") + result.stderr
        files[command] = output + f"exit code {result.returncode}".encode()
    files["exit code"] = str(process.returncode).encode()
    return files


def start(config: Path, folder: Path, place: Path) -> subprocess.Popen[bytes]:
    """Start the referee with its own temporary directory, so that its bots can be told."""
    return subprocess.Popen(
        [*REFEREE, "tourney", config, "--out", folder],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(place)},
    )


def bots_are_gone(place: Path) -> bool:
    """Wait until no process names the place in its environment as its own directory."""
    wanted = f"SCHMIER_DIR={place}/".encode()
    deadline = time.monotonic() + GONE_S
    while time.monotonic() < deadline:
        if not any(wanted in environment for environment in environments()):
            return True
        time.sleep(0.01)
    return False


def environments() -> list[bytes]:
    """The environments of all processes that can be read."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            found.append(entry.read_bytes())
        except OSError:
            continue
    return found


def compare(expected: dict[str, bytes], found: dict[str, bytes]) -> str:
    """Return what differs from the undisturbed run, empty if nothing does."""
    return ", ".join(
        f"{name} differs"
        for name in sorted({*expected, *found})
        if expected.get(name) != found.get(name)
    )


if __name__ == "__main__":
    sys.exit(main())
