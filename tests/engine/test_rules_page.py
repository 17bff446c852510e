"""The rules page has a row for each id, and names the module or the option that keeps it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from referee.engine import Rules

FOLDER = Path(__file__).parents[2] / "referee" / "engine"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")
ID = re.compile(r"[RAE][0-9]+b?")


def rows() -> list[list[str]]:
    """The cells of every table row that begins with an id."""
    split = ([cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines())
    return [cells for cells in split if ID.fullmatch(cells[0])]


def test_every_id_has_one_row() -> None:
    told = [cells[0] for cells in rows()]
    expected = [f"R{n}" for n in range(1, 34)] + [f"A{n}" for n in range(1, 21)]
    expected += [f"E{n}" for n in range(1, 18)] + ["R14b", "A2b"]
    assert sorted(told) == sorted(expected)


def test_every_rule_is_in_a_module_that_exists() -> None:
    named = {name for cells in rows() for name in re.findall(r"`(\w+\.py)`", cells[-1])}
    assert named
    assert {name for name in named if not (FOLDER / name).exists()} == set()


def test_every_option_of_the_game_is_named_on_the_page() -> None:
    keys = {key for cells in rows() for key in re.findall(r"`(\w+)`", cells[-1])}
    assert keys | {"target_score"} == {field.name for field in fields(Rules)}
    assert "`target_score`" in PAGE
