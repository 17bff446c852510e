"""Games are stored once, whole, in one thread that nobody waits for, or the run fails loudly."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from typing import TypeAlias

import pytest

from referee.errors import RunFailed
from referee.store import Counts, Evidence, FinishedGame, RunFolder, RunState, RunWriter
from referee.store.schema import reason
from referee.tourney import RoundScore, RoundScores

GameOf: TypeAlias = Callable[..., FinishedGame]


def stored(folder: RunFolder) -> list[FinishedGame]:
    with folder.reader() as reader:
        return list(reader.games())


def test_a_game_comes_back_as_it_was_handed_over(folder: RunFolder, game_of: GameOf) -> None:
    games = [game_of(number) for number in range(60)]
    with folder.writer() as writer:
        for game in games:
            writer.add_game(game)
    assert stored(folder) == games
    with folder.reader() as reader:
        assert list(reader.lines()) == [game.line for game in games]


def test_games_come_in_the_order_of_round_block_and_replay(
    folder: RunFolder, game_of: GameOf
) -> None:
    with folder.writer() as writer:
        for number in sorted(range(90), key=lambda number: (number * 37) % 91):
            writer.add_game(game_of(number))
    assert stored(folder) == [game_of(number) for number in range(90)]


def test_what_was_handed_over_is_on_disk_when_the_flush_is_done(
    folder: RunFolder, game_of: GameOf
) -> None:
    with folder.writer() as writer:
        for number in range(3):
            writer.add_game(game_of(number))
            writer.flush().result(timeout=60)
            assert writer.committed == number + 1
            assert len(stored(folder)) == number + 1


def test_a_game_is_committed_without_a_flush(folder: RunFolder, game_of: GameOf) -> None:
    patience = threading.Event()
    with RunWriter(folder.database, transaction_games=2, transaction_s=3600) as writer:
        writer.add_game(game_of(0))
        writer.add_game(game_of(1))
        for _ in range(6000):
            if writer.committed == 2:
                break
            patience.wait(0.01)
        assert writer.committed == 2
    with RunWriter(folder.database, transaction_games=200, transaction_s=0.01) as writer:
        writer.add_game(game_of(2))
        for _ in range(6000):
            if writer.committed == 1:
                break
            patience.wait(0.01)
        assert writer.committed == 1


def test_a_loop_can_wait_for_a_flush(folder: RunFolder, game_of: GameOf) -> None:
    async def play(writer: RunWriter) -> int:
        writer.add_game(game_of(0))
        await asyncio.wrap_future(writer.flush())
        return writer.committed

    with folder.writer() as writer:
        assert asyncio.run(play(writer)) == 1


def test_the_same_game_again_is_counted_and_changes_nothing(
    folder: RunFolder, game_of: GameOf
) -> None:
    with folder.writer() as writer:
        writer.add_game(game_of(7), [Evidence(3, "first")])
        writer.add_game(game_of(7), [Evidence(3, "second")])
        writer.flush().result()
        writer.add_game(game_of(7))
        writer.flush().result()
        assert (writer.committed, writer.duplicates) == (1, 2)
    assert stored(folder) == [game_of(7)]
    with folder.reader() as reader:
        assert [piece.content for piece in reader.evidence(game_of(7).id)] == ["first"]


def conflicts(game_of: GameOf) -> dict[str, FinishedGame]:
    game = game_of(7)
    return {
        "another record": replace(game, record=b"x"),
        "another result": replace(game, line=replace(game.line, hands=99)),
        "another sitting": replace(game, sitting=(game.sitting + 1) % 6),
        "its id elsewhere": replace(game_of(8), id=game.id),
        "another id in its place": replace(game, id=game_of(8).id),
    }


@pytest.mark.parametrize(
    "case",
    [
        "another record",
        "another result",
        "another sitting",
        "its id elsewhere",
        "another id in its place",
    ],
)
def test_another_game_under_its_id_or_in_its_place_is_an_error(
    case: str, folder: RunFolder, game_of: GameOf
) -> None:
    writer = folder.writer()
    writer.add_game(game_of(7))
    writer.add_game(game_of(1))
    writer.add_game(conflicts(game_of)[case])
    with pytest.raises(RunFailed, match="stored already with another content; nothing was over"):
        writer.flush().result()
    with pytest.raises(RunFailed, match="stored already"):
        writer.add_game(game_of(2))
    with pytest.raises(RunFailed, match="stored already"):
        writer.flush()
    writer.close()
    assert stored(folder) == [game_of(1), game_of(7)]


def test_a_failure_nobody_has_heard_of_is_told_at_the_end(
    folder: RunFolder, game_of: GameOf
) -> None:
    writer = folder.writer()
    writer.add_game(game_of(7))
    writer.add_game(game_of(7, record=b"x"))
    with pytest.raises(RunFailed, match="stored already"):
        writer.close()
    writer.close()


def test_a_failure_of_the_disk_is_told_with_the_file_and_keeps_what_was_committed(
    folder: RunFolder, game_of: GameOf
) -> None:
    writer = folder.writer()
    writer.add_game(game_of(0))
    writer.flush().result()
    with closing(sqlite3.connect(folder.database)) as other:
        other.execute("ALTER TABLE games RENAME TO gone")
        other.commit()
    writer.add_game(game_of(1))
    with pytest.raises(RunFailed) as caught:
        writer.flush().result()
    assert str(caught.value) == f"{folder.database}: cannot be written: no such table: games"
    with pytest.raises(RunFailed):
        writer.add_game(game_of(2))
    writer.close()


def test_a_bug_of_ours_is_raised_as_it_is(folder: RunFolder, game_of: GameOf) -> None:
    writer = folder.writer()
    writer.add_game(game_of(0), [Evidence(0, float("nan"))])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="JSON"):
        writer.flush().result()
    with pytest.raises(ValueError, match="JSON"):
        writer.add_game(game_of(1))
    writer.close()
    assert stored(folder) == []


def test_every_order_that_waits_hears_of_a_failure(folder: RunFolder, game_of: GameOf) -> None:
    writer = folder.writer()
    writer.add_game(game_of(0))
    writer.add_game(game_of(0, record=b"x"))
    waiting: list[Future[None]] = []
    try:
        waiting.append(writer.flush())
        for _ in range(50):
            waiting.append(writer.flush())
    except RunFailed:
        pass
    for order in waiting:
        assert isinstance(order.exception(timeout=60), RunFailed)
    with pytest.raises(RunFailed):
        writer.close()
        writer.flush()


def test_a_full_disk_is_told_with_its_cure(folder: RunFolder) -> None:
    cure = "the disk is full; make room and give the same command again"
    with closing(sqlite3.connect(folder.database)) as connection:
        connection.execute("PRAGMA max_page_count = 30")
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.execute("INSERT INTO leaderboards VALUES ('x', ?)", ("x" * 200_000,))
        assert reason(caught.value) == cure
    for code in (errno.ENOSPC, errno.EDQUOT):
        assert reason(OSError(code, os.strerror(code))) == cure
    told = reason(PermissionError(errno.EACCES, "Permission denied"))
    assert told == "Permission denied; make the folder writable"


def test_games_that_break_a_law_of_results_are_not_stored(
    folder: RunFolder, game_of: GameOf
) -> None:
    game = game_of(0)
    writer = folder.writer()
    writer.add_game(replace(game, line=replace(game.line, sixths=(6, 6, 0))))
    with pytest.raises(RunFailed, match="CHECK constraint failed"):
        writer.flush().result()
    writer.close()
    assert stored(folder) == []


def test_evidence_lies_beside_its_game(folder: RunFolder, game_of: GameOf) -> None:
    seen = [Evidence(9, {"came": "ö", "ms": 1000}), Evidence(2, None), Evidence(9, ["again"])]
    with folder.writer() as writer:
        writer.add_game(game_of(5), seen)
        writer.add_game(game_of(6))
    with folder.reader() as reader:
        assert reader.evidence(game_of(5).id) == (seen[1], seen[0], seen[2])
        assert reader.evidence(game_of(6).id) == ()


def test_ends_of_sittings_and_scores_of_rounds_come_back(
    folder: RunFolder, game_of: GameOf
) -> None:
    scores = [
        RoundScores(number, (RoundScore(6, -3, 2, 20, 1, (0, 1, 0, 0, 0)), RoundScore()))
        for number in range(3)
    ]
    with folder.writer() as writer:
        writer.end_sitting(leg=0, sitting=1, out=[]).result()
        writer.add_game(game_of(0))
        writer.end_sitting(leg=0, sitting=0, out=[4, 2]).result()
        writer.add_round_scores(reversed(scores)).result()
        writer.add_round_scores(scores[:1]).result()
    with folder.reader() as reader:
        ends = [(end.leg, end.sitting, sorted(end.out)) for end in reader.sittings()]
        assert ends == [(0, 0, [2, 4]), (0, 1, [])]
        assert reader.round_scores() == tuple(scores)
        assert reader.counts() == Counts(games=1, sittings=2, rounds_scored=3)


def test_the_end_of_a_run_is_kept_with_its_leaderboards(folder: RunFolder) -> None:
    boards = {"txt": "1. ä\n", "json": "{}\n"}
    with folder.reader() as reader:
        assert reader.state() == RunState(is_closed=False, exit_code=None)
        assert reader.leaderboards() == {}
    with folder.writer() as writer:
        writer.end_run(is_closed=False, exit_code=130, leaderboards={"txt": "old"}).result()
        writer.end_run(is_closed=True, exit_code=3, leaderboards=boards).result()
    with folder.reader() as reader:
        assert reader.state() == RunState(is_closed=True, exit_code=3)
        assert reader.leaderboards() == boards


def test_every_start_is_kept_with_what_it_noted(folder: RunFolder) -> None:
    with folder.writer() as writer:
        writer.add_start({"versions": {"python": "4"}}, noted=["python was 3, is 4"]).result()
    with folder.reader() as reader:
        first, second = reader.starts()
        assert (first.number, first.noted) == (0, ())
        assert first.conditions == reader.beginning().conditions
        assert (second.number, second.noted) == (1, ("python was 3, is 4",))
        assert second.conditions == {"versions": {"python": "4"}}


def test_nothing_is_left_of_the_thread_or_the_log_after_the_end(
    folder: RunFolder, game_of: GameOf
) -> None:
    before = threading.active_count()
    writer = folder.writer()
    writer.add_game(game_of(0))
    writer.close()
    assert threading.active_count() == before
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["run.lock", "run.sqlite"]


def test_a_run_is_one_file_also_when_a_reader_closes_last(
    folder: RunFolder, game_of: GameOf
) -> None:
    with folder.reader() as reader, folder.writer() as writer:
        writer.add_game(game_of(0))
        reader.counts()
        writer.close()
        alone = sqlite3.connect(f"file:{folder.database}?immutable=1", uri=True)
        with closing(alone):
            assert alone.execute("SELECT count(*) FROM games").fetchone() == (1,)
    names = sorted(path.name for path in folder.path.iterdir())
    assert names == ["run.lock", "run.sqlite"]


def test_a_reader_in_the_middle_of_a_stream_does_not_hold_up_the_end(
    folder: RunFolder, game_of: GameOf
) -> None:
    with folder.writer() as writer:
        for number in range(600):
            writer.add_game(game_of(number))
    with folder.reader() as reader, folder.writer() as writer:
        stream = reader.games()
        next(stream)
        writer.add_game(game_of(600))
        writer.close()
        assert sum(1 for _ in stream) == 599
    with folder.reader() as reader:
        assert reader.counts().games == 601
