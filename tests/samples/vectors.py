"""The decisions that every sample of the rule-based strategy answers alike.

They were met by sober, bold, timid, random and simple bots at eight tables, under two sets of
rules; of all that was asked a spread is kept, the rare kinds whole. A line is one decision as
JSON: what it is about in words, the decision in protobuf's JSON, and the action of `rule_based.py`
without its id.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict, ParseDict

from referee.engine import Rules, card_text
from referee.sdk import Bot, answer
from referee.wire import read_request
from referee.wire.pb.schmier.v1 import decision_pb2
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service
from sample_bots.python.first_legal import FirstLegal
from sample_bots.python.random_legal import RandomLegal
from sample_bots.python.rule_based import RuleBased
from tests.sdk.scripted_referee import OpenTable

__all__ = ["FILE", "Vector", "read_vectors", "written"]

FILE = Path(__file__).parents[2] / "sample_bots" / "vectors" / "decisions.json"
KEPT = {"call": 40, "trump": 16, "discard": 40, "dealer's trumps": 8, "play": 96}
"""So many of each kind, as far as they come up; spread over all games."""
_TIMID: list[Bot] = [RuleBased(-9)] * 6
"""Nobody ever bids: redeals."""
_KEEPERS: list[Bot] = [FirstLegal()] * 6
"""Nobody exchanges: the dealer picks up the whole stock, now and then with more than six trumps."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One decision, and the action that the rule-based strategy answers with; its id is 0."""

    about: str
    decision: decision_pb2.Decision
    action: decision_pb2.Action


def read_vectors() -> list[Vector]:
    """Return the committed vectors."""
    return [
        Vector(
            line["about"],
            ParseDict(line["decision"], decision_pb2.Decision()),
            ParseDict(line["action"], decision_pb2.Action()),
        )
        for line in json.loads(FILE.read_text(encoding="utf-8"))
    ]


def written() -> str:
    """Return what the file should hold: JSON, one decision a line."""
    lines = [
        json.dumps(
            {
                "about": _about(decision, action),
                "decision": MessageToDict(decision),
                "action": MessageToDict(action),
            }
        )
        for decision in _spread(_met())
        for action in [_answered(RuleBased(), decision)]
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _answered(bot: Bot, decision: decision_pb2.Decision) -> decision_pb2.Action:
    answers = service.Actions()
    answer(bot, decision, answers)
    answers.actions[0].ClearField("decision_id")
    return answers.actions[0]


def _met() -> Iterator[decision_pb2.Decision]:
    """All decisions of some games; the tables are named alike, and the ids are 1."""
    mixed: list[Bot]
    mixed = [RuleBased(), RuleBased(1), RandomLegal(), RuleBased(-0.5), RandomLegal(), RuleBased(2)]
    for seed, bots in enumerate([*[mixed] * 6, _TIMID, _KEEPERS]):
        table = OpenTable(seed, rules=Rules(max_hands=12) if seed % 2 or bots is _TIMID else None)
        table.name = f"table {seed}"
        while table.table.decision is not None:
            decision = decision_pb2.Decision.FromString(table.encode(1))
            yield decision
            action = _answered(bots[(decision.seat + seed) % 6], decision)
            action.decision_id = 1
            request = service.PlayRequest(actions=service.Actions(actions=[action]))
            answers = read_request(request.SerializeToString())
            assert isinstance(answers, list)
            assert table.answer(answers[0]) is None


def _spread(met: Iterator[decision_pb2.Decision]) -> Iterator[decision_pb2.Decision]:
    kinds: dict[str, list[decision_pb2.Decision]] = defaultdict(list)
    for decision in met:
        kind = decision.WhichOneof("question") or ""
        if decision.discard.trump_count:
            kind = "dealer's trumps"
        kinds[kind].append(decision)
    for kind, wanted in KEPT.items():
        found = kinds[kind]
        step = max(1.0, len(found) / wanted)
        yield from (found[int(place * step)] for place in range(min(wanted, len(found))))


def _about(decision: decision_pb2.Decision, action: decision_pb2.Action) -> str:
    """Say in words what is asked and answered, for whoever reads the file."""
    holding = " ".join(map(card_text, decision.holding))
    asked = f"seat {decision.seat} holds {holding}"
    if decision.WhichOneof("question") == "play" and decision.hand.tricks:
        trick = " ".join(map(card_text, decision.hand.tricks[-1].cards))
        asked += f", to {trick}" if trick else ", leads"
    return f"{asked}; answers {_words(action)}"


def _words(action: decision_pb2.Action) -> str:
    fields: dict[str, Any] = MessageToDict(action)
    match action.WhichOneof("choice"):
        case "play":
            return card_text(action.play)
        case "discard":
            return " ".join(map(card_text, action.discard.cards)) or "no discard"
        case kind:
            return f"{kind} {str(fields[str(kind)]).partition('_')[2].lower()}"
