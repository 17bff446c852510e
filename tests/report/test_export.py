from __future__ import annotations

import json
import re
import shutil
import sqlite3
import tracemalloc
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from referee.engine import card_text, parse_card
from referee.report import (
    Format,
    export_lines,
    export_schema,
    leaderboard_data,
    leaderboard_schema,
    run_of,
)
from referee.store import RunReader
from referee.table import RecordError, record_from_bytes, record_from_json


def exported(folder: Path, *, evidence: bool = False) -> list[bytes]:
    return list(export_lines(folder, evidence=evidence))


@pytest.fixture(scope="module")
def closed(closed_run: Path) -> list[Any]:
    return [json.loads(line) for line in exported(closed_run)]


def test_the_manifest_comes_first_then_games_then_standings(closed: list[Any]) -> None:
    assert [line["type"] for line in closed] == ["manifest", *["game"] * 12, "standings"]


def test_the_manifest_says_all_that_the_games_follow_from(closed: list[Any]) -> None:
    manifest = closed[0]
    assert (manifest["format"], manifest["version"]) == ("schmier-export", 1)
    assert manifest["closed"] is True and manifest["legs"] == 2
    assert re.fullmatch("[0-9a-f]{64}", manifest["master"])
    assert manifest["configuration"]["limits"]["decision_ms"] == 1000
    assert manifest["configuration"]["bots"][0]["directory"] == "."
    assert [entrant["name"] for entrant in manifest["plan"]["entrants"]] == [
        "Careful pair",
        "Mixed|pair",
        "漢字",
    ]
    assert manifest["findings"][0] == {
        "kind": "not_started",
        "partnership": "Absent pair",
        "reason": "no hello within 10000 ms",
    }


def test_games_come_by_round_index_and_replay(closed: list[Any]) -> None:
    places = [(game["round"], game["index"], game["replay"]) for game in closed[1:-1]]
    assert (
        places == sorted(places) == [(round, 0, replay) for round in (0, 1) for replay in range(6)]
    )


def test_a_game_shows_its_seat_map_and_its_record(closed: list[Any], closed_run: Path) -> None:
    with RunReader(closed_run) as reader:
        for game, stored in zip(closed[1:-1], reader.games(), strict=True):
            assert record_from_json(game["record"]) == record_from_bytes(stored.record)
            assert game["id"] == stored.id.hex()
            assert game["sitting"] == stored.sitting
            for seat, (bot, member) in enumerate(zip(game["bots"], game["members"], strict=True)):
                entrant = next(
                    entrant
                    for entrant in closed[0]["plan"]["entrants"]
                    if entrant["name"] == game["partnerships"][seat % 3]
                )
                assert entrant["bots"][member] == bot


def test_discards_are_ascending_card_texts(closed: list[Any]) -> None:
    for game in closed[1:-1]:
        for deal in game["record"]["deals"]:
            for cards in deal["discards"]:
                numbers = [parse_card(text) for text in cards]
                assert cards == [card_text(card) for card in sorted(numbers)]


def test_the_last_line_holds_the_standings_as_printed(closed: list[Any], closed_run: Path) -> None:
    printed = (closed_run / Format.JSON.file_name).read_text()
    assert closed[-1]["leaderboard"] == json.loads(printed)


@pytest.mark.parametrize("evidence", [False, True])
def test_the_digest_is_of_all_earlier_lines_with_their_newlines(
    closed_run: Path, open_run: Path, evidence: bool
) -> None:
    for folder in (closed_run, open_run):
        *earlier, last = exported(folder, evidence=evidence)
        assert json.loads(last)["sha256"] == sha256(b"".join(earlier)).hexdigest()


def test_every_line_ends_with_its_only_newline(closed_run: Path) -> None:
    for line in exported(closed_run, evidence=True):
        assert line.endswith(b"\n") and line.count(b"\n") == 1


def test_equal_games_give_equal_bytes(closed_run: Path, player: Any, tmp_path: Path) -> None:
    player(tmp_path / "elsewhere").play(legs=2)
    assert exported(tmp_path / "elsewhere") == exported(closed_run)


