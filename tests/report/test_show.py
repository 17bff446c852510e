from __future__ import annotations

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.engine import (
    Bid,
    BoardSeeds,
    Call,
    CallQuestion,
    Decision,
    DiscardQuestion,
    PlayQuestion,
    Question,
    Rules,
    TrumpQuestion,
)
from referee.errors import StoreError, UsageError
from referee.report import GamePlace, parse_game, show_game
from referee.report.run import facts_of_run
from referee.report.show import decision_lines, faulted_decisions
from referee.store import FinishedGame, RunReader
from referee.table import FaultKind, Table, record_from_bytes


def games(folder: Path) -> list[FinishedGame]:
    with RunReader(folder) as reader:
        return list(reader.games())


def name(game: FinishedGame) -> GamePlace:
    return GamePlace(game.line.round, game.line.index, game.line.replay)


def shown(folder: Path, game: FinishedGame) -> str:
    return "\n".join(show_game(folder, name(game)))


def test_every_game_of_a_closed_run_can_be_shown(closed_run: Path) -> None:
    for game in games(closed_run):
        record = record_from_bytes(game.record)
        text = shown(closed_run, game)
        assert f"id {game.id.hex()}" in text
        assert len(re.findall(r"^fault \d+ of", text, re.MULTILINE)) == len(record.faults)
        assert all(letter.isprintable() or letter == "\n" for letter in text)


def test_a_game_is_the_same_by_id_and_by_place(closed_run: Path) -> None:
    game = games(closed_run)[3]
    by_id = list(show_game(closed_run, parse_game(game.id.hex())))
    assert by_id == list(show_game(closed_run, name(game)))


def test_seats_bear_the_names_of_bots_and_partnerships(closed_run: Path) -> None:
    text = shown(closed_run, games(closed_run)[0])
    for line in (
        "seat 1 (T1) bold of Mixed|pair",
        "seat 4 (T1) careful of Mixed|pair",
        "T2, seats 2 and 5: 漢字",
    ):
        assert line in text


def test_a_fault_is_shown_with_all_that_was_seen(closed_run: Path) -> None:
    text = "\n".join(shown(closed_run, game) for game in games(closed_run))
    for line in (
        r"  asked        seat \d, random seed \d+",
        r"  held         ",
        r"  legal        ",
        r"  seen         no answer within decision_ms",
        r"  came back    JK",
        r"  came back    nothing",
        r"  time         waited 1003 ms, limit 1000 ms, asked alone",
        r"  process      exit code 3",
        r"    \| thinking\.\.\.\n    \| \\x1b\[31mboom",
        rf"  see again    schmier-referee show {closed_run} \d+\.\d+\.\d",
    ):
        assert re.search(rf"^{line}", text, re.MULTILINE), line


def test_the_decision_shown_is_one_that_the_bot_could_be_asked(closed_run: Path) -> None:
    with RunReader(closed_run) as reader:
        facts = facts_of_run(reader)
    plan = facts.plan()
    found = 0
    for game in games(closed_run):
        record = record_from_bytes(game.record)
        place = name(game)
        fixture = plan.fixture(place.round, place.index, place.replay)
        for fault, decision in faulted_decisions(facts, fixture, record):
            found += 1
            assert decision.seat == fault.seat
            assert decision.public.number == fault.hand
            assert decision.question.only() is None
            held = dict(line.split(maxsplit=1) for line in decision_lines(decision))["held"]
            assert len(held.split()) == len(decision.holding)
    assert found > 0


def test_evidence_that_is_not_there_or_unreadable_is_said(closed_run: Path, tmp_path: Path) -> None:
    game = next(game for game in games(closed_run) if record_from_bytes(game.record).faults)
    for change, said in (
        ("DELETE FROM evidence", "nothing is kept of this fault"),
        ("UPDATE evidence SET content = '[1]'", "cannot be read: not evidence"),
    ):
        copy = tmp_path / said[:4]
        shutil.copytree(closed_run, copy)
        with closing(sqlite3.connect(copy / "run.sqlite")) as connection, connection:
            connection.execute(change)
        assert said in shown(copy, game)


def test_a_board_that_others_have_still_to_play_is_kept_closed(open_run: Path) -> None:
    last = games(open_run)[-1]
    with pytest.raises(UsageError, match="when its six replays are done"):
        list(show_game(open_run, name(last)))
    assert list(show_game(open_run, name(last), open_boards=True))


def test_a_finished_board_of_an_open_run_is_shown(open_run: Path) -> None:
    assert list(show_game(open_run, GamePlace(0, 0, 0)))


@pytest.mark.parametrize("text", ["7.0.0", "0.9.0", "00112233445566778899aabbccddeeff"])
def test_a_game_that_is_not_stored_is_refused(closed_run: Path, text: str) -> None:
    with pytest.raises(UsageError, match=f"{text} is not stored"):
        list(show_game(closed_run, parse_game(text)))


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run is there"):
        list(show_game(tmp_path, GamePlace(0, 0, 0)))


def asked(kind: type[Question], *, bid: Bid = Bid.SIX) -> Decision:
    """The first decision of a kind when the first seat bids and all else is the first choice."""
    seeds = BoardSeeds(bytes(32), bytes(32))
    table = Table(rules=Rules(), seeds=seeds, first_dealer=5, faults_per_game=99)
    while (decision := table.decision) is not None:
        if isinstance(decision.question, kind):
            return decision
        if isinstance(decision.question, CallQuestion):
            table.answer(Call(bid))
        else:
            table.charge(FaultKind.TIMEOUT)
    raise AssertionError(kind)


ASKED: dict[type[Question], str] = {
    CallQuestion: r"P 3 4 5 6",
    TrumpQuestion: r"C D H S",
    DiscardQuestion: r"0 to [1-3] of (\w\w )*\w\w",
    PlayQuestion: r"(\w\w )*\w\w",
}


@pytest.mark.parametrize("kind", ASKED)
def test_the_legal_choices_of_every_question_are_shown(kind: type[Question]) -> None:
    lines = dict(line.split(maxsplit=1) for line in decision_lines(asked(kind)))
    assert re.fullmatch(ASKED[kind], lines["legal"])


def test_a_dealer_with_more_than_six_trumps_is_shown_how_many_must_go() -> None:
    question = DiscardQuestion(
        cards=(1, 2, 14), trump_cards=(1, 2), min_count=2, max_count=2, trump_count=1
    )
    decision = asked(DiscardQuestion)._replace(question=question)
    assert list(decision_lines(decision))[-1] == "legal        2 of 2C 3C 2D, 1 of them trumps"
