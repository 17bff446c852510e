"""From a bot's command as written to what can be started here, before anything is started.

A program with a slash is a file, relative to the bot's directory; one without is looked up in PATH.
`{python}` is the interpreter that runs the referee. What can be seen to fail is told at once, with
the line of the file: a program that is not there or may not be run, a script that is not there.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from referee.errors import ConfigError
from referee.tourney.config import Bot, Config, threads_problem
from referee.tourney.config_keys import shown

__all__ = ["PYTHON", "check_threads", "resolve_command", "resolve_commands", "script_argument"]

PYTHON: Final = "{python}"
"""What a command writes for the interpreter of the referee."""

_SCRIPTS: Final = (
    *(".py", ".pyc", ".pyz", ".js", ".mjs", ".cjs", ".ts", ".jar", ".rb", ".pl", ".php"),
    *(".lua", ".sh", ".jl", ".exs", ".dll", ".wasm", ".r"),
)
_PLACEHOLDER: Final = re.compile(r"\{[A-Za-z_]+\}")


def resolve_commands(config: Config) -> dict[str, tuple[str, ...]]:
    """Return what to start for each bot by its name; raises the first `ConfigError` by line."""
    resolved: dict[str, tuple[str, ...]] = {}
    mistakes: list[ConfigError] = []
    for bot in config.bots:
        try:
            resolved[bot.name] = resolve_command(bot)
        except ConfigError as mistake:
            mistakes.append(mistake)
    _raise_first(mistakes)
    return resolved


def resolve_command(bot: Bot, *, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the absolute path of the program and its arguments, `{python}` filled in.

    `environment` is where PATH is taken from, by default the referee's own. The command of a bot
    that a person starts is returned as it is. Raises `ConfigError` with the line of the bot's
    directory, command or argument that cannot be used.
    """
    if bot.is_attached:
        return bot.command
    if not bot.directory.is_dir():
        problem = "is not a folder" if bot.directory.exists() else "does not exist"
        raise bot.error(f"{problem}: {bot.directory}", key="directory")
    for number, argument in enumerate(bot.command):
        if _PLACEHOLDER.fullmatch(argument) and argument != PYTHON:
            raise bot.error(
                f"has the unknown placeholder {argument}; known: {PYTHON}",
                key="command",
                entry=number,
            )
    program, *arguments = bot.command
    filled = [argument.replace(PYTHON, sys.executable) for argument in arguments]
    if program == PYTHON:
        path = Path(sys.executable)
    else:
        path = _program(bot, program, os.environ if environment is None else environment)
        _check_first_line(bot, path)
    _check_script(bot)
    return (str(path), *filled)


def check_threads(config: Config, *, clock_slots: int) -> None:
    """Raise `ConfigError` for the first bot with more threads than there are clock slots."""
    _raise_first(
        [
            bot.error(problem, key="threads")
            for bot in config.bots
            if (problem := threads_problem(bot, clock_slots=clock_slots))
        ]
    )


def script_argument(command: tuple[str, ...]) -> int | None:
    """Return the number of the argument that names the script of an interpreter, if it has one.

    That is the first argument that is no option, when its ending says that it is a script.
    """
    for number, argument in enumerate(command[1:], start=1):
        if argument in ("-m", "-c", "-e"):
            return None
        if not argument.startswith("-"):
            is_script = argument.lower().endswith(_SCRIPTS) and not re.search(r"[\s:]", argument)
            return number if is_script else None
    return None


def _raise_first(mistakes: list[ConfigError]) -> None:
    if mistakes:
        raise min(mistakes, key=lambda mistake: mistake.line or 0)


def _program(bot: Bot, program: str, environment: Mapping[str, str]) -> Path:
    if "/" in program:
        path = bot.directory / program
        if not path.exists():
            raise bot.error(f"program not found: {path}", key="command", entry=0)
        if not path.is_file():
            raise bot.error(f"is not a program but a folder: {path}", key="command", entry=0)
        if not os.access(path, os.X_OK):
            cure = f"chmod +x {path}, or put its interpreter first"
            raise bot.error(f"is not executable: {path}; {cure}", key="command", entry=0)
        return path
    searched = environment.get("PATH", os.defpath)
    found = shutil.which(program, path=searched)
    if found:
        return Path(found).absolute()
    beside = bot.directory / program
    hint = f'; write "./{program}" for the one in its directory' if beside.is_file() else ""
    raise bot.error(
        f"program not found: {shown(program)}, looked in PATH ({searched}){hint}",
        key="command",
        entry=0,
    )


def _check_first_line(bot: Bot, path: Path) -> None:
    """Look at the `#!` line: a bad one makes the system say that the script itself is missing."""
    try:
        with path.open("rb") as file:
            first = file.read(256)
    except OSError:
        return  # may be run without being readable
    if not first.startswith(b"#!"):
        return
    line = first[2:].split(b"\n", 1)[0]
    if line.endswith(b"\r"):
        problem = f"has Windows line ends, so its #! line cannot be used: {path}"
        raise bot.error(problem, key="command", entry=0)
    words = line.split()
    if words and not Path(os.fsdecode(words[0])).exists():
        problem = f"wants the interpreter {os.fsdecode(words[0])}, which is not here: {path}"
        raise bot.error(problem, key="command", entry=0)


def _check_script(bot: Bot) -> None:
    number = script_argument(bot.command)
    if number is None:
        return
    script = bot.directory / bot.command[number]
    if not script.exists():
        raise bot.error(
            f'names "{bot.command[number]}", which does not exist in {bot.directory}',
            key="command",
            entry=number,
        )
