"""The six hand points: who wins each, and what a hand does to the scores (R8-R15, R28-R31)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.engine.cards import CARD_POINTS, JOKER, TEAMS, Bid, Card, Suit, team_of
from referee.engine.public import Trick
from referee.engine.rules import GameTie, LowPoint, Rules
from referee.engine.trumps import TRUMP_ORDERS

__all__ = [
    "HandPoints",
    "HandResult",
    "card_points",
    "game_winners",
    "hand_deltas",
    "hand_points",
    "score_hand",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPoints:
    """Which team wins each of the six hand points; `game` are the teams that get the game point.

    The first five are always won, since their cards are always played (E4).
    """

    high: int
    low: int
    right: int
    left: int
    joker: int
    game: tuple[int, ...]
    card_points: tuple[int, int, int]

    def by_team(self) -> tuple[int, int, int]:
        """Return the hand points of each team; they sum to 5 + the game points given (E4)."""
        won = [self.high, self.low, self.right, self.left, self.joker, *self.game]
        return (won.count(0), won.count(1), won.count(2))


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """A finished hand: its contract, the points won, and what each team's score changes by."""

    bidder: int
    bid: Bid
    trump: Suit
    points: HandPoints
    made: bool
    deltas: tuple[int, int, int]


def card_points(cards: Iterable[Card]) -> int:
    """Return the card points of a pile of cards won in tricks (R14)."""
    return sum([CARD_POINTS[card] for card in cards])


def game_winners(totals: Sequence[int], *, game_tie: GameTie, bidding_team: int) -> tuple[int, ...]:
    """Return the teams that get a game point for the three teams' card points (R13, A11)."""
    most = max(totals)
    tied = tuple(team for team in TEAMS if totals[team] == most)
    if len(tied) == 1 or game_tie is GameTie.ALL_TIED:
        return tied
    if game_tie is GameTie.BIDDER and bidding_team in tied:
        return (bidding_team,)
    return ()


def hand_points(rules: Rules, *, bidder: int, trump: Suit, tricks: Sequence[Trick]) -> HandPoints:
    """Return who wins the hand points of six complete tricks (R9-R14)."""
    order = TRUMP_ORDERS[trump]
    totals = [0, 0, 0]
    taker: dict[Card, int] = {}
    player: dict[Card, int] = {}
    for trick in tricks:
        team = team_of(order.winner(trick.leader, trick.cards))
        totals[team] += card_points(trick.cards)
        for place, card in enumerate(trick.cards):
            if card in order.protected:
                taker[card] = team
                player[card] = team_of(trick.leader + place)
    low = player if rules.low_point is LowPoint.PLAYER else taker
    return HandPoints(
        high=taker[order.ace],
        low=low[order.two],
        right=taker[order.right],
        left=taker[order.left],
        joker=taker[JOKER],
        game=game_winners(totals, game_tie=rules.game_tie, bidding_team=team_of(bidder)),
        card_points=(totals[0], totals[1], totals[2]),
    )


def hand_deltas(
    points: tuple[int, int, int], *, bidding_team: int, bid: int, set_keeps_points: bool
) -> tuple[int, int, int]:
    """Return what a hand adds to the three scores (R28-R31, A12).

    Each team adds the points it won, but a bidding team that won less than its bid is set: it
    loses the bid, and keeps what it won only with `set_keeps_points`.
    """
    deltas = list(points)
    won = points[bidding_team]
    if won < bid:
        deltas[bidding_team] = (won if set_keeps_points else 0) - bid
    return (deltas[0], deltas[1], deltas[2])


def score_hand(
    rules: Rules, *, bidder: int, bid: Bid, trump: Suit, tricks: Sequence[Trick]
) -> HandResult:
    """Return the result of a hand whose six tricks are all played (R27)."""
    points = hand_points(rules, bidder=bidder, trump=trump, tricks=tricks)
    by_team, team = points.by_team(), team_of(bidder)
    deltas = hand_deltas(
        by_team, bidding_team=team, bid=bid, set_keeps_points=rules.set_keeps_points
    )
    return HandResult(
        bidder=bidder,
        bid=bid,
        trump=trump,
        points=points,
        made=by_team[team] >= bid,
        deltas=deltas,
    )
