"""Simulated events: what the intervals and places promise, and that lesser methods break it.

The field follows Luce's choice: i wins against j and k with probability p_i / (p_i + p_j + p_k).
In a share of the blocks one draw decides all six games, in another the board does: the same seat
pair wins all six, which is 2-2-2. So games of a block depend on each other in both directions.
The generator is seeded: each test has one outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from referee.ranking import (
    HalfWidth,
    Range,
    claim_places,
    design_triples,
    pair_tests,
    standard_error,
    t_half_width,
    t_quantile,
    win_share_interval,
)

Sixths: TypeAlias = NDArray[np.int64]

EVENTS = 2000


def strengths(entrants: int, *, spread: float) -> list[float]:
    """Return strengths from 1 to 1 + spread in equal steps."""
    return [1 + spread * i / (entrants - 1) for i in range(entrants)]


def shares(field: Sequence[float], *, board_blocks: float = 0.0) -> list[float]:
    """Return each entrant's true win share, pairs of opponents equally weighted."""
    result = []
    for i, p in enumerate(field):
        others = combinations([q for j, q in enumerate(field) if j != i], 2)
        chances = [p / (p + a + b) for a, b in others]
        skill = sum(chances) / len(chances)
        result.append((1 - board_blocks) * skill + board_blocks / 3)
    return result


def simulate(
    field: Sequence[float],
    *,
    rounds: int,
    seed: int,
    whole_blocks: float = 0.0,
    board_blocks: float = 0.0,
    events: int = EVENTS,
) -> tuple[Sixths, int]:
    """Return the sixths by [event, entrant, round], and how many sixths a round could bring."""
    rng = np.random.default_rng(seed)
    count = len(field)
    triples = np.array(design_triples(count))
    entrant_at = rng.permuted(np.tile(np.arange(count), (events * rounds, 1)), axis=1)
    trios = entrant_at[:, triples]
    p = np.array(field)[trios]
    bounds = np.cumsum(p / p.sum(axis=2, keepdims=True), axis=2)[..., :2]
    draws = rng.random((*trios.shape[:2], 6))
    draws = np.where(rng.random((*trios.shape[:2], 1)) < whole_blocks, draws[..., :1], draws)
    winner = (draws[..., None] > bounds[:, :, None, :]).sum(axis=3)
    by_board = rng.random((*trios.shape[:2], 1)) < board_blocks
    winner = np.where(by_board, np.array([0, 1, 2, 0, 1, 2]), winner)
    sixths = np.zeros((events * rounds, count), dtype=np.int64)
    for place in range(3):
        rows = np.arange(events * rounds)[:, None]
        np.add.at(sixths, (rows, trios[..., place]), 6 * (winner == place).sum(axis=2))
    games = 6 * 3 * len(triples) // count
    return sixths.reshape(events, rounds, count).transpose(0, 2, 1), 6 * games


def covered(values: Sequence[int], *, scale: int, truth: float) -> bool:
    """Tell whether the t interval over the rounds holds the true mean."""
    middle = sum(values) / (len(values) * scale)
    return abs(middle - truth) <= t_half_width(values, scale=scale)


def row_covered(values: Sequence[int], *, scale: int, truth: float) -> bool:
    """Tell whether the error bar that a row gets holds the true share; a round has scale sixths."""
    sixths, games = sum(values), len(values) * scale // 6
    match win_share_interval(values, scale=scale, sixths=sixths, games=games):
        case HalfWidth(width):
            return abs(sixths / (6 * games) - truth) <= width
        case Range(low, high):
            return low <= truth <= high


@pytest.mark.parametrize("rounds", [10, 20, 50])
@pytest.mark.parametrize("entrants", [3, 6, 7])
def test_intervals_of_shares_and_differences_cover_95_percent(entrants: int, rounds: int) -> None:
    field = strengths(entrants, spread=0.8)
    truth = shares(field, board_blocks=0.2)
    sixths, scale = simulate(
        field,
        rounds=rounds,
        seed=100 * entrants + rounds,
        whole_blocks=0.1,
        board_blocks=0.2,
    )
    by_t = as_printed = differences = 0
    for event in sixths.tolist():
        for row, share in zip(event, truth, strict=True):
            by_t += covered(row, scale=scale, truth=share)
            as_printed += row_covered(row, scale=scale, truth=share)
        gap = [a - b for a, b in zip(event[-1], event[0], strict=True)]
        differences += covered(gap, scale=scale, truth=truth[-1] - truth[0])
    assert 0.93 <= by_t / (EVENTS * entrants) <= 0.97
    assert as_printed / (EVENTS * entrants) >= 0.93  # an exact range may cover more
    assert 0.93 <= differences / EVENTS <= 0.97


