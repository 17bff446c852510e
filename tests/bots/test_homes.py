"""Private directories are removed whatever a bot has left in them."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from referee.bots import Homes
from referee.errors import RunFailed


def test_a_private_directory_is_empty_closed_to_others_and_named_at_random(tmp_path: Path) -> None:
    homes = Homes.create(parent=tmp_path)
    first, second = homes.new(), homes.new()
    assert first != second
    for path in (homes.root, first, second):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert list(first.iterdir()) == []
    homes.close()
    assert list(tmp_path.iterdir()) == []


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    kept = outside / "kept"
    kept.write_text("not yours")
    kept.chmod(0o640)
    homes = Homes.create(parent=tmp_path)
    home = homes.new()
    home.joinpath("directory").symlink_to(outside)
    home.joinpath("file").symlink_to(kept)
    home.joinpath("nowhere").symlink_to("nowhere")
    home.joinpath("inner").mkdir()
    home.joinpath("inner", "up").symlink_to("../..")
    home.joinpath("hard").hardlink_to(kept)
    homes.remove(home)
    assert not home.exists()
    assert kept.read_text() == "not yours"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640
    homes.close()


def test_a_link_put_in_place_of_the_directory_is_removed_itself(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.joinpath("kept").touch()
    homes = Homes.create(parent=tmp_path)
    home = homes.new()
    home.rmdir()
    home.symlink_to(outside)
    homes.remove(home)
    assert list(homes.root.iterdir()) == []
    assert outside.joinpath("kept").exists()
    homes.close()


def test_a_file_in_place_of_the_directory_and_a_missing_one_are_fine(tmp_path: Path) -> None:
    homes = Homes.create(parent=tmp_path)
    home, missing = homes.new(), homes.new()
    home.rmdir()
    home.write_text("no directory")
    missing.rmdir()
    homes.remove(home)
    homes.remove(missing)
    assert list(homes.root.iterdir()) == []
    homes.close()
    homes.close()


@pytest.mark.parametrize("mode", [0, 0o500])
def test_pipes_sockets_and_closed_directories_are_removed(
    mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    homes = Homes.create(parent=tmp_path)
    home = homes.new()
    os.mkfifo(home / "pipe")
    with socket.socket(socket.AF_UNIX) as listening, monkeypatch.context() as there:
        there.chdir(home)  # the path of a socket must be short
        listening.bind("s")
    home.joinpath("closed", "inner").mkdir(parents=True)
    home.joinpath("closed", "inner", "file").touch(mode=0)
    home.joinpath("closed", "inner").chmod(mode)
    home.joinpath("closed").chmod(mode)
    home.chmod(mode)
    homes.remove(home)
    assert not home.exists()
    homes.close()


def test_a_directory_deeper_than_any_path_is_removed(tmp_path: Path) -> None:
    homes = Homes.create(parent=tmp_path)
    home = homes.new()
    inside = os.open(home, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d" * 100, dir_fd=inside)
        deeper = os.open("d" * 100, os.O_RDONLY, dir_fd=inside)
        os.close(inside)
        inside = deeper
    os.close(inside)
    homes.remove(home)
    assert not home.exists()
    homes.close()


def test_many_files_and_branches_are_removed(tmp_path: Path) -> None:
    homes = Homes.create(parent=tmp_path)
    home = homes.new()
    for branch in range(20):
        for twig in range(5):
            home.joinpath(f"{branch}", f"{twig}", "same").mkdir(parents=True)
            home.joinpath(f"{branch}", f"{twig}", "file").touch()
    homes.remove(home)
    assert list(homes.root.iterdir()) == []
    homes.close()


def test_a_directory_that_cannot_be_made_fails_the_run(tmp_path: Path) -> None:
    homes = Homes(tmp_path / "missing")
    with pytest.raises(RunFailed, match="private directory"):
        homes.new()
