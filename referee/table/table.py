"""The referee of one game: who is asked, what an answer does, and what a fault costs.

Theory of operation. A table reads and sends nothing. It has one open decision, or none and then
the game is over and the record is there. The owner puts the decision to the bot of its seat and
comes back with what was seen:

    answer(action)    an action came: it is played, or it is a fault
    charge(kind)      none came in time, or nothing that is an action: a fault

Then the table goes on by itself to the next decision. Nobody is asked when there is one legal
answer, and seats of a team that is out are not asked: what is played for them is recorded as any
other action.

A fault costs the substitute action, and the `faults_per_game`-th of a team the game: the team
forfeits before the substitute action is played, so no card of its own can win it the game.
"""

from __future__ import annotations

from typing import Final

from referee.engine import (
    Action,
    BoardSeeds,
    Decision,
    Game,
    IllegalAction,
    Objection,
    Rules,
    decision_of,
    substitute,
    team_of,
)
from referee.table.actions import DEAL, append_action
from referee.table.faults import Fault, FaultKind
from referee.table.record import GameRecord

__all__ = ["Table"]


class Table:
    """Six seats playing one game on one board.

    Laws: exactly one of `decision` and `record` is None. No decision is ever of a team that is
    out, and none has a single legal answer. The same answers and charges give the same record.
    Raises ValueError for a first dealer, a team or a number of faults out of range.
    """

    __slots__ = (
        "_action_count",
        "_actions",
        "_faults",
        "_faults_of_team",
        "_first_dealer",
        "_game",
        "_out",
        "_recorded_of_seat",
        "_seeds",
        "decision",
        "faults_per_game",
        "record",
    )

    def __init__(
        self,
        *,
        rules: Rules,
        seeds: BoardSeeds,
        first_dealer: int,
        faults_per_game: int,
        out: frozenset[int] = frozenset(),
    ) -> None:
        if faults_per_game < 1:
            raise ValueError(f"faults_per_game must be at least 1, is {faults_per_game}")
        self.faults_per_game: Final = faults_per_game
        self.decision: Decision | None = None
        self.record: GameRecord | None = None
        self._seeds = seeds
        self._first_dealer = first_dealer
        self._out = out
        self._game = Game(rules, first_dealer=first_dealer, deal=seeds.deck, out=out)
        self._actions = bytearray([DEAL])
        self._action_count = 0
        self._recorded_of_seat = [0] * 6
        self._faults: list[Fault] = []
        self._faults_of_team = [0, 0, 0]
        self._advance()

    @property
    def actions(self) -> bytes:
        """What has been recorded so far, as the record will begin."""
        return bytes(self._actions)

    @property
    def action_count(self) -> int:
        """How many actions have been recorded so far."""
        return self._action_count

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults so far, in the order of their actions."""
        return tuple(self._faults)

    def answer(self, action: Action) -> Fault | None:
        """Play the action of the open decision, or charge what is wrong with it.

        An action that is not legal is the fault `illegal`, one of another kind `malformed`; the
        fault is returned, and the substitute action has been played. RuntimeError if no decision
        is open.
        """
        decision = self.decision or self._open()
        try:
            self._act(decision.seat, action)
        except IllegalAction as illegal:
            wrong_kind = illegal.objection is Objection.WRONG_KIND
            return self.charge(FaultKind.MALFORMED if wrong_kind else FaultKind.ILLEGAL)
        self._advance()
        return None

    def charge(self, kind: FaultKind) -> Fault:
        """Charge the open decision with a fault and play the substitute action.

        RuntimeError if no decision is open.
        """
        decision, game = self._open(), self._game
        fault = Fault(
            action_index=self._action_count,
            hand=decision.public.number,
            redeal=decision.public.redeal,
            seat=decision.seat,
            kind=kind,
        )
        self._faults.append(fault)
        team = team_of(decision.seat)
        self._faults_of_team[team] += 1
        if self._faults_of_team[team] == self.faults_per_game:
            game.forfeit(team)
        else:
            self._act(decision.seat, substitute(game.hand))
        self._advance()
        return fault

    def _open(self) -> Decision:
        if self.decision is None:
            raise RuntimeError("no decision is open: the game is over")
        return self.decision

    def _act(self, seat: int, action: Action) -> None:
        """Let the game act and record it; IllegalAction leaves game and record as they were."""
        game, hand = self._game, self._game.hand
        game.act(action)
        append_action(self._actions, action)
        self._action_count += 1
        self._recorded_of_seat[seat] += 1
        if game.hand is not hand:
            self._actions.append(DEAL)
            self._recorded_of_seat = [0] * 6

    def _advance(self) -> None:
        """Play what needs no asking; stop at the next decision, or file the record."""
        game = self._game
        while game.outcome is None:
            hand = game.hand
            seat = hand.seat
            assert seat is not None
            is_out = game.out and team_of(seat) in game.out
            action = substitute(hand) if is_out else hand.question().only()
            if action is None:
                public = hand.public
                random_seed = self._seeds.decision_seed(
                    hand=public.number,
                    redeal=public.redeal,
                    seat=seat,
                    k=self._recorded_of_seat[seat],
                )
                self.decision = decision_of(hand, random_seed)
                return
            self._act(seat, action)
        self.decision = None
        self.record = GameRecord(
            first_dealer=self._first_dealer,
            out=self._out,
            actions=bytes(self._actions),
            faults=tuple(self._faults),
            outcome=game.outcome,
        )
