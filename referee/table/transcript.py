"""A game written out for people: every card, call and point, and the faults where they happened.

Everything shown is recomputed from the record and the board's seeds, hidden cards included: a
transcript is for afterwards. Hands and tricks count from 1 here, seats and teams from 0. An action
marked `!` was played for a seat that was charged with a fault; the line below says which.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from referee.engine import (
    SEATS,
    TEAMS,
    TRUMP_ORDERS,
    BoardSeeds,
    Call,
    Card,
    Discard,
    Ending,
    Game,
    HandResult,
    IllegalAction,
    NameTrump,
    Outcome,
    Play,
    Rules,
    Trick,
    TrumpOrder,
    card_points,
    card_text,
    team_of,
)
from referee.table.actions import DealSteps, Step, action_text, decode_actions
from referee.table.faults import Fault
from referee.table.record import Difference, GameRecord, RecordError

__all__ = ["transcript"]

_ENDING_TEXT: Final = {
    Ending.TARGET: "the target score is reached",
    Ending.MAX_HANDS: "the last hand is played",
    Ending.FORFEIT: "no more than one team has not forfeited",
}


def transcript(
    record: GameRecord,
    *,
    rules: Rules,
    seeds: BoardSeeds,
    faults_per_game: int,
    names: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the lines of a game, without line ends; `names` by seat are shown if given.

    Raises RecordError where the record is no lawful game, after the deals before it; whether it is
    the game it claims to be is for `replay` to say.
    """
    yield f"first dealer {record.first_dealer}, out before the first hand: {_teams(record.out)}"
    for seat, name in zip(SEATS, names, strict=False):
        yield f"seat {seat} (T{team_of(seat)}) {name}"
    game = Game(rules, first_dealer=record.first_dealer, deal=seeds.deck, out=record.out)
    playing = _Playing(game, record.faults, faults_per_game)
    for deal in decode_actions(record.actions, first_dealer=record.first_dealer):
        yield ""
        yield from _deal(deal, playing)
    yield from _indented(playing.last_faults())
    yield ""
    if game.outcome is None:
        raise RecordError(Difference.MISSING_ACTION, "the game is not over, the record ends")
    yield from _outcome(game.outcome)


@dataclass(frozen=True, slots=True)
class _Played:
    """An action that was carried out: the seat's cards before and after, and its faults."""

    step: Step
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    faults: tuple[str, ...]

    @property
    def text(self) -> str:
        return action_text(self.step.action) + "!" * bool(self.faults)

    @property
    def seat_text(self) -> str:
        return f"{self.step.seat}:{self.text}"


class _Playing:
    """A game carried out step by step; faults have their consequences before their action."""

    def __init__(self, game: Game, faults: Sequence[Fault], faults_per_game: int) -> None:
        self.game: Final = game
        self._faults = list(reversed(faults))
        self._faults_per_game: Final = faults_per_game
        self._counts = [0, 0, 0]

    def play(self, step: Step) -> _Played:
        """Carry out an action with the faults recorded for it."""
        faults = []
        while self._faults and self._faults[-1].action_index <= step.index:
            fault = self._faults.pop()
            faults.append(f"{self._charge(fault)}; played for it: {action_text(step.action)}")
        hand = self.game.hand
        if self.game.outcome is not None:
            detail = "the game is over, the record goes on"
            raise RecordError(Difference.UNEXPECTED_ACTION, detail, action_index=step.index)
        before = hand.holding(step.seat)
        try:
            self.game.act(step.action)
        except IllegalAction as illegal:
            detail = f"{action_text(step.action)} of seat {step.seat}: {illegal}"
            raise RecordError(Difference.ILLEGAL_ACTION, detail, action_index=step.index) from None
        return _Played(step, before, hand.holding(step.seat), tuple(faults))

    def last_faults(self) -> list[str]:
        """Charge the faults behind the last action: the game ended with them."""
        return [self._charge(fault) for fault in reversed(self._faults)]

    def _charge(self, fault: Fault) -> str:
        team = team_of(fault.seat)
        self._counts[team] += 1
        count = self._counts[team]
        text = f"! {fault.kind} of seat {fault.seat}, fault {count} of T{team}"
        if count != self._faults_per_game:
            return text
        if self.game.outcome is not None or team in self.game.out:
            detail = f"T{team} cannot forfeit any more"
            raise RecordError(Difference.FAULT, detail, action_index=fault.action_index)
        self.game.forfeit(team)
        ending = "" if self.game.outcome is None else ", and the game ends"
        return f"{text}: T{team} forfeits{ending}"


