"""The engine alone: microseconds a decision of random legal games with careful bids.

Every decision counts, forced ones too: put the question, choose, act. Bids are careful, since
random ones overbid and such games do not end: the minimum now and then while nobody has bid.

    python -m tests.benchmarks.playout [GAMES]
"""

from __future__ import annotations

import sys
from random import Random
from time import perf_counter

from referee.engine import (
    CALLS,
    PLAYS,
    TRUMPS,
    BoardSeeds,
    CallQuestion,
    Discard,
    DiscardQuestion,
    Game,
    PlayQuestion,
    Rules,
    TrumpQuestion,
)

_BIDS = 0.1
"""How often a seat bids three when nobody has bid before it."""


def random_playout(seed: int, rules: Rules | None = None) -> tuple[Game, int]:
    """Play one game to its end and return it with the number of its decisions.

    The same seed gives the same game: decks and choices both come from it.
    """
    random = Random(seed).random
    block = seed.to_bytes(32, "big")
    game = Game(rules or Rules(), first_dealer=seed % 6, deal=BoardSeeds(block, block).deck)
    question, act = game.question, game.act
    decisions = 0
    while game.outcome is None:
        asked = question()
        if isinstance(asked, PlayQuestion):
            cards = asked.cards
            act(PLAYS[cards[int(random() * len(cards))]])
        elif isinstance(asked, CallQuestion):
            bids = asked.bids
            act(CALLS[bids[1 if len(bids) == 5 and random() < _BIDS else 0]])
        elif isinstance(asked, DiscardQuestion):
            act(_random_discard(asked, random()))
        elif isinstance(asked, TrumpQuestion):
            act(TRUMPS[asked.suits[int(random() * 4)]])
        decisions += 1
    return game, decisions


def _random_discard(asked: DiscardQuestion, chance: float) -> Discard:
    """A random number of cards, a random run of the list; trumps only as many as must go."""
    trumps = asked.trump_cards
    others = [card for card in asked.cards if card not in trumps] if trumps else asked.cards
    spread = asked.max_count - asked.min_count + 1
    count = asked.min_count + int(chance * spread) - asked.trump_count
    start = int(chance * 1000) % (len(others) - count + 1)
    chosen = others[start : start + count]
    return Discard((*chosen, *trumps[: asked.trump_count]))


def measure(games: int) -> tuple[float, int]:
    """Return microseconds a decision and the number of decisions of so many games."""
    started, decisions = perf_counter(), 0
    for seed in range(games):
        decisions += random_playout(seed)[1]
    return (perf_counter() - started) / decisions * 1e6, decisions


def main() -> None:
    """Print one line: the best of five measurements."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    measured = [measure(games) for _ in range(5)]
    best, decisions = min(measured)
    print(f"{best:.2f} us a decision ({games} games, {decisions} decisions, best of 5)")


if __name__ == "__main__":
    main()
