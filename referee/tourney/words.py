"""The fixed sentences of a leaderboard: what its numbers mean, and when more can be said.

They are the same on every page, so that a reader learns them once. Amounts are games, never
durations: a table's bytes do not depend on speed.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "NOT_SEPARATED",
    "PLACE_WORDS",
    "about",
    "leader_words",
    "not_separated_words",
    "rounds_scored",
    "too_few_words",
]

PLACE_WORDS = (
    "Place 2-4: in the long run, against this field, between second and fourth. "
    "All places of this table hold together in at least 95 of 100 such events. "
    "+- belongs to one row; do not compare two rows by it."
)
"""How to read places and error bars."""

NOT_SEPARATED = "No one is separated yet."
"""Said when every place reaches from first to last."""


def not_separated_words(more_games: int | None) -> str:
    """Say that no pair is separated, and how many games might change that if it is known."""
    if more_games is None:
        return NOT_SEPARATED
    return (
        f"{NOT_SEPARATED} If the gap seen between the first two is real, "
        f"about {about(more_games)} more games would show it."
    )


def too_few_words(rounds: int, *, needed: int, more_games: int) -> str:
    """Say that there are too few rounds for places, and when they will come."""
    return (
        f"{rounds_scored(rounds)}: places and +- from round {needed} "
        f"(about {about(more_games)} games more)."
    )


def leader_words(leaders: Sequence[str]) -> str:
    """Name the winner when one entrant has place 1 alone, else those who may share it."""
    if len(leaders) == 1:
        return f"Winner: {leaders[0]}."
    return f"Co-leaders: {', '.join(leaders)}."


def rounds_scored(rounds: int) -> str:
    """Say how many rounds were scored."""
    return "1 round scored" if rounds == 1 else f"{rounds} rounds scored"


def about(number: int) -> str:
    """Return a number rounded to two significant digits, with thousands separated by commas."""
    size = 10 ** max(0, len(str(number)) - 2)
    return f"{(2 * number + size) // (2 * size) * size:,}"
