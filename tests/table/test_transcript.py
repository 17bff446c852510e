"""The table without processes: six small bots play a game, which reads as the golden file says.

`pytest tests/table/test_transcript.py --regenerate` writes the golden files anew; review them as
code.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.engine import (
    CALLS,
    PLAYS,
    TRUMP_ORDERS,
    TRUMPS,
    Action,
    Bid,
    BoardSeeds,
    Call,
    CallQuestion,
    Decision,
    Discard,
    DiscardQuestion,
    PlayQuestion,
    Rules,
    Suit,
    TrumpQuestion,
    block_key,
    key,
    master_from_text,
    substitute_for,
)
from referee.table import FaultKind, GameRecord, Table, replay, transcript

GOLDEN = Path(__file__).parent / "golden"
RULES = Rules(target_score=11)
BOARD = BoardSeeds(
    block_key(key(master_from_text("demo"), "demo", "deal"), "0.0"),
    block_key(key(master_from_text("demo"), "demo", "bot"), "0.0"),
)
"""The first board of the typed seed `demo`."""
FIRST_DEALER = 1

Conduct = Action | FaultKind
Strategy = Callable[[Decision], Conduct]


def longest(decision: Decision) -> Suit:
    """The suit that would make most trumps of the holding."""
    return max(Suit, key=lambda suit: len(TRUMP_ORDERS[suit].trumps.intersection(decision.holding)))


def careful(decision: Decision) -> Action:
    """Bids three on four trumps when nobody has bid, keeps trumps, plays high."""
    match decision.question:
        case CallQuestion(bids):
            trumps = TRUMP_ORDERS[longest(decision)].trumps
            strong = len(trumps.intersection(decision.holding)) >= 4
            return CALLS[Bid.THREE if strong and Bid.THREE in bids else bids[0]]
        case TrumpQuestion():
            return TRUMPS[longest(decision)]
        case DiscardQuestion(cards, trumps):
            others = [card for card in cards if card not in trumps]
            count = decision.question.max_count - decision.question.trump_count
            return Discard((*others[:count], *trumps[: decision.question.trump_count]))
        case PlayQuestion(cards):
            return PLAYS[cards[-1]]


def dull(decision: Decision) -> Action:
    """Does what the referee would do for it."""
    return substitute_for(decision.question, decision.holding)


def drawing(decision: Decision) -> Action:
    """Plays a card drawn with the decision's random seed, else is dull."""
    match decision.question:
        case PlayQuestion(cards):
            return PLAYS[cards[decision.random_seed % len(cards)]]
        case _:
            return dull(decision)


def sleepy(decision: Decision) -> Conduct:
    """Too late whenever its random seed says so, else careful."""
    return FaultKind.TIMEOUT if decision.random_seed % 64 == 0 else careful(decision)


def liar(decision: Decision) -> Conduct:
    """Discards the same cards as it was dealt, trumps or not, and bids what is gone."""
    match decision.question:
        case DiscardQuestion():
            return Discard(decision.holding[:2])
        case CallQuestion(bids) if Bid.THREE not in bids:
            return Call(Bid.THREE)
        case _:
            return careful(decision)


def broken(decision: Decision) -> Conduct:
    """Crashes when it must play, and never comes up again."""
    return FaultKind.CRASH if isinstance(decision.question, PlayQuestion) else dull(decision)


GAMES: dict[str, tuple[Strategy, ...]] = {
    "clean": (careful, dull, drawing, careful, careful, careful),
    "faulty": (drawing, careful, liar, careful, sleepy, careful),
    "forfeited": (careful, sleepy, broken, careful, broken, liar),
}


def play(strategies: tuple[Strategy, ...]) -> GameRecord:
    table = Table(rules=RULES, seeds=BOARD, first_dealer=FIRST_DEALER, faults_per_game=3)
    while table.decision is not None:
        done = strategies[table.decision.seat](table.decision)
        if isinstance(done, FaultKind):
            table.charge(done)
        else:
            table.answer(done)
    assert table.record is not None
    return table.record


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_six_small_bots_reads_as_in_the_golden_file(
    name: str, pytestconfig: pytest.Config
) -> None:
    strategies = GAMES[name]
    lines = transcript(
        play(strategies),
        rules=RULES,
        seeds=BOARD,
        faults_per_game=3,
        names=[strategy.__name__ for strategy in strategies],
    )
    text = "".join(f"{line}\n" for line in lines)
    golden = GOLDEN / f"{name}.txt"
    if pytestconfig.getoption("--regenerate"):
        golden.write_text(text)
    assert text == golden.read_text()


@pytest.mark.parametrize("name", GAMES)
def test_the_same_game_is_recomputed_from_its_record(name: str) -> None:
    replay(
        play(GAMES[name]),
        rules=RULES,
        seeds=BOARD,
        faults_per_game=3,
        first_dealer=FIRST_DEALER,
        out=frozenset(),
    )


def test_the_three_games_show_the_fault_kinds_and_both_endings() -> None:
    records = [play(strategies) for strategies in GAMES.values()]
    assert not records[0].faults
    assert {fault.kind.value for fault in records[1].faults} == {"illegal", "timeout"}
    assert {fault.kind.value for fault in records[2].faults} == {"illegal", "crash"}
    assert [record.outcome.ending.value for record in records] == ["target", "target", "forfeit"]


def test_a_game_that_nobody_could_play_is_shown_in_full() -> None:
    table = Table(
        rules=RULES,
        seeds=BOARD,
        first_dealer=FIRST_DEALER,
        faults_per_game=3,
        out=frozenset({0, 1, 2}),
    )
    assert table.record is not None
    *deal, blank, first, second, third = transcript(
        table.record, rules=RULES, seeds=BOARD, faults_per_game=3
    )
    assert deal[0] == "first dealer 1, out before the first hand: T0 T1 T2"
    assert blank == ""
    assert first.startswith("T0 T1 T2 share the win after 0 hands")
    assert second == "scores 0 0 0, sixths 2 2 2"
    assert third == "margins in thirds 0 0 0, forfeited: T0 T1 T2"
