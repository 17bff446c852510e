"""Recorded hands: decisions as they come up in games that are played out from a fixed seed.

The seed is everybody's, so each check of a bot asks the same, on any machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final, assert_never

from referee.engine import (
    CALLS,
    PLAYS,
    TRUMPS,
    Action,
    BoardSeeds,
    CallQuestion,
    Decision,
    Discard,
    DiscardQuestion,
    PlayQuestion,
    Rules,
    TrumpQuestion,
    block_key,
    key,
    number_from_words,
    words,
)
from referee.runner.check.positions import snapshot
from referee.table import Table

__all__ = ["recorded_hands"]

_MASTER: Final = hashlib.sha256(b"schmier-check-v1").digest()
_ID: Final = "check"
_PASSES_OF_FOUR: Final = 3


def recorded_hands(rules: Rules, count: int) -> Iterator[tuple[Decision, ...]]:
    """Yield the decisions of so many deals, game after game, all six seats' together."""
    given = 0
    game = 0
    while given < count:
        seeds = BoardSeeds(*(block_key(key(_MASTER, _ID, x), f"0.{game}") for x in ("deal", "bot")))
        table = Table(rules=rules, seeds=seeds, first_dealer=game % 6, faults_per_game=1)
        game += 1
        deal: list[Decision] = []
        while (decision := table.decision) is not None and given < count:
            if deal and _place(deal[-1]) != _place(decision):
                yield tuple(deal)
                given += 1
                deal.clear()
            deal.append(snapshot(decision))
            table.answer(_answer(decision))
        if deal and given < count:
            yield tuple(deal)
            given += 1


def _place(decision: Decision) -> tuple[int, int]:
    return decision.public.number, decision.public.redeal


def _answer(decision: Decision) -> Action:
    """A random legal action, drawn from the decision's random seed; three calls of four are passes.

    Who bids, bids the least, as otherwise no game comes to an end.
    """
    stream = words(b"schmier-check" + decision.random_seed.to_bytes(4, "big"))
    question = decision.question
    match question:
        case CallQuestion(bids):
            return CALLS[bids[0 if number_from_words(stream, 4) < _PASSES_OF_FOUR else 1]]
        case TrumpQuestion(suits):
            return TRUMPS[suits[number_from_words(stream, len(suits))]]
        case PlayQuestion(cards):
            return PLAYS[cards[number_from_words(stream, len(cards))]]
        case DiscardQuestion():
            most, fewest = question.max_count, question.min_count
            count = fewest + number_from_words(stream, most - fewest + 1)
            sides = [card for card in question.cards if card not in question.trump_cards]
            return Discard(
                tuple(
                    sorted(
                        _drawn(sides, count - question.trump_count, stream)
                        + _drawn(list(question.trump_cards), question.trump_count, stream)
                    )
                )
            )
        case _:
            assert_never(question)


def _drawn(cards: list[int], count: int, stream: Iterator[int]) -> list[int]:
    return [cards.pop(number_from_words(stream, len(cards))) for _ in range(count)]
