"""From the words of `match` to the configuration of its event: a round is one block."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.errors import UsageError

if TYPE_CHECKING:
    from referee.cli.by_hand import ByHand
    from referee.tourney import Bot, Config, Duel, Limits, Partnership

__all__ = ["duel_config", "house_bots", "limits_line", "match_config"]

PLAYERS = 3
SHORT = 56


def match_config(
    words: Sequence[str],
    path: Path | None,
    *,
    blocks: int,
    seed: str | None,
    by_hand: ByHand | None = None,
) -> Config:
    """Return the configuration of a match; a leg holds all its blocks.

    `words` are three bots, with one that is started `by_hand` the two others, or none: then house
    bots play. Raises UsageError for what cannot be played, ConfigError for a name as in a file.
    """
    from referee.engine import Rules
    from referee.tourney import Config, Event, Limits, effective, load_config, load_effective

    given = None if path is None else load_config(path)
    bots: dict[str, Bot] = {} if given is None else {bot.name: bot for bot in given.bots}
    entries: list[Partnership] = []
    if by_hand is not None:
        if by_hand.name in bots:
            raise UsageError(
                f"--attach {by_hand.name}: {path} has a bot of that name; give another name"
            )
        bots[by_hand.name] = by_hand.bot()
        entries.append(by_hand.partnership())
    opponents = house_bots() if by_hand is not None and not words else tuple(words)
    missing = PLAYERS - len(entries)
    if len(opponents) != missing:
        beside = "" if by_hand is None else f" beside {by_hand.name}"
        raise UsageError(f"a match needs {missing} bots{beside}, {len(opponents)} are given")
    for player in opponents:
        entries.append(_entry(player, given, bots, taken={entry.name for entry in entries}))
    used = {name for entry in entries for name in entry.bots}
    config = Config(
        path=Path("match") if given is None else given.path,
        event=Event(
            id="match",
            name="Match",
            rounds=blocks,
            seed=seed,
            leg_rounds=blocks,
            tables=None if by_hand is None else 1,
        ),
        limits=Limits() if given is None else given.limits,
        rules=Rules() if given is None else given.rules,
        bots=tuple(sorted((bots[name] for name in used), key=lambda bot: bot.name)),
        partnerships=tuple(entries),
    )
    load_effective(effective(config), path=Path("command line"))  # names are judged as in a file
    return config


def duel_config(
    new: str,
    old: str,
    house: str | None,
    path: Path | None,
    *,
    duel: Duel,
    cap: int,
    leg_blocks: int,
    seed: str | None,
) -> Config:
    """Return the configuration of a duel: every round is one block of the same three.

    `new`, `old` and `house` are words as those of a match, `duel` has its numbers.
    """
    config = match_config((new, old, house or house_bots()[0]), path, blocks=cap, seed=seed)
    first, second, _ = config.partnerships
    event = replace(config.event, id="duel", name="Duel", leg_rounds=leg_blocks)
    named = replace(duel, new=first.name, old=second.name)
    return replace(config, event=event, duel=named)


def house_bots() -> tuple[str, str]:
    """Return the commands of the two bots that play when nobody else is named."""
    from referee.wire import sample_bots

    rule_based = shlex.quote(str(sample_bots()["python"].folder / "rule_based.py"))
    return rule_based, f"{rule_based} --boldness 1"


def limits_line(limits: Limits) -> str:
    """Say what the bots are allowed."""
    return (
        f"limits: {limits.decision_ms} ms a decision, {limits.start_ms} ms to start, "
        f"the game is forfeited at fault {limits.faults_per_game}"
    )


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
    if given is not None and re.fullmatch(r"\w+", player) and shutil.which(player) is None:
        names = [entry.name for entry in given.partnerships] + [bot.name for bot in given.bots]
        known = ", ".join(dict.fromkeys(names))
        raise UsageError(f"{player}: no program, and no name in {given.path}, which has {known}")
    name = _free(name, taken | bots.keys())
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
