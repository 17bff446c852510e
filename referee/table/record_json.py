"""A record as plain data for JSON, in card text, and back; the form that exports show the world.

Nothing but strict reading: a key too many or too few, a value of another type or a card text that
is none is an error, and so is whatever does not come out as the same record again.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, assert_never

from referee.engine import (
    CALLS,
    PLAYS,
    SEATS,
    TEAMS,
    TRUMPS,
    Action,
    Call,
    Discard,
    Ending,
    NameTrump,
    Outcome,
    Play,
    card_text,
    parse_bid,
    parse_card,
    parse_suit,
)
from referee.table.actions import DEAL, DealSteps, action_text, append_action, decode_actions
from referee.table.faults import Fault, FaultKind
from referee.table.record import Difference, GameRecord, RecordError
from referee.table.record_bytes import record_digest

__all__ = ["Json", "record_from_json", "record_to_json"]

Json: TypeAlias = dict[str, Any]
_RECORD_KEYS: Final = ("first_dealer", "out", "deals", "faults", "result", "digest")
_DEAL_KEYS: Final = ("hand", "redeal", "dealer", "calls", "trump", "discards", "tricks")
_FAULT_KEYS: Final = ("action_index", "hand", "redeal", "seat", "kind")
_RESULT_KEYS: Final = ("scores", "sixths", "margin_thirds", "hands", "ending", "out")


def record_to_json(record: GameRecord) -> Json:
    """Return a record as dicts, lists, texts, numbers and None.

    `deals` holds one entry a deal, redeals included: `calls` from the dealer's left; `trump`, None
    if none was named; `discards` from the dealer's left, the dealer last, ascending each; `tricks`
    from the leader clockwise, the bidder leading the first. An action's index counts, in this
    order, each call, the naming of trump, each seat's discard and each card played.
    Raises RecordError if the actions are no game's.
    """
    deals = decode_actions(record.actions, first_dealer=record.first_dealer)
    outcome = record.outcome
    return {
        "first_dealer": record.first_dealer,
        "out": sorted(record.out),
        "deals": [_deal_to_json(deal) for deal in deals],
        "faults": [
            {
                "action_index": fault.action_index,
                "hand": fault.hand,
                "redeal": fault.redeal,
                "seat": fault.seat,
                "kind": fault.kind.value,
            }
            for fault in record.faults
        ],
        "result": {
            "scores": list(outcome.scores),
            "sixths": list(outcome.sixths),
            "margin_thirds": list(outcome.margin_thirds),
            "hands": outcome.hands,
            "ending": outcome.ending.value,
            "out": sorted(outcome.out),
        },
        "digest": record_digest(record).hex(),
    }


def record_from_json(data: object) -> GameRecord:
    """Return the record of plain data; RecordError, with the place, for anything but a record.

    Law: `record_to_json` of the result equals the data.
    """
    data = _mapping(data, _RECORD_KEYS, "a record")
    deals, faults = _list(data["deals"], "deals"), _list(data["faults"], "faults")
    try:
        record = GameRecord(
            first_dealer=_seat(data["first_dealer"], "first_dealer"),
            out=_teams(data["out"], "out"),
            actions=b"".join(_deal_actions(deal, f"deals[{i}]") for i, deal in enumerate(deals)),
            faults=tuple(_fault(fault, f"faults[{i}]") for i, fault in enumerate(faults)),
            outcome=_outcome(data["result"]),
        )
        again = record_to_json(record)
    except (ValueError, struct.error) as error:
        raise _unreadable(str(error)) from None
    for key in _RECORD_KEYS:
        if again[key] != data[key]:
            raise _unreadable(f"{key} does not fit the rest: the record was damaged or changed")
    return record


def _deal_to_json(deal: DealSteps) -> Json:
    calls: list[str] = []
    trump: str | None = None
    discards: list[list[str]] = []
    played: list[str] = []
    for step in deal.steps:
        match step.action:
            case Call():
                calls.append(action_text(step.action))
            case NameTrump():
                trump = action_text(step.action)
            case Discard(cards):
                discards.append([card_text(card) for card in cards])
            case Play(card):
                played.append(card_text(card))
            case _:
                assert_never(step.action)
    return {
        "hand": deal.hand,
        "redeal": deal.redeal,
        "dealer": deal.dealer,
        "calls": calls,
        "trump": trump,
        "discards": discards,
        "tricks": [played[i : i + 6] for i in range(0, len(played), 6)],
    }


def _deal_actions(data: object, place: str) -> bytes:
    """The bytes of one deal; its numbers are compared later, when the record is written again."""
    deal = _mapping(data, _DEAL_KEYS, place)
    for key in _DEAL_KEYS[:3]:
        _number(deal[key], place)
    actions: list[Action] = [CALLS[parse_bid(text)] for text in _texts(deal["calls"], place)]
    if deal["trump"] is not None:
        actions.append(TRUMPS[parse_suit(_text(deal["trump"], place))])
    for cards in _list(deal["discards"], place):
        actions.append(Discard(tuple(map(parse_card, _texts(cards, place)))))
    for trick in _list(deal["tricks"], place):
        actions.extend(PLAYS[parse_card(text)] for text in _texts(trick, place))
    written = bytearray([DEAL])
    for action in actions:
        append_action(written, action)
    return bytes(written)


def _fault(data: object, place: str) -> Fault:
    fault = _mapping(data, _FAULT_KEYS, place)
    action_index, hand, redeal = (_number(fault[key], place) for key in _FAULT_KEYS[:3])
    return Fault(
        action_index=action_index,
        hand=hand,
        redeal=redeal,
        seat=_seat(fault["seat"], place),
        kind=FaultKind(_text(fault["kind"], place)),
    )


def _outcome(data: object) -> Outcome:
    result = _mapping(data, _RESULT_KEYS, "result")
    return Outcome(
        scores=_triple(result["scores"], "result scores"),
        sixths=_triple(result["sixths"], "result sixths"),
        margin_thirds=_triple(result["margin_thirds"], "result margin_thirds"),
        hands=_number(result["hands"], "result hands"),
        ending=Ending(_text(result["ending"], "result ending")),
        out=_teams(result["out"], "result out"),
    )


def _mapping(value: object, keys: Sequence[str], place: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping) or set(value) != set(keys):
        raise _unreadable(f"{place} must have the keys {', '.join(keys)}")
    return value


def _list(value: object, place: str) -> list[object]:
    if not isinstance(value, list):
        raise _unreadable(f"{place} must hold a list where {value!r} is")
    return value


def _number(value: object, place: str) -> int:
    if type(value) is not int:
        raise _unreadable(f"{place} must hold a whole number where {value!r} is")
    return value


def _seat(value: object, place: str) -> int:
    if _number(value, place) not in SEATS:
        raise _unreadable(f"{place} must hold a seat 0..5 where {value!r} is")
    return _number(value, place)


def _teams(value: object, place: str) -> frozenset[int]:
    teams = _numbers(value, place)
    if not set(teams) <= set(TEAMS):
        raise _unreadable(f"{place} must hold teams 0..2 where {value!r} is")
    return frozenset(teams)


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise _unreadable(f"{place} must hold a text where {value!r} is")
    return value


def _numbers(value: object, place: str) -> list[int]:
    return [_number(item, place) for item in _list(value, place)]


def _texts(value: object, place: str) -> list[str]:
    return [_text(item, place) for item in _list(value, place)]


def _triple(value: object, place: str) -> tuple[int, int, int]:
    numbers = _numbers(value, place)
    if len(numbers) != 3:
        raise _unreadable(f"{place} must hold three numbers")
    return (numbers[0], numbers[1], numbers[2])


def _unreadable(detail: str) -> RecordError:
    return RecordError(Difference.UNREADABLE, detail)
