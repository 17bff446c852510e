"""One run at a time in a folder; a new one moves the old one aside; nothing is deleted."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.errors import RunFailed, StoreError
from referee.store import Beginning, FinishedGame, RunFolder, Start, write_whole

GameOf: TypeAlias = Callable[..., FinishedGame]

HOLDER = """
import sys
from pathlib import Path
from referee.store import RunFolder
with RunFolder.claim(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[Callable[[Path], subprocess.Popen[str]]]:
    """Starts processes that hold a folder until they are told to go or are killed."""
    processes = []

    def start(path: Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def refusal(path: Path, start: Start = Start.AUTO) -> str:
    with pytest.raises(StoreError) as caught:
        RunFolder.claim(path, start=start)
    told = str(caught.value)
    assert "\n" not in told
    assert caught.value.exit_code == 2
    return told


def test_a_new_folder_is_for_its_owner_only(tmp_path: Path, beginning: Beginning) -> None:
    path = tmp_path / "runs" / "cup"
    with RunFolder.claim(path) as folder:
        folder.begin(beginning)
        with folder.writer():
            for name in ("run.sqlite", "run.sqlite-wal", "run.lock"):
                assert stat.S_IMODE((path / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(path.stat().st_mode) == 0o700


def test_a_folder_is_held_by_one_run_at_a_time(
    tmp_path: Path, holder: Callable[[Path], subprocess.Popen[str]]
) -> None:
    path = tmp_path / "cup"
    process = holder(path)
    told = f"{path}: process {process.pid} is playing in it; wait for it, or choose another --out"
    assert refusal(path) == told
    assert refusal(path, Start.FRESH) == told
    process.communicate("")
    RunFolder.claim(path).release()


def test_a_folder_is_held_once_in_one_process_too(tmp_path: Path) -> None:
    with RunFolder.claim(tmp_path / "cup"):
        assert f"process {os.getpid()} is playing" in refusal(tmp_path / "cup")
    with RunFolder.claim(tmp_path / "cup"):
        pass


def test_a_process_that_was_killed_holds_nothing(
    tmp_path: Path, holder: Callable[[Path], subprocess.Popen[str]]
) -> None:
    path = tmp_path / "cup"
    process = holder(path)
    process.send_signal(signal.SIGSTOP)
    assert f"process {process.pid} is playing" in refusal(path)
    process.kill()
    process.wait()
    with RunFolder.claim(path):
        assert (path / "run.lock").read_text() == f"{os.getpid()}\n"


@pytest.mark.parametrize("text", ["1\n", "999999999\n", "", "no number", "12345678901234567890\n"])
def test_what_a_lock_file_says_never_blocks(text: str, tmp_path: Path) -> None:
    path = tmp_path / "cup"
    path.mkdir()
    (path / "run.lock").write_text(text)
    RunFolder.claim(path).release()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "cup"
    path.mkdir()
    (tmp_path / "victim").write_text("precious")
    (path / "run.lock").symlink_to(tmp_path / "victim")
    assert f"{path}/run.lock: cannot be used" in refusal(path)
    assert (tmp_path / "victim").read_text() == "precious"


def test_resume_refuses_when_nothing_is_there_and_makes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "cup"
    told = f"{path}: nothing to resume; leave --resume out to start"
    assert refusal(path, Start.RESUME) == told
    assert not path.parent.exists()
    RunFolder.claim(path).release()
    assert refusal(path, Start.RESUME) == told


def test_resume_and_the_default_take_up_a_run(
    folder: RunFolder, game_of: GameOf, beginning: Beginning
) -> None:
    with folder.writer() as writer:
        writer.add_game(game_of(0))
    folder.release()
    for start in (Start.AUTO, Start.RESUME):
        with RunFolder.claim(folder.path, start=start) as again:
            assert again.has_run
            assert again.moved_to is None
            with again.reader() as reader:
                assert reader.counts().games == 1
                assert reader.beginning() == beginning


def test_a_run_that_is_there_is_not_begun_again(folder: RunFolder, beginning: Beginning) -> None:
    with pytest.raises(StoreError, match="a run is there already"):
        folder.begin(beginning)


def test_fresh_moves_the_old_folder_aside_to_the_first_free_number(
    folder: RunFolder, beginning: Beginning
) -> None:
    path = folder.path
    write_whole(folder.path / "leaderboard.txt", "old")
    folder.release()
    (path.parent / "cup.2").mkdir()
    with RunFolder.claim(path, start=Start.FRESH) as fresh:
        assert fresh.moved_to == path.parent / "cup.1"
        assert not fresh.has_run
        fresh.begin(beginning)
    with RunFolder.claim(path, start=Start.FRESH) as fresh:
        assert fresh.moved_to == path.parent / "cup.3"
    assert (path.parent / "cup.1" / "leaderboard.txt").read_text() == "old"
    assert (path.parent / "cup.3" / "run.sqlite").exists()
    assert list((path.parent / "cup.2").iterdir()) == []


def test_fresh_without_a_run_just_begins(tmp_path: Path) -> None:
    with RunFolder.claim(tmp_path / "cup", start=Start.FRESH) as folder:
        assert folder.moved_to is None
    assert [path.name for path in tmp_path.iterdir()] == ["cup"]


def test_a_folder_of_something_else_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir(mode=0o755)
    (tmp_path / "letters" / "a.txt").touch()
    told = f"{tmp_path}/letters: is no run folder, it holds a.txt; choose another --out"
    for start in (Start.AUTO, Start.FRESH):
        assert refusal(tmp_path / "letters", start) == told
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["a.txt"]
    assert stat.S_IMODE((tmp_path / "letters").stat().st_mode) == 0o755


def test_a_file_in_place_of_the_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "cup").touch()
    for path in (tmp_path / "cup", tmp_path / "cup" / "x", tmp_path / "cup" / "x" / "y"):
        assert refusal(path) == f"{path}: cannot be used: a file is in the way"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot be used" in refusal(Path("/proc/no/cup"))


def test_of_many_that_want_a_folder_fresh_at_once_one_has_it(
    folder: RunFolder, beginning: Beginning
) -> None:
    path = folder.path
    folder.release()
    start = threading.Barrier(8)
    held: list[RunFolder] = []
    refused: list[str] = []

    def contend() -> None:
        start.wait()
        try:
            held.append(RunFolder.claim(path, start=Start.FRESH))
        except StoreError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=contend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(held) == 1
    assert len(refused) == 7
    assert sorted(entry.name for entry in path.parent.iterdir()) == ["cup", "cup.1"]
    held[0].begin(beginning)
    held[0].release()


@pytest.mark.parametrize("what", [".", "run.sqlite", "run.lock"])
def test_a_folder_that_is_taken_away_from_under_a_run_is_noticed(
    what: str, tmp_path: Path, beginning: Beginning
) -> None:
    path = tmp_path / "cup"
    with RunFolder.claim(path) as folder:
        folder.begin(beginning)
        folder.check_is_there()
        (path / what).resolve().rename(tmp_path / "elsewhere")
        with pytest.raises(RunFailed, match="moved, or files in it removed"):
            folder.check_is_there()


def test_a_half_made_beginning_does_not_exist(tmp_path: Path, beginning: Beginning) -> None:
    path = tmp_path / "cup"
    with RunFolder.claim(path) as folder:
        (path / "run.sqlite.new").write_bytes(b"half")
        (path / "run.sqlite.new-journal").write_bytes(b"half")
        assert not folder.has_run
        folder.begin(beginning)
        with folder.reader() as reader:
            assert reader.beginning() == beginning
    assert sorted(entry.name for entry in path.iterdir()) == ["run.lock", "run.sqlite"]


def test_a_beginning_that_cannot_be_stored_leaves_nothing(
    tmp_path: Path, beginning: Beginning
) -> None:
    with RunFolder.claim(tmp_path / "cup") as folder:
        (folder.path / "run.sqlite.new").mkdir()
        with pytest.raises(StoreError, match="cannot be written"):
            folder.begin(beginning)
        assert not folder.has_run


def test_files_are_written_whole_under_their_own_name(tmp_path: Path) -> None:
    path = tmp_path / "leaderboard.csv"
    for text in ("ä\r\n1\n", ""):
        write_whole(path, text)
        assert path.read_bytes() == text.encode()
    assert [entry.name for entry in tmp_path.iterdir()] == ["leaderboard.csv"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_link_in_place_of_a_file_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "leaderboard.md").symlink_to(tmp_path / "victim")
    write_whole(tmp_path / "leaderboard.md", "new")
    assert (tmp_path / "victim").read_text() == "precious"
    assert (tmp_path / "leaderboard.md").read_text() == "new"


def test_a_file_that_cannot_be_written_is_told_and_the_old_one_kept(tmp_path: Path) -> None:
    with pytest.raises(RunFailed, match="no/x: cannot be written: No such file"):
        write_whole(tmp_path / "no" / "x", "text")
    (tmp_path / "d").mkdir()
    with pytest.raises(RunFailed, match="d: cannot be written: Is a directory"):
        write_whole(tmp_path / "d", "text")
    assert [entry.name for entry in tmp_path.iterdir()] == ["d"]