@pytest.mark.parametrize("field", [(0.96, 0.03, 0.01), (0.995, 0.004, 0.001)])
def test_the_range_over_games_covers_very_uneven_fields(field: tuple[float, ...]) -> None:
    sixths, scale = simulate(field, rounds=10, seed=5)
    for entrant, share in enumerate(field):
        rows = sixths[:, entrant].tolist()
        assert sum(row_covered(row, scale=scale, truth=share) for row in rows) / EVENTS >= 0.95


def test_control_plain_t_fails_in_a_very_uneven_field() -> None:
    field = (0.995, 0.004, 0.001)
    sixths, scale = simulate(field, rounds=10, seed=5)
    for entrant, share in enumerate(field):
        rows = sixths[:, entrant].tolist()
        hits = sum(covered(row, scale=scale, truth=share) for row in rows)
        assert hits / EVENTS < 0.50


def test_control_two_separate_standard_errors_are_wrong_for_a_difference() -> None:
    field = strengths(3, spread=0.4)
    truth = shares(field)
    sixths, scale = simulate(field, rounds=20, whole_blocks=0.3, seed=6)
    quantile = t_quantile(0.975, df=19)
    hits = 0
    for first, second, _ in sixths.tolist():
        gap = (sum(second) - sum(first)) / (20 * scale)
        errors = [standard_error(row, scale=scale) for row in (first, second)]
        width = quantile * sqrt(sum(error * error for error in errors))
        hits += abs(gap - (truth[1] - truth[0])) <= width
    assert hits / EVENTS < 0.935


def test_control_a_percentile_bootstrap_of_ten_rounds_is_too_narrow() -> None:
    field = strengths(4, spread=0.4)
    truth = shares(field)[0]
    sixths, scale = simulate(field, rounds=10, whole_blocks=0.3, seed=7)
    rng = np.random.default_rng(8)
    rows = sixths[:, 0] / scale
    picks = rng.integers(0, 10, size=(400, 10))
    means = rows[:, picks].mean(axis=2)
    low, high = np.percentile(means, [2.5, 97.5], axis=1)
    assert float(((low <= truth) & (truth <= high)).mean()) < 0.92


def test_control_blocks_that_share_deals_are_not_independent() -> None:
    rng = np.random.default_rng(9)
    rounds, quantile_rounds = 20, t_quantile(0.975, df=19)
    trios = [trio for trio in design_triples(5) if 0 in trio]
    luck = rng.normal(0, 1, (EVENTS, rounds, 1, 5))
    noise = rng.normal(0, 2, (EVENTS, rounds, len(trios), 5))
    score = luck + noise
    own = score[..., 0]
    mean_of_trio = np.stack([score[:, :, k, list(t)].mean(axis=2) for k, t in enumerate(trios)], 2)
    margins = own - mean_of_trio
    by_round = margins.mean(axis=2)
    width = quantile_rounds * by_round.std(axis=1, ddof=1) / sqrt(rounds)
    assert 0.93 <= float((np.abs(by_round.mean(axis=1)) <= width).mean()) <= 0.97
    blocks = margins.reshape(EVENTS, -1)
    naive = t_quantile(0.975, df=blocks.shape[1] - 1) * blocks.std(axis=1, ddof=1)
    naive /= sqrt(blocks.shape[1])
    assert float((np.abs(blocks.mean(axis=1)) <= naive).mean()) < 0.93


@pytest.mark.parametrize(("entrants", "rounds"), [(4, 10), (4, 50), (8, 20), (13, 10), (30, 10)])
def test_equal_entrants_are_separated_in_at_most_6_percent_of_events(
    entrants: int, rounds: int
) -> None:
    sixths, _ = simulate([1.0] * entrants, rounds=rounds, whole_blocks=0.3, seed=entrants + rounds)
    false_claims = sum(bool(claim_places(event).above) for event in sixths.tolist())
    assert false_claims / EVENTS <= 0.06


def test_places_of_an_uneven_field_are_all_right_in_95_percent_of_events() -> None:
    field = (1.0, 1.0, 1.3, 1.3, 1.7)
    sixths, _ = simulate(field, rounds=20, whole_blocks=0.3, seed=10)
    wrong = sum(
        any(field[upper] <= field[lower] for upper, lower in claim_places(event).above)
        for event in sixths.tolist()
    )
    assert wrong / EVENTS <= 0.06


def test_control_per_pair_tests_claim_falsely_in_more_than_30_percent_of_events() -> None:
    sixths, _ = simulate([1.0] * 8, rounds=20, whole_blocks=0.3, seed=28)
    claims = sum(any(test.p <= 0.05 for test in pair_tests(event)) for event in sixths.tolist())
    assert claims / EVENTS > 0.30