def _deal(deal: DealSteps, playing: _Playing) -> Iterator[str]:
    """One deal: the cards dealt, then what was done with them, as far as it went."""
    hand, scored = playing.game.hand, len(playing.game.results)
    again = f", redeal {deal.redeal}" if deal.redeal else ""
    scores = _numbers(hand.public.scores)
    yield f"hand {deal.hand + 1}{again}: dealer {deal.dealer}, scores {scores}"
    if hand.public.out:
        yield f"  {_teams(hand.public.out)} out: substitute actions are played for its seats"
    for seat in SEATS:
        yield f"  seat {seat}    {_cards(hand.holding(seat))}"
    dealt = hand.holding(deal.dealer)
    yield "  stock     " + " ".join(map(card_text, hand.stock()))
    played = [playing.play(step) for step in deal.steps]
    yield from _calls(played)
    yield from _trump(played)
    yield from _exchange(played, deal.dealer, dealt)
    if hand.public.trump is not None:
        yield from _tricks(played, hand.public.tricks, TRUMP_ORDERS[hand.public.trump])
    if hand.thrown_in:
        yield "  all pass: the cards are thrown in"
    for result in playing.game.results[scored:]:
        yield from _result(result, playing.game.scores)


def _calls(played: Sequence[_Played]) -> Iterator[str]:
    calls = [done for done in played if isinstance(done.step.action, Call)]
    if calls:
        yield "  calls     " + " ".join(done.seat_text for done in calls)
    yield from _faults(calls)


def _trump(played: Sequence[_Played]) -> Iterator[str]:
    for done in played:
        if isinstance(done.step.action, NameTrump):
            yield f"  trump     {done.seat_text}"
            yield from _faults([done])


def _exchange(played: Sequence[_Played], dealer: int, dealt: Sequence[Card]) -> Iterator[str]:
    """Each seat's discards and what it drew; the dealer picks up before he discards."""
    for done in played:
        if not isinstance(done.step.action, Discard):
            continue
        if done.step.seat == dealer:
            taken = f"picks up {_cards(set(done.before) - set(dealt))}, "
        else:
            taken = ""
        drawn = set(done.after) - set(done.before)
        draws = f", draws {_cards(drawn)}" if drawn else ""
        yield f"  seat {done.step.seat}    {taken}discards {done.text}{draws}"
        yield from _faults([done])


def _tricks(played: Sequence[_Played], tricks: Sequence[Trick], order: TrumpOrder) -> Iterator[str]:
    plays = [done for done in played if isinstance(done.step.action, Play)]
    for number, trick in enumerate(tricks):
        cards = plays[6 * number : 6 * number + 6]
        line = f"  trick {number + 1}   " + " ".join(done.seat_text for done in cards)
        if len(cards) == 6:
            winner = order.winner(trick.leader, trick.cards)
            line += f"  to {winner} (T{team_of(winner)}), card points {card_points(trick.cards)}"
        yield line
        yield from _faults(cards)


def _result(result: HandResult, scores: Sequence[int]) -> Iterator[str]:
    points, team = result.points, team_of(result.bidder)
    yield (
        f"  points    high T{points.high}, low T{points.low}, right T{points.right}, "
        f"left T{points.left}, joker T{points.joker}, game {_teams(points.game)} "
        f"(card points {_numbers(points.card_points)})"
    )
    made = "makes" if result.made else "is set on"
    yield f"  result    T{team} {made} {result.bid:d} with {points.by_team()[team]}"
    changes = " ".join(f"{delta:+d}" if delta else "0" for delta in result.deltas)
    yield f"  scores    {_numbers(scores)} ({changes})"


def _outcome(outcome: Outcome) -> Iterator[str]:
    winners = [team for team in TEAMS if outcome.sixths[team]]
    verb = "wins" if len(winners) == 1 else "share the win"
    ending = _ENDING_TEXT[outcome.ending]
    hands = f"{outcome.hands} hand{'' if outcome.hands == 1 else 's'}"
    yield f"{_teams(winners)} {verb} after {hands}: {ending}"
    yield f"scores {_numbers(outcome.scores)}, sixths {_numbers(outcome.sixths)}"
    yield f"margins in thirds {_numbers(outcome.margin_thirds)}, forfeited: {_teams(outcome.out)}"


def _faults(played: Sequence[_Played]) -> Iterator[str]:
    for done in played:
        yield from _indented(done.faults)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"            {line}" for line in lines)


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(card_text, sorted(cards))) or "-"


def _teams(teams: Iterable[int]) -> str:
    return " ".join(f"T{team}" for team in sorted(teams)) or "none"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))
