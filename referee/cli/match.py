"""`schmier-referee match A B C`: a quick block between three commands or configured bots."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.by_hand import DEFAULT_WAIT_S, ByHand
from referee.cli.leaderboard import leaderboard_text
from referee.cli.match_config import limits_line, match_config
from referee.cli.versions import versions
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.engine import Outcome
    from referee.report import Run
    from referee.store import RunReader

__all__ = ["match"]

MOST_BLOCKS = 1_000_000
"""A block of a match is a round of its event, and an event has no more."""


def match(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="A B C",
            help="Three bots: a Python file, a command in quotes, or with --config the name of a "
            "bot or partnership. With --attach two, or none to play against house bots.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="Take bots, limits and rules from this configuration.")
    ] = None,
    blocks: Annotated[int, typer.Option(help="Boards, each played in six seatings.")] = 1,
    seed: Annotated[
        str | None, typer.Option(help="Play the boards of this seed again.", show_default="random")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder of the run.", show_default="runs/match-N")
    ] = None,
    attach: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Play with a bot that you start yourself, in a debugger or a container; "
            "its variables are printed.",
            show_default=False,
        ),
    ] = None,
    env_file: Annotated[
        Path | None,
        typer.Option(
            help="Write the variables of the attached bot to this file too.", show_default=False
        ),
    ] = None,
    wait_s: Annotated[
        int, typer.Option(help="Seconds to wait for the attached bot to say hello.")
    ] = DEFAULT_WAIT_S,
    decision_ms: Annotated[
        int | None,
        typer.Option(help="Limit of the attached bot for a decision.", show_default="none"),
    ] = None,
) -> None:
    """Play three bots against each other, each partnered with itself, on the same boards."""
    from referee.cli.playing import play
    from referee.cli.terminal import Terminal
    from referee.report import Format, faulty_games, run_of
    from referee.runner import prepare
    from referee.store import RunFolder, RunReader, Start

    words = list(players or ())
    by_hand = None if attach is None else ByHand(attach, wait_s, decision_ms, env_file)
    if by_hand is None and (wait_s, decision_ms, env_file) != (DEFAULT_WAIT_S, None, None):
        raise UsageError(
            "--wait-s, --decision-ms and --env-file are for --attach NAME, which is missing"
        )
    if not 1 <= blocks <= MOST_BLOCKS:
        raise UsageError(f"--blocks must be from 1 to {MOST_BLOCKS}, is {blocks}")
    if seed == "":
        raise UsageError("--seed must not be empty; leave it out to draw new boards")
    settings = match_config(words, config, blocks=blocks, seed=seed, by_hand=by_hand)
    terminal = Terminal()
    attach_to = None if by_hand is None else by_hand.attach(settings.limits, terminal.say)
    setup = prepare(settings, versions=versions(), attach=attach_to)
    path = _free_folder() if out is None else out
    again = f"a match is not taken up again; what was played of it is in {path}"
    with RunFolder.claim(path, start=Start.AUTO) as folder, terminal:
        if folder.has_run:
            raise UsageError(f"{path}: a run is there already; choose another --out")
        terminal.say(limits_line(setup.config.limits))
        code = play(setup, folder, terminal, again=again)
    if code in (0, 3):
        with RunReader(path) as reader:
            for line in _games(reader, run_of(reader)):
                print(line)
        print()
        print(leaderboard_text(path, Format.TEXT), end="")
        print()
        first = next(faulty_games(path), None)
        game = "0.0.0" if first is None else first.place.text
        what = "to see a game" if first is None else "to see the first game with faults"
        print(f"{what}: {shlex.join(('schmier-referee', 'show', str(path), game))}")
    raise typer.Exit(code)


def _games(reader: RunReader, run: Run) -> Iterator[str]:
    """One line a game: who sat where, the final scores, and who won."""
    from referee.report import visible
    from referee.table import record_from_bytes

    names = [visible(entrant.name) for entrant in run.plan.entrants]
    for game in reader.games():
        line, outcome = game.line, record_from_bytes(game.record).outcome
        parts = [
            f"{names[entrant]} {outcome.scores[team]}{_how(outcome, team)}"
            for team, entrant in enumerate(line.entrants)
        ]
        faults = sum(map(sum, line.faults))
        told = f"; {faults} {'fault' if faults == 1 else 'faults'}" if faults else ""
        yield f"game {line.round}.{line.index}.{line.replay}: {', '.join(parts)}{told}"


def _how(outcome: Outcome, team: int) -> str:
    if team in outcome.out:
        return " forfeited"
    return " wins" if outcome.sixths[team] == 6 else ""


def _free_folder() -> Path:
    number = 1
    while (path := Path("runs") / f"match-{number}").exists():
        number += 1
    return path
