"""A game of a run for people: who sat where, every card, and for each fault all that was seen.

The decision a bot was asked is recomputed from the record, as the bot was shown it. Everything
that came from a bot is made visible before it is printed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from referee.engine import (
    CallQuestion,
    Decision,
    DiscardQuestion,
    PlayQuestion,
    PublicHand,
    TrumpQuestion,
    bid_text,
    card_text,
    suit_text,
)
from referee.errors import UsageError
from referee.report.evidence import Evidence
from referee.report.facts import Facts
from referee.report.game_name import GameId, GameName, GamePlace
from referee.report.names import isolated, visible, visible_line
from referee.report.run import facts_of_run, fixture_of
from referee.store import FinishedGame, RunReader
from referee.table import (
    Difference,
    Fault,
    FaultKind,
    GameRecord,
    RecordError,
    Table,
    decode_actions,
    record_from_bytes,
    transcript,
)
from referee.tourney import SITTINGS, Fixture, Plan

__all__ = ["decision_lines", "faulted_decisions", "show_game"]


def show_game(path: Path, game: GameName, *, open_boards: bool = False) -> Iterator[str]:
    """Yield the lines of a game of a run folder, without line ends.

    A board that is still to be played by others is shown only with `open_boards`: the lines hold
    every card. Raises `UsageError` for such a board without it and for a game that is not stored,
    `StoreError` for a folder without a usable
    run, `RecordError` for a record that is damaged.
    """
    with RunReader(path) as reader, reader.snapshot():
        found = _found(reader, game, path)
        facts = facts_of_run(reader)
        plan = facts.plan()
        fixture = fixture_of(reader, plan, found)
        if not (open_boards or _is_played_out(reader, fixture)):
            raise UsageError(
                f"{path}: game {fixture.id} shows cards of a board that others have still to play; "
                "it can be shown when its six replays are done"
            )
        kept = reader.evidence(found.id)
    seen: dict[int, list[object]] = {}
    for one in kept:
        seen.setdefault(one.position, []).append(one.content)
    record = record_from_bytes(found.record)
    yield from _head(found, plan, fixture)
    yield ""
    seats = _seat_names(plan, fixture)
    yield from transcript(
        record,
        rules=facts.config.rules,
        seeds=facts.seeds(fixture.block.id),
        faults_per_game=facts.faults_per_game,
        names=seats,
    )
    again = shlex.join(["schmier-referee", "show", str(path), fixture.id])
    for number, (fault, decision) in enumerate(_faulted(facts, fixture, record), 1):
        yield ""
        of = f"fault {number} of {len(record.faults)}"
        yield f"{of}: {fault.kind} of seat {fault.seat}, {seats[fault.seat]}"
        place = f"hand {fault.hand + 1}, redeal {fault.redeal}, action {fault.action_index}"
        yield f"  where        {place}"
        yield from (f"  {line}" for line in decision)
        waiting = seen.get(fault.action_index, [])
        yield from (f"  {line}" for line in _evidence_lines(waiting.pop(0) if waiting else None))
        yield f"  see again    {visible(again)}"


def faulted_decisions(
    facts: Facts, fixture: Fixture, record: GameRecord
) -> Iterator[tuple[Fault, Decision]]:
    """Yield each fault with the decision it was charged for; the decision is live until the next.

    Raises `RecordError` if a fault is recorded where nobody was asked.
    """
    deals = decode_actions(record.actions, first_dealer=record.first_dealer)
    actions = [step.action for deal in deals for step in deal.steps]
    table = Table(
        rules=facts.config.rules,
        seeds=facts.seeds(fixture.block.id),
        first_dealer=record.first_dealer,
        faults_per_game=facts.faults_per_game,
        out=record.out,
    )
    due = list(reversed(record.faults))
    while due:
        fault, decision = due[-1], table.decision
        index = len(actions) if decision is None else table.action_count
        if decision is None or fault.action_index < index:
            raise _not_asked(fault)
        if fault.action_index > index:
            table.answer(actions[index])
            continue
        yield due.pop(), decision
        table.charge(fault.kind)


def decision_lines(decision: Decision) -> Iterator[str]:
    """Yield what a seat was shown and asked, one line for each thing known."""
    public = decision.public
    yield f"asked        seat {decision.seat}, random seed {decision.random_seed}"
    yield f"scores       {' '.join(map(str, public.scores))}"
    calls = [bid_text(bid) for bid in public.calls]
    yield f"dealer       {public.dealer}, calls from its left: {' '.join(calls) or 'none yet'}"
    if public.bidder is not None and public.bid is not None:
        trump = "not named yet" if public.trump is None else suit_text(public.trump)
        yield f"contract     seat {public.bidder} bid {bid_text(public.bid)}, trump {trump}"
    if public.discard_counts:
        yield f"discarded    {' '.join(map(str, public.discard_counts))} cards, dealer last"
    yield from _trick_lines(public)
    yield f"held         {_cards(decision.holding)}"
    if decision.discards:
        yield f"put away     {_cards(decision.discards)}"
    yield f"legal        {_choices(decision)}"


def _trick_lines(public: PublicHand) -> Iterator[str]:
    for number, trick in enumerate(public.tricks, 1):
        cards = (
            f"{(trick.leader + place) % 6}:{card_text(card)}"
            for place, card in enumerate(trick.cards)
        )
        yield f"trick {number}      {' '.join(cards)}"


def _choices(decision: Decision) -> str:
    match decision.question:
        case CallQuestion(bids):
            return " ".join(map(bid_text, bids))
        case TrumpQuestion(suits):
            return " ".join(map(suit_text, suits))
        case PlayQuestion(cards):
            return _cards(cards)
        case DiscardQuestion() as question:
            count = f"{question.min_count}"
            if question.max_count != question.min_count:
                count = f"{question.min_count} to {question.max_count}"
            trumps = f", {question.trump_count} of them trumps" if question.trump_count else ""
            return f"{count} of {_cards(question.cards)}{trumps}"
        case _:
            assert_never(decision.question)


def _faulted(
    facts: Facts, fixture: Fixture, record: GameRecord
) -> Iterator[tuple[Fault, list[str]]]:
    """Yield each fault with the lines of its decision, written while it was open."""
    for fault, decision in faulted_decisions(facts, fixture, record):
        yield fault, list(decision_lines(decision))


def _evidence_lines(content: object) -> Iterator[str]:
    if content is None:
        yield "seen         nothing is kept of this fault"
        return
    try:
        if not isinstance(content, dict):
            raise ValueError("not evidence")
        seen = Evidence.from_json(content)
    except ValueError as error:
        yield f"seen         cannot be read: {visible(str(error))}"
        return
    yield f"seen         {visible(seen.detail)}"
    nothing = "no readable action" if seen.kind is FaultKind.MALFORMED else "nothing"
    yield f"came back    {visible(seen.came_back) if seen.came_back else nothing}"
    waited = "no clock ran" if seen.waited_ms is None else f"waited {seen.waited_ms} ms"
    alone = "asked alone" if seen.asked_alone else "asked with others"
    yield f"time         {waited}, limit {seen.limit_ms} ms, {alone}"
    yield f"bot          {isolated(visible(seen.bot))} of {isolated(visible(seen.partnership))}"
    if seen.ended:
        yield f"process      {visible(seen.ended)}"
    if seen.output_tail:
        yield "last output"
        lines = seen.output_tail.removesuffix("\n").split("\n")
        yield from (f"  | {visible_line(line)}".rstrip() for line in lines)


def _head(found: FinishedGame, plan: Plan, fixture: Fixture) -> Iterator[str]:
    yield f"game {fixture.id}, id {found.id.hex()}"
    yield (
        f"round {fixture.round + 1}, leg {fixture.leg + 1}, sitting {fixture.sitting + 1}, "
        f"block {fixture.block.id}, replay {fixture.replay}"
    )
    for team, name in enumerate(plan.partnership_names(fixture)):
        yield f"T{team}, seats {team} and {team + 3}: {isolated(visible(name))}"


def _seat_names(plan: Plan, fixture: Fixture) -> list[str]:
    partnerships = plan.partnership_names(fixture)
    return [
        f"{isolated(visible(bot))} of {isolated(visible(partnerships[seat % 3]))}"
        for seat, bot in enumerate(plan.bot_names(fixture))
    ]


def _found(reader: RunReader, game: GameName, path: Path) -> FinishedGame:
    match game:
        case GameId(digest):
            found = reader.game(digest)
        case GamePlace(round, index, replay):
            found = reader.game_at(round=round, index=index, replay=replay)
        case _:
            assert_never(game)
    if found is None:
        raise UsageError(f"{path}: game {game.text} is not stored, or not finished yet")
    return found


def _is_played_out(reader: RunReader, fixture: Fixture) -> bool:
    return all(
        reader.game_at(round=fixture.round, index=fixture.index, replay=replay) is not None
        for replay in range(SITTINGS)
    )


def _not_asked(fault: Fault) -> RecordError:
    return RecordError(
        Difference.FAULT, f"seat {fault.seat} was not asked", action_index=fault.action_index
    )


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(map(card_text, cards)) or "none"
