"""Who wins after a hand: the game-end examples, the final ties, the last hand allowed."""

from __future__ import annotations

from itertools import product

import pytest

from referee.engine import Ending, FinalTie, Outcome, Rules, decide, leaders, winners_by_target

Scores = tuple[int, int, int]
NOBODY: frozenset[int] = frozenset()


def winners(rules: Rules, after: Scores, bidder: int, out: frozenset[int] = NOBODY) -> set[int]:
    return set(winners_by_target(rules, scores=after, bidder=bidder, out=out))


@pytest.mark.parametrize(
    ("before", "deltas", "bidder", "after", "winner"),
    [
        pytest.param((18, 20, 10), (4, 1, 1), 0, (22, 21, 11), {0}, id="G1"),
        pytest.param((17, 20, 5), (4, 1, 1), 0, (21, 21, 6), {0}, id="G2"),
        pytest.param((20, 19, 3), (1, 2, -4), 2, (21, 21, -1), set(), id="G3"),
        pytest.param((20, 19, 5), (1, 2, 3), 2, (21, 21, 8), set(), id="G4"),
        pytest.param((19, 16, 19), (1, 4, 1), 1, (20, 20, 20), set(), id="G5"),
        pytest.param((18, 3, 2), (3, 1, 2), 0, (21, 4, 4), {0}, id="G6"),
        pytest.param((16, 19, 4), (-4, 2, 1), 0, (12, 21, 5), {1}, id="G7"),
        pytest.param((18, 20, 5), (3, 3, 0), 0, (21, 23, 5), {1}, id="G8"),
        pytest.param((2, 0, 0), (-5, 0, 0), 0, (-3, 0, 0), set(), id="P10"),
    ],
)
def test_the_most_points_at_21_or_more_win_and_then_the_bidding_team(
    before: Scores, deltas: Scores, bidder: int, after: Scores, winner: set[int]
) -> None:
    assert tuple(b + d for b, d in zip(before, deltas, strict=True)) == after
    assert winners(Rules(), after, bidder) == winner
    assert winners(Rules(), after, bidder + 3) == winner


@pytest.mark.parametrize(
    ("final_tie", "winner"),
    [
        pytest.param(FinalTie.PLAY_ON, set(), id="play_on"),
        pytest.param(FinalTie.BIDDING_TEAM, {2}, id="bidding_team"),
        pytest.param(FinalTie.SHARED, {0, 1}, id="shared"),
        pytest.param(FinalTie.SEAT_ORDER, {0}, id="seat_order"),
    ],
)
@pytest.mark.parametrize(
    "after", [pytest.param((21, 21, -1), id="G3"), pytest.param((21, 21, 8), id="G4")]
)
def test_a14_a_tie_at_the_top_without_the_bidder_ends_by_the_option(
    final_tie: FinalTie, winner: set[int], after: Scores
) -> None:
    assert winners(Rules(final_tie=final_tie), after, 2) == winner
    assert winners(Rules(final_tie=final_tie), after, 5) == winner


@pytest.mark.parametrize("final_tie", FinalTie)
def test_r33_the_option_does_not_touch_a_tie_that_the_bidder_is_in(final_tie: FinalTie) -> None:
    assert winners(Rules(final_tie=final_tie), (21, 21, 21), 4) == {1}
    assert winners(Rules(final_tie=final_tie), (23, 21, 23), 5) == {2}


@pytest.mark.parametrize(
    ("bidder", "after", "winner"),
    [
        pytest.param(0, (3, 21, 21), {1}, id="bidder-0"),
        pytest.param(1, (21, 3, 21), {2}, id="bidder-1"),
        pytest.param(2, (21, 21, 3), {0}, id="bidder-2"),
        pytest.param(3, (3, 21, 21), {1}, id="bidder-3"),
        pytest.param(4, (21, 3, 21), {2}, id="bidder-4"),
        pytest.param(5, (21, 21, 3), {0}, id="bidder-5"),
    ],
)
def test_a14_seat_order_counts_clockwise_from_the_bidders_left(
    bidder: int, after: Scores, winner: set[int]
) -> None:
    assert winners(Rules(final_tie=FinalTie.SEAT_ORDER), after, bidder) == winner


def test_a14_the_bidding_team_wins_a_tie_above_it_also_when_it_has_reached_the_target() -> None:
    assert winners(Rules(final_tie=FinalTie.BIDDING_TEAM), (24, 24, 22), 2) == {2}


def test_r32_the_target_is_an_option() -> None:
    assert winners(Rules(target_score=5), (5, 2, 4), 2) == {0}
    assert winners(Rules(target_score=6), (5, 2, 4), 2) == set()


