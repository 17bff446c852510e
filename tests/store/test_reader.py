"""Reading a run changes nothing, sees whole transactions, and streams in identity order."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.errors import StoreError
from referee.store import Beginning, FinishedGame, RunFolder, RunReader

GameOf: TypeAlias = Callable[..., FinishedGame]


@pytest.fixture
def run(folder: RunFolder, game_of: GameOf) -> RunFolder:
    """A run with the 96 games of four rounds, closed cleanly."""
    with folder.writer() as writer:
        for number in range(96):
            writer.add_game(game_of(number))
    return folder


def test_the_beginning_comes_back(folder: RunFolder, beginning: Beginning) -> None:
    with folder.reader() as reader:
        assert reader.beginning() == beginning


def test_a_folder_and_its_database_open_alike(run: RunFolder) -> None:
    for path in (run.path, run.database):
        with RunReader(path) as reader:
            assert reader.path == run.database
            assert reader.counts().games == 96


def test_rounds_are_taken_by_range(run: RunFolder, game_of: GameOf) -> None:
    with run.reader() as reader:
        games = list(reader.games(range(1, 3)))
        assert games == [game_of(number) for number in range(24, 72)]
        assert list(reader.lines(range(3, 9))) == [game_of(number).line for number in range(72, 96)]
        assert list(reader.games(range(2, 2))) == []
        with pytest.raises(ValueError, match="one after another"):
            list(reader.games(range(0, 4, 2)))


def test_the_finished_games_of_a_sitting_are_told_with_their_ids(
    run: RunFolder, game_of: GameOf
) -> None:
    with run.reader() as reader:
        for leg in range(2):
            for sitting in range(6):
                expected = {
                    (game.line.round, game.line.index, game.line.replay): game.id
                    for game in map(game_of, range(96))
                    if (game.leg, game.sitting) == (leg, sitting)
                }
                assert len(expected) == 8
                assert reader.finished(leg=leg, sitting=sitting) == expected
        assert reader.finished(leg=2, sitting=0) == {}


def test_one_game_is_found_by_id_and_by_name(run: RunFolder, game_of: GameOf) -> None:
    with run.reader() as reader:
        game = game_of(77)
        assert reader.game(game.id) == game
        line = game.line
        assert reader.game_at(round=line.round, index=line.index, replay=line.replay) == game
        assert reader.game(b"no") is None
        assert reader.game_at(round=9, index=0, replay=0) is None


def test_a_run_is_read_while_it_is_played(run: RunFolder, game_of: GameOf) -> None:
    with run.writer() as writer, run.reader() as reader:
        writer.add_game(game_of(96))
        writer.flush().result()
        assert reader.counts().games == 97
        stream = reader.games()
        first = next(stream)
        writer.add_game(game_of(97))
        writer.flush().result()
        assert [first, *stream] == [game_of(number) for number in range(97)]
        assert reader.counts().games == 98


def test_a_snapshot_keeps_still_while_the_run_goes_on(run: RunFolder, game_of: GameOf) -> None:
    with run.writer() as writer, run.reader() as reader:
        with reader.snapshot():
            writer.add_game(game_of(96))
            writer.flush().result()
            assert reader.counts().games == 96
            assert sum(1 for _ in reader.games()) == 96
        assert reader.counts().games == 97


def test_a_run_is_read_by_another_process_while_it_is_played(
    run: RunFolder, game_of: GameOf
) -> None:
    code = (
        "import sys; from pathlib import Path; from referee.store import RunReader\n"
        "with RunReader(Path(sys.argv[1])) as reader: print(reader.counts().games)"
    )
    with run.writer() as writer:
        writer.add_game(game_of(96))
        writer.flush().result()
        told = subprocess.run(
            [sys.executable, "-c", code, str(run.path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert told.stdout == "97\n"
        writer.add_game(game_of(97))
        writer.flush().result()
    with run.reader() as reader:
        assert reader.counts().games == 98


def test_other_processes_that_read_and_go_leave_a_run_that_is_played_its_log(
    folder: RunFolder, game_of: GameOf
) -> None:
    """The referee has the run open twice; a first reader goes when the log is still empty."""
    code = (
        "import sys; from pathlib import Path; from referee.store import RunReader\n"
        "with RunReader(Path(sys.argv[1])) as reader: print(reader.counts().games)"
    )

    def told() -> str:
        command = [sys.executable, "-c", code, str(folder.path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    with folder.reader(), folder.writer() as writer, folder.reader():
        assert told() == "0\n"
        writer.add_game(game_of(0))
        writer.flush().result()
        assert told() == "1\n"


def test_reading_changes_no_byte_and_leaves_nothing_behind(run: RunFolder) -> None:
    def state() -> tuple[str, list[str]]:
        digest = hashlib.sha256(run.database.read_bytes()).hexdigest()
        return digest, sorted(path.name for path in run.path.iterdir())

    before = state()
    with run.reader() as reader:
        list(reader.games())
    assert state() == before


def test_a_closed_run_is_read_where_nothing_can_be_written(run: RunFolder) -> None:
    run.release()
    code = (
        "import os, sys; from pathlib import Path; from referee.store import RunReader\n"
        "assert not os.access(sys.argv[1], os.W_OK)\n"
        "with RunReader(Path(sys.argv[1])) as reader: print(sum(1 for _ in reader.games()))"
    )
    without_might = ["setpriv", "--bounding-set", "-all"] if os.geteuid() == 0 else []
    run.path.chmod(0o500)
    try:
        told = subprocess.run(
            [*without_might, sys.executable, "-c", code, str(run.path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        run.path.chmod(0o700)
    assert (told.stdout, told.stderr) == ("96\n", "")


def test_streaming_takes_no_more_memory_for_more_games(folder: RunFolder, game_of: GameOf) -> None:
    with folder.writer() as writer:
        for number in range(6000):
            writer.add_game(game_of(number))
    with folder.reader() as reader:
        tracemalloc.start()
        for _ in reader.games(range(20)):
            pass
        few = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        for _ in reader.games():
            pass
        many = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert many < few + 100_000


def test_where_no_run_is_that_is_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"run\.sqlite: no run is there"):
        RunReader(tmp_path)
    with pytest.raises(StoreError, match=r"/no: no run is there"):
        RunReader(tmp_path / "no")
