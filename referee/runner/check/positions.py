"""Decisions to put to a bot under check: each is a snapshot of a position that can really occur.

They are built by the engine from decks laid for the purpose, so that what is legal is the rules'
word and not ours. A position that the rules of an event do not allow is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMPS,
    Action,
    Bid,
    Card,
    Decision,
    Deck,
    Discard,
    FinalTie,
    Hand,
    Phase,
    Rules,
    Suit,
    Trick,
    decision_of,
    parse_card,
    substitute,
)

__all__ = ["Position", "each_kind", "rare_positions", "snapshot"]

_SEED: Final = 20_240_229
_HOLDING: Final = 6


@dataclass(frozen=True, slots=True)
class Position:
    """A decision with what is special about it, in words for a report."""

    what: str
    decision: Decision


def snapshot(decision: Decision) -> Decision:
    """Return the decision as it stands now: a live one grows with its hand."""
    public = decision.public
    still = replace(
        public,
        calls=list(public.calls),
        discard_counts=list(public.discard_counts),
        tricks=[Trick(trick.leader, list(trick.cards)) for trick in public.tricks],
    )
    return decision._replace(public=still)


def each_kind(rules: Rules) -> Iterator[Position]:
    """Yield a question of each kind: calls, trump, discards, cards to lead and to follow.

    One of the calls is above a bid of three.
    """
    hand = Hand(rules, _deck({1: "AH KH JH 2H 4C 9S", 2: "KC QC 5C 3D 8D TS"}), 0)
    yield _position("a first call", hand)
    _act(hand, CALLS[Bid.THREE])
    yield _position("a call above a bid of three", hand)
    _act(hand, *[CALLS[Bid.PASS]] * 5)
    yield _position("naming trumps", hand)
    _act(hand, TRUMPS[Suit.HEARTS])
    yield _position("a discard", hand)
    _act(hand, Discard(_cards("4C 9S")))
    yield _position("another discard", hand)
    _substitutes_until(hand, Phase.DISCARD, seat=0)
    yield _position("the dealer's discard", hand)
    _substitutes_until(hand, Phase.PLAY, seat=1)
    yield _position("a card to lead", hand)
    _act(hand, PLAYS[hand.holding(1)[0]])
    follower = next(_with_choice(hand), None)
    if follower is not None:
        yield follower


def rare_positions(rules: Rules) -> Iterator[Position]:
    """Yield what random games seldom meet, as far as the rules allow it."""
    yield from _big_pick_up(rules)
    yield from _looks_forced(rules)
    yield from _left_bauer(rules)
    yield from _joker_led(rules)
    yield from _high_bids(rules)
    yield from _late_trick(rules)
    yield from _standings(rules)


def _big_pick_up(rules: Rules) -> Iterator[Position]:
    """All fifteen trumps among the dealer's 23 cards: eight side cards and nine trumps must go."""
    stock = "KH QH 2H 3H 4H 5H 6H 7H 8H 2S 3S 4S 5S 6S 7S 8S 9S"
    hand = Hand(rules, _deck({0: "AH JH JD JK TH 9H"}, stock=stock), 0)
    _auction(hand, bidder=0, trump=Suit.HEARTS)
    _act(hand, *[Discard(())] * 5)
    yield _position("the dealer with 23 cards, 15 of them trumps", hand)


def _looks_forced(rules: Rules) -> Iterator[Position]:
    """Two cards must go, one side card and one of four trumps: there is a choice all the same."""
    stock = "2C 3C 4C 5C 6C 7C 2D 3D 4D 5D 6D 7D 2S 3S 4S KH 5S"
    holdings = {
        0: "AH QH TH 9H 8H 3H",
        1: "KC QC TC KD QD TD",
        2: "AC 9C 8C AD 9D 8D",
        3: "KS QS TS AS 9S 8S",
        4: "7S 6S JS JC 2H 4H",
        5: "JH JD JK 5H 6H 7H",
    }
    hand = Hand(rules, _deck(holdings, stock=stock), 0)
    _auction(hand, bidder=0, trump=Suit.HEARTS)
    while hand.seat != 0:
        assert hand.seat is not None
        held = hand.holding(hand.seat)
        loose = [card for card in held if card in _loose(hand)]
        _act(hand, Discard(tuple(loose[:3])))
    yield _position("a dealer's discard that looks forced: all side cards go, and one trump", hand)


