"""A referee killed at any moment: what was committed is there, and no game is half there."""

from __future__ import annotations

import random
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.store import FinishedGame, RunFolder

GameOf: TypeAlias = Callable[..., FinishedGame]

PLAYER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import _game_of
from referee.store import Evidence, RunFolder, RunWriter
with RunFolder.claim(Path(sys.argv[1])) as folder:
    with folder.reader() as reader:
        number = reader.counts().games
    with RunWriter(folder.database, transaction_games=7, transaction_s=0.001) as writer:
        while True:
            for number in range(number, number + 40):
                game = _game_of(number)
                writer.add_game(game, [Evidence(number, number)])
            number += 1
            writer.flush().result()
            print(number, flush=True)
"""


def play_until_killed(folder: RunFolder, *, lines: int) -> int:
    """Play in another process, kill it some time after it has told so often how far it is."""
    process = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(folder.path), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(lines):
        assert process.stdout.readline()
    process.kill()
    rest = process.communicate()[0].splitlines(keepends=True)
    assert process.returncode == -signal.SIGKILL
    whole = [line for line in rest if line.endswith("\n")]
    return int(whole[-1]) if whole else 40 * lines


def test_games_that_were_committed_survive_and_none_is_half_there(
    folder: RunFolder, game_of: GameOf
) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    moments = random.Random(seed)
    folder.release()
    kept = 0
    for _ in range(6):
        told = play_until_killed(folder, lines=moments.randrange(1, 6))
        with RunFolder.claim(folder.path) as again, again.reader() as reader:
            games = list(reader.games())
            assert len(games) >= kept
            kept = len(games)
            assert {game.id for game in games} == {game_of(number).id for number in range(kept)}
            assert all(game == game_of(int.from_bytes(game.id[:8])) for game in games)
            for number in range(kept):
                assert [piece.content for piece in reader.evidence(game_of(number).id)] == [number]
            with again.writer():
                pass
        assert told > 0
    with closing(sqlite3.connect(folder.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_games_that_were_said_to_be_committed_are_there(folder: RunFolder, game_of: GameOf) -> None:
    folder.release()
    told = play_until_killed(folder, lines=3)
    assert told >= 120
    with folder.reader() as reader:
        there = reader.counts().games
        assert there >= told
        assert list(reader.games()) == [game_of(number) for number in range(there)]


def test_a_log_cut_anywhere_leaves_whole_transactions(
    folder: RunFolder, game_of: GameOf, tmp_path: Path
) -> None:
    writer = folder.writer()
    for number in range(30):
        writer.add_game(game_of(number))
        writer.flush().result()
    database, log = folder.database.read_bytes(), (folder.path / "run.sqlite-wal").read_bytes()
    writer.close()
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    counts = set()
    for end in sorted(random.Random(seed).sample(range(len(log)), 25)):
        copy = tmp_path / f"cut{end}"
        copy.mkdir()
        (copy / "run.sqlite").write_bytes(database)
        (copy / "run.sqlite-wal").write_bytes(log[:end])
        with RunFolder.claim(copy) as cut, cut.writer(), cut.reader() as reader:
            games = list(reader.games())
            assert games == [game_of(number) for number in range(len(games))]
            counts.add(len(games))
    assert len(counts) > 5


FILLER = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import _game_of
from referee.errors import RunFailed
from referee.store import RunFolder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    with RunFolder.claim(Path(sys.argv[1])) as folder, folder.writer() as writer:
        for number in range(100_000):
            writer.add_game(_game_of(number))
except RunFailed as failure:
    print(failure)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit of file sizes")
def test_a_file_that_cannot_grow_fails_the_run_in_one_line_and_keeps_what_was_committed(
    folder: RunFolder, game_of: GameOf
) -> None:
    folder.release()
    told = subprocess.run(
        [sys.executable, "-c", FILLER, str(folder.path), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.stderr == ""
    assert told.stdout.startswith(f"{folder.database}: cannot be written: ")
    assert told.stdout.count("\n") == 1
    with RunFolder.claim(folder.path) as again, again.reader() as reader:
        games = list(reader.games())
        assert games == [game_of(number) for number in range(len(games))]
        with again.writer() as writer:
            writer.add_game(game_of(len(games)))
        assert reader.counts().games == len(games) + 1
