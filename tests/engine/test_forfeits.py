"""Teams that forfeit, before the first hand and in the middle of one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from referee.engine import Action, Deck, Ending, Game, Hand, Rules

Choose = Callable[[Hand, Random], Action]
Shuffle = Callable[[Random], Deck]
Start = Callable[..., Game]


@pytest.fixture
def random() -> Random:
    return Random(7)


@pytest.fixture
def start(random: Random, random_deck: Shuffle) -> Start:
    def begin(*out: int, rules: Rules | None = None) -> Game:
        return Game(
            rules or Rules(),
            first_dealer=1,
            deal=lambda hand, redeal: random_deck(random),
            out=frozenset(out),
        )

    return begin


@pytest.fixture
def play(random: Random, random_action: Choose) -> Callable[[Game, int], None]:
    """Play so many actions, or fewer if the game ends."""

    def run(game: Game, actions: int) -> None:
        for _ in range(actions):
            if game.seat is not None:
                game.act(random_action(game.hand, random))

    return run


Run = Callable[[Game, int], None]


def test_one_team_left_wins_at_once(start: Start, play: Run) -> None:
    game = start()
    play(game, 200)
    hands = len(game.results)
    game.forfeit(2)
    assert game.seat is not None
    game.forfeit(0)
    assert game.outcome is not None
    assert game.outcome.sixths == (0, 6, 0)
    assert (game.outcome.ending, game.outcome.hands) == (Ending.FORFEIT, hands)
    assert game.outcome.out == {0, 2}
    assert game.seat is None


def test_two_teams_out_at_the_start_leave_a_winner_without_a_hand(start: Start) -> None:
    outcome = start(0, 1).outcome
    assert outcome is not None
    assert (outcome.sixths, outcome.margin_thirds) == ((0, 0, 6), (0, 0, 0))
    assert (outcome.ending, outcome.hands) == (Ending.FORFEIT, 0)


def test_three_teams_out_before_the_first_hand_share(start: Start) -> None:
    outcome = start(0, 1, 2).outcome
    assert outcome is not None
    assert (outcome.sixths, outcome.margin_thirds) == ((2, 2, 2), (0, 0, 0))
    assert (outcome.ending, outcome.hands) == (Ending.FORFEIT, 0)


def test_one_team_out_at_the_start_plays_on_and_cannot_win(start: Start, play: Run) -> None:
    game = start(1, rules=Rules(target_score=3, max_hands=3))
    asked = set()
    while game.outcome is None:
        asked.add(game.seat)
        play(game, 1)
    assert asked == {0, 1, 2, 3, 4, 5}
    assert game.outcome.sixths[1] == 0
    assert sum(game.outcome.sixths) == 6


def test_everybody_sees_which_teams_are_out(start: Start, play: Run) -> None:
    game = start()
    play(game, 20)
    assert game.hand.public.out == set()
    game.forfeit(1)
    assert game.hand.public.out == {1}
    while game.hand_number == 0:
        play(game, 1)
    assert game.hand.public.out == {1}


def test_a_forfeit_changes_nothing_of_the_hand(start: Start, play: Run) -> None:
    game = start()
    play(game, 20)
    before = (game.seat, game.question(), [game.hand.holding(seat) for seat in range(6)])
    game.forfeit(0)
    assert (game.seat, game.question(), [game.hand.holding(s) for s in range(6)]) == before


@pytest.mark.parametrize("team", [0, 3, -1])
def test_a_team_forfeits_once_and_exists(start: Start, team: int) -> None:
    game = start(0)
    with pytest.raises(ValueError, match="cannot forfeit"):
        game.forfeit(team)


def test_after_the_end_nobody_acts_or_forfeits(start: Start) -> None:
    game = start(0, 1)
    with pytest.raises(RuntimeError, match="over"):
        game.forfeit(2)
    with pytest.raises(RuntimeError, match="over"):
        game.question()
    assert game.seat is None


@pytest.mark.parametrize("first_dealer", [-1, 6])
def test_a_first_dealer_is_a_seat(first_dealer: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        Game(Rules(), first_dealer=first_dealer, deal=lambda hand, redeal: ())


def test_a_team_out_is_a_team() -> None:
    with pytest.raises(ValueError, match="team"):
        Game(Rules(), first_dealer=0, deal=lambda hand, redeal: (), out=frozenset({3}))
