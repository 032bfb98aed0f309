"""`plan`: two of items, effect and power; the third solved, with its engine and its error named."""

import json
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, Study, plan, power
from tellapart.answers.parts import codes
from tellapart.foundation.errors import TellapartError, UsageError
from tellapart.methods.significance import TESTS
from tellapart.populations import POPULATIONS
from tellapart.populations.pilot import Pilot

GAUSSIAN = "gaussian(sd=0.12, correlation=0.8)"
WITH_EFFECT = "gaussian(sd=0.12, correlation=0.8, effect=0.01)"
BINARY = "paired_binary(accuracy=0.7, effect=0.02, discordance=0.1)"


@pytest.mark.parametrize(
    ("effect", "sd", "items", "expected"),
    [(0.015, 0.0848528, 150, 0.575808), (0.015, 0.0848528, 500, 0.976442), (0.05, 0.12, 50, 0.823327)],
)
def test_golden_powers_of_the_paired_t(effect: float, sd: float, items: int, expected: float) -> None:
    """Powers to the digits published; the spread of the difference is sd·√(2(1 − r)) = sd at r = 0.5."""
    answer = plan(f"gaussian(sd={sd}, correlation=0.5, effect={effect})", items=items)
    assert answer.solved_for == "power"
    assert answer.rows[0].power == pytest.approx(expected, abs=6e-7)
    assert answer.rows[0].engine == "formula"


@pytest.mark.parametrize(
    ("items", "correlation", "expected"),
    [
        (50, 0.5, 0.04850),
        (50, 0.8, 0.03068),
        (50, 0.95, 0.01534),
        (1000, 0.5, 0.01064),
        (1000, 0.8, 0.00673),
        (1000, 0.95, 0.00337),
    ],
)
def test_golden_detectable_effects(items: int, correlation: float, expected: float) -> None:
    """The smallest detectable effect at sd 0.12 and 80 % power."""
    row = plan(f"gaussian(sd=0.12, correlation={correlation})", items=items, power=0.8).rows[0]
    assert row.effect == pytest.approx(expected, abs=6e-6)
    assert row.power == pytest.approx(0.8, rel=1e-9, abs=0.0)


@pytest.mark.parametrize(
    ("test", "items", "power_", "type_m"),
    [
        ("mcnemar(variant=exact)", 500, 0.2496, 1.892),
        ("mcnemar(variant=mid_p)", 500, 0.2910, 1.826),
        ("mcnemar(variant=exact)", 2000, 0.7915, 1.127),
        ("mcnemar(variant=mid_p)", 2000, 0.8100, 1.118),
    ],
)
def test_golden_powers_of_mcnemar(test: str, items: int, power_: float, type_m: float) -> None:
    """Enumerated, in either direction, with the exaggeration of what is found."""
    row = plan("paired_binary(accuracy=0.9, effect=0.02, discordance=0.1)", test=test, items=items).rows[0]
    assert row.engine == "exact"
    assert row.power == pytest.approx(power_, abs=6e-5)
    assert row.type_m == pytest.approx(type_m, abs=2e-3)
    assert row.power_low == row.power == row.power_high


def test_all_one_way_is_feasible() -> None:
    """A discordance of |effect| is the best case, not an error."""
    row = plan("paired_binary(accuracy=0.7, effect=0.02, discordance=0.02)", items=500).rows[0]
    assert row.power > 0.9


def test_grids_are_products() -> None:
    """Sequences of populations, tests, items make all combinations, in order."""
    answer = plan(
        [WITH_EFFECT, GAUSSIAN.replace(")", ", effect=0.02)")],
        items=[50, 100],
        test=["paired_t", "paired_t(alternative=greater)"],
    )
    assert [(r.effect, r.test, r.items) for r in answer.rows] == [
        (e, t, n) for e in (0.01, 0.02) for t in ("paired_t", "paired_t(alternative=greater)") for n in (50, 100)
    ]


