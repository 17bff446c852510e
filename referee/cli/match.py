"""`schmier-referee match A B C`: a quick block between three commands or configured bots."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.leaderboard import leaderboard_text
from referee.cli.versions import versions
from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.report import Run
    from referee.store import RunReader
    from referee.tourney import Bot, Config, Partnership

__all__ = ["match"]

PLAYERS = 3
SHORT = 56
MOST_BLOCKS = 1_000_000
"""A block of a match is a round of its event, and an event has no more."""


def match(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="A B C",
            help="Three bots: a Python file, a command in quotes, or with --config the name of a "
            "bot or partnership.",
            show_default=False,
        ),
    ],
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
) -> None:
    """Play three bots against each other, each partnered with itself, on the same boards."""
    from referee.cli.playing import play
    from referee.cli.terminal import Terminal
    from referee.report import Format, faulty_games, run_of
    from referee.runner import prepare
    from referee.store import RunFolder, RunReader, Start

    if len(players) != PLAYERS:
        raise UsageError(f"a match needs {PLAYERS} bots, {len(players)} are given")
    if not 1 <= blocks <= MOST_BLOCKS:
        raise UsageError(f"--blocks must be from 1 to {MOST_BLOCKS}, is {blocks}")
    if seed == "":
        raise UsageError("--seed must not be empty; leave it out to draw new boards")
    setup = prepare(_configured(players, config, blocks=blocks, seed=seed), versions=versions())
    path = _free_folder() if out is None else out
    again = f"a match is not taken up again; what was played of it is in {path}"
    with RunFolder.claim(path, start=Start.AUTO) as folder, Terminal() as terminal:
        if folder.has_run:
            raise UsageError(f"{path}: a run is there already; choose another --out")
        limits = setup.config.limits
        terminal.say(
            f"limits: {limits.decision_ms} ms a decision, {limits.start_ms} ms to start, "
            f"the game is forfeited at fault {limits.faults_per_game}"
        )
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
            f"{names[entrant]} {outcome.scores[team]}{' wins' if outcome.sixths[team] == 6 else ''}"
            for team, entrant in enumerate(line.entrants)
        ]
        faults = sum(map(sum, line.faults))
        told = f"; {faults} {'fault' if faults == 1 else 'faults'}" if faults else ""
        yield f"game {line.round}.{line.index}.{line.replay}: {', '.join(parts)}{told}"


def _configured(
    players: Sequence[str], path: Path | None, *, blocks: int, seed: str | None
) -> Config:
    """The configuration of a match: a round is one block, and a leg holds them all."""
    from referee.engine import Rules
    from referee.tourney import Config, Event, Limits, effective, load_config, load_effective

    event = Event(id="match", name="Match", rounds=blocks, seed=seed, leg_rounds=blocks)
    given = None if path is None else load_config(path)
    bots: dict[str, Bot] = {} if given is None else {bot.name: bot for bot in given.bots}
    entries: list[Partnership] = []
    for player in players:
        entries.append(_entry(player, given, bots, taken={entry.name for entry in entries}))
    used = {name for entry in entries for name in entry.bots}
    config = Config(
        path=Path("match") if given is None else given.path,
        event=event,
        limits=Limits() if given is None else given.limits,
        rules=Rules() if given is None else given.rules,
        bots=tuple(sorted((bots[name] for name in used), key=lambda bot: bot.name)),
        partnerships=tuple(entries),
    )
    load_effective(effective(config), path=Path("command line"))  # names are judged as in a file
    return config


def _entry(
    player: str, given: Config | None, bots: dict[str, Bot], *, taken: set[str]
) -> Partnership:
    """Find or make the partnership that a word of the command line means."""
    from referee.tourney import Bot, Partnership

    for entry in () if given is None else given.partnerships:
        if entry.name == player:
            return Partnership(name=_free(player, taken), bots=entry.bots)
    name = _free(player if player in bots else _short(player), taken)
    if player in bots:
        return Partnership(name=name, bots=(player, player))
    bots[name] = Bot(name=name, command=_command(player), directory=Path.cwd())
    return Partnership(name=name, bots=(name, name))


def _command(player: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(player))
    except ValueError as error:
        raise UsageError(f"{player!r} is no command: {error}") from None
    if not words:
        raise UsageError("an empty command cannot be played")
    return ("{python}", *words) if words[0].endswith(".py") else words


def _short(player: str) -> str:
    """A name for a table: of a command, its last part of a path and its arguments."""
    words = player.split()
    return " ".join((Path(words[0]).stem, *words[1:]))[:SHORT].strip() if words else player


def _free(name: str, taken: set[str]) -> str:
    number = 2
    free = name
    while free in taken:
        free = f"{name} ({number})"
        number += 1
    return free


def _free_folder() -> Path:
    number = 1
    while (path := Path("runs") / f"match-{number}").exists():
        number += 1
    return path
