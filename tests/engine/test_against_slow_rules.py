"""The engine against a second referee, written from the rules page alone: slow, in card text.

`SlowGame` shares no code and no tables with the engine. It plays along with random games under
all options, and counts every way the last tricks of a hand can go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations
from random import Random
from typing import assert_never

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.engine import (
    PLAYS,
    TRUMP_ORDERS,
    Action,
    Call,
    CallQuestion,
    Deck,
    Discard,
    DiscardQuestion,
    FinalTie,
    Game,
    GameTie,
    Hand,
    LowPoint,
    NameTrump,
    Phase,
    Play,
    PlayQuestion,
    RedealWhen,
    Rules,
    TrumpQuestion,
    bid_text,
    card_text,
    suit_text,
)

Choose = Callable[[Hand, Random], Action]
Shuffle = Callable[[Random], Deck]

COLOUR = {"C": "black", "S": "black", "H": "red", "D": "red"}
VALUE = {"A": 4, "K": 3, "Q": 2, "J": 1, "T": 10}


def left_bauer(trump: str) -> str:
    return next("J" + suit for suit in COLOUR if suit != trump and COLOUR[suit] == COLOUR[trump])


def is_trump(card: str, trump: str) -> bool:
    return card == "JK" or card == left_bauer(trump) or card[1] == trump


def suit_in_play(card: str, trump: str) -> str:
    return trump if is_trump(card, trump) else card[1]


def protected(trump: str) -> set[str]:
    return {"A" + trump, "J" + trump, left_bauer(trump), "2" + trump, "JK"}


def beats(one: str, other: str, trump: str) -> bool:
    """Whether `one` beats `other`, both of one suit in play."""
    if is_trump(one, trump):
        order = [rank + trump for rank in "AKQJ"]
        order += [left_bauer(trump), *(rank + trump for rank in "T98765432"), "JK"]
    else:
        order = [rank + one[1] for rank in "AKQJT98765432"]
    return order.index(one) < order.index(other)


def trick_winner(trick: list[tuple[int, str]], trump: str) -> int:
    trumps = [play for play in trick if is_trump(play[1], trump)]
    led = suit_in_play(trick[0][1], trump)
    running = trumps or [play for play in trick if suit_in_play(play[1], trump) == led]
    (best,) = [
        play
        for play in running
        if all(play == other or beats(play[1], other[1], trump) for other in running)
    ]
    return best[0]


def may_discard(holding: set[str], chosen: Sequence[str], trump: str, *, dealer: bool) -> bool:
    if len(set(chosen)) != len(chosen) or not set(chosen) <= holding:
        return False
    trumps = sum(is_trump(card, trump) for card in chosen)
    if not dealer:
        return len(chosen) <= 3 and trumps == 0
    held = sum(is_trump(card, trump) for card in holding)
    excess = max(0, held - 6)
    return (
        len(holding) - len(chosen) == 6
        and trumps <= excess
        and (trumps == 0 or not protected(trump) & set(chosen))
    )


class SlowHand:
    """One deal in card text; `legal` lists texts, for discards it is asked through `may_go`."""

    def __init__(self, rules: Rules, deck: list[str], dealer: int, redeal: int) -> None:
        self.rules, self.dealer, self.redeal = rules, dealer, redeal
        self.hands: list[set[str]] = [set() for _ in range(6)]
        self.stock = list(deck)
        for turn in range(36):
            self.hands[(dealer + 1 + turn) % 6].add(self.stock.pop(0))
        self.calls: list[tuple[int, int]] = []  # seat, bid; a pass is 0
        self.trump = ""
        self.exchanged: list[int] = []  # seats
        self.tricks: list[list[tuple[int, str]]] = []

    def best_call(self) -> tuple[int, int]:
        return max(self.calls, key=lambda call: call[1], default=(-1, 0))

    def passed_round(self) -> int:
        """How many have called, if all of them have passed, else 0."""
        return len(self.calls) if self.best_call()[1] == 0 else 0

    def must_bid(self) -> bool:
        return self.passed_round() == 5 and self.redeal == self.rules.max_consecutive_redeals

    def thrown_in(self) -> bool:
        if self.passed_round() == 6:
            return True
        five = self.rules.redeal_when is RedealWhen.FIVE_NONDEALERS_PASS
        return five and self.passed_round() == 5 and not self.must_bid()

    def auction_over(self) -> bool:
        return len(self.calls) == 6 or self.best_call()[1] == 6

    def to_act(self) -> tuple[str, int] | None:
        """What is waited for and from whom, None when the hand is over."""
        if self.thrown_in():
            return None
        if not self.auction_over():
            return "call", (self.dealer + 1 + len(self.calls)) % 6
        bidder = self.best_call()[0]
        if not self.trump:
            return "trump", bidder
        if len(self.exchanged) < 6:
            return "discard", (self.dealer + 1 + len(self.exchanged)) % 6
        if not self.tricks:
            return "play", bidder
        trick = self.tricks[-1]
        if len(trick) < 6:
            return "play", (trick[-1][0] + 1) % 6
        return None if len(self.tricks) == 6 else ("play", trick_winner(trick, self.trump))

    def legal(self) -> list[str]:
        waiting = self.to_act()
        assert waiting is not None
        kind, seat = waiting
        if kind == "call":
            higher = [str(bid) for bid in (3, 4, 5, 6) if bid > self.best_call()[1]]
            return ["3"] if self.must_bid() else ["P", *higher]
        if kind == "trump":
            return ["C", "D", "H", "S"]
        holding = self.hands[seat]
        if self.tricks and len(self.tricks[-1]) < 6:
            led = suit_in_play(self.tricks[-1][0][1], self.trump)
            following = {c for c in holding if suit_in_play(c, self.trump) == led}
            return sorted(following or holding)
        return sorted(holding)

    def may_go(self, seat: int, chosen: Sequence[str]) -> bool:
        return may_discard(self.hands[seat], chosen, self.trump, dealer=seat == self.dealer)

    def act(self, words: list[str]) -> None:
        waiting = self.to_act()
        assert waiting is not None
        kind, seat = waiting
        if kind == "call":
            self.calls.append((seat, 0 if words == ["P"] else int(words[0])))
        elif kind == "trump":
            self.trump = words[0]
        elif kind == "discard":
            self.hands[seat] -= set(words)
            self.exchanged.append(seat)
            refills = 0 if seat == self.dealer else len(words)
            self.hands[seat] |= {self.stock.pop(0) for _ in range(refills)}
            if len(self.exchanged) == 5:
                self.hands[self.dealer] |= set(self.stock)
                self.stock = []
        else:
            if not self.tricks or len(self.tricks[-1]) == 6:
                self.tricks.append([])
            self.tricks[-1].append((seat, words[0]))
            self.hands[seat].remove(words[0])

    def deltas(self) -> list[int]:
        """What the hand adds to the scores, from its six tricks."""
        trump, won, piles = self.trump, [0, 0, 0], [0, 0, 0]
        bidder, bid = self.best_call()
        for trick in self.tricks:
            taker = trick_winner(trick, trump) % 3
            for seat, card in trick:
                piles[taker] += 1 if card == "JK" else VALUE.get(card[0], 0)
                if card == "2" + trump and self.rules.low_point is LowPoint.PLAYER:
                    won[seat % 3] += 1
                elif card in protected(trump):
                    won[taker] += 1
        top = [team for team in range(3) if piles[team] == max(piles)]
        if len(top) > 1 and self.rules.game_tie is GameTie.BIDDER:
            top = [team for team in top if team == bidder % 3]
        if len(top) == 1 or self.rules.game_tie is GameTie.ALL_TIED:
            for team in top:
                won[team] += 1
        if won[bidder % 3] < bid:
            kept = won[bidder % 3] if self.rules.set_keeps_points else 0
            won[bidder % 3] = kept - bid
        return won


def slow_end(
    rules: Rules, scores: list[int], bidder: int, hands: int, out: set[int]
) -> dict[int, int] | None:
    """The sixths by team after a hand, None if another is played."""
    running = {team: scores[team] for team in range(3) if team not in out}
    there = {team: score for team, score in running.items() if score >= rules.target_score}
    top = [team for team in there if there[team] == max(there.values())]
    winners: list[int] = []
    if len(top) == 1 or bidder % 3 in top:
        winners = top if len(top) == 1 else [bidder % 3]
    elif len(top) > 1:
        if rules.final_tie is FinalTie.SHARED:
            winners = top
        elif rules.final_tie is FinalTie.BIDDING_TEAM and bidder % 3 in running:
            winners = [bidder % 3]
        elif rules.final_tie is FinalTie.SEAT_ORDER:
            seats = [(bidder + step) % 6 for step in range(1, 7)]
            winners = [next(seat % 3 for seat in seats if seat % 3 in top)]
    if not winners and hands == rules.max_hands:
        winners = [team for team in running if running[team] == max(running.values())]
    return {team: 6 // len(winners) for team in winners} if winners else None


def words_of(action: Action) -> list[str]:
    match action:
        case Call(bid):
            return [bid_text(bid)]
        case NameTrump(suit):
            return [suit_text(suit)]
        case Discard(cards):
            return [card_text(card) for card in cards]
        case Play(card):
            return [card_text(card)]
        case _:
            assert_never(action)


def compare_question(hand: Hand, slow: SlowHand, random: Random) -> None:
    """The same seat is asked the same, and some answers out of the blue are judged the same."""
    question, waiting = hand.question(), slow.to_act()
    assert waiting is not None
    assert (hand.phase.value, hand.seat) == waiting
    assert {card_text(card) for card in hand.holding(waiting[1])} == slow.hands[waiting[1]]
    match question:
        case CallQuestion(bids):
            assert [bid_text(bid) for bid in bids] == slow.legal()
        case TrumpQuestion(suits):
            assert [suit_text(suit) for suit in suits] == slow.legal()
        case PlayQuestion(cards):
            assert sorted(card_text(card) for card in cards) == slow.legal()
        case DiscardQuestion():
            for guess in guesses(question, hand.holding(waiting[1]), random):
                refused = question.objection(Discard(guess)) is not None
                assert refused != slow.may_go(waiting[1], [card_text(card) for card in guess])
        case _:
            assert_never(question)


def guesses(
    question: DiscardQuestion, holding: tuple[int, ...], random: Random
) -> Iterator[tuple[int, ...]]:
    """Discards near the border of what is legal."""
    for _ in range(12):
        pool = random.choice([holding, question.cards])
        size = random.randint(max(0, question.min_count - 1), question.max_count + 1)
        yield tuple(random.sample(pool, min(size, len(pool))))
    yield (*question.cards[:1], *question.cards[:1])


all_rules = st.builds(
    Rules,
    low_point=st.sampled_from(LowPoint),
    redeal_when=st.sampled_from(RedealWhen),
    game_tie=st.sampled_from(GameTie),
    set_keeps_points=st.booleans(),
    final_tie=st.sampled_from(FinalTie),
    target_score=st.integers(1, 12),
    max_hands=st.integers(1, 12),
    max_consecutive_redeals=st.integers(0, 2),
)


@given(rules=all_rules, seed=st.integers(0, 2**32), start_out=st.sets(st.integers(0, 2)))
@settings(max_examples=100)
def test_whole_games_go_as_the_slow_referee_says(
    rules: Rules, seed: int, start_out: set[int], random_deck: Shuffle, random_action: Choose
) -> None:
    random = Random(seed)
    decks: list[Deck] = []

    def deal(hand: int, redeal: int) -> Deck:
        decks.append(random_deck(random))
        return decks[-1]

    out = set(start_out) if random.random() < 0.3 else set()
    game = Game(rules, first_dealer=random.randrange(6), deal=deal, out=frozenset(out))
    dealer, redeal, hands, scores = game.dealer, 0, 0, [0, 0, 0]
    ended: dict[int, int] | None = None
    if len(out) >= 2:
        left = [team for team in range(3) if team not in out] or [0, 1, 2]
        ended = {team: 6 // len(left) for team in left}
    while ended is None:
        slow = SlowHand(rules, [card_text(card) for card in decks[-1]], dealer, redeal)
        while slow.to_act() is not None and ended is None:
            if random.random() < 0.004:
                team = random.choice([team for team in range(3) if team not in out])
                game.forfeit(team)
                out.add(team)
                if len(out) == 2:
                    ended = {team: 6 for team in range(3) if team not in out}
                    break
            compare_question(game.hand, slow, random)
            action = random_action(game.hand, random)
            slow.act(words_of(action))
            game.act(action)
        if ended is not None:
            break
        if slow.thrown_in():
            redeal += 1
        else:
            hands += 1
            deltas = slow.deltas()
            scores = [score + delta for score, delta in zip(scores, deltas, strict=True)]
            ended = slow_end(rules, scores, slow.best_call()[0], hands, out)
            dealer, redeal = (dealer + 1) % 6, 0
            assert list(game.scores) == scores
    assert game.outcome is not None
    assert game.outcome.sixths == tuple(ended.get(team, 0) for team in range(3))
    assert (game.outcome.hands, set(game.outcome.out)) == (hands, out)
    counted = [
        min(scores[team], *(scores[o] for o in range(3) if o != team)) if team in out else score
        for team, score in enumerate(scores)
    ]
    assert game.outcome.margin_thirds == tuple(3 * score - sum(counted) for score in counted)


def clone(hand: Hand) -> Hand:
    """A hand to go on with apart from the given one."""
    shared = [*TRUMP_ORDERS.values(), hand.rules]
    return deepcopy(hand, {id(value): value for value in shared})


def engine_endings(hand: Hand) -> Counter[tuple[int, ...]]:
    """How often each result comes up over all legal ways to play the rest of a hand."""
    if hand.result is not None:
        return Counter([hand.result.deltas])
    question, found = hand.question(), Counter[tuple[int, ...]]()
    assert isinstance(question, PlayQuestion)
    for card in question.cards:
        following = clone(hand)
        following.act(PLAYS[card])
        found.update(engine_endings(following))
    return found


def slow_endings(hand: SlowHand) -> Counter[tuple[int, ...]]:
    """The same by the slow referee."""
    if hand.to_act() is None:
        return Counter([tuple(hand.deltas())])
    found = Counter[tuple[int, ...]]()
    for card in hand.legal():
        following = deepcopy(hand)
        following.act([card])
        found.update(slow_endings(following))
    return found


def play_until(
    reached: Callable[[Hand], bool], seed: int, deck: Deck, choose: Choose
) -> tuple[Hand, SlowHand]:
    """A hand and its slow twin, played until a point that only a hand with a bidder reaches."""
    for attempt in range(1000):
        random = Random(1000 * seed + attempt)
        dealer = random.randrange(6)
        hand = Hand(Rules(), deck, dealer)
        slow = SlowHand(Rules(), [card_text(card) for card in deck], dealer, 0)
        while hand.phase is not Phase.OVER:
            if reached(hand):
                return hand, slow
            action = choose(hand, random)
            slow.act(words_of(action))
            hand.act(action)
    raise AssertionError("no hand was bid for")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("cards_played", [21, 23, 24, 27])
def test_the_last_tricks_go_in_all_the_ways_the_slow_referee_counts(
    cards_played: int, seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    def reached(hand: Hand) -> bool:
        return sum(len(trick.cards) for trick in hand.public.tricks) == cards_played

    hand, slow = play_until(reached, seed, random_deck(Random(seed)), random_action)
    assert engine_endings(hand) == slow_endings(slow)


@pytest.mark.parametrize("seed", range(6))
def test_the_last_two_exchanges_go_in_all_the_ways_the_slow_referee_counts(
    seed: int, random_deck: Shuffle, random_action: Choose
) -> None:
    """The first four discard as many as they may, so that the dealer picks up few cards."""

    def greedy(hand: Hand, random: Random) -> Action:
        question = hand.question()
        if isinstance(question, DiscardQuestion):
            return Discard(question.cards[: question.max_count])
        return random_action(hand, random)

    def reached(hand: Hand) -> bool:
        return len(hand.public.discard_counts) == 4

    hand, slow = play_until(reached, seed, random_deck(Random(seed)), greedy)
    dealer = hand.public.dealer
    last = (dealer - 1) % 6
    for first in (c for size in range(7) for c in combinations(hand.holding(last), size)):
        allowed = hand.question().objection(Discard(first)) is None
        assert allowed == slow.may_go(last, [card_text(card) for card in first])
        if allowed:
            after, slow_after = clone(hand), deepcopy(slow)
            after.act(Discard(first))
            slow_after.act([card_text(card) for card in first])
            compare_pick_up(after, slow_after, dealer)


def compare_pick_up(hand: Hand, slow: SlowHand, dealer: int) -> None:
    """The dealer's legal discards are the same sets, and there are some."""
    held, question = hand.holding(dealer), hand.question()
    assert {card_text(card) for card in held} == slow.hands[dealer]
    choices = list(combinations(held, len(held) - 6))
    legal = [chosen for chosen in choices if question.objection(Discard(chosen)) is None]
    assert legal
    assert legal == [c for c in choices if slow.may_go(dealer, [card_text(card) for card in c])]


def test_the_slow_referee_knows_the_printed_examples() -> None:
    """The second opinion is worth something: T3, T6, L2 and D8 by itself."""
    t3 = ["TS", "JC", "JS", "2S", "JK", "9S"]
    assert trick_winner(list(enumerate(t3, start=3)), "S") % 6 == 5
    t6 = ["JK", "2D", "AS", "KS", "3C", "TC"]
    assert trick_winner(list(enumerate(t6)), "D") == 1
    assert suit_in_play("JD", "H") == "H"
    d8 = ["AD", "AS", "JC", "JK", "JS", "KS", "QS", "2S"]
    allowed = [c for c in combinations(d8, 2) if may_discard(set(d8), c, "S", dealer=True)]
    assert allowed == [("AD", "KS"), ("AD", "QS")]
