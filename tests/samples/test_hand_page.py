"""The hand on `sample_bots/a_hand.md` is what a bot really is asked and answers.

`pytest tests/samples/test_hand_page.py --regenerate` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from referee.engine import (
    SEATS,
    Action,
    Bid,
    BoardSeeds,
    Call,
    CallQuestion,
    Decision,
    Discard,
    DiscardQuestion,
    Game,
    NameTrump,
    Play,
    PlayQuestion,
    Rules,
    Suit,
    bid_text,
    block_key,
    card_text,
    decision_of,
    key,
    master_from_text,
    team_of,
)
from referee.sdk import answer
from referee.wire import DecisionEncoder, read_request
from referee.wire.pb.schmier.v1 import decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from sample_bots.python.rule_based import RuleBased

PAGE = Path(__file__).parents[2] / "sample_bots" / "a_hand.md"
BEGIN, END = "<!-- hand -->\n", "<!-- end of hand -->"
SYMBOLS = str.maketrans({"C": "♣", "D": "♦", "H": "♥", "S": "♠", "T": "10"})
SUITS = {Suit.CLUBS: "clubs", Suit.DIAMONDS: "diamonds", Suit.HEARTS: "hearts"}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a seat, in words, and what was answered; the decision is live no more."""

    seat: int
    question: str
    holding: str
    choices: str
    answer: str


def pictures(cards: Iterable[int]) -> str:
    """Cards as people draw them."""
    return " ".join(card_text(card).translate(SYMBOLS) for card in cards) or "nothing"


def hand() -> tuple[Game, list[Asked]]:
    """Play the first hand of the demonstration board with six rule-based bots."""
    master = master_from_text("demo")
    keys = [block_key(key(master, "demo", name), "0.0") for name in ("deal", "bot")]
    seeds = BoardSeeds(*keys)
    game = Game(Rules(), first_dealer=1, deal=seeds.deck)
    asked: list[Asked] = []
    while not game.results:
        decision = decision_of(game.hand, 1)
        action = decision.question.only()
        if action is None:
            action = chosen(decision)
            asked.append(told(decision, action))
        game.act(action)
    return game, asked


def chosen(decision: Decision) -> Action:
    data = DecisionEncoder().encode(decision, id=1, table="t", limit_ms=1000)
    actions = service.Actions()
    answer(RuleBased(), decision_pb2.Decision.FromString(data), actions)
    heard = read_request(service.PlayRequest(actions=actions).SerializeToString())
    assert isinstance(heard, list) and heard[0].action is not None
    return heard[0].action


def told(decision: Decision, action: Action) -> Asked:
    public, question = decision.public, decision.question
    match question:
        case CallQuestion(bids):
            asked, choices = "call?", " ".join(map(bid_text, bids))
        case DiscardQuestion():
            asked = "put away?"
            choices = f"{question.min_count} to {question.max_count} of {pictures(question.cards)}"
        case PlayQuestion(cards):
            trick = public.tricks[-1].cards if public.tricks else []
            leads = not trick or len(trick) == 6
            asked = "lead?" if leads else f"play to {pictures(trick)}?"
            choices = pictures(cards)
        case _:
            asked, choices = "trumps?", "♣ ♦ ♥ ♠"
    return Asked(decision.seat, asked, pictures(decision.holding), choices, words(action))


def words(action: Action) -> str:
    match action:
        case Call(bid):
            return "pass" if bid is Bid.PASS else bid_text(bid)
        case NameTrump(suit):
            return SUITS.get(suit, "spades")
        case Discard(cards):
            return pictures(cards)
        case Play(card):
            return pictures([card])


def section() -> str:
    game, asked = hand()
    mine = [each for each in asked if each.seat == game.results[0].bidder]
    return "\n".join([told_of(game), "", *diagram(mine), "", *table(mine), "", ending(game)])


def told_of(game: Game) -> str:
    bidder = game.results[0].bidder
    return (
        f"Seat 1 deals, seat 2 calls first. You are seat {bidder}; your partner is seat "
        f"{(bidder + 3) % 6},\nand together you are team {team_of(bidder)}."
    )


def diagram(mine: list[Asked]) -> Iterator[str]:
    yield from ("```mermaid", "sequenceDiagram")
    yield "    participant B as your bot"
    yield "    participant R as referee"
    yield "    B->>R: hello: token, name, max_batch 64"
    yield "    R->>B: welcome: rules, limits"
    for number, each in enumerate(mine, start=1):
        kind = each.question.split(" to ")[0].rstrip("?")
        yield f"    R->>B: decision {number}: {kind}? {each.choices}"
        yield f"    B->>R: action {number}: {each.answer}"
    yield "    Note over B,R: other hands and tables, until all games are over"
    yield "    R->>B: goodbye"
    yield "```"


def table(mine: list[Asked]) -> Iterator[str]:
    yield "| id | you are asked | you hold | you may choose | `rule_based.py` answers |"
    yield "|--:|---|---|---|---|"
    for number, each in enumerate(mine, start=1):
        yield f"| {number} | {each.question} | {each.holding} | {each.choices} | {each.answer} |"


def ending(game: Game) -> str:
    result = game.results[0]
    points = result.points
    names = ("high", "low", "right", "left", "joker")
    won = ", ".join(f"{name} to {getattr(points, name)}" for name in names)
    most = " and ".join(map(str, points.game)) or "nobody"
    return (
        f"The points go to teams: {won}, and game to {most}, with "
        f"{', '.join(map(str, points.card_points))} card points.\n"
        f"The bid of {bid_text(result.bid)} is {'made' if result.made else 'set'}: the scores of "
        f"teams 0, 1 and 2 change by {', '.join(f'{delta:+d}' for delta in result.deltas)}."
    )


def test_the_page_shows_the_hand_as_it_is_played(request: pytest.FixtureRequest) -> None:
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    shown, end, after = rest.partition(END)
    assert begin and end, "the page has lost its marks"
    if request.config.getoption("--regenerate"):
        PAGE.write_text(f"{before}{BEGIN}\n{section()}\n\n{END}{after}", encoding="utf-8")
    else:
        assert shown == f"\n{section()}\n\n", "stale: run this test with --regenerate"


def test_every_seat_is_asked_with_its_own_cards_alone() -> None:
    _, asked = hand()
    assert {each.seat for each in asked} == set(SEATS)