def test_json_has_the_contracted_keys() -> None:
    """Rows carry the population's fields beside the rest; both error rates are null at zero effect."""
    said = json.loads(plan(GAUSSIAN.replace(")", ", effect=0)"), items=100).to_json(), parse_constant=pytest.fail)
    assert {"schema", "solved_for", "rows", "sentence", "notes", "signature"} < set(said)
    assert said["schema"] == "tellapart/plan/2"
    row = said["rows"][0]
    keys = "population test alpha items stable_from effect power power_low power_high engine replicates type_s type_m mean sd sd_b correlation clip"
    assert set(keys.split()) <= set(row)
    assert (row["sd"], row["correlation"]) == (0.12, 0.8)
    assert row["type_s"] is None
    assert row["type_m"] is None
    assert row["power"] == pytest.approx(0.05, rel=1e-9, abs=0.0)
    assert POPULATIONS.parse(row["population"]).effect == 0.0


def test_stable_from_only_when_solving_items() -> None:
    """The number from which power stays is an answer about items."""
    assert plan(BINARY, power=0.8).rows[0].stable_from is not None
    assert plan(BINARY, items=500).rows[0].stable_from is None
    assert plan(GAUSSIAN, items=500, power=0.8).rows[0].stable_from is None


def test_default_tests() -> None:
    """Each population is planned for the test that suits it."""
    beta = "beta(mean=0.6, sd=0.1, correlation=0.5, effect=0.05)"
    chosen = {
        WITH_EFFECT: "paired_t",
        beta: "paired_t",
        BINARY: "mcnemar(variant=mid_p)",
        "proportions(accuracy=0.7, effect=0.05)": "two_proportion_z",
    }
    for population, test in chosen.items():
        assert plan(population, items=60, replicates=200).rows[0].test == test


def test_note_when_compare_would_choose_another_test() -> None:
    """A cluster t planned on five clusters by name meets their signs in `compare`."""
    clustered = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=8, icc=0.3, effect=0.1)"
    named = plan(clustered, items=40, test="cluster_t(variance=cr2)")
    (note,) = (n for n in named.notes if n.code == "compare_chooses")
    assert note.values["chosen"] == "both(first=cluster_t(variance=cr2), second=cluster_sign_flip)"
    assert "compare_chooses" not in codes(plan(WITH_EFFECT, items=300, test="paired_t").notes)
    assert "compare_chooses" not in codes(plan(WITH_EFFECT, items=12, test="paired_t").notes)


def test_what_a_smaller_effect_would_meet() -> None:
    """About half of what is detected, how often it is found, and how large it then looks."""
    found = plan(GAUSSIAN, items=500, power=0.8).smaller
    assert found is not None
    assert (found.effect, found.power, found.type_m) == pytest.approx((0.005, 0.314, 1.76), rel=0.01, abs=0.0)


def test_comparisons_share_alpha() -> None:
    """Ten comparisons are each planned at a tenth of alpha."""
    one, ten = plan(WITH_EFFECT, power=0.8, alpha=0.005), plan(WITH_EFFECT, power=0.8, comparisons=10)
    assert ten.rows[0].items == one.rows[0].items
    assert ten.rows[0].alpha == pytest.approx(0.005)
    assert "comparisons_share_alpha" in codes(ten.notes)


def test_margins_are_planned_through_the_same_wrappers() -> None:
    """Equivalence assumes no effect unless told; TOST at 1 point with discordance 0.1 needs 8,564 items by the z formula."""
    row = plan(
        "paired_binary(discordance=0.1)",
        test="equivalence(test=mcnemar(variant=asymptotic), margin=0.01)",
        power=0.8,
    ).rows[0]
    assert row.effect == 0.0
    assert row.items == pytest.approx(8564, rel=0.01, abs=0.0)
    t = plan(GAUSSIAN, test="equivalence(margin=0.01)", power=0.8).rows[0]
    assert t.items == pytest.approx(8.5638 * (0.12**2 * 0.4) / 0.01**2, rel=0.01, abs=0.0)
    assert t.engine == "formula"


def test_simulated_answers_carry_their_interval_and_depend_on_the_seed_alone() -> None:
    """Same seed, same bits, whatever the workers; another seed, another estimate."""
    population = "beta(mean=0.6, sd=0.15, correlation=0.7, effect=0.02)"
    one, two = (plan(population, items=100, executor=n) for n in (1, 2))
    assert one == two
    row = one.rows[0]
    assert row.power_low < row.power < row.power_high
    assert (row.engine, row.replicates) == ("monte_carlo", 10_000)
    assert plan(population, items=100, seed=1).rows[0].power != row.power