def test_an_open_run_shows_finished_legs_and_no_master(open_run: Path) -> None:
    manifest, *games, last = [json.loads(line) for line in exported(open_run)]
    assert manifest["closed"] is False and manifest["legs"] == 1 and manifest["master"] is None
    assert len(games) == 6
    assert last["leaderboard"]["rounds"] == {"scored": 1, "planned": 3}
    with RunReader(open_run) as reader:
        run = run_of(reader)
    master = run.facts.master
    assert master is not None and master.hex().encode() not in b"".join(exported(open_run))
    assert last["leaderboard"] == leaderboard_data(run.standings(), run.facts.meta(closed=False))


def test_a_run_without_a_finished_leg_is_exported_without_games(
    player: Any, tmp_path: Path
) -> None:
    player(tmp_path / "run").play(legs=0, sittings=3)
    manifest, last = [json.loads(line) for line in exported(tmp_path / "run")]
    assert manifest["legs"] == 0
    assert last["leaderboard"]["games"] == {"scored": 0, "planned": 12}


FORBIDDEN = ["waited_ms", "output_tail", "thinking", "exit code", "/tmp", "versions"]


@pytest.mark.parametrize("word", FORBIDDEN)
def test_no_time_output_path_or_version_is_exported(closed_run: Path, word: str) -> None:
    assert word.encode() not in b"".join(exported(closed_run))


def test_evidence_is_added_when_asked_for(closed_run: Path, closed: list[Any]) -> None:
    manifest, *games, _ = [json.loads(line) for line in exported(closed_run, evidence=True)]
    assert manifest["evidence"] is True and closed[0]["evidence"] is False
    for game, bare in zip(games, closed[1:-1], strict=True):
        indices = [fault["action_index"] for fault in game["record"]["faults"]]
        assert [seen["action_index"] for seen in game["evidence"]] == indices
        del game["evidence"]
        assert game == bare
    assert any(game["record"]["faults"] for game in games)


@pytest.mark.parametrize("evidence", [False, True])
@pytest.mark.parametrize("run", ["closed_run", "open_run"])
def test_every_line_keeps_the_published_schema(
    run: str, evidence: bool, request: pytest.FixtureRequest
) -> None:
    schema = json.loads(export_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    lines = jsonschema.Draft202012Validator(schema)
    leaderboard = jsonschema.Draft202012Validator(json.loads(leaderboard_schema()))
    for line in exported(request.getfixturevalue(run), evidence=evidence):
        data = json.loads(line)
        lines.validate(data)
        if data["type"] == "standings":
            leaderboard.validate(data["leaderboard"])


def lines_with_peak(folder: Path) -> tuple[int, int]:
    """How many lines an export has, and the most memory it needed beside what was there."""
    tracemalloc.start()
    count = sum(1 for _ in export_lines(folder))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return count, peak


def test_memory_does_not_grow_with_the_number_of_games(player: Any, tmp_path: Path) -> None:
    folders = [tmp_path / "few", tmp_path / "many"]
    for folder, rounds in zip(folders, (3, 36), strict=True):
        player(folder, rounds=rounds).play(legs=rounds)
    exported(folders[0])
    (few, low), (many, high) = map(lines_with_peak, folders)
    assert many > 10 * few
    assert high < 3 * low


def test_whoever_stops_reading_leaves_nothing_open(closed_run: Path) -> None:
    lines = export_lines(closed_run)
    assert json.loads(next(lines))["type"] == "manifest"
    assert json.loads(next(lines))["replay"] == 0
    del lines


def test_a_damaged_record_stops_the_export(closed_run: Path, tmp_path: Path) -> None:
    shutil.copytree(closed_run, tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run" / "run.sqlite")) as connection, connection:
        connection.execute("UPDATE games SET record = zeroblob(50) WHERE replay = 3")
    with pytest.raises(RecordError, match="unreadable"):
        exported(tmp_path / "run")
