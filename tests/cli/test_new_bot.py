"""`new-bot --lang LANG DIR` writes a project and says what to do with it."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace

import pytest

from referee.wire import sample_bots
from tests.cli.referees import Place, contents

LANGUAGES = ", ".join(sample_bots())


def test_a_new_python_bot_plays_the_match_that_it_is_told(place: Place) -> None:
    told = place.run("new-bot", "--lang", "python", "my bot")
    assert (told.code, told.stderr) == (0, "")
    head, cd, check, match = told.stdout.splitlines()
    assert head == "# Python: my bot/README.md says where your strategy goes."
    assert shlex.split(cd) == ["cd", "my bot"]
    assert check == "schmier-referee check -- bot.py"
    words = shlex.split(match)
    assert words == ["schmier-referee", "match", "bot.py", "bot.py random", "bot.py random"]
    inside = replace(place, path=place.path / "my bot")
    played = inside.run(*words[1:], "--seed", "a")
    assert played.code == 0
    games = [line for line in played.stdout.splitlines() if line.startswith("game ")]
    assert len(games) == 6
    assert not any("fault" in line for line in games)


def test_the_next_steps_are_a_script_for_a_shell(place: Place) -> None:
    told = place.run("new-bot", "--lang", "java", "bots/java")
    java = ("java", "@bot.args", "-jar", "target/bot.jar")
    steps = [shlex.split(line, comments=True) for line in told.stdout.splitlines()]
    assert [step for step in steps if step] == [
        ["cd", "bots/java"],
        ["mvn", "--batch-mode", "--quiet", "package"],
        ["schmier-referee", "check", "--", *java],
        ["schmier-referee", "match", " ".join(java), *[" ".join((*java, "random"))] * 2],
    ]


@pytest.mark.parametrize("directory", ["-x", "two\nlines", "it's mine"])
def test_what_it_prints_is_for_a_shell_whatever_the_folder_is_called(
    place: Place, directory: str
) -> None:
    told = place.run("new-bot", "--lang", "python", "--", directory)
    assert told.code == 0, told.stderr
    script = told.stdout.partition("schmier-referee check")[0] + "pwd"
    shell = ["sh", "-ec", script]
    done = subprocess.run(shell, cwd=place.path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{place.path / directory}\n"


def test_programs_that_are_there_are_named_as_such(place: Place) -> None:
    (place.temporary / "python3").touch(mode=0o700)
    path = str(place.temporary)
    told = place.run("new-bot", "--lang", "python-stubs", "bot", env={"PATH": path})
    assert told.stdout.splitlines()[1] == "# It needs python3: all here."


def test_programs_that_are_missing_are_named_with_a_way_to_get_them(place: Place) -> None:
    told = place.run("new-bot", "--lang", "java", "bot", env={"PATH": str(place.temporary)})
    assert told.code == 0
    assert told.stdout.splitlines()[1] == (
        "# It needs java, mvn. Missing: java, mvn. Try: apt install openjdk-17-jdk-headless maven"
    )


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--lang", "cobol", "new"), f"there is no sample in 'cobol'; there is {LANGUAGES}"),
        (("--lang", "", "new"), f"there is no sample in ''; there is {LANGUAGES}"),
        (("--lang", "../java", "new"), f"there is no sample in '../java'; there is {LANGUAGES}"),
        (("new",), f"--lang is missing; there is {LANGUAGES}"),
        (("--lang", "java", "full"), "full is there already: choose a new or empty folder"),
        (("--lang", "java", "full/file"), "full/file is there already: choose a new or empty"),
        (("--lang", "java", "full/file/x"), "cannot write full/file/x"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    place: Place, words: tuple[str, ...], line: str
) -> None:
    (place.path / "full").mkdir()
    (place.path / "full" / "file").write_text("mine", encoding="utf-8")
    before = contents(place.path)
    ended = place.run("new-bot", *words)
    assert (ended.code, ended.stdout, len(ended.lines)) == (2, "", 1)
    assert ended.stderr.startswith(f"schmier-referee: {line}")
    assert contents(place.path) == before
