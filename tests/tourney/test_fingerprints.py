"""A fingerprint changes with anything a bot is known to be made of, and with nothing else."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.tourney import Bot, Fingerprint, fingerprint, fingerprints, parse_config

BOTS = "bots"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot folder: a script, a program, a folder of data."""
    home = tmp_path / BOTS
    (home / "data" / "deep").mkdir(parents=True)
    (home / "b.py").write_text("print(1)")
    (home / "run").write_text("#!/bin/sh\n")
    (home / "run").chmod(0o755)
    (home / "data" / "b.bin").write_bytes(b"b")
    (home / "data" / "a.bin").write_bytes(b"a")
    (home / "data" / "deep" / "c.bin").write_bytes(b"c")
    return home


def bot_of(
    folder: Path,
    *command: str,
    files: tuple[str, ...] = (),
    env: tuple[tuple[str, str], ...] = (),
) -> Bot:
    return Bot(name="b", command=command, directory=folder, files=files, env=env)


def labels(print_: Fingerprint) -> list[str]:
    return [part.label for part in print_.parts]


def test_it_is_made_of_command_environment_program_arguments_and_files(folder: Path) -> None:
    print_ = fingerprint(bot_of(folder, "./run", "b.py", "-v", "--net=data/a.bin", files=("data",)))
    assert labels(print_) == [
        "command",
        "env",
        "program",
        "argument b.py",
        "argument --net=data/a.bin",
        "file a.bin",
        "file b.bin",
        "file deep/c.bin",
    ]
    assert print_.complete


