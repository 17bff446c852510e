"""The sample bots as projects: which files belong to one, and what a copy of it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.wire import new_bot, proto_files, sample_bots, sample_files
from referee.wire.samples import _read
from tests.sdk.scripted_referee import OpenTable, bot_process, finish, over_the_stream, started

ROOT = Path(__file__).parent.parent.parent
SAMPLE_BOTS = ROOT / "sample_bots"
LANGUAGES = list(sample_bots())


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def kept_by_git(folder: Path) -> list[str]:
    """The files of a folder that git knows, or would add."""
    command = ("git", "ls-files", "--cached", "--others", "--exclude-standard")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return sorted(name for name in done.stdout.splitlines() if (folder / name).exists())


def copied(folder: Path) -> dict[str, bytes]:
    """What a copy of a project should hold."""
    files = {name: (folder / name).read_bytes() for name in kept_by_git(folder)}
    protos = {f"proto/{name}": content for name, content in proto_files().items()}
    makes_stubs = any(b"../../proto" in content for content in files.values())
    return {name: content.replace(b"../../proto", b"proto") for name, content in files.items()} | (
        protos if makes_stubs else {}
    )


# --- the samples ----------------------------------------------------------------------------------


def test_every_folder_with_a_readme_and_a_start_is_a_sample() -> None:
    assert {"java", "python", "python-stubs"} <= set(LANGUAGES)
    folders = {path.name for path in SAMPLE_BOTS.iterdir() if path.is_dir()} - {"vectors"}
    assert folders == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_says_how_it_is_built_and_started_and_has_a_readme(language: str) -> None:
    sample = sample_bots()[language]
    assert sample.language
    assert sample.command
    assert sample.install
    readme = (sample.folder / "README.md").read_text(encoding="utf-8")
    assert " ".join(sample.build) in readme
    assert "schmier-referee match" in readme
    assert len(readme.splitlines()) <= 40


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sample_names_the_folder_of_the_protos_unless_it_makes_no_stubs(language: str) -> None:
    assert ("proto/schmier/v1/cards.proto" in copied(SAMPLE_BOTS / language)) == (
        language != "python"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_of_a_sample_are_those_that_git_keeps(language: str) -> None:
    files = [path.as_posix() for path in sample_files(SAMPLE_BOTS / language)]
    assert sorted(files) == kept_by_git(SAMPLE_BOTS / language)


def test_what_a_gitignore_names_is_no_part_of_a_project(tmp_path: Path) -> None:
    lines = ("# built", "", "/bot", "stubs/", "src/made/", "*.o")
    (tmp_path / ".gitignore").write_text("\n".join(lines), encoding="utf-8")
    for name in (
        *("main.go", "src/bot", "src/stubs", "src/deep/src/made/x"),  # these belong to it
        *("bot", "deep/stubs/x", "stubs/x/y", "src/made/x", "x.o", "src/x.o", "__pycache__/x"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert [path.as_posix() for path in sample_files(tmp_path)] == [
        ".gitignore",
        "main.go",
        "src/bot",
        "src/deep/src/made/x",
        "src/stubs",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_project_ignores_is_kept_out_of_the_wheel_too(language: str) -> None:
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    lines = (SAMPLE_BOTS / language / ".gitignore").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line != "__pycache__/":
            assert line.startswith("/"), "name it from the project's folder"
            assert f"/sample_bots/{language}{line}" in hatch["build"]["exclude"]


# --- the copies -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_copy_is_the_whole_project_with_the_protos_in_it(language: str, tmp_path: Path) -> None:
    copy = new_bot(language, tmp_path / "new" / "bot")
    assert copy.folder == tmp_path / "new" / "bot"
    assert contents(copy.folder) == copied(SAMPLE_BOTS / language)
    assert copy.command == sample_bots()[language].command
    for name in kept_by_git(SAMPLE_BOTS / language):
        mode = (SAMPLE_BOTS / language / name).stat().st_mode
        assert (copy.folder / name).stat().st_mode == mode, name


def test_an_empty_folder_is_taken_and_one_with_anything_in_it_is_not(tmp_path: Path) -> None:
    new_bot("python", tmp_path)
    before = contents(tmp_path)
    with pytest.raises(UsageError, match="is there already: choose a new or empty folder"):
        new_bot("python", tmp_path)
    with pytest.raises(UsageError, match="is there already"):
        new_bot("java", tmp_path / "bot.py")
    with pytest.raises(UsageError, match="cannot write"):
        new_bot("java", tmp_path / "bot.py" / "below")
    assert contents(tmp_path) == before


def test_a_language_without_a_sample_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refusal:
        new_bot("cobol", tmp_path / "bot")
    assert str(refusal.value) == f"there is no sample in 'cobol'; there is {', '.join(LANGUAGES)}"
    assert not (tmp_path / "bot").exists()


def test_the_programs_that_are_missing_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sample_bots()["java"].missing == ("java", "mvn")
    assert sample_bots()["python"].missing == ()


@pytest.mark.parametrize("arguments", [(), ("random",)])
def test_a_copy_of_the_python_sample_plays_as_it_is(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    python, script = new_bot("python", tmp_path).command
    assert python == "{python}"
    with started(str(tmp_path / script), *arguments) as (referee, bot):
        referee.welcome()
        assert finish([OpenTable(5)], over_the_stream(referee), batch=1) == []
        referee.goodbye()
        assert bot.end() == (0, "", "")


def test_a_copy_of_the_python_sample_knows_two_strategies(tmp_path: Path) -> None:
    new_bot("python", tmp_path)
    with bot_process(str(tmp_path / "bot.py"), "clever") as bot:
        assert bot.end() == (2, "", 'there is no strategy "clever": say rules or random\n')


# --- the wheel ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it lies where it is installed."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
        for member in archive.infolist():
            (folder / member.filename).chmod(member.external_attr >> 16 & 0o777)
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_wheel_holds_the_project_and_nothing_that_is_built(
    language: str, unpacked: Path
) -> None:
    folder = SAMPLE_BOTS / language
    assert contents(unpacked / "referee" / "wire" / "sample_bots" / language) == {
        name: (folder / name).read_bytes() for name in kept_by_git(folder)
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_installed_package_copies_the_same_project(
    language: str, unpacked: Path, tmp_path: Path
) -> None:
    code = (
        "import sys; from pathlib import Path; from referee import cli, wire\n"
        "print(wire.__file__); wire.new_bot(sys.argv[1], Path(sys.argv[2]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, language, "bot"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()).is_relative_to(unpacked)
    copy = tmp_path / "bot"
    assert contents(copy) == copied(SAMPLE_BOTS / language)
    for name in kept_by_git(SAMPLE_BOTS / language):
        is_program = os.access(SAMPLE_BOTS / language / name, os.X_OK)
        assert os.access(copy / name, os.X_OK) == is_program, name


def test_a_package_without_its_samples_says_so(unpacked: Path, tmp_path: Path) -> None:
    shutil.copytree(unpacked / "referee", tmp_path / "referee")
    shutil.rmtree(tmp_path / "referee" / "wire" / "sample_bots")
    code = "from referee.wire import sample_bots; sample_bots()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "UsageError: the sample bots are missing at " in done.stderr


def test_a_sample_file_that_is_not_as_it_should_be_is_told(tmp_path: Path) -> None:
    good = 'language = "X"\nneeds = ["x"]\ninstall = "i"\nbuild = ["b"]\ncommand = ["c"]\n'
    file = tmp_path / "sample.toml"
    file.write_text(good, encoding="utf-8")
    assert _read(tmp_path).command == ("c",)
    for text, problem in (
        (good.replace("install", "hint"), "the keys must be"),
        (good.replace('["b"]', '"make"'), "build must be a list of texts, is 'make'"),
        (good.replace('"X"', "1"), "language must be a text, is 1"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"sample\.toml") as caught:
            _read(tmp_path)
        assert problem in str(caught.value)