def _loose(hand: Hand) -> tuple[Card, ...]:
    question = hand.question()
    return getattr(question, "cards", ())


def _left_bauer(rules: Rules) -> Iterator[Position]:
    """The jack of diamonds is a hearts trump: no diamond to follow with, but a heart."""
    hand = _playing(rules, {1: "AD 3D 5S 6S 7S 8S", 2: "JD KD 4D 2C 9S TC"}, bidder=1)
    _act(hand, PLAYS[parse_card("AD")])
    yield _position("left bauer and its printed suit led: it does not follow", hand)
    hand = _playing(rules, {1: "AH 3D 5S 6S 7S 8S", 2: "JD KD 4D 2H 9S TC"}, bidder=1)
    _act(hand, PLAYS[parse_card("AH")])
    yield _position("left bauer and trumps led: it follows", hand)
    hand = _playing(rules, {1: "AD 3D 5S 6S 7S 8S", 2: "JD KC 4C 2H 9S TC"}, bidder=1)
    _act(hand, PLAYS[parse_card("AD")])
    yield _position("left bauer alone of its printed suit led: anything goes", hand)


def _joker_led(rules: Rules) -> Iterator[Position]:
    """The joker is a trump: trumps must follow it."""
    hand = _playing(rules, {1: "JK 3D 5S 6S 7S 8S", 2: "2H JD AC AD AS KC"}, bidder=1)
    _act(hand, PLAYS[parse_card("JK")])
    yield _position("the joker led: trumps follow it", hand)


def _high_bids(rules: Rules) -> Iterator[Position]:
    hand = Hand(rules, _deck({}), 3)
    _act(hand, CALLS[Bid.FOUR])
    yield _position("a call above a bid of four", hand)
    _act(hand, CALLS[Bid.FIVE])
    yield _position("a call where only six is higher", hand)
    _act(hand, CALLS[Bid.SIX])
    yield _position("naming trumps after a six, which closed the bids early", hand)
    _act(hand, TRUMPS[Suit.CLUBS])
    yield from _with_choice(hand, what="a discard after a six")


def _late_trick(rules: Rules) -> Iterator[Position]:
    """The longest decision there is: four tricks, and five cards of the fifth."""
    spades = "2S 3S 4S 5S 6S 7S"
    hand = _playing(rules, {0: "8S 9S TS QS KS AS", 1: "AH KH QH JH TH 9H", 5: spades}, bidder=1)
    while len(hand.public.tricks) < 5:
        _act(hand, substitute(hand))
    last = None
    while hand.seat is not None and len(hand.public.tricks) == 5:
        if hand.question().only() is None:
            last = _position("the fifth trick, the last one that is asked", hand)
        _act(hand, substitute(hand))
    if last is not None:
        yield last


