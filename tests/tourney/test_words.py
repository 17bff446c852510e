"""Words: amounts of games in two significant digits."""

from __future__ import annotations

import pytest

from referee.tourney import words


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (6, "6"),
        (24, "24"),
        (99, "99"),
        (168, "170"),
        (165, "170"),
        (164, "160"),
        (995, "1,000"),
        (999, "1,000"),
        (2_868, "2,900"),
        (15_912, "16,000"),
        (12_345_678, "12,000,000"),
    ],
)
def test_about_gives_two_digits_and_commas(number: int, text: str) -> None:
    assert words.about(number) == text


@pytest.mark.parametrize(("rounds", "text"), [(0, "0 rounds scored"), (1, "1 round scored")])
def test_one_round_is_singular(rounds: int, text: str) -> None:
    assert words.rounds_scored(rounds) == text