def test_power_of_a_study() -> None:
    """The function underneath."""
    study = Study(POPULATIONS.parse(WITH_EFFECT), TESTS.parse("paired_t"), 455)
    assert power(study).power == plan(WITH_EFFECT, items=455).rows[0].power
    assert power(study, engine="monte_carlo", replicates=2_000).engine == "monte_carlo"


def pilot(n: int = 60, *, binary: bool = False, seed: int = 1) -> Pilot:
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    a, b = (common + 0.7 * rng.normal(size=n) for _ in range(2))
    if binary:
        a, b = (a > 0).astype(float), (b > -0.1).astype(float)
    return Pilot.from_pair(Scores.from_arrays({"a": a, "b": b}).pair("a", "b"))


def test_a_pilot_carries_its_uncertainty() -> None:
    """The interval on power is far wider than simulation alone leaves, and assurance asks for more items."""
    population = pilot().with_effect(0.2)
    row = plan(population, items=150, replicates=2_000).rows[0]
    assert row.power_high - row.power_low > 0.1
    plain = plan(population, power=0.8, replicates=2_000).rows[0].items
    assured = plan(population, power=0.8, assurance=0.8, replicates=2_000).rows[0].items
    assert assured == pytest.approx(population.variance_limit(0.8) * plain, rel=0.01, abs=0.0)
    assert 1.1 < population.variance_limit(0.8) < 1.3


def test_a_binary_pilot_is_answered_exactly() -> None:
    """Right-or-wrong pilots need no simulation."""
    row = plan(pilot(binary=True).with_effect(0.1), items=200).rows[0]
    assert row.engine == "exact"
    assert row.test == "mcnemar(variant=mid_p)"
    assert row.power_low < row.power < row.power_high


def test_a_pilots_own_effect_is_never_used() -> None:
    """Without an effect, a pilot is like any other population: the effect is what is solved for."""
    assert plan(pilot(), items=100, replicates=50).solved_for == "effect"
    with pytest.raises(UsageError, match="give two of items, effect and power"):
        plan(pilot(), power=0.8)


def test_a_wrapper_is_spelled_whole() -> None:
    """The row's population is the wrapper's spelling, not that of what it wraps, and parses back to it."""
    clustered = "clustered(effect=0.02, population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3)"
    row = json.loads(plan(clustered, power=0.8).to_json())["rows"][0]
    assert (row["population"], row["size"], row["icc"]) == (clustered, 10, 0.3)
    assert plan(row["population"], items=row["items"]).rows[0].power == row["power"]


def test_a_grid_is_simulated_as_its_rows_would_be() -> None:
    """Rows that share random numbers have the bits of rows asked for one by one, exact ones among them."""
    populations = [f"beta(mean=0.6, sd=0.15, correlation=0.7, effect={e})" for e in (0.01, 0.03)] + [BINARY]
    together = plan(populations, items=[15, 50], replicates=100)
    alone = [plan(p, items=n, replicates=100).rows[0] for p in populations for n in (15, 50)]
    assert list(together.rows) == alone


def test_any_iterable_makes_a_grid() -> None:
    """Arrays, ranges and generators are lists of values; NumPy numbers are numbers."""
    items = np.array([50, 100])
    assert [r.items for r in plan(WITH_EFFECT, items=items).rows] == [50, 100]
    assert [r.items for r in plan((WITH_EFFECT,), items=range(50, 101, 50)).rows] == [50, 100]
    assert [r.items for r in plan([WITH_EFFECT] * 2, items=(int(n) for n in items)).rows] == [50, 100] * 2
    assert plan(WITH_EFFECT, items=items[0]).rows[0].items == 50


def _pressing(after: int) -> Any:
    calls: list[int] = []

    def press(done: int, total: int) -> None:
        calls.append(done)
        if len(calls) == after:
            raise KeyboardInterrupt

    return press


SLOW = "beta(mean=0.6, sd=0.15, correlation=0.7, effect={})"


