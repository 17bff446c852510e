"""What happens in hands of the rule-based bot against itself: the figures of the strategy primer.

    python -m tests.samples.hand_statistics [--boards N]

Six copies play so many games, one process, no referee around it; the tables come out as Markdown.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.engine import (
    SEATS,
    TRUMP_ORDERS,
    Action,
    BoardSeeds,
    Game,
    HandResult,
    Rules,
    bid_text,
    team_of,
)
from referee.engine import decision_of as engine_decision
from referee.sdk import answer
from referee.wire import DecisionEncoder, read_request
from referee.wire.pb.schmier.v1 import decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from sample_bots.python.rule_based import RuleBased

__all__ = ["Seen", "played", "tables"]

_POINTS = ("high", "low", "right", "left", "joker")


@dataclass(frozen=True, slots=True)
class Seen:
    """A scored hand, and the trumps that the bidder was dealt."""

    result: HandResult
    dealt_trumps: frozenset[int]


def played(boards: int) -> Iterator[Seen]:
    """Yield the scored hands of so many games."""
    bot = RuleBased()
    for board in range(boards):
        seeds = BoardSeeds(board.to_bytes(32), board.to_bytes(32))
        game = Game(Rules(), first_dealer=board % 6, deal=seeds.deck)
        encoder, dealt = DecisionEncoder(), _dealt(game)
        hands = 0
        while game.outcome is None:
            hand = game.hand
            if hand.public.bidder is None:
                dealt = _dealt(game)
            question = hand.question()
            game.act(question.only() or _chosen(bot, encoder, game))
            if len(game.results) > hands:
                hands = len(game.results)
                result = game.results[-1]
                trumps = TRUMP_ORDERS[result.trump].trumps
                yield Seen(result, frozenset(dealt[result.bidder]) & trumps)


def _dealt(game: Game) -> list[tuple[int, ...]]:
    return [game.hand.holding(seat) for seat in SEATS]


def _chosen(bot: RuleBased, encoder: DecisionEncoder, game: Game) -> Action:
    data = encoder.encode(engine_decision(game.hand, 1), id=1, table="t", limit_ms=1000)
    actions = service.Actions()
    answer(bot, decision_pb2.Decision.FromString(data), actions)
    answers = read_request(service.PlayRequest(actions=actions).SerializeToString())
    assert isinstance(answers, list) and answers[0].action is not None
    return answers[0].action


def tables(hands: list[Seen]) -> str:
    """Return the tables of the primer."""
    return "\n\n".join(
        (
            f"{len(hands)} hands.",
            _table("bid", hands, lambda seen: bid_text(seen.result.bid)),
            _table("trumps dealt to the bidder", hands, lambda seen: str(len(seen.dealt_trumps))),
            _table("ace of trumps dealt to the bidder", hands, _holds_ace),
            _who_wins(hands),
        )
    )


def _holds_ace(seen: Seen) -> str:
    return "yes" if TRUMP_ORDERS[seen.result.trump].ace in seen.dealt_trumps else "no"


def _table(title: str, hands: list[Seen], key: Callable[[Seen], str]) -> str:
    groups: defaultdict[str, list[Seen]] = defaultdict(list)
    for seen in hands:
        groups[key(seen)].append(seen)
    lines = [f"| {title} | hands | made | points won | score on average |", "|---|--:|--:|--:|--:|"]
    for name, group in sorted(groups.items()):
        made = sum(seen.result.made for seen in group) / len(group)
        won = sum(_own_points(seen.result) for seen in group) / len(group)
        score = sum(seen.result.deltas[team_of(seen.result.bidder)] for seen in group) / len(group)
        lines.append(
            f"| {name} | {len(group) / len(hands):.0%} | {made:.0%} | {won:.2f} | {score:+.2f} |"
        )
    return "\n".join(lines)


def _own_points(result: HandResult) -> int:
    return result.points.by_team()[team_of(result.bidder)]


def _who_wins(hands: list[Seen]) -> str:
    bidders: Counter[str] = Counter()
    for seen in hands:
        team = team_of(seen.result.bidder)
        bidders.update(name for name in _POINTS if getattr(seen.result.points, name) == team)
        bidders["game"] += team in seen.result.points.game
    lines = ["| point | won by the bidding team |", "|---|--:|"]
    return "\n".join(
        [*lines, *(f"| {name} | {bidders[name] / len(hands):.0%} |" for name in (*_POINTS, "game"))]
    )


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.samples.hand_statistics")
    parser.add_argument("--boards", type=int, default=300, help="how many games")
    print(tables(list(played(parser.parse_args().boards))))


if __name__ == "__main__":
    main()
