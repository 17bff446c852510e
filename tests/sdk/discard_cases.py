"""Questions which cards to discard, the rare ones of a dealer with many trumps among them."""

from __future__ import annotations

from itertools import combinations

from referee.engine import Discard, DiscardQuestion, parse_card
from referee.sdk import DiscardDecision
from referee.wire.pb.schmier.v1 import decision_pb2

DISCARDS = {
    "D1 a non-dealer with three side cards": ("5C 6C 7C", "", 0, 3, 0),
    "D5 a non-dealer with more": ("5C 6C 7C 8S 9S", "", 0, 3, 0),
    "D6 a dealer with eight cards, three trumps": ("2C TD AD 3H 4H", "", 2, 2, 0),
    "D8 a dealer with seven trumps": ("AD", "QS KS", 2, 2, 1),
    "D9 a dealer with eight trumps": ("", "TS QS KS", 2, 2, 2),
    "D11 a dealer with seven unprotected trumps": ("AD", "6S 7S 8S 9S TS QS KS", 2, 2, 1),
}


def discard_decision(case: str, *, seed: int = 1) -> tuple[DiscardDecision, DiscardQuestion]:
    side_text, trump_text, min_count, max_count, trump_count = DISCARDS[case]
    side = [parse_card(text) for text in side_text.split()]
    trumps = [parse_card(text) for text in trump_text.split()]
    message = decision_pb2.Decision(
        random_seed=seed,
        discard=decision_pb2.DiscardQuestion(
            side_cards=sorted(side),  # type: ignore[arg-type]
            trump_cards=sorted(trumps),  # type: ignore[arg-type]
            min_count=min_count,
            max_count=max_count,
            trump_count=trump_count,
        ),
    )
    question = DiscardQuestion(
        cards=tuple(sorted(side + trumps)),
        trump_cards=tuple(sorted(trumps)),
        min_count=min_count,
        max_count=max_count,
        trump_count=trump_count,
    )
    return DiscardDecision(message), question


def legal_discards(question: DiscardQuestion) -> set[tuple[int, ...]]:
    return {
        cards
        for count in range(len(question.cards) + 1)
        for cards in combinations(question.cards, count)
        if question.objection(Discard(cards)) is None
    }