CHANGES = {
    "program": ("run", "program"),
    "argument": ("b.py", "argument b.py"),
    "a file in a folder of a folder": ("data/deep/c.bin", "file deep/c.bin"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_one_byte_more_in_any_of_its_files_changes_it(case: str, folder: Path) -> None:
    name, label = CHANGES[case]
    bot = bot_of(folder, "./run", "b.py", files=("data",))
    before = fingerprint(bot)
    kept = (folder / name).stat()
    with (folder / name).open("ab") as file:
        file.write(b" ")
    os.utime(folder / name, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    after = fingerprint(bot)
    assert before.digest != after.digest
    assert [b.label for b, a in zip(before.parts, after.parts, strict=True) if a != b] == [label]


def test_a_byte_exchanged_with_size_and_times_kept_changes_it(folder: Path) -> None:
    bot = bot_of(folder, "{python}", "b.py")
    before = fingerprint(bot)
    kept = (folder / "b.py").stat()
    with (folder / "b.py").open("r+b") as file:
        file.write(b"q")
    os.utime(folder / "b.py", ns=(kept.st_atime_ns, kept.st_mtime_ns))
    assert (folder / "b.py").stat().st_ino == kept.st_ino
    assert fingerprint(bot).digest != before.digest


def test_what_python_keeps_of_a_bots_modules_in_its_folder_does_not_change_it(
    folder: Path,
) -> None:
    bot = bot_of(folder, "{python}", "b.py", files=("data",))
    before = fingerprint(bot)
    for place in ("data/__pycache__", "data/deep/__pycache__"):
        (folder / place).mkdir()
        (folder / place / "brain.cpython-311.pyc").write_bytes(b"kept")
    assert fingerprint(bot) == before
    (folder / "data" / "brain.pyc").write_bytes(b"a module without source")
    assert fingerprint(bot) != before


def test_command_and_environment_change_it(folder: Path) -> None:
    digests = {
        fingerprint(bot).digest
        for bot in (
            bot_of(folder, "{python}", "b.py"),
            bot_of(folder, "{python}", "b.py", "-v"),
            bot_of(folder, "{python}", "b.py", env=(("A", "1"),)),
            bot_of(folder, "{python}", "b.py", env=(("A", "2"),)),
            bot_of(folder, "./run", "b.py"),
        )
    }
    assert len(digests) == 5


def test_a_file_that_is_new_gone_or_renamed_changes_it(folder: Path) -> None:
    bot = bot_of(folder, "./run", files=("data",))
    digests = [fingerprint(bot).digest]
    (folder / "data" / "new").write_bytes(b"")
    digests.append(fingerprint(bot).digest)
    (folder / "data" / "new").rename(folder / "data" / "old")
    digests.append(fingerprint(bot).digest)
    (folder / "data" / "a.bin").unlink()
    digests.append(fingerprint(bot).digest)
    assert len(set(digests)) == 4


def test_a_folder_that_moves_as_a_whole_keeps_it(folder: Path) -> None:
    before = fingerprint(bot_of(folder, "./run", "b.py", files=("data", "./data/a.bin")))
    moved = folder.with_name("elsewhere")
    shutil.copytree(folder, moved)
    shutil.rmtree(folder)
    assert fingerprint(bot_of(moved, "./run", "b.py", files=("data", "./data/a.bin"))) == before


def test_names_threads_and_the_place_of_the_interpreter_do_not_count(folder: Path) -> None:
    one = bot_of(folder, "{python}", "b.py")
    other = Bot(name="c", command=one.command, directory=folder, threads=4)
    assert fingerprint(one) == fingerprint(other)
    assert labels(fingerprint(one)) == ["command", "env", "argument b.py"]


@pytest.mark.parametrize(
    ("command", "files", "complete"),
    [
        (("{python}", "-m", "package"), (), False),
        (("{python}", "-mpackage"), (), False),
        (("{python}", "-m", "package"), ("data",), True),
        (("./run", "data"), (), False),
        (("./run", "data"), ("data",), True),
        (("./run", "-mfast"), (), True),
        (("./run", "b.py"), (), True),
    ],
)
def test_what_is_known_not_to_be_in_it_makes_it_incomplete(
    folder: Path, command: tuple[str, ...], files: tuple[str, ...], complete: bool
) -> None:
    assert fingerprint(bot_of(folder, *command, files=files)).complete is complete


def test_a_link_to_a_file_counts_as_the_file(folder: Path) -> None:
    bot = bot_of(folder, "./run", files=("data",))
    (folder / "data" / "link").symlink_to("../b.py")
    before = fingerprint(bot)
    assert before.complete
    (folder / "b.py").write_text("print(2)")
    assert fingerprint(bot).digest != before.digest


def test_links_to_folders_are_not_followed_and_make_it_incomplete(folder: Path) -> None:
    bot = bot_of(folder, "./run", files=("data",))
    before = fingerprint(bot)
    (folder / "data" / "loop").symlink_to(".")
    (folder / "data" / "root").symlink_to("/")
    (folder / "data" / "nowhere").symlink_to("no-such-file")
    linked = fingerprint(bot)
    assert not linked.complete
    assert linked.digest != before.digest
    assert labels(linked)[-3:] == ["file loop", "file nowhere", "file root"]
    (folder / "data" / "root").unlink()
    (folder / "data" / "root").symlink_to("/tmp")
    assert fingerprint(bot).digest != linked.digest


def test_a_pipe_is_never_opened(folder: Path) -> None:
    os.mkfifo(folder / "data" / "pipe")
    print_ = fingerprint(bot_of(folder, "./run", files=("data",)))
    assert "file pipe" in labels(print_)
    assert not print_.complete
    with pytest.raises(ConfigError, match=r"\[bots.b\] files is not a file: .*pipe"):
        fingerprint(bot_of(folder, "./run", files=("data/pipe",)))


def test_names_that_are_no_text_are_taken(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder / "data") + b"/\xff\n")).write_bytes(b"x")
    print_ = fingerprint(bot_of(folder, "./run", files=("data",)))
    assert "file \\xff\n" in labels(print_)
    assert Fingerprint.from_json(json.loads(json.dumps(print_.to_json()))) == print_


def test_a_file_that_is_missing_is_told_with_its_line(folder: Path) -> None:
    text = (
        '[event]\nid = "x"\nname = "x"\n[bots.b]\ncommand = ["./run"]\nfiles = [\n"data",\n"no"]\n'
    )
    text += "".join(f'[[partnerships]]\nname = "{n}"\nbots = ["b"]\n' for n in "123")
    config = parse_config(text, path=folder / "x.toml")
    with pytest.raises(ConfigError) as caught:
        fingerprints(config)
    assert str(caught.value) == f"{folder}/x.toml:8: [bots.b] files does not exist: {folder}/no"
    (folder / "no").touch()
    assert list(fingerprints(config)) == ["b"]


def test_what_is_no_fingerprint_is_refused() -> None:
    for data in ({}, {"digest": "x", "complete": True, "parts": [["a"]]}):
        with pytest.raises(ValueError, match="not a"):
            Fingerprint.from_json(data)
