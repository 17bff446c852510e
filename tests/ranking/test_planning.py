"""Planning: how many rounds a difference needs before it shows."""

from __future__ import annotations

import pytest

from referee.ranking import rounds_needed


def test_the_textbook_number_of_pairs_comes_out() -> None:
    # Half a standard deviation, 5 % two-sided, 80 % power: (1.95996 + 0.84162)^2 * 4 = 31.4.
    assert rounds_needed(difference=0.5, deviation=1.0, alpha=0.05) == 32


@pytest.mark.parametrize(
    ("entrants", "games_per_round", "deviation", "printed"),
    [(4, 24, 0.1482, 16_000), (10, 60, 0.1353, 46_000)],
)
def test_the_planning_table_comes_out(
    entrants: int, games_per_round: int, deviation: float, printed: int
) -> None:
    pairs = entrants * (entrants - 1) // 2
    rounds = rounds_needed(difference=0.02, deviation=deviation, alpha=0.05 / pairs)
    assert rounds * games_per_round == pytest.approx(printed, rel=0.02)


def test_half_the_difference_needs_four_times_the_rounds() -> None:
    wide = rounds_needed(difference=0.02, deviation=0.2, alpha=0.05)
    narrow = rounds_needed(difference=0.01, deviation=0.2, alpha=0.05)
    assert narrow == pytest.approx(4 * wide, abs=4)


def test_without_spread_the_sign_test_counts_the_rounds() -> None:
    rounds = rounds_needed(difference=0.1, deviation=0.0, alpha=0.05 / 78)
    assert 2.0 ** (1 - rounds) <= 0.05 / 78 < 2.0 ** (2 - rounds)


def test_no_difference_is_never_shown() -> None:
    with pytest.raises(ValueError, match="a difference of 0"):
        rounds_needed(difference=0.0, deviation=1.0, alpha=0.05)
