"""The plan: vectors of the design page, exact balance, and nothing kept that grows with games."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import engine
from referee.ranking import design_triples
from referee.tourney import SITTINGS, Entrant, Plan, SeatHolder

MakePlan = Callable[..., Plan]

DEMO_KEY = engine.key(engine.master_from_text("demo"), "demo", "plan")


def _chi_squared_p(counts: Iterable[int], *, cells: int) -> float:
    from scipy.special import chdtrc

    seen = list(counts)
    expected = sum(seen) / cells
    missing = (cells - len(seen)) * expected
    statistic = sum((count - expected) ** 2 / expected for count in seen) + missing
    return float(chdtrc(cells - 1, statistic))


# The vectors of the typed seed `demo`, tournament `demo`.


def test_the_plan_key_is_the_published_one() -> None:
    assert DEMO_KEY.hex()[:16] == "95a6d6c86dd0013c"


@pytest.mark.parametrize(("round", "perm"), [(0, (0, 2, 1, 3)), (1, (3, 0, 2, 1))])
def test_trios_are_the_designs_triples_mapped_in_printed_order(
    plan_of: MakePlan, round: int, perm: tuple[int, ...]
) -> None:
    trios = [block.trio for block in plan_of(4).blocks(round)]
    assert trios == [(perm[a], perm[b], perm[c]) for a, b, c in design_triples(4)]


def test_the_sittings_of_the_first_block_are_the_published_ones(plan_of: MakePlan) -> None:
    assert plan_of(4).blocks(0)[0].sitting_of_replay == (4, 3, 1, 2, 5, 0)


def test_the_first_dealers_are_the_published_ones(plan_of: MakePlan) -> None:
    assert [block.first_dealer for block in plan_of(4).blocks(0)[:2]] == [1, 4]


def test_the_member_bits_are_the_published_ones(plan_of: MakePlan) -> None:
    plan = plan_of(4, names=["Careful pair", "Bold pair", "Third pair", "Fourth pair"])
    bits = [block.member_bits[block.trio.index(0)] for block in plan.blocks(0)[:2]]
    assert bits == [0, 1]


def test_the_order_of_the_first_sitting_is_the_published_one(plan_of: MakePlan) -> None:
    plan = plan_of(4)
    places = [fixture.round * 4 + fixture.index for fixture in plan.sitting(0, 0)]
    assert len(places) == 40
    assert places[:6] == [6, 38, 8, 32, 13, 7]


# Balance.


@given(st.integers(3, 40), st.integers(0, 5), st.text("abc", min_size=1, max_size=4))
@settings(max_examples=60)
def test_every_block_is_balanced_exactly(
    plan_of: MakePlan, entrants: int, round: int, seed: str
) -> None:
    plan = plan_of(entrants, seed=seed)
    for block in plan.blocks(round):
        replays = [plan.fixture(round, block.index, replay) for replay in range(6)]
        assert {fixture.entrants for fixture in replays} == set(permutations(block.trio))
        assert {fixture.first_dealer for fixture in replays} == {block.first_dealer}
        assert 0 <= block.first_dealer < 6
        for seat in range(6):
            holders = Counter(fixture.seats[seat] for fixture in replays)
            assert holders == {SeatHolder(i, member): 1 for i in block.trio for member in (0, 1)}
        for fixture in replays:
            for seat in range(3):
                low, high = fixture.seats[seat], fixture.seats[seat + 3]
                assert low.entrant == high.entrant
                assert {low.member, high.member} == {0, 1}


@given(st.integers(3, 40), st.integers(0, 50))
@settings(max_examples=60)
def test_a_round_treats_all_entrants_alike(plan_of: MakePlan, entrants: int, round: int) -> None:
    plan = plan_of(entrants, rounds=51)
    uses = Counter(i for block in plan.blocks(round) for i in block.trio)
    assert sorted(uses) == list(range(entrants))
    assert len(set(uses.values())) == 1
    assert 6 * len(plan.blocks(round)) == plan.games_per_round


@given(st.integers(3, 12), st.integers(1, 7), st.integers(1, 4))
@settings(max_examples=40)
def test_a_sitting_plays_every_block_of_its_leg_once_and_six_play_every_replay(
    plan_of: MakePlan, entrants: int, rounds: int, leg_rounds: int
) -> None:
    plan = plan_of(entrants, rounds=rounds, leg_rounds=leg_rounds)
    played: list[str] = []
    for leg in plan.legs:
        blocks = [block.id for round in plan.rounds_of(leg) for block in plan.blocks(round)]
        for sitting in range(SITTINGS):
            fixtures = plan.sitting(leg, sitting)
            assert sorted(fixture.block.id for fixture in fixtures) == sorted(blocks)
            assert {(fixture.leg, fixture.sitting) for fixture in fixtures} == {(leg, sitting)}
            played += [fixture.id for fixture in fixtures]
        assert 6 * len(blocks) == plan.games_in_leg(leg)
    planned = [
        f"{round}.{block.index}.{replay}"
        for round in range(rounds)
        for block in plan.blocks(round)
        for replay in range(6)
    ]
    assert sorted(played) == sorted(planned)
    assert len(planned) == plan.games


def test_a_last_leg_may_be_short(plan_of: MakePlan) -> None:
    plan = plan_of(4, rounds=23)
    assert [len(plan.rounds_of(leg)) for leg in plan.legs] == [10, 10, 3]
    assert [plan.leg_of(round) for round in (0, 9, 10, 22)] == [0, 0, 1, 2]
    assert len(plan.sitting(2, 5)) == 12


def test_a_fixture_is_the_same_by_name_and_in_its_sitting(plan_of: MakePlan) -> None:
    plan = plan_of(5)
    for fixture in plan.sitting(1, 3):
        assert plan.fixture(fixture.round, fixture.index, fixture.replay) == fixture


# Chance.


def test_entrants_are_relabelled_uniformly(plan_of: MakePlan) -> None:
    plan = plan_of(4, rounds=4800)
    orders: Counter[Sequence[int]] = Counter()
    for round in range(plan.rounds):
        first, second = plan.blocks(round)[:2]
        orders[*first.trio, second.trio[2]] += 1
    assert _chi_squared_p(orders.values(), cells=24) > 1e-3


def test_dealers_bits_and_sittings_are_uniform_over_keys(plan_of: MakePlan) -> None:
    blocks = [plan_of(4, seed=f"key {n}").blocks(0)[n % 4] for n in range(3600)]
    dealers = Counter(block.first_dealer for block in blocks)
    assert _chi_squared_p(dealers.values(), cells=6) > 1e-3
    bits = Counter(block.member_bits for block in blocks)
    assert _chi_squared_p(bits.values(), cells=8) > 1e-3
    sittings = Counter(block.sitting_of_replay for block in blocks)
    assert _chi_squared_p(sittings.values(), cells=720) > 1e-3
    trios = Counter(block.trio for block in blocks)
    assert _chi_squared_p(trios.values(), cells=24) > 1e-3


def test_over_rounds_every_trio_of_a_cyclic_field_occurs(plan_of: MakePlan) -> None:
    plan = plan_of(8, rounds=100)
    trios = {tuple(sorted(b.trio)) for round in range(100) for b in plan.blocks(round)}
    assert len(trios) == 56


# Names.


def test_equal_arguments_give_the_same_plan_and_another_key_another(plan_of: MakePlan) -> None:
    assert plan_of(7) == plan_of(7)
    assert plan_of(7).sitting(0, 2) == plan_of(7).sitting(0, 2)
    assert plan_of(7, seed="other").sitting(0, 2) != plan_of(7).sitting(0, 2)


def test_more_rounds_leave_the_rounds_before_as_they_were(plan_of: MakePlan) -> None:
    short, long = plan_of(5, rounds=10), plan_of(5, rounds=40)
    assert [short.blocks(round) for round in range(10)] == [long.blocks(r) for r in range(10)]
    assert short.sitting(0, 4) == long.sitting(0, 4)


def test_seats_go_by_configured_order_never_by_sorted_names(plan_of: MakePlan) -> None:
    names = ["zz", "aa", "mm"]
    plan = plan_of(3, names=names)
    for fixture in plan.sitting(0, 0):
        assert plan.partnership_names(fixture) == tuple(names[i] for i in fixture.entrants)
        for seat, bot in enumerate(plan.bot_names(fixture)):
            entrant, member = fixture.seats[seat]
            assert bot == f"{names[entrant]} {'ab'[member]}"
            assert bot.startswith(plan.partnership_names(fixture)[seat % 3])


def test_a_name_is_the_same_however_its_accents_are_written(plan_of: MakePlan) -> None:
    composed, decomposed = (unicodedata.normalize(form, "Émile") for form in ("NFC", "NFD"))
    assert composed != decomposed
    one, other = (plan_of(3, names=[name, "b", "c"]) for name in (composed, decomposed))
    assert one.sitting(0, 0) == other.sitting(0, 0)
    assert Entrant(decomposed, (decomposed, "b")) == Entrant(composed, (composed, "b"))
    with pytest.raises(ValueError, match="same name"):
        plan_of(3, names=[composed, decomposed, "c"])


def test_a_block_and_a_game_are_named_by_their_numbers(plan_of: MakePlan) -> None:
    fixture = plan_of(4).fixture(7, 2, 5)
    assert (fixture.block.id, fixture.id) == ("7.2", "7.2.5")


@pytest.mark.parametrize("name", [(20, 0, 0), (-1, 0, 0), (0, 4, 0), (0, 0, 6), (0, -1, 0)])
def test_a_game_that_is_not_planned_is_refused(
    plan_of: MakePlan, name: tuple[int, int, int]
) -> None:
    with pytest.raises(ValueError, match=r"is not in the plan"):
        plan_of(4).fixture(*name)


def test_a_leg_or_sitting_that_is_not_planned_is_refused(plan_of: MakePlan) -> None:
    with pytest.raises(ValueError, match="leg 2 is not in the plan: it has 2"):
        plan_of(4).sitting(2, 0)
    with pytest.raises(ValueError, match="sitting 6 is not in the plan: it has 6"):
        plan_of(4).sitting(0, 6)


def test_two_partnerships_make_no_plan(plan_of: MakePlan) -> None:
    with pytest.raises(ValueError, match="3 entrants or more, has 2"):
        plan_of(2)


@pytest.mark.parametrize("arguments", [{"rounds": 0}, {"leg_rounds": 0}])
def test_a_plan_without_rounds_is_refused(plan_of: MakePlan, arguments: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="both must be > 0"):
        plan_of(4, **arguments)


# Size.


def test_a_plan_of_a_million_games_keeps_no_more_than_a_small_one(plan_of: MakePlan) -> None:
    plan = plan_of(4, rounds=1_000_000)
    assert plan.games == 24_000_000
    assert len(plan.legs) == 100_000
    for round in range(0, 1_000_000, 5000):
        plan.fixture(round, 3, 5)
    for leg in range(0, 100_000, 25_000):
        plan.sitting(leg, 0)
    kept = len(plan._rounds_kept), len(plan._sittings_kept)
    assert kept <= (64, 2)


def test_the_parameters_rebuild_the_plan(plan_of: MakePlan) -> None:
    plan = plan_of(5)
    parameters = plan.parameters()
    assert parameters["games"] == plan.games
    rebuilt = Plan(
        tournament_id="demo",
        plan_key=DEMO_KEY,
        entrants=plan.entrants,
        rounds=20,
        design="auto",
        leg_rounds=10,
    )
    assert rebuilt == plan
    assert rebuilt.parameters() == parameters
