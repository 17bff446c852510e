"""`schmier-referee new-bot --lang LANG DIR`: a project to write a bot in, ready to build."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.wire import Sample

__all__ = ["new_bot"]


def new_bot(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of the project; made if missing.")
    ],
    lang: Annotated[
        str | None,
        typer.Option(metavar="LANG", help="The language; without it they are listed."),
    ] = None,
) -> None:
    """Write a bot's project in a language of your choice; print how to build, check and play it.

    It is a copy of the sample bot of that language: it plays as it stands, and its README says
    where your strategy goes.
    """
    from referee import wire

    if lang is None:
        raise UsageError(f"--lang is missing; there is {', '.join(wire.sample_bots())}")
    for line in _next(wire.new_bot(lang, directory), directory):
        print(line)


def _next(sample: Sample, directory: Path) -> Iterator[str]:
    """What to do now, as a shell would take it."""
    from referee.report import visible_line

    readme = visible_line(str(directory / "README.md"))
    yield f"# {sample.language}: {readme} says where your strategy goes."
    if sample.missing:
        missing = ", ".join(sample.missing)
        yield f"# It needs {', '.join(sample.needs)}. Missing: {missing}. Try: {sample.install}"
    elif sample.needs:
        yield f"# It needs {', '.join(sample.needs)}: all here."
    command = sample.command
    if command[0] == "{python}":
        command = command[1:]  # the referee starts a Python file by its own interpreter
    bot, rival = shlex.join(command), shlex.quote(shlex.join((*command, "random")))
    yield shlex.join(("cd", *(("--",) if str(directory).startswith("-") else ()), str(directory)))
    if sample.build:
        yield shlex.join(sample.build)
    yield f"schmier-referee check -- {bot}"
    yield f"schmier-referee match {shlex.quote(bot)} {rival} {rival}"
