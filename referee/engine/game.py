"""A game: hands until a team wins, redeals and the next dealer included.

All rules about teams that forfeit are kept here and in `outcome`. Their seats go on being asked,
so that the hand can be finished; only the end of the game passes them by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.engine.actions import Action
from referee.engine.cards import TEAMS, Deck
from referee.engine.hand import Hand
from referee.engine.outcome import Ending, Outcome, decide, game_outcome
from referee.engine.questions import Question
from referee.engine.rules import Rules
from referee.engine.scoring import HandResult

__all__ = ["Game"]


class Game:
    """One game between three teams; `deal(hand, redeal)` gives the deck of each deal.

    `out` are the teams that have forfeited before the first hand. `outcome` is None until the game
    is over; then `hand` stays the last one. `results` are the scored hands, oldest first.
    Laws: `scores` are the sums of the results' deltas; hand number n is dealt by seat
    (first_dealer + n) mod 6 (R3), and a redeal by the same one (R18).
    """

    __slots__ = ("_deal", "dealer", "hand", "out", "outcome", "results", "rules", "scores")

    def __init__(
        self,
        rules: Rules,
        *,
        first_dealer: int,
        deal: Callable[[int, int], Deck],
        out: frozenset[int] = frozenset(),
    ) -> None:
        if not 0 <= first_dealer <= 5:
            raise ValueError(f"a seat is 0..5, the first dealer is {first_dealer}")
        if not out.issubset(TEAMS):
            raise ValueError(f"a team is 0..2, out are {sorted(out)}")
        self.rules: Final = rules
        self._deal: Final = deal
        self.dealer = first_dealer
        self.scores: tuple[int, int, int] = (0, 0, 0)
        self.out = out
        self.results: list[HandResult] = []
        self.outcome: Outcome | None = None
        self.hand = self._dealt(redeal=0)
        self._end_if_forfeited()

    @property
    def hand_number(self) -> int:
        """The number of the hand on the table, from 0."""
        return self.hand.public.number

    @property
    def redeal(self) -> int:
        """How often the hand on the table was thrown in before this deal."""
        return self.hand.public.redeal

    @property
    def seat(self) -> int | None:
        """The seat to act, None when the game is over."""
        return None if self.outcome is not None else self.hand.seat

    def question(self) -> Question:
        """Return what the seat to act is asked; RuntimeError if the game is over."""
        if self.outcome is not None:
            raise RuntimeError("the game is over: nobody is to act")
        return self.hand.question()

    def act(self, action: Action) -> None:
        """Carry out the action of the seat to act, and deal again when the hand is over.

        Raises IllegalAction and leaves the game as it was, like `Hand.act`; RuntimeError if the
        game is over.
        """
        if self.outcome is not None:
            raise RuntimeError("the game is over: nobody is to act")
        hand = self.hand
        hand.act(action)
        if hand.seat is None:
            self._after_hand(hand)

    def forfeit(self, team: int) -> None:
        """Take a team out of the running: the others decide the game among themselves.

        When one team is left the game ends at once and that team wins, whatever the scores.
        Raises ValueError for a team that is out already, RuntimeError if the game is over.
        """
        if self.outcome is not None:
            raise RuntimeError("the game is over: nobody can forfeit")
        if team not in TEAMS or team in self.out:
            raise ValueError(f"team {team} cannot forfeit, out are {sorted(self.out)}")
        self.out = self.hand.public.out = self.out | {team}
        self._end_if_forfeited()

    def _dealt(self, *, redeal: int) -> Hand:
        number = len(self.results)
        return Hand(
            self.rules,
            self._deal(number, redeal),
            self.dealer,
            number=number,
            redeal=redeal,
            scores=self.scores,
            out=self.out,
        )

    def _after_hand(self, hand: Hand) -> None:
        """Redeal by the same dealer (R18), or score, test for the end (R32), and move on (R3)."""
        if hand.result is None:
            self.hand = self._dealt(redeal=hand.public.redeal + 1)
            return
        result = hand.result
        self.results.append(result)
        first, second, third = self.scores
        self.scores = (
            first + result.deltas[0],
            second + result.deltas[1],
            third + result.deltas[2],
        )
        self.outcome = decide(
            self.rules,
            scores=self.scores,
            bidder=result.bidder,
            hands=len(self.results),
            out=self.out,
        )
        if self.outcome is None:
            self.dealer = (self.dealer + 1) % 6
            self.hand = self._dealt(redeal=0)

    def _end_if_forfeited(self) -> None:
        """At most one team is left: it wins; if none is, all three share."""
        left = set(TEAMS) - self.out
        if len(left) <= 1:
            self.outcome = game_outcome(
                scores=self.scores,
                winners=left or set(TEAMS),
                hands=len(self.results),
                ending=Ending.FORFEIT,
                out=self.out,
            )