def test_interrupted_power() -> None:
    """Ctrl-C leaves every row of the grid, from fewer replicates, and a note that says so."""
    answer = plan(
        [SLOW.format(e) for e in (0.02, 0.03)],
        items=200,
        replicates=50_000,
        executor=1,
        progress=_pressing(8),
    )
    assert len(answer.rows) == 2
    assert all(0 < (row.replicates or 0) < 50_000 for row in answer.rows)
    assert answer.notes[0].code == "interrupted"
    assert answer.notes[0].values["asked_replicates"] == 50_000


def test_interrupted_items() -> None:
    """The row being solved is answered from what was simulated, later rows are left out, and the note counts them."""
    settings: dict[str, Any] = {"power": 0.8, "test": "paired_t", "replicates": 4_000, "executor": 1}
    effects = [SLOW.format(e) for e in (0.05, 0.04, 0.03)]
    searched: list[int] = []
    # One study alone has a curve, whose glances have fewer replicates.
    plan(effects[0], **settings, progress=lambda done, total: searched.extend([done] * (total == 4_000)))
    answer = plan(effects, **settings, progress=_pressing(len(searched) + 4))
    assert len(answer.rows) == 2
    assert answer.notes[0].code == "interrupted"
    assert [answer.notes[0].values[key] for key in ("answered", "asked")] == [2, 3]
    assert answer.notes[0].values["replicates"] < answer.notes[0].values["asked_replicates"] == 4_000
    row = answer.rows[1]
    assert row.solved_low is not None
    assert row.solved_high is not None
    assert row.solved_low < row.items < row.solved_high


def test_interrupted_before_anything_is_known() -> None:
    """Nothing to answer: the interrupt goes through."""
    with pytest.raises(KeyboardInterrupt):
        plan([SLOW.format(e) for e in (0.02, 0.03)], items=[60, 70], executor=1, progress=_pressing(1))


def test_the_pilots_own_effect_is_noted() -> None:
    """Asked for by name, it is planned for, and the answer itself carries the warning."""
    own = pilot()
    answer = plan(own.with_effect(own.observed_effect), items=100, replicates=200)
    assert "pilots_own_effect" in codes(answer.notes)
    assert "pilots_own_effect" not in codes(plan(own.with_effect(0.3), items=100, replicates=200).notes)


def test_the_signature_is_enough_to_ask_again() -> None:
    """Items, power, assurance and the scores of a pilot are in it."""
    signature = plan(pilot(binary=True).with_effect(0.1), power=0.8, assurance=0.9).signature
    assert all(part in signature for part in ("power=0.8", "assurance=0.9", "sha256:"))
    assert "items=50" in plan(WITH_EFFECT, items=50).signature


@pytest.mark.parametrize(
    ("population", "options", "said"),
    [
        (GAUSSIAN, {"test": "paired_t(alternative=less)", "items": 500, "power": 0.8}, "detect −0.0085"),
        (GAUSSIAN, {"test": "paired_t(alternative=less)", "items": 500, "power": 0.8}, "one-sided paired t"),
        (GAUSSIAN, {"test": "equivalence(margin=0.01)", "power": 0.8}, "if the true effect is 0 (r = 0.8"),
        (GAUSSIAN, {"test": "non_inferiority(margin=0.01)", "items": 400}, "if the true effect is 0"),
        (WITH_EFFECT, {"items": 2_000}, "is found more than 99.9 % of the time"),
        (WITH_EFFECT, {"items": 10**8}, "is found 100 % of the time"),
    ],
)
def test_sentences(population: str, options: dict[str, Any], said: str) -> None:
    """Signs, sides and margins are said; near certainty is not certainty."""
    assert said in plan(population, **options).sentence


def test_methods_golden_items() -> None:
    """METHODS 1 and 12 as corrected: items for points of accuracy and of nDCG."""
    correlated = "gaussian(sd=0.458257569495584, correlation={}, effect={})"
    z_items = {(0.0, 0.005): 131_862, (0.4, 0.01): 19_780, (0.7, 0.01): 9_890, (0.8, 0.02): 1_649}
    for (r, effect), items in z_items.items():
        assert plan(correlated.format(r, effect), power=0.8).rows[0].items == pytest.approx(items, abs=3)
    ndcg = {(0.5, 0.02): 1_767, (0.8, 0.02): 709, (0.5, 0.01): 7_066}
    for (r, effect), items in ndcg.items():
        row = plan(f"gaussian(sd=0.3, correlation={r}, effect={effect})", power=0.8).rows[0]
        assert row.items == pytest.approx(items, abs=2)


