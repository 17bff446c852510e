"""What the table's tests share: boards by number, bots as functions, and bad conduct by chance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest

from referee.engine import (
    CALLS,
    CARDS,
    PLAYS,
    TRUMPS,
    Action,
    Bid,
    BoardSeeds,
    Call,
    CallQuestion,
    Decision,
    Deck,
    Discard,
    DiscardQuestion,
    Play,
    PlayQuestion,
    Rules,
    TrumpQuestion,
)
from referee.table import FaultKind, GameRecord, Table, replay

QUICK = Rules(target_score=7, max_hands=4, max_consecutive_redeals=2)
"""Short games, so that many fit into a test."""


Bot: TypeAlias = Callable[[Decision], Action]
"""A decision in, a legal action out."""


def board(number: int) -> BoardSeeds:
    """The seeds of a board of the tests."""
    key = number.to_bytes(32, "big")
    return BoardSeeds(key, key)


class StackedBoard(BoardSeeds):
    """A board whose every deck is the same given one."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(b"", b"")
        self._stacked = deck

    def deck(self, hand: int, redeal: int) -> Deck:
        return self._stacked


def random_bot(random: Random, *, bids: float = 0.3) -> Bot:
    """A legal bot that plays anything and bids the minimum now and then."""

    def answer(decision: Decision) -> Action:
        question = decision.question
        match question:
            case CallQuestion(choices):
                bid = choices[1] if len(choices) > 1 and random.random() < bids else choices[0]
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

    return answer


def illegal_action(decision: Decision, random: Random) -> Action | None:
    """An action of the right kind that is not legal; None where every one of its kind is."""
    question = decision.question
    match question:
        case CallQuestion(choices):
            low = [bid for bid in Bid if bid not in choices]
            return Call(random.choice(low)) if low else None
        case TrumpQuestion():
            return None
        case DiscardQuestion(choices):
            wrong = random.choice([card for card in CARDS if card not in choices])
            return Discard((*choices[: max(0, question.min_count - 1)], wrong))
        case PlayQuestion(choices):
            return Play(random.choice([card for card in CARDS if card not in choices]))


def conduct(table: Table, random: Random, *, faults: float = 0.0) -> GameRecord:
    """Play a table to its end: legal answers, and as often as `faults` one of the bad ones."""
    answer = random_bot(random)
    while table.decision is not None:
        decision = table.decision
        if random.random() >= faults:
            assert table.answer(answer(decision)) is None
            continue
        wrong = illegal_action(decision, random)
        if wrong is not None and random.random() < 0.5:
            fault = table.answer(wrong)
            assert fault is not None and fault.kind is FaultKind.ILLEGAL
        else:
            table.charge(random.choice(list(FaultKind)))
    assert table.record is not None
    return table.record


def open_table(
    number: int,
    *,
    rules: Rules = QUICK,
    faults_per_game: int = 3,
    out: frozenset[int] = frozenset(),
) -> Table:
    """A table on a board of the tests, at the first decision."""
    return Table(
        rules=rules,
        seeds=board(number),
        first_dealer=number % 6,
        faults_per_game=faults_per_game,
        out=out,
    )


def recompute(
    record: GameRecord,
    number: int,
    *,
    rules: Rules = QUICK,
    faults_per_game: int = 3,
    out: frozenset[int] = frozenset(),
) -> None:
    """Replay a record of the table that `open_table` opens with the same arguments."""
    replay(
        record,
        rules=rules,
        seeds=board(number),
        faults_per_game=faults_per_game,
        first_dealer=number % 6,
        out=out,
    )


def play_until(table: Table, wanted: Callable[[Decision], bool]) -> Decision:
    """Answer at random until a decision is open that is wanted."""
    bot = random_bot(Random(1))
    while table.decision is not None:
        if wanted(table.decision):
            return table.decision
        table.answer(bot(table.decision))
    raise AssertionError("the game ended first")


@pytest.fixture(scope="session", name="board")
def board_fixture() -> Callable[[int], BoardSeeds]:
    return board


@pytest.fixture(scope="session")
def stacked_board() -> Callable[[Deck], BoardSeeds]:
    return StackedBoard


@pytest.fixture(scope="session", name="open_table")
def open_table_fixture() -> Callable[..., Table]:
    return open_table


@pytest.fixture(scope="session", name="recompute")
def recompute_fixture() -> Callable[..., None]:
    return recompute


@pytest.fixture(scope="session", name="random_bot")
def random_bot_fixture() -> Callable[[Random], Bot]:
    return random_bot


@pytest.fixture(scope="session", name="illegal_action")
def illegal_action_fixture() -> Callable[[Decision, Random], Action | None]:
    return illegal_action


@pytest.fixture(scope="session", name="conduct")
def conduct_fixture() -> Callable[..., GameRecord]:
    return conduct


@pytest.fixture(scope="session", name="play_until")
def play_until_fixture() -> Callable[[Table, Callable[[Decision], bool]], Decision]:
    return play_until
