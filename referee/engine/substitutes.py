"""What is played for a seat that did not answer: the same for everybody, and dull on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from referee.engine.actions import CALLS, PLAYS, TRUMPS, Action, Discard
from referee.engine.cards import Bid, Card, Suit
from referee.engine.hand import Hand
from referee.engine.questions import (
    CallQuestion,
    DiscardQuestion,
    PlayQuestion,
    Question,
    TrumpQuestion,
)
from referee.engine.trumps import TRUMP_ORDERS

__all__ = ["substitute", "substitute_for"]


def substitute(hand: Hand) -> Action:
    """Return the substitute action of the seat to act, always a legal one.

    A pass; the suit with most cards; no discard, or the dealer's first by number; the lowest card.
    Raises RuntimeError if the hand is over.
    """
    question, seat = hand.question(), hand.seat
    assert seat is not None
    return substitute_for(question, hand.holding(seat))


def substitute_for(question: Question, holding: Sequence[Card]) -> Action:
    """Return the substitute action for a question put to a seat with this holding."""
    match question:
        case CallQuestion(bids):
            return CALLS[Bid.PASS if Bid.PASS in bids else bids[0]]
        case TrumpQuestion(suits):
            return TRUMPS[max(suits, key=lambda suit: _trump_length(suit, holding))]
        case DiscardQuestion():
            return _discard(question)
        case PlayQuestion(cards):
            return PLAYS[min(cards)]
        case _:
            assert_never(question)


def _trump_length(suit: Suit, holding: Sequence[Card]) -> int:
    """Cards of a suit if it were trump: both bauers counted, the joker left out."""
    return len(TRUMP_ORDERS[suit].plain.intersection(holding))


def _discard(question: DiscardQuestion) -> Discard:
    """As few as may go: other cards by number first, then unprotected trumps by number."""
    others = [card for card in question.cards if card not in question.trump_cards]
    count = question.min_count - question.trump_count
    return Discard((*others[:count], *question.trump_cards[: question.trump_count]))
