"""`schmier-referee duel NEW OLD`: is the new bot better? Played until it is known, or to a cap."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from referee.cli.going_on import Place, command, play_or_go_on
from referee.cli.match_config import duel_config
from referee.cli.versions import versions
from referee.errors import UsageError

__all__ = ["duel"]

BETTER, NOT_BETTER, UNDECIDED = 0, 4, 5
LEG_BLOCKS = 25
"""Blocks between two looks."""
MOST_BLOCKS = 100_000
EFFECT, ERROR, CAP = 0.1, 0.05, 1000
_PLAYED = (0, 3)


def duel(
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="The new bot: a Python file, a command in quotes, or with --config a name.",
            show_default=False,
        ),
    ],
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The bot it is to beat.", show_default=False)
    ],
    house: Annotated[
        str | None,
        typer.Option(help="The third at the table.", show_default="the rule-based house bot"),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="Take bots, limits and rules from this configuration.")
    ] = None,
    effect: Annotated[
        float,
        typer.Option(help="The difference worth knowing, in standard deviations of a block."),
    ] = EFFECT,
    error: Annotated[float, typer.Option(help="Chance of either wrong verdict.")] = ERROR,
    cap: Annotated[int, typer.Option(help="Blocks after which it ends undecided.")] = CAP,
    seed: Annotated[
        str | None, typer.Option(help="Play the boards of this seed.", show_default="random")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder of the run.", show_default="runs/duel-NEW-OLD")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Move a run that is there aside and start anew.")
    ] = False,
) -> None:
    """Play until it is known whether NEW is better than OLD; given again, go on.

    Ends with 0 if it is, 4 if it is not shown to be, 5 if the cap decides nothing.
    """
    from referee.ranking import Verdict
    from referee.report import run_of
    from referee.runner import prepare
    from referee.store import RunReader
    from referee.tourney import Duel

    if not 1 <= cap <= MOST_BLOCKS:
        raise UsageError(f"--cap must be from 1 to {MOST_BLOCKS}, is {cap}")
    if seed == "":
        raise UsageError("--seed must not be empty; leave it out to draw new boards")
    numbers = Duel(
        new="",
        old="",
        effect_permille=_permille("--effect", effect),
        error_permille=_permille("--error", error),
    )
    settings = duel_config(
        new, old, house, config, duel=numbers, cap=cap, leg_blocks=LEG_BLOCKS, seed=seed
    )
    setup = prepare(settings, versions=versions())
    first, second = (entry.name for entry in settings.partnerships[:2])
    path = Path("runs") / f"duel-{_slug(first)}-{_slug(second)}" if out is None else out
    given = {
        "--house": house,
        "--config": config,
        "--effect": effect if effect != EFFECT else None,
        "--error": error if error != ERROR else None,
        "--cap": cap if cap != CAP else None,
        "--seed": seed,
    }
    options = [
        word for name, value in given.items() if value is not None for word in (name, f"{value}")
    ]
    words = ("duel", new, old, *options)
    again = f"to go on: {command(*words, *(() if out is None else ('--out', str(out))))}"
    place = Place(path=path, fresh=fresh)
    code = play_or_go_on(setup, place, words=words, again=again)
    if code not in _PLAYED:
        raise typer.Exit(code)
    with RunReader(path) as reader:
        look = run_of(reader).duel_look()
    assert look is not None
    print(f"\n{look.answer()}\n{look.line()}")
    if code:
        raise typer.Exit(code)
    verdicts = {Verdict.H1: BETTER, Verdict.H0: NOT_BETTER, Verdict.OPEN: UNDECIDED}
    raise typer.Exit(verdicts[look.verdict])


def _permille(option: str, value: float) -> int:
    if not 0.001 <= value <= 0.499:  # nor is it a number then, if it is nan
        raise UsageError(f"{option} must be from 0.001 to 0.499, is {value:g}")
    return round(1000 * value)


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "bot"
