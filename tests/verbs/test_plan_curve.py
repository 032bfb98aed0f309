"""Power around the study that was planned: every plan of one study has it, and it says how precise it is."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from tellapart import plan, planning
from tellapart.answers.plan import Plan, PowerPoint
from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.data.pair import Pair
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.numerics.null_laws.proportions import wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile
from tellapart.planning.power import powers_of
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.pilot import Pilot
from tellapart.populations.population import as_scores
from tellapart.verbs.plan import curve

NORMAL = "gaussian(sd=1, correlation=0.5, effect=0.4)"
PLANS: dict[str, dict[str, Any]] = {
    "items by bootstrap": {"populations": NORMAL, "power": 0.8, "test": "bootstrap", "replicates": 200},
    "items by permutation": {"populations": NORMAL, "power": 0.8, "test": "permutation", "replicates": 400},
    "items by ranks": {"populations": NORMAL, "power": 0.8, "test": "wilcoxon", "replicates": 1000},
    "items as compare chooses": {"populations": NORMAL, "power": 0.8, "replicates": 200},
    "effect by bootstrap": {
        "populations": "gaussian(sd=1, correlation=0.5)",
        "items": 50,
        "power": 0.8,
        "test": "bootstrap",
        "replicates": 200,
    },
    "power by permutation": {
        "populations": NORMAL,
        "items": 40,
        "test": "permutation",
        "replicates": 400,
    },
    "power to a precision": {"populations": NORMAL, "items": 40, "test": "wilcoxon", "until": 0.04},
    "items of texts": {
        "populations": "delta_laplace(effect=1, zero_share=0.3, scale=2)",
        "power": 0.8,
        "replicates": 200,
    },
    "items of supposed texts": {"populations": "delta_laplace(effect=1)", "power": 0.8},
    "items of labels": {
        "populations": "confusion(effect=0.1, recall=0.7, specificity=0.9, prevalence=0.3, correlation=0.5)",
        "power": 0.8,
        "replicates": 200,
    },
    "items of runs": {
        "populations": "retrieval(effect=0.1, mean=0.4, sd=0.25, correlation=0.7)",
        "power": 0.8,
        "replicates": 300,
    },
    "items of supposed scores": {"populations": "gaussian(effect=0.1)", "power": 0.8, "replicates": 200},
    "votes": {"populations": "votes(share=0.6)", "power": 0.8},
    "raters": {"populations": "ratings(effect=0.2, raters=10, range=0:1)", "power": 0.8},
    "raters averaged": {
        "populations": "ratings(effect=0.2, raters=10, range=0:1)",
        "items": 40,
        "test": "paired_t",
    },
    "very many items": {"populations": "paired_binary(effect=0.004, discordance=0.15)", "power": 0.8},
    "more items still": {"populations": NORMAL.replace("0.4", "0.004"), "power": 0.8, "test": "paired_t"},
}


def planned(case: str, **more: object) -> Plan:
    options = dict(PLANS[case])
    return plan(options.pop("populations"), **options, **more)


def along(answer: Plan, over: str) -> list[PowerPoint]:
    return [point for point in answer.curve or () if point.over == over]


@pytest.mark.parametrize("case", PLANS)
def test_every_plan_of_one_study_has_its_curve(case: str) -> None:
    answer = planned(case)
    row, points = answer.rows[0], along(answer, "effect" if answer.solved_for == "effect" else "items")
    assert len(points) >= 3
    places = [(point.items, abs(point.effect)) for point in points]
    assert places == sorted(set(places))
    assert any((point.items, point.effect, point.power) == (row.items, row.effect, row.power) for point in points)
    assert points[0].power < row.power < points[-1].power
    assert all(point.power_low <= point.power <= point.power_high for point in points)
    assert ("power_by_effect" if answer.solved_for == "effect" else "power") in answer.charts


def test_points_say_how_precise_they_are() -> None:
    points = along(planned("items by bootstrap"), "items")
    assert {point.replicates for point in points} > {200}
    for point in points:
        assert point.replicates is not None
        found = round(point.power * point.replicates)
        _, low, high = wilson_bounds(found, point.replicates, two_sided_quantile(0.95))
        assert point.power_low == pytest.approx(float(low))
        assert point.power_high == pytest.approx(float(high))


def test_a_formula_needs_no_replicates() -> None:
    points = planned("more items still").curve
    assert points is not None
    assert all(point.replicates is None and point.power_low == point.power_high for point in points)


def test_the_curve_is_the_same_on_any_workers() -> None:
    assert planned("items by ranks", executor=1) == planned("items by ranks", executor=3)


def test_glances_take_a_small_part_of_what_the_answer_took(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[float] = []
    simulate = planning.simulate_many

    def counting(studies: Sequence[Study], budget: Budget, runner: Runner) -> list[PowerResult]:
        found = simulate(studies, budget, runner)
        drawn.append(sum(study.items * (one.replicates or 0) for study, one in zip(studies, found, strict=True)))
        return found

    monkeypatch.setattr(planning, "simulate_many", counting)
    assert along(planned("items by ranks"), "effect")
    assert 0.0 < drawn[-1] <= 0.15 * sum(drawn[:-1])


def test_evidence_bounds_every_point() -> None:
    points = along(planned("items of supposed texts"), "items")
    assert all(point.power_low < point.power < point.power_high for point in points)
    widths = [point.power_high - point.power_low for point in points if point.replicates is None]
    assert min(widths) > 0.05


def interrupted_at(call: int) -> Callable[[int, int], None]:
    told = count(1)

    def stop(_done: int, _total: int) -> None:
        if next(told) == call:
            raise KeyboardInterrupt

    return stop


def test_a_pilot_bounds_every_point() -> None:
    """Sixty items say little of a spread: the bands hold that, as the bounds of the answer do."""
    rng = stream(5)
    a = rng.normal(size=60)
    pair = Pair(as_scores(a), as_scores(a + rng.normal(0.3, 0.5, 60)))
    answer = plan(Pilot.from_pair(pair).with_effect(0.1), items=200, test="paired_t")
    own = next(point for point in along(answer, "items") if point.items == 200)
    assert (own.power_low, own.power_high) == (answer.rows[0].power_low, answer.rows[0].power_high)
    assert own.power_high - own.power_low > 0.1


def test_an_interrupt_while_looking_around_leaves_the_answer_whole() -> None:
    whole = planned("power by permutation", executor=1)
    assert whole.curve is not None
    answer = planned("power by permutation", executor=1, progress=interrupted_at(2))
    assert answer == replace(whole, curve=None)


def test_an_interrupted_search_looks_no_further() -> None:
    answer = planned("items by permutation", executor=1, progress=interrupted_at(2))
    assert answer.partial
    assert answer.curve is None


def test_what_cannot_be_run_leaves_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan that is answered is not refused for what lies around it."""

    def refusing(studies: Sequence[Study], budget: Budget, runner: Runner) -> dict[Study, PowerResult]:
        if any(study.items == 60 for study in studies):
            raise Unsuitable("not with 60 items")
        return powers_of(studies, budget, runner)

    monkeypatch.setattr(curve, "powers_of", refusing)
    answer = plan(NORMAL, items=40, test="wilcoxon", replicates=10_000)
    assert [point.items for point in along(answer, "items")] == [10, 20, 40, 80]
