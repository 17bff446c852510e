"""A run that is finished: what it printed, and what every command makes of it.

Its partnership Odd plays cards it does not have, so it goes out and the code of the run is 3.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
from contextlib import closing

import pytest

from tests.cli.referees import FinishedRun, Golden, Place, contents

FORMATS = {"text": "txt", "md": "md", "csv": "csv", "json": "json"}


def stored(finished: FinishedRun, ending: str = "txt") -> str:
    return (finished.path / f"leaderboard.{ending}").read_text(encoding="utf-8")


# --- what it printed ------------------------------------------------------------------------------


def test_a_run_in_which_a_partnership_went_out_ends_with_code_3(finished: FinishedRun) -> None:
    assert finished.ended.code == 3, finished.ended.stderr


def test_stdout_holds_the_leaderboard_and_nothing_else(finished: FinishedRun) -> None:
    assert finished.ended.stdout == stored(finished)


def test_the_talk_of_a_run_is_plain_lines_as_stored(finished: FinishedRun, golden: Golden) -> None:
    assert all(line.isprintable() for line in finished.ended.lines)
    golden("talk.txt", finished.ended.stderr)


def test_the_log_of_a_run_holds_all_that_was_said(finished: FinishedRun) -> None:
    log = (finished.path / "referee.log").read_text(encoding="utf-8")
    said = [line for line in finished.ended.lines if not line.startswith("starting ")]
    assert [line for line in said if f": {line}\n" not in log] == []


def test_a_run_is_its_owners_alone(finished: FinishedRun) -> None:
    assert finished.path.stat().st_mode & 0o777 == 0o700
    assert (finished.path / "run.sqlite").stat().st_mode & 0o777 == 0o600


# --- given again ----------------------------------------------------------------------------------


def test_given_again_it_prints_its_stored_table_returns_its_code_and_says_how_to_start_anew(
    place: Place, finished: FinishedRun, golden: Golden
) -> None:
    path = finished.copy_to(place)
    before = contents(path)
    ended = place.run("tourney", finished.config)
    assert (ended.code, ended.stdout) == (3, stored(finished))
    golden("finished.txt", ended.stderr)
    assert contents(path) == before


def test_given_again_with_resume_it_does_the_same(place: Place, finished: FinishedRun) -> None:
    finished.copy_to(place)
    ended = place.run("tourney", finished.config, "--resume")
    assert (ended.code, ended.stdout) == (3, stored(finished))


def test_the_name_for_another_run_is_one_that_is_free(place: Place, finished: FinishedRun) -> None:
    finished.copy_to(place)
    (place.path / "runs" / "demo-2").mkdir()
    ended = place.run("tourney", finished.config)
    assert ended.stderr.endswith(f"{finished.config} --out runs/demo-3\n")


def test_a_change_that_does_not_matter_is_no_reason_to_refuse(
    place: Place, finished: FinishedRun
) -> None:
    finished.copy_to(place)
    config = place.path / finished.config
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("[event]", "[event]\ntables = 4"), encoding="utf-8")
    ended = place.run("tourney", finished.config)
    assert (ended.code, ended.stdout) == (3, stored(finished))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("\nrounds = 1", "\nrounds = 2", "event.rounds was 1, is 2"),
        ('seed = "demo"', 'seed = "other"', "event.seed"),
        ("decision_ms = 60000", "decision_ms = 500", "limits.decision_ms was 60000, is 500"),
        ("[limits]", "[rules]\ntarget_score = 11\n[limits]", "rules.target_score was 21, is 11"),
        ("first_legal.py", "random_legal.py", "first"),
        ('name = "First"', 'name = "Second"', "Second"),
    ],
)
def test_changed_conditions_are_refused_with_what_changed(
    place: Place, finished: FinishedRun, old: str, new: str, told: str
) -> None:
    path = finished.copy_to(place)
    before = contents(path)
    config = place.path / finished.config
    text = config.read_text(encoding="utf-8")
    assert old in text
    config.write_text(text.replace(old, new), encoding="utf-8")
    ended = place.run("tourney", finished.config)
    assert (ended.code, ended.stdout, len(ended.lines)) == (2, "", 1)
    assert told in ended.stderr
    assert contents(path) == before


def test_the_command_in_a_refusal_starts_the_other_run(place: Place, finished: FinishedRun) -> None:
    finished.copy_to(place)
    config = place.path / finished.config
    text = config.read_text(encoding="utf-8").replace('seed = "demo"', 'seed = "other"')
    config.write_text(text, encoding="utf-8")
    refused = place.run("tourney", finished.config)
    command = refused.stderr.rpartition("start another run: ")[2].strip()
    assert command == f"schmier-referee tourney {finished.config} --out runs/demo-2"
    ended = place.type(command)
    assert ended.code == 3
    assert ended.stdout == (place.path / "runs/demo-2/leaderboard.txt").read_text(encoding="utf-8")


def test_fresh_moves_the_run_aside_and_plays_the_same_again(
    place: Place, finished: FinishedRun
) -> None:
    path = finished.copy_to(place)
    before = contents(path)
    ended = place.run("tourney", finished.config, "--fresh")
    assert ended.lines[0] == "the run that was there is now in runs/demo.1"
    assert (ended.code, ended.stdout) == (3, stored(finished))
    assert contents(path.with_name("demo.1")) == before


# --- leaderboard ----------------------------------------------------------------------------------


@pytest.mark.parametrize("format", FORMATS)
def test_the_leaderboard_is_the_file_of_the_run(finished: FinishedRun, format: str) -> None:
    ended = finished.place.run("leaderboard", "runs/demo", "--format", format)
    assert (ended.code, ended.stderr) == (0, "")
    assert ended.stdout == stored(finished, FORMATS[format])


def test_the_leaderboard_is_text_unless_said_otherwise(finished: FinishedRun) -> None:
    assert finished.place.run("leaderboard", "runs/demo").stdout == stored(finished)


# --- export and verify ----------------------------------------------------------------------------


@pytest.mark.parametrize("options", [(), ("--evidence",)], ids=["records", "evidence"])
def test_an_export_is_found_to_be_without_a_difference(
    finished: FinishedRun, options: tuple[str, ...]
) -> None:
    place = finished.place
    export = place.run("export", "runs/demo", *options)
    assert (export.code, export.stderr) == (0, "")
    file = place.path / f"{len(options)}.jsonl"
    file.write_text(export.stdout, encoding="utf-8")
    verified = place.run("verify", file.name)
    assert (verified.code, verified.stderr) == (0, "")
    assert verified.stdout.startswith(f"{file.name}: 6 games recomputed, no difference\n")


def test_evidence_is_in_an_export_only_when_it_is_asked_for(finished: FinishedRun) -> None:
    without = finished.place.run("export", "runs/demo").stdout
    with_it = finished.place.run("export", "runs/demo", "--evidence").stdout
    assert with_it.count('"waited_ms"') > 0
    assert without.count('"waited_ms"') == 0


@pytest.mark.parametrize("number", ["first_dealer", "margin_thirds", "games"])
def test_an_export_with_another_number_ends_with_code_1(finished: FinishedRun, number: str) -> None:
    place = finished.place
    export = place.run("export", "runs/demo").stdout
    another, changed = re.subn(rf'("{number}":)(\d)', r"\g<1>1\2", export, count=1)
    assert changed == 1
    file = place.path / "tampered.jsonl"
    file.write_text(another, encoding="utf-8")
    verified = place.run("verify", file.name)
    assert (verified.code, verified.stderr) == (1, "")
    assert "no difference" not in verified.stdout


def test_a_run_is_found_to_be_without_a_difference(finished: FinishedRun) -> None:
    verified = finished.place.run("verify", "runs/demo")
    assert (verified.code, verified.stderr) == (0, "")


def test_a_run_with_a_changed_row_ends_with_code_1(place: Place, finished: FinishedRun) -> None:
    path = finished.copy_to(place)
    with closing(sqlite3.connect(path / "run.sqlite")) as database, database:
        database.execute("UPDATE games SET hands = hands + 1 WHERE replay = 3")
    verified = place.run("verify", "runs/demo")
    assert verified.code == 1, verified.stderr
    assert "0.0.3" in verified.stdout


def test_reading_commands_leave_a_run_as_it_is(place: Place, finished: FinishedRun) -> None:
    path = finished.copy_to(place)
    before = contents(path)
    for command in ("leaderboard", "export", "verify"):
        assert place.run(command, "runs/demo").code == 0
    assert place.run("show", "runs/demo", "0.0.0").code == 0
    assert contents(path) == before


def test_a_run_can_be_read_by_the_name_of_its_database(finished: FinishedRun) -> None:
    assert finished.place.run("leaderboard", "runs/demo/run.sqlite").stdout == stored(finished)


# --- show -----------------------------------------------------------------------------------------


def test_a_game_is_shown_by_its_place_and_by_its_id_alike(finished: FinishedRun) -> None:
    by_place = finished.place.run("show", "runs/demo", "0.0.2")
    assert (by_place.code, by_place.stderr) == (0, "")
    heading = by_place.stdout.splitlines()[0]
    identity = heading.rpartition(" ")[2]
    assert heading == f"game 0.0.2, id {identity}"
    assert finished.place.run("show", "runs/demo", identity) == by_place


def test_a_fault_is_shown_with_what_was_seen_and_the_command_that_shows_it_again(
    finished: FinishedRun,
) -> None:
    export = finished.place.run("export", "runs/demo").stdout.splitlines()
    game = next(line for line in map(json.loads, export[1:-1]) if line["record"]["faults"])
    name = f"{game['round']}.{game['index']}.{game['replay']}"
    shown = finished.place.run("show", "runs/demo", name)
    assert shown.code == 0
    assert "illegal" in shown.stdout
    commands = [line for line in shown.stdout.splitlines() if "schmier-referee " in line]
    for line in commands:
        command = line[line.index("schmier-referee ") :]
        assert finished.place.type(command).stdout == shown.stdout
    assert all(line.isprintable() for line in shown.stdout.splitlines())


def test_the_games_with_faults_are_listed_and_each_can_be_shown(finished: FinishedRun) -> None:
    listed = finished.place.run("show", "runs/demo")
    assert listed.code == 0
    (line,) = listed.stdout.splitlines()
    assert "Odd" in line and "illegal" in line
    command = listed.stderr.strip().partition("to see one: ")[2].replace("GAME", line.split()[0])
    assert finished.place.type(command).stdout.startswith(f"game {line.split()[0]}, ")


# --- names that a shell would take apart ----------------------------------------------------------


def test_a_ready_command_is_quoted_for_the_shell(place: Place, finished: FinishedRun) -> None:
    finished.copy_to(place)
    config = "my league; rm it.toml"
    shutil.move(place.path / finished.config, place.path / config)
    ended = place.run("tourney", config)
    command = ended.stderr.partition("to play another: ")[2].strip()
    assert shlex.split(command) == [
        "schmier-referee",
        "tourney",
        config,
        "--out",
        "runs/demo-2",
    ]
