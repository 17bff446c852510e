"""One hand, from the calls to the score, as a machine that asks and is told.

Theory of operation. A hand is in one phase and, unless it is over, waits for one seat. Each phase
has a pair of functions in `_PHASES`: `_ask_...` builds the question with all legal choices, and
`_do_...` carries out an action that the question has accepted and says who is next:

    CALL     dealer's left first, the dealer last           -> TRUMP, or OVER (all passed)
    TRUMP    the bidder                                     -> DISCARD
    DISCARD  dealer's left first, the dealer (pick-up) last -> PLAY
    PLAY     the bidder leads, then whoever wins a trick    -> OVER (scored)

`act` asks the question before it does anything, so an illegal action changes nothing.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple

from referee.engine.actions import Action, Call, Discard, NameTrump, Play
from referee.engine.cards import CARDS, SEATS, Bid, Card, Deck, Suit
from referee.engine.exchange import dealer_discards, exchange_discards
from referee.engine.public import PublicHand, Trick
from referee.engine.questions import (
    CallQuestion,
    DiscardQuestion,
    IllegalAction,
    PlayQuestion,
    Question,
    TrumpQuestion,
)
from referee.engine.rules import RedealWhen, Rules
from referee.engine.scoring import HandResult, score_hand
from referee.engine.trumps import TRUMP_ORDERS, TrumpOrder

__all__ = ["Hand", "Phase"]


class Phase(StrEnum):
    """What a hand is waiting for."""

    CALL = "call"
    TRUMP = "trump"
    DISCARD = "discard"
    PLAY = "play"
    OVER = "over"


_ALL_CARDS: Final = list(CARDS)
_CALL_ABOVE: Final[dict[Bid, CallQuestion]] = {
    highest: CallQuestion((Bid.PASS, *(bid for bid in Bid if bid > highest)))
    for highest in Bid
    if highest is not Bid.SIX
}
_FORCED_CALL: Final = CallQuestion((Bid.THREE,))
_ANY_SUIT: Final = TrumpQuestion(tuple(Suit))


class Hand:
    """One deal of one game; `scores` and `out` are the teams' before it.

    `deck[i]` goes to seat (dealer+1+i) mod 6 for i < 36, the stock is `deck[36:]`, drawn from the
    front (R4, A15). `phase` and `seat` say what is waited for; `seat` is None when it is over, and
    then either `thrown_in` is true (everybody passed, R18) or `result` is there.
    Raises ValueError if the deck is not the 53 cards.
    """

    __slots__ = (
        "_discards",
        "_highest",
        "_highest_seat",
        "_holdings",
        "_order",
        "_question",
        "_stock",
        "_trick",
        "phase",
        "public",
        "result",
        "rules",
        "seat",
        "thrown_in",
    )

    def __init__(
        self,
        rules: Rules,
        deck: Deck,
        dealer: int,
        *,
        number: int = 0,
        redeal: int = 0,
        scores: tuple[int, int, int] = (0, 0, 0),
        out: frozenset[int] = frozenset(),
    ) -> None:
        if sorted(deck) != _ALL_CARDS:
            raise ValueError("a deck is the cards 1..53, each once")
        self.rules = rules
        self.public = PublicHand(
            number=number,
            redeal=redeal,
            dealer=dealer,
            scores=scores,
            out=out,
            max_hands=rules.max_hands,
        )
        self.phase = Phase.CALL
        self.seat: int | None = (dealer + 1) % 6
        self.thrown_in = False
        self.result: HandResult | None = None
        self._holdings: list[list[Card]] = [
            sorted(deck[(seat - dealer - 1) % 6 : 36 : 6]) for seat in SEATS
        ]
        self._discards: list[tuple[Card, ...]] = [()] * 6
        self._stock = list(deck[36:])
        self._highest = Bid.PASS
        self._highest_seat = dealer
        self._order: TrumpOrder = TRUMP_ORDERS[Suit.CLUBS]
        self._trick = Trick(dealer, [])
        self._question: Question | None = None

    def question(self) -> Question:
        """Return what the seat to act is asked, with its legal choices; the same until it acts.

        Raises RuntimeError if the hand is over.
        """
        question = self._question
        if question is None:
            seat = self.seat
            if seat is None:
                raise RuntimeError("the hand is over: nobody is to act")
            question = self._question = _PHASES[self.phase].ask(self, seat)
        return question

    def act(self, action: Action) -> None:
        """Carry out the action of the seat to act.

        Raises IllegalAction, with the objection, and leaves the hand as it was, if the question
        does not allow it; RuntimeError if the hand is over.
        """
        question, seat = self._question or self.question(), self.seat
        assert seat is not None
        objection = question.objection(action)
        if objection is not None:
            raise IllegalAction(objection)
        self._question = None
        _PHASES[self.phase].do(self, seat, action)

    def holding(self, seat: int) -> tuple[Card, ...]:
        """Return the cards a seat holds now, ascending: for that seat's eyes only."""
        return tuple(self._holdings[seat])

    def discards(self, seat: int) -> tuple[Card, ...]:
        """Return the cards a seat has discarded in this hand, ascending: for its eyes only (A9)."""
        return self._discards[seat]

    def stock(self) -> tuple[Card, ...]:
        """Return the cards still to be drawn, in order: for nobody's eyes."""
        return tuple(self._stock)

    # CALL: R16-R19

    def _ask_call(self, seat: int) -> CallQuestion:
        """Higher than the highest bid, or pass (R16, A4, A5); the last redeal's dealer must bid."""
        if seat == self.public.dealer and self._highest is Bid.PASS and self._last_redeal():
            return _FORCED_CALL
        return _CALL_ABOVE[self._highest]

    def _do_call(self, seat: int, action: Action) -> None:
        """Record the call; the auction ends with the dealer's, or with a six (R19)."""
        assert isinstance(action, Call)
        public = self.public
        public.calls.append(action.bid)
        if action.bid > self._highest:
            self._highest, self._highest_seat = action.bid, seat
        next_seat = (seat + 1) % 6
        over = seat == public.dealer or self._highest == Bid.SIX
        if over or (next_seat == public.dealer and self._thrown_in_by_five()):
            self._end_auction()
        else:
            self.seat = next_seat

    def _thrown_in_by_five(self) -> bool:
        """Five have passed and the dealer is not to be asked (A2)."""
        return (
            self.rules.redeal_when is RedealWhen.FIVE_NONDEALERS_PASS
            and self._highest is Bid.PASS
            and not self._last_redeal()
        )

    def _last_redeal(self) -> bool:
        """No more redeals: if five pass, the dealer has to bid three (A20)."""
        return self.public.redeal >= self.rules.max_consecutive_redeals

    def _end_auction(self) -> None:
        """The highest bidder has the contract (R19); if nobody bid, the cards go in (R18)."""
        if self._highest is Bid.PASS:
            self.thrown_in = True
            self.phase, self.seat = Phase.OVER, None
        else:
            self.public.bidder, self.public.bid = self._highest_seat, self._highest
            self.phase, self.seat = Phase.TRUMP, self._highest_seat

    # TRUMP: R20

    def _ask_trump(self, seat: int) -> TrumpQuestion:
        """Any suit, held or not (R20, A19)."""
        return _ANY_SUIT

    def _do_trump(self, seat: int, action: Action) -> None:
        """Name trumps; now it is known what may be discarded, from the dealer's left on (R21)."""
        assert isinstance(action, NameTrump)
        self.public.trump = action.suit
        self._order = TRUMP_ORDERS[action.suit]
        self.phase, self.seat = Phase.DISCARD, (self.public.dealer + 1) % 6

    # DISCARD: R21-R23

    def _ask_discard(self, seat: int) -> DiscardQuestion:
        """Up to three cards, no trumps (R21); the dealer down to six (R22, R23)."""
        if seat == self.public.dealer:
            return dealer_discards(self._order, self._holdings[seat])
        return exchange_discards(self._order, self._holdings[seat])

    def _do_discard(self, seat: int, action: Action) -> None:
        """Put cards away and refill at once; before the dealer is asked he picks up the rest."""
        assert isinstance(action, Discard)
        public, holding = self.public, self._holdings[seat]
        for card in action.cards:
            holding.remove(card)
        self._discards[seat] = action.cards
        public.discard_counts.append(len(action.cards))
        if seat == public.dealer:
            self.phase, self.seat = Phase.PLAY, public.bidder
            return
        self._draw(seat, len(action.cards))
        self.seat = (seat + 1) % 6
        if self.seat == public.dealer:
            self._draw(public.dealer, len(self._stock))

    def _draw(self, seat: int, count: int) -> None:
        """Move cards from the front of the stock to a holding (A8, R22)."""
        for card in self._stock[:count]:
            insort(self._holdings[seat], card)
        del self._stock[:count]

    # PLAY: R24-R27

    def _ask_play(self, seat: int) -> PlayQuestion:
        """Follow suit if able, else any card; the leader may play any (R25, A10)."""
        cards = self._trick.cards
        led = cards[0] if cards else None
        return PlayQuestion(self._order.legal_cards(self._holdings[seat], led))

    def _do_play(self, seat: int, action: Action) -> None:
        """Play to the trick; its winner leads the next, and the sixth ends the hand (R26, R27)."""
        assert isinstance(action, Play)
        trick = self._trick
        if not trick.cards:
            trick.leader = seat
            self.public.tricks.append(trick)
        trick.cards.append(action.card)
        self._holdings[seat].remove(action.card)
        if len(trick.cards) < 6:
            self.seat = (seat + 1) % 6
        elif len(self.public.tricks) < 6:
            self.seat = self._order.winner(trick.leader, trick.cards)
            self._trick = Trick(self.seat, [])
        else:
            self._score()

    def _score(self) -> None:
        public = self.public
        assert public.bidder is not None and public.bid is not None and public.trump is not None
        self.result = score_hand(
            self.rules,
            bidder=public.bidder,
            bid=public.bid,
            trump=public.trump,
            tricks=public.tricks,
        )
        self.phase, self.seat = Phase.OVER, None


class _Pair(NamedTuple):
    """What a phase asks the seat to act, and what its action does."""

    ask: Callable[[Hand, int], Question]
    do: Callable[[Hand, int, Action], None]


_PHASES: Final = {
    Phase.CALL: _Pair(Hand._ask_call, Hand._do_call),
    Phase.TRUMP: _Pair(Hand._ask_trump, Hand._do_trump),
    Phase.DISCARD: _Pair(Hand._ask_discard, Hand._do_discard),
    Phase.PLAY: _Pair(Hand._ask_play, Hand._do_play),
}
