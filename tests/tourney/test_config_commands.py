"""Commands are resolved before anything starts: what cannot be started is told with its line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from referee.errors import ConfigError
from referee.tourney import Bot, Config, check_threads, parse_config, resolve_command
from referee.tourney import resolve_commands as resolve_all

BotOf: TypeAlias = Callable[..., Bot]


@pytest.fixture
def bot_of(tmp_path: Path) -> BotOf:
    def make(*command: str, directory: Path | None = None) -> Bot:
        return Bot(name="b", command=command, directory=directory or tmp_path)

    return make


def program(path: Path, text: str = "#!/bin/sh\n", *, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def mistake_of(bot: Bot, *, path: str = "") -> str:
    with pytest.raises(ConfigError) as caught:
        resolve_command(bot, environment={"PATH": path})
    told = str(caught.value)
    assert "\n" not in told
    return told.removeprefix("command line: ")


def test_python_is_the_interpreter_of_the_referee(bot_of: BotOf, tmp_path: Path) -> None:
    (tmp_path / "b.py").touch()
    command = resolve_command(bot_of("{python}", "b.py", "--with={python}", "{}", "{a: 1}"))
    assert command == (sys.executable, "b.py", f"--with={sys.executable}", "{}", "{a: 1}")


def test_a_program_with_a_slash_is_relative_to_the_directory(bot_of: BotOf, tmp_path: Path) -> None:
    there = program(tmp_path / "bots" / "run")
    assert resolve_command(bot_of("bots/run", "x")) == (str(there), "x")
    assert resolve_command(bot_of(str(there))) == (str(there),)
    assert resolve_command(bot_of("./run", directory=there.parent)) == (str(there),)


def test_a_program_without_a_slash_is_looked_up_in_path(bot_of: BotOf, tmp_path: Path) -> None:
    there = program(tmp_path / "bin" / "run")
    found = resolve_command(bot_of("run"), environment={"PATH": f"/nowhere:{tmp_path}/bin"})
    assert found == (str(there),)


def test_a_program_that_is_not_there_is_told(bot_of: BotOf, tmp_path: Path) -> None:
    assert mistake_of(bot_of("./run")) == f"[bots.b] command program not found: {tmp_path}/run"
    told = mistake_of(bot_of("run"), path="/x:/y")
    assert told == '[bots.b] command program not found: "run", looked in PATH (/x:/y)'


def test_a_program_beside_the_bot_is_pointed_at(bot_of: BotOf, tmp_path: Path) -> None:
    program(tmp_path / "run")
    assert mistake_of(bot_of("run"), path="/x").endswith(
        '; write "./run" for the one in its directory'
    )


def test_a_program_that_may_not_be_run_is_told(bot_of: BotOf, tmp_path: Path) -> None:
    there = program(tmp_path / "run", mode=0o644)
    told = f"is not executable: {there}; chmod +x {there}, or put its interpreter first"
    assert mistake_of(bot_of("./run")) == f"[bots.b] command {told}"


def test_a_folder_is_no_program(bot_of: BotOf, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    told = mistake_of(bot_of("./run"))
    assert told == f"[bots.b] command is not a program but a folder: {tmp_path}/run"


def test_a_first_line_that_cannot_work_is_told(bot_of: BotOf, tmp_path: Path) -> None:
    program(tmp_path / "dos", "#!/bin/sh\r\nexit\r\n")
    assert "has Windows line ends" in mistake_of(bot_of("./dos"))
    program(tmp_path / "gone", "#!/no/such/python3\n")
    assert "wants the interpreter /no/such/python3, which is not here" in mistake_of(
        bot_of("./gone")
    )
    program(tmp_path / "odd", "#!\n")
    assert resolve_command(bot_of("./odd")) == (str(tmp_path / "odd"),)


def test_a_directory_that_is_not_there_is_told(bot_of: BotOf, tmp_path: Path) -> None:
    told = mistake_of(bot_of("{python}", directory=tmp_path / "no"))
    assert told == f"[bots.b] directory does not exist: {tmp_path}/no"
    (tmp_path / "file").touch()
    told = mistake_of(bot_of("{python}", directory=tmp_path / "file"))
    assert told == f"[bots.b] directory is not a folder: {tmp_path}/file"


@pytest.mark.parametrize(
    "command",
    [
        ("{python}", "no.py"),
        ("{python}", "-u", "no.py", "--level", "3"),
        ("node", "--no-warnings", "src/no.js"),
        ("java", "-jar", "no.jar"),
    ],
)
def test_a_script_that_is_not_there_is_told(
    bot_of: BotOf, tmp_path: Path, command: tuple[str, ...]
) -> None:
    for name in ("node", "java"):
        program(tmp_path / "bin" / name)
    told = mistake_of(bot_of(*command), path=f"{tmp_path}/bin")
    assert told.startswith("[bots.b] command names ")
    assert told.endswith(f", which does not exist in {tmp_path}")


@pytest.mark.parametrize(
    "command",
    [
        ("{python}", "-m", "no.py"),
        ("{python}", "-c", "no.py"),
        ("{python}", "-c", "import no.py"),
        ("{python}", "script-without-ending"),
        ("{python}", "there.py", "no.py"),
        ("{python}", "here:there.py"),
        ("{python}",),
    ],
)
def test_what_need_not_be_a_script_is_let_through(
    bot_of: BotOf, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "there.py").touch()
    assert resolve_command(bot_of(*command))[0] == sys.executable


def test_an_unknown_placeholder_is_told(bot_of: BotOf) -> None:
    told = mistake_of(bot_of("{pyhton}", "b.py"))
    assert told == "[bots.b] command has the unknown placeholder {pyhton}; known: {python}"


def league(tmp_path: Path) -> Config:
    text = '[event]\nid = "x"\nname = "x"\n'
    for name in ("z", "a", "m"):
        text += f'[bots.{name}]\ncommand = [\n"{{python}}",\n"{name}.py",\n]\nthreads = 2\n'
        text += f'[[partnerships]]\nname = "{name}"\nbots = ["{name}"]\n'
    return parse_config(text, path=tmp_path / "x.toml")


def test_of_several_programs_that_are_missing_the_first_in_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        resolve_all(league(tmp_path))
    assert str(caught.value) == (
        f'{tmp_path}/x.toml:7: [bots.z] command names "z.py", which does not exist in {tmp_path}'
    )
    for name in ("z", "a", "m"):
        (tmp_path / f"{name}.py").touch()
    assert list(resolve_all(league(tmp_path))) == ["a", "m", "z"]


def test_more_threads_than_clock_slots_are_told(tmp_path: Path) -> None:
    check_threads(league(tmp_path), clock_slots=2)
    with pytest.raises(ConfigError, match=r"x\.toml:9: \[bots\.z\] threads is 2, more than the 1 "):
        check_threads(league(tmp_path), clock_slots=1)
