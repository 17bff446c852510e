"""The options: defaults, ranges, and refusal of anything else."""

from __future__ import annotations

import pytest

from referee.engine import FinalTie, GameTie, LowPoint, RedealWhen, Rules


def test_the_defaults_are_those_of_the_rules_page() -> None:
    assert Rules() == Rules(
        low_point=LowPoint.PLAYER,
        redeal_when=RedealWhen.ALL_SIX_PASS,
        game_tie=GameTie.NONE,
        set_keeps_points=False,
        final_tie=FinalTie.PLAY_ON,
        target_score=21,
        max_hands=60,
        max_consecutive_redeals=5,
    )


def test_options_are_spelled_as_on_the_rules_page() -> None:
    assert [*LowPoint] == ["player", "taker"]
    assert [*RedealWhen] == ["all_six_pass", "five_nondealers_pass"]
    assert [*GameTie] == ["none", "bidder", "all_tied"]
    assert [*FinalTie] == ["play_on", "bidding_team", "shared", "seat_order"]


@pytest.mark.parametrize("name", ["target_score", "max_hands", "max_consecutive_redeals"])
@pytest.mark.parametrize("value", [-1, 1001, True, 2.0, "21"])
def test_a_number_out_of_range_or_of_another_type_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        Rules(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target_score", 0),
        ("max_hands", 0),
        ("low_point", "player"),
        ("game_tie", LowPoint.PLAYER),
        ("redeal_when", None),
        ("final_tie", "shared"),
        ("set_keeps_points", 0),
    ],
)
def test_a_value_that_is_no_option_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=name):
        Rules(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"), [("target_score", 1), ("max_hands", 1), ("max_consecutive_redeals", 0)]
)
def test_the_lowest_values_are_allowed(name: str, value: int) -> None:
    assert getattr(Rules(**{name: value}), name) == value  # type: ignore[arg-type]
