"""Designs: which trios a round plays, and what each promises about pairs."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ranking import design_problem, design_triples, pair_counts

FIELDS = st.integers(3, 40)


def _text(entrants: int) -> str:
    return " ".join("".join(map(str, triple)) for triple in design_triples(entrants))


@pytest.mark.parametrize(
    ("entrants", "printed"),
    [
        (3, "012"),
        (4, "012 013 023 123"),
        (5, "012 013 014 023 024 034 123 124 134 234"),
        (6, "013 014 024 025 035 123 125 145 234 345"),
        (7, "013 124 235 346 045 156 026"),
        (8, "013 124 235 346 457 056 167 027"),
    ],
)
def test_small_fields_play_the_printed_list_in_its_order(entrants: int, printed: str) -> None:
    assert _text(entrants) == printed


@given(FIELDS)
def test_triples_are_distinct_and_ascending_and_use_every_position_alike(entrants: int) -> None:
    triples = design_triples(entrants)
    assert len(set(triples)) == len(triples)
    assert all(0 <= a < b < c < entrants for a, b, c in triples)
    uses = Counter(position for triple in triples for position in triple)
    assert len(set(uses.values())) == 1
    assert len(uses) == entrants


@given(FIELDS)
def test_every_pair_meets_as_often_as_the_design_says(entrants: int) -> None:
    counts = pair_counts(design_triples(entrants))
    meetings = {counts[pair] for pair in combinations(range(entrants), 2)}
    if entrants <= 5:
        assert meetings == {entrants - 2}
    elif entrants == 6:
        assert meetings == {2}
    elif entrants == 7:
        assert meetings == {1}
    else:
        assert meetings == {0, 1}


@given(FIELDS)
def test_a_round_has_the_games_of_the_table(entrants: int) -> None:
    games = {3: 6, 4: 24, 5: 60, 6: 60}.get(entrants, 6 * entrants)
    assert 6 * len(design_triples(entrants)) == games


@given(FIELDS)
def test_cyclic_is_what_auto_takes(entrants: int) -> None:
    assert design_triples(entrants, design="cyclic") == design_triples(entrants)


@pytest.mark.parametrize("entrants", [n for n in range(3, 201) if n % 6 in (1, 3)])
def test_in_a_balanced_round_every_pair_meets_once(entrants: int) -> None:
    triples = design_triples(entrants, design="balanced")
    counts = pair_counts(triples)
    assert len(triples) == entrants * (entrants - 1) // 6
    assert len(counts) == entrants * (entrants - 1) // 2 and set(counts.values()) == {1}
    assert all(0 <= a < b < c < entrants for a, b, c in triples)


@given(FIELDS)
def test_a_full_round_plays_every_trio(entrants: int) -> None:
    triples = design_triples(entrants, design="full")
    assert triples == tuple(combinations(range(entrants), 3))


@pytest.mark.parametrize(
    ("entrants", "design", "told"),
    [
        (8, "balanced", "not for 8; the next are 7 and 9"),
        (11, "balanced", "not for 11; the next are 9 and 13"),
        (4, "balanced", "not for 4; the next are 3 and 7"),
        (41, "full", "at most 40 entrants, not for 41"),
        (2, "full", "at least 3 entrants, has 2"),
    ],
)
def test_a_design_that_a_field_cannot_have_is_refused_with_what_it_can(
    entrants: int, design: str, told: str
) -> None:
    assert told in design_problem(entrants, design=design)
    with pytest.raises(ValueError, match=re.escape(told)):
        design_triples(entrants, design=design)


def test_two_entrants_have_no_round() -> None:
    with pytest.raises(ValueError, match="at least 3 entrants, has 2"):
        design_triples(2)


def test_an_unknown_design_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'swiss'"):
        design_triples(8, design="swiss")


def test_a_large_field_is_checked_in_linear_time() -> None:
    assert len(design_triples(5000)) == 5000