def _standings(rules: Rules) -> Iterator[Position]:
    """Scores and hands that a game comes to; each reachable by hands of made and set bids.

    A team that is set on six time and again loses six each hand, and one point goes to another.
    """
    most, last = rules.target_score - 1, rules.max_hands - 1
    late = (min(20, most), min(18, most), -7) if last > 12 else (-6 * last, min(last, most), 0)
    places: list[tuple[str, int, tuple[int, int, int], frozenset[int]]] = [
        ("negative scores", 7, (-12, min(7, most), -30), frozenset()),
        ("a team that is out", 2, (min(5, most), min(4, most), min(3, most)), frozenset({1})),
        ("the last hand before max_hands", last, late, frozenset()),
    ]
    if rules.final_tie is FinalTie.PLAY_ON:
        tied = rules.target_score + 1
        places.append(("two teams tied above the target", 9, (tied, -6, tied), frozenset()))
    for what, number, scores, out in places:
        if number > last:
            continue
        dealer = number % 6
        seat = next((dealer + 1 + i) % 6 for i in range(6) if (dealer + 1 + i) % 3 not in out)
        hand = Hand(rules, _deck({}), dealer, number=number, scores=scores, out=out)
        while hand.seat != seat:
            _act(hand, CALLS[Bid.PASS])
        yield _position(f"{what}: a call", hand)
        _act(hand, CALLS[Bid.THREE])
        while hand.phase is not Phase.PLAY:
            _act(hand, substitute(hand))
        yield next(_with_choice(hand, what=f"{what}: a card", out=out))


# --- building -------------------------------------------------------------------------------------


def _playing(rules: Rules, holdings: Mapping[int, str], *, bidder: int) -> Hand:
    """A hand of hearts, nothing discarded by anybody but the dealer, the bidder to lead."""
    hand = Hand(rules, _deck(holdings), 0)
    _auction(hand, bidder=bidder, trump=Suit.HEARTS)
    while hand.phase is Phase.DISCARD:
        _act(hand, substitute(hand))
    return hand


def _auction(hand: Hand, *, bidder: int, trump: Suit) -> None:
    """The bidder bids three, or four if it is the dealer, against whom another has bid three."""
    dealer = hand.public.dealer
    while hand.phase is Phase.CALL:
        if hand.seat == bidder:
            _act(hand, CALLS[Bid.FOUR if bidder == dealer else Bid.THREE])
        elif bidder == dealer and hand.seat == (dealer + 1) % 6:
            _act(hand, CALLS[Bid.THREE])
        else:
            _act(hand, CALLS[Bid.PASS])
    _act(hand, TRUMPS[trump])


def _act(hand: Hand, *actions: Action) -> None:
    for action in actions:
        hand.act(action)


def _substitutes_until(hand: Hand, phase: Phase, *, seat: int) -> None:
    while (hand.phase, hand.seat) != (phase, seat):
        _act(hand, substitute(hand))


def _with_choice(
    hand: Hand, *, what: str = "a card to follow", out: frozenset[int] = frozenset()
) -> Iterator[Position]:
    """Go on with substitutes to the next question that a bot would be asked, and yield it."""
    while hand.seat is not None:
        if hand.question().only() is None and hand.seat % 3 not in out:
            yield _position(what, hand)
            return
        _act(hand, substitute(hand))


def _position(what: str, hand: Hand) -> Position:
    seat = hand.seat
    assert seat is not None and hand.question().only() is None, what
    return Position(what, snapshot(decision_of(hand, _SEED + len(what))))


def _deck(holdings: Mapping[int, str], *, stock: str = "") -> Deck:
    """A deck of dealer 0 that gives some seats these cards, and all others what is left."""
    given = {seat: list(_cards(text)) for seat, text in holdings.items()}
    drawn = list(_cards(stock))
    used = {card for cards in (*given.values(), drawn) for card in cards}
    # High and low in turn, so that nobody is left with nothing but trumps.
    rest = _spread([card for card in CARDS if card not in used])
    deck: list[Card] = [0] * 36
    for seat in range(6):
        cards = given.get(seat) or []
        while len(cards) < _HOLDING:
            cards.append(next(rest))
        deck[(seat - 1) % 6 :: 6] = cards
    return (*deck, *(drawn or rest))


def _spread(cards: Sequence[Card]) -> Iterator[Card]:
    """All cards in steps of a fixed width, which takes them through the suits."""
    width = 7
    for start in range(width):
        yield from cards[start::width]


def _cards(text: str) -> tuple[Card, ...]:
    cards: Iterable[Card] = map(parse_card, text.split())
    return tuple(sorted(cards))
