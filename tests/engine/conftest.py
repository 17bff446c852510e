"""What the engine's tests share: card text, decks that deal wanted holdings, random play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMPS,
    Action,
    CallQuestion,
    Deck,
    Discard,
    DiscardQuestion,
    Hand,
    PlayQuestion,
    TrumpQuestion,
    parse_card,
)


@pytest.fixture(scope="session")
def cards() -> Callable[[str], tuple[int, ...]]:
    """Parse card text separated by blanks, in the order given."""
    return lambda text: tuple(parse_card(word) for word in text.split())


@pytest.fixture(scope="session")
def deck_for() -> Callable[[int, Mapping[int, str], str], Deck]:
    """Build a deck: dealer, wanted cards by seat (up to six each), first cards of the stock.

    Places without a wish are filled with the cards left over, by number.
    """

    def build(dealer: int, holdings: Mapping[int, str], stock: str = "") -> Deck:
        places: dict[int, int] = {}
        for seat, text in holdings.items():
            for turn, word in enumerate(text.split()):
                places[(seat - dealer - 1) % 6 + 6 * turn] = parse_card(word)
        for turn, word in enumerate(stock.split()):
            places[36 + turn] = parse_card(word)
        rest = iter([card for card in CARDS if card not in places.values()])
        return tuple(places[i] if i in places else next(rest) for i in range(53))

    return build


@pytest.fixture(scope="session")
def random_deck() -> Callable[[Random], Deck]:
    return lambda random: tuple(random.sample(CARDS, 53))


@pytest.fixture(scope="session")
def random_action() -> Callable[[Hand, Random], Action]:
    """Choose a legal action: any trump, discard and card; a bid only now and then (careful)."""

    def choose(hand: Hand, random: Random) -> Action:
        question = hand.question()
        match question:
            case CallQuestion(bids):
                bid = random.choice(bids) if random.random() < 0.3 else bids[0]
                return CALLS[bid]
            case TrumpQuestion(suits):
                return TRUMPS[random.choice(suits)]
            case DiscardQuestion(choices, trumps):
                others = [card for card in choices if card not in trumps]
                count = random.randint(question.min_count, question.max_count)
                must = random.sample(trumps, question.trump_count)
                return Discard((*must, *random.sample(others, count - len(must))))
            case PlayQuestion(choices):
                return PLAYS[random.choice(choices)]

    return choose
