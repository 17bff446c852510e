"""Identities: canonical bytes by RFC 8785, and a game known by what decides it."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from referee.engine import FinalTie, Rules
from referee.tourney import GAME_FORMAT, canonical_json, content_digest, game_id, rules_json

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(max_codepoint=127), max_size=6), inner, max_size=4)
    ),
    max_leaves=20,
)

GAME: dict[str, Any] = {
    "tournament_id": "demo",
    "commitment": bytes(range(32)),
    "rules": Rules(),
    "block": "0.3",
    "replay": 5,
    "partnerships": ("Zeta", "Émile", "alpha"),
    "members": ("z1", "e1", "a1", "z2", "e2", "a2"),
}


@given(VALUES)
def test_canonical_json_writes_what_the_reference_writes(value: Any) -> None:
    assert canonical_json(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [1.0, [0.5], {"a": float("nan")}, {"é": 1}, {1: 2}, b"x", {1}])
def test_what_two_writers_could_write_differently_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="canonical JSON"):
        canonical_json(value)


def test_an_integer_that_javascript_loses_is_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        canonical_json([2**53])


def test_a_game_id_is_the_head_of_the_digest_of_its_identity() -> None:
    identity: dict[str, Any] = {
        "format": GAME_FORMAT,
        "tournament_id": "demo",
        "commitment": bytes(range(32)).hex(),
        "rules": {
            "low_point": "player",
            "redeal_when": "all_six_pass",
            "game_tie": "none",
            "set_keeps_points": False,
            "final_tie": "play_on",
            "target_score": 21,
            "max_hands": 60,
            "max_consecutive_redeals": 5,
        },
        "block": "0.3",
        "replay": 5,
        "partnerships": ["Zeta", "Émile", "alpha"],
        "members": ["z1", "e1", "a1", "z2", "e2", "a2"],
    }
    assert game_id(**GAME) == hashlib.sha256(rfc8785.dumps(identity)).digest()[:16]
    assert len(game_id(**GAME)) == 16


@pytest.mark.parametrize(
    "change",
    [
        {"tournament_id": "demo-2"},
        {"commitment": bytes(32)},
        {"rules": Rules(target_score=22)},
        {"block": "0.4"},
        {"replay": 4},
        {"partnerships": ("Émile", "Zeta", "alpha")},
        {"members": ("z2", "e1", "a1", "z1", "e2", "a2")},
    ],
)
def test_whatever_decides_a_game_changes_its_id(change: dict[str, Any]) -> None:
    assert game_id(**{**GAME, **change}) != game_id(**GAME)


def test_accents_written_in_two_ways_are_one_game() -> None:
    decomposed = {**GAME, "partnerships": ("Zeta", "E\u0301mile", "alpha")}
    assert game_id(**decomposed) == game_id(**GAME)


def test_rules_are_written_in_full_as_plain_values() -> None:
    written = rules_json(Rules(final_tie=FinalTie.SHARED, set_keeps_points=True))
    assert json.loads(json.dumps(written)) == written
    assert written["final_tie"] == "shared"
    assert written["set_keeps_points"] is True
    assert all(type(value) in (bool, int, str) for value in written.values())


def test_a_game_needs_three_names_and_six_members() -> None:
    with pytest.raises(ValueError, match="2 partnerships and 6 members"):
        game_id(**{**GAME, "partnerships": ("a", "b")})


@given(VALUES)
def test_a_content_digest_does_not_depend_on_the_order_of_keys(value: Any) -> None:
    assert content_digest(_reversed(value)) == content_digest(value)


def _reversed(value: Any) -> Any:
    match value:
        case dict():
            return {key: _reversed(value[key]) for key in reversed(value)}
        case list():
            return [_reversed(item) for item in value]
        case _:
            return value
