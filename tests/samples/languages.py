"""The sample bots of other languages, built and started.

Each is built where it lies, once a session, by its own build tool, which does again only what has
changed. A language whose tools are not on the PATH is skipped with the names of those missing; a
build that fails is a failure with its output.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pytest

from referee.bots import resolved_command
from referee.wire.samples import Sample
from tests.sdk.scripted_referee import TOKEN, BotProcess, ScriptedReferee, program, scripted_referee

__all__ = ["build", "started"]

BUILD_SECONDS = 1800
"""A first build may have to fetch and compile all that a language's gRPC consists of."""


def build(language: Sample) -> None:
    """Build a project, or skip the test if that cannot be done here."""
    if not language.build:
        return
    if language.missing:
        names = ", ".join(language.missing)
        pytest.skip(f"{language.language}: {names} missing; {language.install}")
    failure = _failure_of_build(language)
    assert not failure, failure


@cache
def _failure_of_build(language: Sample) -> str:
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
    language: Sample, *arguments: str, target: str = ""
) -> Iterator[tuple[ScriptedReferee, BotProcess]]:
    """Start a built bot with a scripted referee to talk to, at the target if there is one."""
    with (
        scripted_referee(target) as referee,
        program(
            *resolved_command(language.command),
            *arguments,
            directory=language.folder,
            SCHMIER_REFEREE=referee.target,
            SCHMIER_TOKEN=TOKEN,
        ) as bot,
    ):
        yield referee, bot