@pytest.mark.parametrize(
    ("final_tie", "expected"),
    [
        (FinalTie.PLAY_ON, set()),
        (FinalTie.BIDDING_TEAM, set()),
        (FinalTie.SHARED, {0, 1}),
        (FinalTie.SEAT_ORDER, {0}),
    ],
)
def test_with_the_bidder_forfeited_a_final_tie_acts_among_the_rest(
    final_tie: FinalTie, expected: set[int]
) -> None:
    rules = Rules(final_tie=final_tie)
    assert winners(rules, (21, 21, 30), 2, frozenset({2})) == expected


def test_a_forfeited_team_at_the_top_is_passed_over() -> None:
    assert winners(Rules(), (25, 21, 3), 0, frozenset({0})) == {1}
    assert winners(Rules(), (25, 20, 3), 0, frozenset({0})) == set()
    assert winners(Rules(), (21, 21, 21), 2, frozenset({0})) == {2}


def outcome(scores: Scores, *, hands: int, out: frozenset[int] = NOBODY) -> Outcome | None:
    return decide(Rules(max_hands=7), scores=scores, bidder=0, hands=hands, out=out)


@pytest.mark.parametrize(
    ("scores", "out", "sixths"),
    [
        pytest.param((5, 9, -2), NOBODY, (0, 6, 0), id="highest"),
        pytest.param((9, 9, -2), NOBODY, (3, 3, 0), id="two-share-though-one-is-the-bidder"),
        pytest.param((4, 4, 4), NOBODY, (2, 2, 2), id="three-share"),
        pytest.param((-9, -5, -9), NOBODY, (0, 6, 0), id="below-zero"),
        pytest.param((9, 5, 5), frozenset({0}), (0, 3, 3), id="among-those-not-forfeited"),
    ],
)
def test_a20_at_max_hands_the_highest_score_wins_and_equal_ones_share(
    scores: Scores, out: frozenset[int], sixths: Scores
) -> None:
    assert outcome(scores, hands=6, out=out) is None
    ended = outcome(scores, hands=7, out=out)
    assert ended is not None
    assert (ended.sixths, ended.ending, ended.hands) == (sixths, Ending.MAX_HANDS, 7)


def test_a20_the_target_comes_before_max_hands() -> None:
    ended = outcome((21, 21, 3), hands=7)
    assert ended is not None
    assert (ended.sixths, ended.ending) == ((6, 0, 0), Ending.TARGET)


def test_a20_a_final_tie_played_on_is_shared_at_max_hands() -> None:
    ended = decide(Rules(max_hands=7), scores=(21, 21, 3), bidder=2, hands=7, out=NOBODY)
    assert ended is not None
    assert (ended.sixths, ended.ending) == ((3, 3, 0), Ending.MAX_HANDS)


@pytest.mark.parametrize(
    ("scores", "out", "margins"),
    [
        pytest.param((22, 11, 0), NOBODY, (33, 0, -33), id="none-forfeited"),
        pytest.param((20, 21, 8), frozenset({0}), (-13, 26, -13), id="ahead-of-the-lowest"),
        pytest.param((-4, 21, 8), frozenset({0}), (-37, 38, -1), id="below-the-lowest"),
        pytest.param((9, 5, 7), frozenset({0, 2}), (0, 0, 0), id="two-forfeited"),
    ],
)
def test_a_forfeiters_margin_counts_the_lower_of_its_own_and_the_lowest_other_score(
    scores: Scores, out: frozenset[int], margins: Scores
) -> None:
    ended = decide(Rules(max_hands=1), scores=scores, bidder=1, hands=1, out=out)
    assert ended is not None
    assert ended.margin_thirds == margins
    assert sum(margins) == 0


def test_leaders_are_all_candidates_with_the_highest_score() -> None:
    assert leaders((3, 5, 5), {0, 1, 2}) == (1, 2)
    assert leaders((3, 5, 5), {0, 2}) == (2,)
    assert leaders((3, 5, 5), set()) == ()


def test_e13_in_a_first_finish_a_final_tie_leaves_the_bidder_below_the_target() -> None:
    """All scores before, all ways to share five or six points, a made or a set bid of three."""
    found = 0
    for before in product(range(14, 21), repeat=3):
        for won in product(range(7), repeat=3):
            if sum(won) in (5, 6):
                delta = won[2] if won[2] >= 3 else -3
                after = (before[0] + won[0], before[1] + won[1], before[2] + delta)
                tied = winners(Rules(final_tie=FinalTie.SHARED), after, 2)
                assert max(after) <= 26, "E14"
                if len(tied) > 1:
                    found += 1
                    assert after[2] < 21
    assert found > 0


def test_e17_scores_and_winners_are_looked_at_after_the_hand_only() -> None:
    assert winners(Rules(), (20, 20, 20), 0) == set()
    assert outcome((20, 20, 20), hands=1) is None
