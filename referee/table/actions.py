"""A game's actions as bytes, and back without any deck: each byte says what it is.

    0          the cards are dealt: a new hand, or the same again after a redeal
    1 .. 53    this card is played
    65 .. 70   a call: 64 + the bid's number
    73 .. 76   trump is named: 72 + the suit's number
    96 + n     n cards are discarded; they follow, ascending

Who acted, in which hand, follows from public facts: the order of the seats and who won each trick.
An action's index counts actions from 0; deals are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, assert_never

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMP_ORDERS,
    TRUMPS,
    Action,
    Bid,
    Call,
    Card,
    Discard,
    NameTrump,
    Play,
    Suit,
    bid_text,
    card_text,
    suit_text,
)
from referee.table.record import Difference, RecordError

__all__ = [
    "DEAL",
    "DealSteps",
    "Step",
    "action_text",
    "append_action",
    "decode_actions",
    "read_action",
]

DEAL: Final = 0
_CALL: Final = 64
_TRUMP: Final = 72
_DISCARD: Final = 96
_SINGLE: Final[dict[int, Action]] = {
    **PLAYS,
    **{_CALL + bid: CALLS[bid] for bid in Bid},
    **{_TRUMP + suit: TRUMPS[suit] for suit in Suit},
}
"""The actions of one byte."""


def append_action(actions: bytearray, action: Action) -> None:
    """Write one action behind the others."""
    if isinstance(action, Play):
        actions.append(action.card)
    elif isinstance(action, Call):
        actions.append(_CALL + action.bid)
    elif isinstance(action, Discard):
        actions.append(_DISCARD + len(action.cards))
        actions.extend(action.cards)
    elif isinstance(action, NameTrump):
        actions.append(_TRUMP + action.suit)
    else:
        assert_never(action)


def read_action(actions: bytes, position: int) -> tuple[Action | None, int]:
    """Return the action at a byte and where the next one begins; None stands for a deal.

    Raises RecordError if no action is written there.
    """
    code = actions[position]
    if code == DEAL:
        return None, position + 1
    single = _SINGLE.get(code)
    if single is not None:
        return single, position + 1
    end = position + 1 + code - _DISCARD
    cards = tuple(actions[position + 1 : end])
    whole = code >= _DISCARD and end <= len(actions)
    if not whole or any(card not in CARDS for card in cards) or list(cards) != sorted(cards):
        raise RecordError(Difference.UNREADABLE, f"byte {position} ({code}) begins no action")
    return Discard(cards), end


def action_text(action: Action) -> str:
    """Return an action in card text: `P` or `4`, `H`, `TH`, `2C 3C`, `-` for no discard."""
    match action:
        case Call(bid):
            return bid_text(bid)
        case NameTrump(suit):
            return suit_text(suit)
        case Discard(cards):
            return " ".join(map(card_text, cards)) or "-"
        case Play(card):
            return card_text(card)
        case _:
            assert_never(action)


@dataclass(frozen=True, slots=True)
class Step:
    """One action: its index among the game's actions, whose it is, and what it is."""

    index: int
    seat: int
    action: Action


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSteps:
    """The actions of one deal, in order; of the last deal maybe not all, or none."""

    hand: int
    redeal: int
    dealer: int
    steps: tuple[Step, ...]


@dataclass(slots=True)
class _Deal:
    """What is public of one deal while its actions are read."""

    hand: int
    redeal: int
    dealer: int
    calls: int = 0
    bidder: int | None = None
    trump: Suit | None = None
    discards: int = 0
    plays: int = 0
    leader: int = 0
    trick: list[Card] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def take(self, action: Action) -> int | None:
        """Take the next action and return whose it is, None if none of its kind is due."""
        match action:
            case Call(bid) if self.calls < 6 and self.trump is None:
                self.calls += 1
                seat = (self.dealer + self.calls) % 6
                if bid is not Bid.PASS:
                    self.bidder = seat
                return seat
            case NameTrump(suit) if self.bidder is not None and self.trump is None:
                self.trump, self.leader = suit, self.bidder
                return self.bidder
            case Discard() if self.discards < 6 and self.trump is not None:
                self.discards += 1
                return (self.dealer + self.discards) % 6
            case Play(card) if self.discards == 6 and self.plays < 36 and self.trump is not None:
                seat = (self.leader + len(self.trick)) % 6
                self.plays += 1
                self.trick.append(card)
                if len(self.trick) == 6:
                    self.leader = TRUMP_ORDERS[self.trump].winner(self.leader, self.trick)
                    self.trick = []
                return seat
            case _:
                return None

    def following(self) -> _Deal | None:
        """The deal after this one: a redeal if nobody bid, None if this one is not finished."""
        if self.plays == 36:
            return _Deal(self.hand + 1, 0, (self.dealer + 1) % 6)
        if self.calls >= 5 and self.bidder is None:
            return _Deal(self.hand, self.redeal + 1, self.dealer)
        return None

    def read(self) -> DealSteps:
        return DealSteps(
            hand=self.hand, redeal=self.redeal, dealer=self.dealer, steps=tuple(self.steps)
        )


def decode_actions(actions: bytes, *, first_dealer: int) -> Iterator[DealSteps]:
    """Yield the deals of a game with their actions and who acted; no deck is needed.

    Legality is not judged here, that takes the decks. Raises RecordError when the order of the
    phases does not allow an action or a deal; the deals before it have been yielded by then.
    """
    if not actions or actions[0] != DEAL:
        raise RecordError(Difference.UNREADABLE, "a game begins with a deal")
    current = _Deal(0, 0, first_dealer)
    position, index = 1, 0
    while position < len(actions):
        action, position = read_action(actions, position)
        if action is None:
            following = current.following()
            if following is None:
                detail = "the cards are dealt in the middle of a hand"
                raise RecordError(Difference.UNREADABLE, detail, action_index=index)
            yield current.read()
            current = following
            continue
        seat = current.take(action)
        if seat is None:
            detail = f"{action_text(action)} is not what this phase asks for"
            raise RecordError(Difference.UNREADABLE, detail, action_index=index)
        current.steps.append(Step(index, seat, action))
        index += 1
    yield current.read()
