from __future__ import annotations

import copy
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.engine import Ending
from referee.errors import StoreError, UsageError
from referee.report import GamePlace, Verdict, export_lines, verify
from referee.report.export.lines import line_of_json
from referee.table import Fault, FaultKind, GameRecord, record_from_json, record_to_json

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def closed(closed_run: Path) -> bytes:
    return b"".join(export_lines(closed_run))


@pytest.fixture(scope="module")
def opened(open_run: Path) -> bytes:
    return b"".join(export_lines(open_run))


@pytest.fixture(scope="module")
def short(player: Any, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The export of a closed run of one leg with one round."""
    run = tmp_path_factory.mktemp("short") / "run"
    player(run, rounds=1).play(legs=1)
    return b"".join(export_lines(run))


def parsed(data: bytes) -> Lines:
    return [json.loads(line) for line in data.splitlines()]


def signed(lines: Lines) -> bytes:
    """The bytes of an export whose digest was made anew: what a careful forger would write."""
    *earlier, last = lines
    body = b"".join(map(line_of_json, earlier))
    return body + line_of_json({**last, "sha256": sha256(body).hexdigest()})


def judged(data: bytes, folder: Path) -> Verdict:
    path = folder / "export.jsonl"
    path.write_bytes(data)
    return verify(path)


def found(data: bytes, folder: Path) -> str:
    """The difference that is named, or the refusal; fails if nothing was found."""
    try:
        difference = judged(data, folder).difference
    except UsageError as refusal:
        return str(refusal)
    assert difference is not None
    assert difference.isprintable()
    return difference


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tampered")


# --- what is as it should be ---


def test_a_closed_run_and_its_export_have_no_difference(
    closed_run: Path, closed: bytes, folder: Path
) -> None:
    for verdict in (verify(closed_run), verify(closed_run / "run.sqlite"), judged(closed, folder)):
        assert verdict.ok and verdict.games == 12
        assert "12 games recomputed, no difference" in verdict.lines()[0]


def test_an_open_run_and_its_export_have_no_difference(
    open_run: Path, opened: bytes, folder: Path
) -> None:
    run, export = verify(open_run), judged(opened, folder)
    assert run.ok and run.games == 8
    assert export.ok and export.games == 6


def test_the_digest_to_compare_is_told(closed: bytes, folder: Path) -> None:
    told = parsed(closed)[-1]["sha256"]
    assert f"digest {told}" in judged(closed, folder).lines()


def test_evidence_changes_no_verdict(closed_run: Path, folder: Path) -> None:
    assert judged(b"".join(export_lines(closed_run, evidence=True)), folder).ok


def test_a_run_being_played_is_verified_as_it_stands(player: Any, tmp_path: Path) -> None:
    player(tmp_path / "run").play(legs=0, sittings=2)
    verdict = verify(tmp_path / "run")
    assert verdict.ok and verdict.games == 2


SAID: dict[str, tuple[str, ...]] = {
    "closed_run": ("seed was typed", "drawn fairly", "who played", "a fault happened"),
    "open_run": ("not closed", "drawn fairly", "compare its digest"),
}


@pytest.mark.parametrize("run", SAID)
def test_what_cannot_be_shown_is_said(run: str, request: pytest.FixtureRequest) -> None:
    text = "\n".join(verify(request.getfixturevalue(run)).lines())
    assert all(part in text for part in SAID[run])
    assert "decks of an open run" not in text


def test_an_open_export_says_that_its_decks_are_unknown(opened: bytes, folder: Path) -> None:
    assert "decks of an open run" in "\n".join(judged(opened, folder).lines())


def test_a_typed_seed_shows_the_decks_of_an_open_export(
    player: Any, tmp_path: Path, folder: Path
) -> None:
    player(tmp_path / "run", rounds=3).play(legs=1)
    data = b"".join(export_lines(tmp_path / "run"))
    verdict = judged(data, folder)
    assert verdict.ok
    assert "decks of an open run" not in "\n".join(verdict.lines())
    lines = parsed(data)
    lines[1]["record"] = record_to_json(
        replace(record_from_json(lines[1]["record"]), first_dealer=0)
    )
    assert "first dealer" in found(signed(lines), folder)


# --- any change of a character ---

QUIET = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUIET
@given(st.data())
def test_any_changed_byte_of_an_export_is_found(
    closed: bytes, opened: bytes, folder: Path, data: st.DataObject
) -> None:
    export = data.draw(st.sampled_from([closed, opened]))
    place = data.draw(st.integers(0, len(export) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != export[place]))
    assert found(export[:place] + bytes([byte]) + export[place + 1 :], folder)


@QUIET
@given(st.data())
def test_any_byte_too_few_or_too_many_is_found(
    closed: bytes, folder: Path, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(closed) - 1))
    extra = data.draw(st.binary(max_size=3))
    assert found(closed[:place] + extra + closed[place + 1 :], folder) or len(extra) == 1


def test_an_export_cut_short_anywhere_is_found(closed: bytes, folder: Path) -> None:
    ends = [match.end() for match in re.finditer(b"\n", closed)][:-1]
    for end in (0, 1, *ends, *(end - 1 for end in ends), len(closed) - 1):
        assert found(closed[:end], folder)


def test_something_behind_the_last_line_is_found(closed: bytes, folder: Path) -> None:
    for extra in (b"\n", b"{}\n", b" ", closed.splitlines(keepends=True)[-1]):
        assert found(closed + extra, folder)


# --- any changed value, the digest made anew ---

UNBOUND = [
    r"configuration\.event\.(tables|clock_slots|processes)",
    r"configuration\.limits\.(decision_ms|start_ms|stop_ms)",
    r"configuration\.bots\[\d\]\.(command|directory|files|env|threads).*",
    r"configuration\.partnerships\[3\]\..*",
    r"configuration\.partnerships\[\d\]\.owner",
    r"configuration\.event\.seed",
]
"""Values of a manifest that leave no trace in games: only the digest holds them, if published."""

ODD: list[Any] = [None, True, -1, 10**30, 1.5, "", "x", "\x1b[31m", [], {}, [[]], {"a": 1}]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Each value inside a JSON value: its path, and how to put another in its place."""
    items = (
        [(f"{path}.{key}" if path else key, key) for key in value]
        if isinstance(value, dict)
        else [(f"{path}[{place}]", place) for place in range(len(value))]
    )
    for name, key in items:
        yield name, lambda new, key=key: value.__setitem__(key, new)  # type: ignore[misc]
        if isinstance(value[key], dict | list):
            yield from leaves(value[key], name)


def value_at(value: Any, path: str) -> Any:
    for part in re.findall(r"[^.\[\]]+", path):
        value = value[int(part) if isinstance(value, list) else part]
    return value


def changed(value: Any) -> list[Any]:
    """A near value of the same type, and some odd ones."""
    match value:
        case bool():
            near: Any = not value
        case int() | float():
            near = value + 1
        case str():
            near = value[:-1] + ("0" if value[-1:] != "0" else "1")
        case list():
            near = [*value, *value[-1:]] or ["x"]
        case dict():
            near = {**value, "x": 1}
        case _:
            near = 0
    return [new for new in (near, *ODD) if new != value or type(new) is not type(value)]


def some(values: list[Any], path: str) -> list[Any]:
    """The near value, and two of the odd ones that differ from path to path."""
    near, *odd = values
    first = sha256(path.encode()).digest()[0]
    return [near, odd[first % len(odd)], odd[(first + 5) % len(odd)]]


CARDS = re.compile(r"record\.deals\[\d+\]\.(calls|discards|tricks)\[.*")
"""Values of which a game has hundreds, all alike: a part of them is enough."""


def tampered(lines: Lines, number: int, *, values: int = 3) -> Iterator[tuple[str, bytes]]:
    for path in [path for path, _ in leaves(lines[number])]:
        if CARDS.match(path) and sha256(path.encode()).digest()[1] % 8:
            continue
        for new in some(changed(value_at(lines[number], path)), path)[:values]:
            copied = [*lines]
            copied[number] = copy.deepcopy(lines[number])
            dict(leaves(copied[number]))[path](new)
            yield f"{path} = {new!r}", signed(copied)


def test_any_changed_value_of_a_manifest_is_found(short: bytes, folder: Path) -> None:
    unseen = set()
    for name, data in tampered(parsed(short), 0):
        with suppress(UsageError):
            if judged(data, folder).ok:
                unseen.add(name.split(" = ")[0])
    assert {name for name in unseen if not any(re.fullmatch(p, name) for p in UNBOUND)} == set()


@pytest.mark.parametrize("which", ["short", "opened"])
def test_any_changed_value_of_a_game_is_found_in_that_game(
    which: str, request: pytest.FixtureRequest, folder: Path
) -> None:
    lines = parsed(request.getfixturevalue(which))
    number = next(n for n, line in enumerate(lines) if line.get("record", {}).get("faults"))
    place = GamePlace(*(lines[number][name] for name in ("round", "index", "replay")))
    for name, data in tampered(lines, number):
        verdict = judged(data, folder)
        assert verdict.difference is not None, name
        if not name.startswith(("type", "sitting")):
            assert verdict.game == place, (name, verdict.difference)
        assert verdict.difference.isprintable()


def test_any_changed_value_of_the_standings_is_found(short: bytes, folder: Path) -> None:
    lines = parsed(short)
    for name, data in tampered(lines, len(lines) - 1, values=2):
        if not name.startswith("sha256"):
            text = found(data, folder)
            assert name.startswith("type") or "standings" in text


# --- forged records: the record's own digest and the export's made anew ---


def shifted(record: GameRecord, **changes: Any) -> GameRecord:
    return replace(record, outcome=replace(record.outcome, **changes))


def other_card(record: GameRecord) -> GameRecord:
    """The last two cards of the last trick change places."""
    actions = record.actions
    return replace(record, actions=actions[:-2] + actions[-1:] + actions[-2:-1])


def other_call(record: GameRecord) -> GameRecord:
    """A first bid becomes a bid one higher or lower."""
    place = next(n for n, code in enumerate(record.actions) if 67 <= code <= 70)
    code = record.actions[place]
    new = code - 1 if code > 67 else code + 1
    return replace(
        record, actions=record.actions[:place] + bytes([new]) + record.actions[place + 1 :]
    )


def fault(record: GameRecord, **changes: Any) -> GameRecord:
    first, *rest = record.faults
    return replace(record, faults=(replace(first, **changes), *rest))


FORGED: dict[str, Callable[[GameRecord], GameRecord]] = {
    "first dealer": lambda r: replace(r, first_dealer=(r.first_dealer + 1) % 6),
    "another out": lambda r: replace(r, out=r.out ^ {1}),
    "scores": lambda r: shifted(r, scores=(21, *r.outcome.scores[1:])),
    "wins": lambda r: shifted(r, sixths=tuple(reversed(r.outcome.sixths))),
    "margins": lambda r: shifted(r, margin_thirds=(0, 0, 0)),
    "hands": lambda r: shifted(r, hands=r.outcome.hands + 1),
    "ending": lambda r: shifted(r, ending=Ending.FORFEIT),
    "forfeits": lambda r: shifted(r, out=r.outcome.out ^ {0}),
    "a card": other_card,
    "a call": other_call,
    "a fault less": lambda r: replace(r, faults=r.faults[1:]),
    "a fault more": lambda r: replace(
        r,
        faults=(
            *r.faults,
            Fault(action_index=10**6, hand=0, redeal=0, seat=0, kind=FaultKind.CRASH),
        ),
    ),
    "a fault's seat": lambda r: fault(r, seat=(r.faults[0].seat + 1) % 6),
    "a fault's hand": lambda r: fault(r, hand=r.faults[0].hand + 1),
    "a fault's redeal": lambda r: fault(r, redeal=r.faults[0].redeal + 1),
    "a fault's place": lambda r: fault(r, action_index=r.faults[0].action_index + 1),
    "the end": lambda r: replace(r, actions=r.actions[:-1]),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_forged_record_is_found_in_its_game(case: str, closed: bytes, folder: Path) -> None:
    lines = parsed(closed)
    number = next(n for n, line in enumerate(lines) if line.get("record", {}).get("faults"))
    record = FORGED[case](record_from_json(lines[number]["record"]))
    lines[number]["record"] = record_to_json(record)
    verdict = judged(signed(lines), folder)
    assert verdict.game == GamePlace(*(lines[number][k] for k in ("round", "index", "replay")))
    assert verdict.difference is not None and verdict.game.text in verdict.difference


SEEN_WITHOUT_DECKS = [
    "first dealer", "another out", "scores", "wins", "margins", "hands", "ending", "forfeits",
    "a fault less", "the end",
]  # fmt: skip


@pytest.mark.parametrize("case", SEEN_WITHOUT_DECKS)
def test_scores_and_forfeits_are_found_without_the_decks(
    case: str, opened: bytes, folder: Path
) -> None:
    lines = parsed(opened)
    number = next(n for n, line in enumerate(lines) if line.get("record", {}).get("faults"))
    record = FORGED[case](record_from_json(lines[number]["record"]))
    lines[number]["record"] = record_to_json(record)
    assert found(signed(lines), folder)


# --- games missing, doubled, moved ---


def moved(lines: Lines, change: Callable[[Lines], Lines]) -> Lines:
    manifest, *games, last = lines
    return [manifest, *change(games), last]


MOVED: dict[str, tuple[Callable[[Lines], Lines], str]] = {
    "the first is missing": (lambda g: g[1:], "game 0.0.0 is missing: game 0.0.1 stands in its"),
    "the last is missing": (lambda g: g[:-1], "game 1.0.5 is missing: the games end before it"),
    "one is there twice": (lambda g: [g[0], *g], "game 0.0.1 is missing: game 0.0.0 stands in"),
    "two change places": (lambda g: [g[1], g[0], *g[2:]], "game 0.0.0 is missing: game 0.0.1"),
    "one too many": (lambda g: [*g, g[-1]], "there are more games than the 12 planned"),
    "none": (lambda g: [], "game 0.0.0 is missing: the games end before it"),
}


@pytest.mark.parametrize("case", MOVED)
def test_exactly_one_record_for_each_planned_game(case: str, closed: bytes, folder: Path) -> None:
    change, expected = MOVED[case]
    assert expected in found(signed(moved(parsed(closed), change)), folder)


def test_records_that_change_places_change_the_standings(closed: bytes, folder: Path) -> None:
    lines = parsed(closed)
    lines[1]["record"], lines[6]["record"] = lines[6]["record"], lines[1]["record"]
    assert found(signed(lines), folder)


def test_who_was_out_when_is_counted_again(closed_run: Path, closed: bytes, folder: Path) -> None:
    lines = parsed(closed)
    number = next(n for n, line in enumerate(lines) if line.get("record", {}).get("out"))
    lines[number]["sitting"] += 0
    record = record_from_json(lines[number]["record"])
    others = replace(record, out=frozenset())
    lines[number]["record"] = record_to_json(others)
    assert f"game {lines[number]['round']}." in found(signed(lines), folder)


# --- versions and what is no export ---


def test_a_newer_export_is_refused(closed: bytes, folder: Path) -> None:
    lines = parsed(closed)
    lines[0]["version"] = 2
    with pytest.raises(UsageError, match=r"version 2, newer than 1.*update schmier-referee"):
        judged(signed(lines), folder)


FOREIGN = [b"", b"\n", b"{}\n", b"[1]\n", b"1\n", b"hello\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n"]


@pytest.mark.parametrize("data", FOREIGN, ids=range(len(FOREIGN)))
def test_what_is_no_export_is_refused(data: bytes, folder: Path) -> None:
    with pytest.raises(UsageError, match="is no export"):
        judged(data, folder)


def test_a_path_with_nothing_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run and no export is there"):
        verify(tmp_path / "nothing")
    with pytest.raises(StoreError, match="no run is there"):
        verify(tmp_path)


# --- a run folder that was changed ---

CHANGED: dict[str, str] = {
    "master": "UPDATE run SET master = zeroblob(32)",
    "commitment": "UPDATE run SET commitment = zeroblob(32)",
    "tournament": "UPDATE run SET tournament_id = 'other'",
    "plan": "UPDATE run SET plan = replace(plan, 'Careful', 'Careless')",
    "rules": "UPDATE starts SET conditions = replace(conditions, 'score\":6', 'score\":7')",
    "faults": "UPDATE starts SET conditions = replace(conditions, 'game\":2', 'game\":3')",
    "roster": "UPDATE starts SET conditions = replace(conditions, 'Careful pair', 'Careless')",
    "not started": "DELETE FROM roll_call WHERE result LIKE '%not_started%'",
    "reproducible": "DELETE FROM roll_call WHERE result LIKE '%not_reproducible%'",
    "siblings": "DELETE FROM roll_call WHERE result LIKE '%siblings%'",
    "a game less": "DELETE FROM games WHERE round = 1 AND replay = 3",
    "a round less": "DELETE FROM games WHERE round = 1",
    "an id": "UPDATE games SET id = randomblob(16) WHERE replay = 2 AND round = 0",
    "a leg": "UPDATE games SET leg = 1 - leg WHERE replay = 2",
    "a sitting": "UPDATE games SET sitting = (sitting + 1) % 6 WHERE replay = 2",
    "a record": "UPDATE games SET record = zeroblob(60) WHERE replay = 4",
    "another's record": (
        "UPDATE games SET record = (SELECT record FROM games WHERE place = 0) WHERE place = 1"
    ),
    "round scores": "DELETE FROM round_scores WHERE round = 1",
    "a sitting's end": "DELETE FROM sittings WHERE leg = 1 AND sitting = 3",
    "who went out": "UPDATE sittings SET out = '[0]' WHERE leg = 0 AND sitting = 1",
    "nobody went out": "UPDATE sittings SET out = '[]'",
    "text": "UPDATE leaderboards SET text = replace(text, '1', '2') WHERE format = 'text'",
    "csv": "UPDATE leaderboards SET text = text || 'x' WHERE format = 'csv'",
    "json": "DELETE FROM leaderboards WHERE format = 'json'",
    "a game moved": (
        "UPDATE games SET round = 7, place = place + (6 << 27) WHERE round = 1 AND replay = 5"
    ),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_changed_run_is_found(case: str, closed_run: Path, tmp_path: Path) -> None:
    shutil.copytree(closed_run, tmp_path / "run")
    with closing(sqlite3.connect(tmp_path / "run" / "run.sqlite")) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(CHANGED[case]).rowcount > 0
    try:
        verdict = verify(tmp_path / "run")
    except StoreError:
        return
    assert not verdict.ok, case


def columns(folder: Path, table: str) -> list[str]:
    with closing(sqlite3.connect(folder / "run.sqlite")) as connection:
        return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def test_any_changed_number_of_a_stored_game_is_found(closed_run: Path, tmp_path: Path) -> None:
    for number, column in enumerate(columns(closed_run, "games")):
        if column in ("place", "id", "record"):
            continue
        step = f"1 - {column}" if column.startswith("forfeit") else f"{column} + 1"
        copied = tmp_path / f"run{number}"
        shutil.copytree(closed_run, copied)
        with closing(sqlite3.connect(copied / "run.sqlite")) as connection, connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            connection.execute(
                f"UPDATE games SET {column} = CASE typeof({column}) "
                f"WHEN 'integer' THEN {step} ELSE replace({column}, '0', '1') END "
                "WHERE place = (SELECT min(place) FROM games WHERE length(faults) > 2)"
            )
        with suppress(StoreError):
            assert not verify(copied).ok, column


@pytest.mark.parametrize(
    "name", ["leaderboard.txt", "leaderboard.md", "leaderboard.csv", "leaderboard.json"]
)
def test_a_changed_leaderboard_in_the_folder_is_found(
    name: str, closed_run: Path, tmp_path: Path
) -> None:
    shutil.copytree(closed_run, tmp_path / "run")
    path = tmp_path / "run" / name
    path.write_bytes(path.read_bytes() + b"\n")
    difference = verify(tmp_path / "run").difference
    assert difference is not None and difference.startswith(f"{name} is not what the games give")


def test_leaderboards_that_were_removed_are_no_difference(closed_run: Path, tmp_path: Path) -> None:
    shutil.copytree(closed_run, tmp_path / "run")
    (tmp_path / "run" / "leaderboard.md").unlink()
    assert verify(tmp_path / "run").ok
