"""The sample bots of other languages: what `sample.toml` says, how one is built and started.

Each is built where it lies, once a session, by its own build tool, which does again only what has
changed. A language whose tools are not on the PATH is skipped with the names of those missing; a
build that fails is a failure with its output.
"""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from shutil import which

import pytest

from tests.sdk.scripted_referee import TOKEN, BotProcess, ScriptedReferee, program, scripted_referee

__all__ = ["SAMPLES", "Language", "build", "languages", "read_language", "started"]

SAMPLES = Path(__file__).parents[2] / "sample_bots"
BUILD_SECONDS = 1800
"""A first build may have to fetch and compile all that a language's gRPC consists of."""


@dataclass(frozen=True, slots=True)
class Language:
    """A sample project: `needs` are programs on the PATH, `install` a hint for people."""

    folder: Path
    language: str
    needs: tuple[str, ...]
    install: str
    build: tuple[str, ...]
    command: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """What it needs and this machine does not have."""
        return tuple(name for name in self.needs if which(name) is None)


def read_language(folder: Path) -> Language:
    """Return what a project's `sample.toml` says; ValueError if that is not what it should be."""
    file = folder / "sample.toml"
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    keys = [field.name for field in fields(Language) if field.name != "folder"]
    if sorted(given) != sorted(keys):
        raise ValueError(f"{file}: the keys must be {', '.join(keys)}, are {', '.join(given)}")

    def text(key: str) -> str:
        value = given[key]
        if not isinstance(value, str) or not value:
            raise ValueError(f"{file}: {key} must be a text, is {value!r}")
        return value

    def words(key: str) -> tuple[str, ...]:
        value = given[key]
        if not isinstance(value, list) or not value or not all(isinstance(w, str) for w in value):
            raise ValueError(f"{file}: {key} must be a list of texts, is {value!r}")
        return tuple(value)

    return Language(
        folder=folder,
        language=text("language"),
        needs=words("needs"),
        install=text("install"),
        build=words("build"),
        command=words("command"),
    )


def languages() -> dict[str, Language]:
    """Return all sample projects by the name of their folder."""
    folders = sorted(path.parent for path in SAMPLES.glob("*/sample.toml"))
    return {folder.name: read_language(folder) for folder in folders}


def build(language: Language) -> None:
    """Build a project, or skip the test if that cannot be done here."""
    if language.missing:
        names = ", ".join(language.missing)
        pytest.skip(f"{language.language}: {names} missing; {language.install}")
    failure = _failure_of_build(language)
    assert not failure, failure


@cache
def _failure_of_build(language: Language) -> str:
    done = subprocess.run(
        language.build,
        cwd=language.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=BUILD_SECONDS,
        check=False,
    )
    command = " ".join(language.build)
    return f"{command} ended with {done.returncode}:\n{done.stdout}" if done.returncode else ""


@contextmanager
def started(
    language: Language, *arguments: str, target: str = ""
) -> Iterator[tuple[ScriptedReferee, BotProcess]]:
    """Start a built bot with a scripted referee to talk to, at the target if there is one."""
    with (
        scripted_referee(target) as referee,
        program(
            *language.command,
            *arguments,
            directory=language.folder,
            SCHMIER_REFEREE=referee.target,
            SCHMIER_TOKEN=TOKEN,
        ) as bot,
    ):
        yield referee, bot
