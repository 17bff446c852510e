"""A duel: what the scored rounds say of new and old, and what a file may say of a duel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import ConfigError
from referee.ranking import Verdict
from referee.tourney import (
    Config,
    Duel,
    DuelLook,
    RoundScores,
    effective,
    load_effective,
    look_at_duel,
    parse_config,
)
from referee.tourney.scores import RoundScore

TEXT = """\
[event]
id = "duel"
name = "Duel"
rounds = 100

[duel]
new = "New"
old = "Old"

[bots.one]
command = ["one"]

[[partnerships]]
name = "New"
bots = ["one"]

[[partnerships]]
name = "Old"
bots = ["one"]

[[partnerships]]
name = "House"
bots = ["one"]
"""
NAMES = ("New", "Old", "House")


def config_of(text: str = TEXT) -> Config:
    return parse_config(text, path=Path("/games/duel.toml"))


def rounds_of(*differences: int) -> list[RoundScores]:
    """Rounds of one block in which new wins so many sixths more than old."""
    return [
        RoundScores(
            number,
            tuple(
                RoundScore(sixths, 0, 6, 60, 0, (0,) * 5)
                for sixths in (18 + difference // 2, 18 - difference // 2, 0)
            ),
        )
        for number, difference in enumerate(differences)
    ]


def look(*differences: int) -> DuelLook:
    config = config_of()
    assert config.duel is not None
    return look_at_duel(config, config.duel, NAMES, rounds_of(*differences))


def test_a_file_may_hold_a_duel_and_its_configuration_is_read_back() -> None:
    config = config_of()
    assert config.duel == Duel(new="New", old="Old", effect_permille=100, error_permille=50)
    assert load_effective(effective(config), path=Path("x")).duel == config.duel
    assert "duel" not in effective(replace(config, duel=None))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('old = "Old"', 'old = "Odl"', '8: [duel] old is no partnership: "Odl"; there are'),
        ('old = "Old"', 'old = "New"', "8: [duel] old must be another than new"),
        ('old = "Old"', "", "6: [duel] old is missing"),
        ('old = "Old"', 'old = "Old"\neffect = 1', "9: [duel] effect is an unknown key"),
        (
            'old = "Old"',
            'old = "Old"\nerror_permille = 500',
            "9: [duel] error_permille must be from 1 to 499, is 500",
        ),
        (
            '[[partnerships]]\nname = "House"',
            '[[partnerships]]\nname = "More"\nbots = ["one"]\n[[partnerships]]\nname = "House"',
            "6: [duel] is for exactly 3 partnerships",
        ),
    ],
)
def test_a_mistake_in_a_duel_is_told_with_its_line(old: str, new: str, told: str) -> None:
    assert old in TEXT
    with pytest.raises(ConfigError) as caught:
        config_of(TEXT.replace(old, new, 1))
    assert str(caught.value).startswith(f"/games/duel.toml:{told}")


def test_clear_differences_end_it_and_turned_round_they_say_the_contrary() -> None:
    wins = [12, 6, 0, 18, 12, -6, 6, 12] * 10
    better, worse = look(*wins), look(*(-win for win in wins))
    assert (better.verdict, worse.verdict) == (Verdict.H1, Verdict.H0)
    assert better.difference == -worse.difference > 0
    assert better.half_width == worse.half_width
    assert "New is better than Old" in better.words()
    assert worse.answer().startswith("NOT BETTER: New is not shown to be better than Old")
    assert better.ended and worse.ended


def test_little_data_leaves_it_open_until_the_cap() -> None:
    assert look().verdict is look(6).verdict is Verdict.OPEN
    assert look(6).half_width is None and "nan" not in look(6).line()
    assert look(6, -6).answer() == "NOT ENDED: New and Old have played 2 blocks, 12 games"
    undecided = look(*([6, -6, 6, 0] * 25))
    assert (undecided.verdict, undecided.blocks, undecided.ended) == (Verdict.OPEN, 100, True)
    assert undecided.answer().startswith("UNDECIDED between New and Old after all 100 blocks")


def test_blocks_that_are_all_alike_say_something_all_the_same() -> None:
    assert look(*[18] * 60).verdict is Verdict.H1
    assert look(*[-18] * 60).verdict is Verdict.H0
    alike = look(*[0] * 60)
    assert alike.verdict is Verdict.OPEN and alike.ratio < 0
    assert alike.line().endswith("win share +0.0 +- 0.0 points")


def test_the_effect_is_told_in_points_too() -> None:
    even = look(*[12, -12] * 20)
    assert even.effect_points == pytest.approx(100 * 0.1 * 12 / 36, rel=0.02)
    assert "0.1 deviations of a block, 3.4 points" in even.words()
    assert "0.0 points" not in look(*[18] * 60).words().partition("win share")[0]
