"""A plan that takes long says so early, and names what would be quicker."""

import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tellapart import plan
from tellapart.errors import UsageError
from tellapart.planning import monte_carlo
from tellapart.planning.budget import Budget
from tellapart.planning.study import Study
from tellapart.populations.pilot import Pilot
from tellapart.results.forecast import Forecast
from tellapart.scores import Pair
from tellapart.verbs.plan import forecast as room
from tellapart.verbs.plan.forecast import Forecaster
from tellapart.verbs.plan.question import PlanQuestion

SLOW = "bootstrap(kind=studentised, resamples=1999)"


def pilot(clusters: Any = None, effect: float | None = 0.05) -> Pilot:
    rng = np.random.default_rng(3)
    a = rng.random((30, 1, 1))
    return Pilot.from_pair(Pair(a, a + rng.normal(0.05, 0.2, a.shape), clusters), effect)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every plan is long, and known to be after its first blocks."""
    monkeypatch.setattr(room, "LONG", 0.0)
    monkeypatch.setattr(room, "LOOKED", 0.0)


def heard(**options: Any) -> list[Forecast]:
    found: list[Forecast] = []
    plan(pilot(), executor=1, forecast=found.append, **options)
    return found


def foretold_within(times: float, **options: Any) -> Forecast:
    """The forecast and the truth are so many times apart at most; a machine that gets busy between the two is asked again."""
    apart = []
    for _ in range(3):
        start = time.perf_counter()
        (found,) = heard(**options)
        apart.append(found.seconds / (time.perf_counter() - start))
        if 1.0 / times < apart[-1] < times:
            return found
    pytest.fail(f"forecasts of {apart} times what it took")


@pytest.mark.usefixtures("hasty")
def test_the_time_is_about_what_it_takes() -> None:
    found = foretold_within(4.0, items=40, test=SLOW, replicates=6_000)
    assert (found.test, found.items, found.replicates) == (SLOW, 40, 6_000)


@pytest.mark.usefixtures("hasty")
def test_a_search_takes_as_long_as_all_its_places() -> None:
    foretold_within(5.0, power=0.8, test=SLOW, replicates=300)


@pytest.mark.usefixtures("hasty")
def test_quicker_ways_are_named_with_their_time() -> None:
    (found,) = heard(items=40, test=SLOW, replicates=2_000)
    ways = {(way.option, way.value): way.seconds for way in found.quicker}
    assert list(ways) == [("test", "paired_t"), ("replicates", "200")]
    assert ways["test", "paired_t"] < found.seconds / 2
    assert ways["replicates", "200"] == pytest.approx(found.seconds / 10)


@pytest.mark.usefixtures("hasty")
def test_no_way_is_named_that_is_none() -> None:
    """Neither the test that is planned for already, nor so few replicates that power is hardly known."""
    (found,) = heard(items=40, test="paired_t", replicates=900)
    assert found.quicker == ()


@pytest.mark.usefixtures("hasty")
def test_of_several_tests_the_slow_one_is_to_blame() -> None:
    (found,) = heard(items=[40, 60], test=["paired_t", SLOW, "sign"], replicates=200)
    assert (found.test, found.items) == (SLOW, 60)


def test_a_first_block_that_lasts_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Single evaluations are timed before it, so the forecast comes before anything is done."""
    monkeypatch.setattr(room, "SILENT", 1e-9)
    monkeypatch.setattr(room, "LONG", 1e-9)
    order: list[str] = []
    plan(
        pilot(),
        items=40,
        test=SLOW,
        replicates=2_000,
        executor=1,
        forecast=lambda _: order.append("forecast"),
        progress=lambda *_: order.append("progress"),
    )
    assert order[0] == "forecast"
    assert order.count("forecast") == 1
    assert "progress" in order


def test_nothing_is_said_of_quick_plans() -> None:
    assert heard(items=40, test=SLOW, replicates=100) == []
    found: list[Forecast] = []
    plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", power=0.8, forecast=found.append)
    assert found == []


