from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import StoreError
from referee.report import facts_of_run, faulty_games
from referee.store import RunReader
from referee.tourney import FAULT_KINDS


@pytest.mark.parametrize("run", ["closed_run", "open_run"])
def test_exactly_the_games_with_faults_are_listed_in_order(
    run: str, request: pytest.FixtureRequest
) -> None:
    folder = request.getfixturevalue(run)
    with RunReader(folder) as reader:
        expected = [
            (line.round, line.index, line.replay)
            for line in reader.lines()
            if any(map(any, line.faults))
        ]
    listed = [
        (each.place.round, each.place.index, each.place.replay) for each in faulty_games(folder)
    ]
    assert listed == expected != []


def test_each_says_who_was_charged_with_what_and_who_forfeited(closed_run: Path) -> None:
    with RunReader(closed_run) as reader:
        plan = facts_of_run(reader).plan()
        lines = {(line.round, line.index, line.replay): line for line in reader.lines()}
    for each in faulty_games(closed_run):
        line = lines[each.place.round, each.place.index, each.place.replay]
        told = each.text.split("; ")
        charged = [team for team in range(3) if any(line.faults[team])]
        assert len(told) == len(charged)
        for team, text in zip(charged, told, strict=True):
            assert text.startswith(f"{plan.entrants[line.entrants[team]].name}: ")
            assert text.endswith(", game forfeited") == line.forfeits[team]
            for kind, count in zip(FAULT_KINDS, line.faults[team], strict=True):
                assert (f"{kind} {count}" in text) == bool(count)


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run is there"):
        next(faulty_games(tmp_path), None)