@pytest.mark.parametrize(
    ("population", "options", "said"),
    [
        ("gaussian(sd=-1, correlation=0.5, effect=1)", {"items": 10}, "sd"),
        ("gaussian(sd=1, correlation=1.5, effect=1)", {"items": 10}, "correlation"),
        ("gaussian(sd=1, correlatoin=0.5, effect=1)", {"items": 10}, "did you mean 'correlation'"),
        ("gausian(sd=1)", {"items": 10}, "did you mean 'gaussian'"),
        (WITH_EFFECT, {"items": 1}, "2 or more"),
        (WITH_EFFECT, {"power": 0.04}, "between alpha"),
        (WITH_EFFECT, {"power": 80.0}, "0.8"),
        (WITH_EFFECT, {"power": 0.8, "items": 10}, "give two of"),
        (GAUSSIAN, {}, "give two of"),
        (GAUSSIAN, {"power": 0.8}, "give two of"),
        (GAUSSIAN.replace(")", ", effect=0)"), {"power": 0.8}, "effect of 0"),
        ("paired_binary(accuracy=71.4, effect=0.02, discordance=0.1)", {"items": 10}, "0.714"),
        ("paired_binary(accuracy=0.7, effect=0.02, correlation=0.99)", {"items": 10}, "between"),
        ("paired_binary(accuracy=0.7, effect=0.2, discordance=0.1)", {"items": 10}, "between"),
        (WITH_EFFECT, {"items": 10, "test": "mcnemar"}, "right-or-wrong"),
        (WITH_EFFECT, {"items": 10, "test": "welch_t"}, "paired"),
        ("proportions(accuracy=0.7, effect=0.1)", {"items": 10, "test": "paired_t"}, "unpaired"),
        (WITH_EFFECT, {"items": 10, "engine": "guess"}, "formula or exact or monte_carlo"),
        (WITH_EFFECT, {"items": 10, "engine": "exact"}, "engine exact has no answer"),
        (WITH_EFFECT, {"items": 10, "replicates": 0}, "replicates"),
        (WITH_EFFECT, {"items": 10, "alpha": 0.0}, "alpha"),
        (WITH_EFFECT, {"power": 0.8, "assurance": 0.9}, "pilot"),
        (WITH_EFFECT, {"power": 0.8, "test": "paired_t(alternative=less)"}, "direction"),
        (WITH_EFFECT, {"items": 100, "comparisons": 0}, "comparisons"),
        (WITH_EFFECT, {"items": []}, "empty list"),
        ([], {"items": 10}, "empty list"),
        ([WITH_EFFECT, GAUSSIAN], {"items": 10, "power": 0.8}, "give two of"),
        ([WITH_EFFECT, GAUSSIAN], {"items": [10, None], "power": [0.8, None]}, "give two of"),
        (WITH_EFFECT, {"items": 10.5}, "whole number"),
        (WITH_EFFECT, {"items": True}, "whole number"),
        (WITH_EFFECT, {"items": 10, "seed": -1}, "seed is -1"),
        (WITH_EFFECT, {"items": 10, "replicates": 1e4}, "replicates is 10000.0"),
        (GAUSSIAN, {"items": 10, "power": 0.8, "test": "equivalence(margin=0.1)"}, "asks about a margin"),
        (WITH_EFFECT, {"power": 0.8, "test": "equivalence(margin=0.01)"}, "lies outside"),
        (
            "clustered(population=gaussian(sd=1, correlation=0), size=9, icc=0.1, effect=1)",
            {"items": 9},
            "one cluster",
        ),
        ("gaussian(sd=1e200, correlation=0.5, effect=1)", {"items": 10}, "no larger than"),
    ],
)
def test_bad_questions_get_one_clear_error(population: str, options: dict[str, Any], said: str) -> None:
    """Found, wanted, what to do; exit code 2."""
    with pytest.raises(TellapartError) as raised:
        plan(population, **options)
    assert raised.value.exit_code == 2
    assert said in str(raised.value)
