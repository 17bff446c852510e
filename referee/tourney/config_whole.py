"""What holds of a configuration as a whole, looked at once all of its parts are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from referee.ranking import FEWEST_ENTRANTS, design_problem
from referee.tourney.config import Bot, Duel, Event, Partnership, threads_problem
from referee.tourney.config_keys import Problems, shown

__all__ = ["check_design", "check_duel", "check_roster", "check_threads_of_file"]

_DUELLISTS: Final = 3


def check_threads_of_file(bots: Mapping[str, Bot], event: Event, problems: Problems) -> None:
    """No bot takes more clock slots than the file gives."""
    for written, bot in bots.items():
        slots = event.clock_slots
        if slots is not None and (problem := threads_problem(bot, clock_slots=slots)):
            problems.add(
                problem,
                place=("bots", written, "threads"),
                key=f"[bots.{bot.name}] threads",
            )


def check_roster(
    bots: Mapping[str, Bot], entries: Sequence[Partnership], problems: Problems
) -> None:
    """There are enough partnerships, and every bot is in one."""
    if len(entries) < FEWEST_ENTRANTS:
        problems.add(
            f"must be {FEWEST_ENTRANTS} or more, are {len(entries)}; "
            "head each with [[partnerships]]",
            place=("partnerships", max(0, len(entries) - 1)),
            key="[[partnerships]]",
        )
    used = {name for entry in entries for name in entry.bots}
    for written, bot in bots.items():
        if bot.name not in used:
            problems.add(
                "is in no partnership; name it in one or take it out",
                place=("bots", written),
                key=f"[bots.{bot.name}]",
            )


def check_design(event: Event, entries: Sequence[Partnership], problems: Problems) -> None:
    """The field must be one that the design is for."""
    problem = design_problem(len(entries), design=event.design)
    if problem and len(entries) >= FEWEST_ENTRANTS:
        problems.add(
            f'cannot be "{event.design}": {problem}',
            place=("event", "design"),
            key="[event] design",
        )


def check_duel(duel: Duel | None, entries: Sequence[Partnership], problems: Problems) -> None:
    """A duel is of two of three partnerships."""
    if duel is None:
        return
    names = [entry.name for entry in entries]
    for key, name in (("new", duel.new), ("old", duel.old)):
        if name not in names:
            problems.add(
                f"is no partnership: {shown(name)}; there are {', '.join(map(shown, names))}",
                place=("duel", key),
                key=f"[duel] {key}",
            )
    if duel.new == duel.old:
        problems.add("must be another than new", place=("duel", "old"), key="[duel] old")
    if len(names) != _DUELLISTS:
        problems.add(
            f"is for exactly {_DUELLISTS} partnerships, two of them and one of the house; "
            f"there are {len(names)}",
            place=("duel",),
            key="[duel]",
        )