def test_the_answer_is_the_same_with_a_forecast(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = plan(pilot(), items=40, test=SLOW, replicates=500)
    monkeypatch.setattr(room, "LONG", 0.0)
    monkeypatch.setattr(room, "LOOKED", 0.0)
    assert plan(pilot(), items=40, test=SLOW, replicates=500, forecast=lambda _: None) == alone


@pytest.mark.parametrize(
    ("clusters", "test", "plain"),
    [
        (None, "permutation", "paired_t"),
        (None, "wilcoxon(alternative=less)", "paired_t(alternative=less)"),
        (None, "equivalence(test=permutation, margin=0.02)", "equivalence(test=paired_t, margin=0.02)"),
        (np.arange(30) // 3, "cluster_sign_flip", "cluster_t(variance=cr2)"),
    ],
)
def test_the_plain_test_keeps_clusters_sides_and_margins(clusters: Any, test: str, plain: str) -> None:
    assert str(room.plain_test(Study(pilot(clusters), test, 30))) == plain


def test_only_a_function_can_hear() -> None:
    with pytest.raises(UsageError, match="forecast is 3; it should be a function"):
        plan(pilot(), items=40, forecast=3)


def test_one_evaluation_is_timed_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of forty items a single permutation test lists all signs, and none of a thousand does: the time is that of the many."""
    clock = [0.0]

    def blocks(_studies: Any, _seed: int, _block: int, size: int) -> None:
        clock[0] += 0.01 if size == 1 else 0.00002 * size

    monkeypatch.setattr(room, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    monkeypatch.setattr(monte_carlo, "tally_block", blocks)
    study = Study("gaussian(effect=0.3, sd=1, correlation=0.5)", "permutation", 40)
    large = study.resized(items=100_000)
    assert room.per_evaluation(study) == pytest.approx(0.00002)
    assert room.per_evaluation(large) == pytest.approx(0.00002)
    assert room.per_evaluation(large, unimportant=0.02) == pytest.approx(0.01)


def test_a_slow_test_is_timed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where many would be waited for, the first few have to do; where they are unimportant too. Of very many items the first is one."""
    sizes: list[int] = []
    monkeypatch.setattr(monte_carlo, "tally_block", lambda _studies, _seed, _block, size: sizes.append(size))
    study = Study("gaussian(effect=0.3, sd=1, correlation=0.5)", "paired_t", 400)
    monkeypatch.setattr(room, "PATIENT", 0.0)
    room.per_evaluation(study)
    monkeypatch.setattr(room, "PATIENT", 10.0)
    room.per_evaluation(study, unimportant=10.0)
    room.per_evaluation(study.resized(items=100_000), unimportant=10.0)
    assert sizes == [10, 10, 1]
    room.per_evaluation(study)
    room.per_evaluation(study.resized(items=40))
    assert sizes == [10, 10, 1, 10, *[room.TRIAL] * 3]


def test_evaluations_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that stays near its start times single evaluations there and not again at each place."""
    looks: list[int] = []
    timed = room.per_evaluation

    def counting(study: Study, unimportant: float = 0.0) -> float:
        looks.append(study.items)
        return timed(study, unimportant)

    monkeypatch.setattr(room, "per_evaluation", counting)
    assert not heard(power=0.8, test=SLOW, replicates=250)
    assert len(looks) <= 2


def test_what_comes_from_a_store_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine tenths are there at once: the time is that of the last tenth, by what is computed of it."""
    clock = [0.0]
    monkeypatch.setattr(room, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    found: list[Forecast] = []
    study = Study("beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)", "paired_t", 20)
    forecaster = Forecaster([], PlanQuestion(executor=1, forecast=found.append))
    monkeypatch.setattr(forecaster, "_look", lambda _: None)
    course = SimpleNamespace(missing=1_000, computed=0)
    forecaster.begin([study], Budget(replicates=10_000), course)
    for done in range(1_000, 10_000, 1_000):
        clock[0] += 0.5
        forecaster.advance(done, 10_000)
    assert not found, "nothing was computed yet"
    clock[0], course.computed = 10.0, 100
    forecaster.advance(9_100, 10_000)
    course.computed = 200
    clock[0] = 20.0
    forecaster.advance(9_200, 10_000)
    assert [one.seconds for one in found] == [100.0]
