"""The chooser: what counts as few, which clusters are uneven, and that a plan agrees with it."""

import dataclasses

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.clusters import cluster_error
from tellapart.intervals import INTERVALS
from tellapart.metrics.mean import Mean
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.results.note import codes as note_codes
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.summaries import Differences
from tellapart.verbs.choose import choose
from tellapart.verbs.plan.choices import choices
from tellapart.verbs.sampled import Sampled
from tellapart.verbs.shape import Shape

CAUTIOUS = "cautious(test=permutation, interval=leaning_t)"
CAUTIOUS_CLUSTERS = "cautious(test=cluster_sign_flip, interval=cluster_t(variance=cr1))"


def both(test: str, interval: str = "") -> tuple[str, str]:
    """A t test that the studentised bootstrap must agree with, and the wider of their intervals."""
    resampled = "bootstrap(kind=studentised)"
    wider = f"widest(first={interval or test}, second={resampled})"
    return f"cautious(test={test}, interval={resampled})", wider


def following_skew(variance: str) -> tuple[str, str]:
    """One method, test and interval in one, that follows the skewness of few clusters."""
    return (f"leaning_cluster_t(variance={variance})",) * 2


UNEVEN = np.repeat(np.arange(20), np.round(np.geomspace(2.0, 60.0, 20)).astype(int))


def tied(items: int, differing: int, seed: int = 0) -> Scores:
    """Continuous scores that differ on so many items only."""
    rng = np.random.default_rng(seed)
    a, moved = rng.random(items), np.zeros(items)
    moved[:differing] = rng.normal(0.1, 0.2, differing)
    return Scores.from_arrays({"a": a, "b": a + moved})


def clustered(codes: IntArray, seed: int = 0) -> Scores:
    """Continuous scores in clusters that rise and fall together."""
    rng = np.random.default_rng(seed)
    a = rng.random(len(codes))
    b = a + rng.normal(0.0, 0.1, codes.max() + 1)[codes] + rng.normal(0.02, 0.1, len(codes))
    return Scores.from_arrays({"a": a, "b": b}, clusters=codes)


@pytest.mark.parametrize(
    ("items", "differing", "test", "interval"),
    [
        (60, 60, "paired_t", "student_t"),
        (500, 50, "paired_t", "student_t"),
        (500, 49, CAUTIOUS, "leaning_t"),
        (60, 12, CAUTIOUS, "leaning_t"),
        (49, 49, CAUTIOUS, "leaning_t"),
    ],
)
def test_only_items_that_differ_count(items: int, differing: int, test: str, interval: str) -> None:
    """A tie tells nothing of how differences vary: fewer than fifty that are none are few."""
    answer = compare(tied(items, differing))
    assert (test, interval) == (answer.test, answer.interval.method)
    assert (f"{differing} of {items} items differ" in answer.reasons[0].text) == (differing < 50 <= items)


def test_few_items_that_differ_get_a_wider_interval() -> None:
    """With 12 of 60 items differing the interval is at least as wide as Student's on 11 degrees of freedom."""
    scores = tied(60, 12)
    answer, pair = compare(scores), scores.pair("a", "b")
    values = (pair.b - pair.a)[:, 0, 0]
    error = values.std(ddof=1) / np.sqrt(60.0)
    assert answer.interval.low <= values.mean() - 2.2009 * error
    assert answer.interval.high >= values.mean() + 2.2009 * error


@pytest.mark.parametrize(
    ("codes", "test", "interval"),
    [
        (np.arange(200) // 10, *following_skew("cr1")),
        (np.arange(199) // 10, *following_skew("cr1")),
        (UNEVEN, *following_skew("cr2")),
        (np.maximum(np.arange(60) - 40, 0), *following_skew("cr2")),
        (np.arange(60) // 10, *following_skew("cr1")),
        (
            np.maximum(np.arange(60) - 55, 0),
            "cautious(test=cluster_sign_flip, interval=cluster_t(variance=cr2))",
            "cluster_t(variance=cr2)",
        ),
        (
            (np.arange(60) == 59).astype(np.int64),
            "cautious(test=cluster_sign_flip, interval=cluster_t(variance=cr2))",
            "cluster_t(variance=cr2)",
        ),
        (
            np.arange(60) // 30,
            "cautious(test=cluster_sign_flip, interval=cluster_t(variance=cr1))",
            "cluster_t(variance=cr1)",
        ),
    ],
)
def test_uneven_clusters_get_cr2(codes: IntArray, test: str, interval: str) -> None:
    """CR2 where sizes take degrees of freedom away; clusters of one size, or nearly, keep CR1, which is the same there."""
    answer = compare(clustered(codes))
    assert (test, interval) == (answer.test, answer.interval.method)
    own = {answer.a.interval.method, answer.b.interval.method}
    assert own == {"cluster_t(variance=cr2)" if "cr2" in test else "cluster_t(variance=cr1)"}
    assert ("uneven_clusters" in note_codes(answer.reasons)) == ("cr2" in test)


def test_degrees_of_freedom_are_those_used() -> None:
    """The reason quotes the Satterthwaite degrees of freedom that the p-value comes from."""
    df = float(cluster_error(np.arange(len(UNEVEN), dtype=np.float64), UNEVEN, "cr2")[2])
    assert compare(clustered(UNEVEN)).reasons[0].values["df"] == pytest.approx(df, rel=1e-12, abs=0.0)


def test_named_cluster_flips_take_the_interval_that_suits() -> None:
    """Naming the test does not bring back the interval that fails on uneven clusters."""
    answer = compare(clustered(UNEVEN), test="cluster_sign_flip")
    assert answer.interval.method == following_skew("cr2")[1]


def test_all_tests_hold_the_chosen_one() -> None:
    """`--test all` lists the test that decides, with the options it was chosen with."""
    answer = compare(clustered(UNEVEN), test="all")
    assert answer.tests is not None
    assert (answer.test, answer.pvalue) in {(t.test, t.pvalue) for t in answer.tests}


def test_detectable_effect_allows_for_uneven_clusters() -> None:
    """What can be detected is the CR2 error's, not the smaller CR1's."""
    scores = clustered(UNEVEN)
    found = compare(scores, test="cluster_t(variance=cr1)").detectable
    chosen = compare(scores, test="cluster_t(variance=cr2)").detectable
    assert found == chosen
    assert chosen is not None
    assert chosen.effect > 2.8 * _error(scores)


def _error(scores: Scores) -> float:
    pair = scores.pair("a", "b")
    low, high = INTERVALS.parse("cluster_t(variance=cr1)").interval(
        Differences((pair.b - pair.a)[:, 0, 0], pair.clusters), 0.95, np.random.default_rng(0)
    )
    return float(high - low) / (2.0 * 2.093)


def test_uneven_clusters_keep_their_size() -> None:
    """Twenty clusters of 2 to 60 alike items: the chosen test errs about one time in twenty, CR1 one in eleven."""
    rng = np.random.default_rng(1)
    values = np.sqrt(0.3) * rng.normal(size=(6_000, 20))[:, UNEVEN] + np.sqrt(0.7) * rng.normal(
        size=(6_000, len(UNEVEN))
    )
    size = {v: _rejected(values, f"cluster_t(variance={v})") for v in ("cr1", "cr2")}
    assert size["cr1"] > 0.075
    assert size["cr2"] < 0.064


def _rejected(values: FloatArray, test: str) -> float:
    outcome = TESTS.parse(test).apply(Differences(values, UNEVEN), np.random.default_rng(0))
    return float((outcome.pvalue <= 0.05).mean())


def _chosen(population: Population, items: int) -> str:
    return str(choices(population, items).test)


def test_a_plan_means_the_same_default() -> None:
    """What a pilot is planned for is what `compare` would choose on as many such items."""
    for codes in (UNEVEN, np.arange(200) // 10):
        pair = clustered(codes).pair("a", "b")
        pilot = Pilot.from_pair(pair, effect=0.02)
        assert _chosen(pilot, len(codes)) == str(choose(Shape.of(Sampled(pair, Mean()))).test)
    pair = tied(500, 30).pair("a", "b")
    pilot = Pilot.from_pair(pair, effect=0.001)
    assert _chosen(pilot, 500) == CAUTIOUS
    assert _chosen(pilot, 5_000) == "paired_t"


@pytest.mark.parametrize("size", [7, 100, 130, 500])
def test_clusters_of_one_size_are_even_however_many_are_looked_at(size: int) -> None:
    """A look at some items of a clustered population cuts no cluster, and counts clusters by their size."""
    population = Population.parse(
        f"clustered(effect=0.02, population=gaussian(sd=0.1, correlation=0.5), size={size}, icc=0.3)"
    )
    assert _chosen(population, 60 * size) == "cluster_t(variance=cr1)"
    assert _chosen(population, 20 * size) == following_skew("cr1")[0]
    assert _chosen(population, 5 * size) == CAUTIOUS_CLUSTERS


@pytest.mark.parametrize(("items", "clusters"), [(90, 9), (91, 10), (95, 10), (100, 10)])
def test_a_cut_cluster_counts(items: int, clusters: int) -> None:
    """Items that do not fill their last cluster are in it all the same: the choice is that on items so drawn."""
    population = Population.parse(
        "clustered(effect=0.02, population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3)"
    )
    drawn = population.draw(items, 1, stream(0))
    shape = Shape.of(Sampled(Pair(drawn.a[0], drawn.b[0], drawn.clusters), Mean()))
    assert shape.clusters == clusters
    assert str(choose(shape).test) == _chosen(population, items)


def test_shapes_of_a_batch_are_those_of_its_samples() -> None:
    """Right or wrong, ratings, continuous, tied and clustered scores, drawn together and looked at one by one."""
    rng = np.random.default_rng(8)
    ratings = rng.integers(1, 6, size=(2, 6, 30)).astype(np.float64)
    mixed = np.concatenate([ratings, (ratings > 3.0), ratings + rng.normal(size=ratings.shape)], axis=1)
    mixed[1, :4, :25] = mixed[0, :4, :25]
    for codes in (None, np.arange(30) // 3, np.arange(30) ** 2 // 90):
        batch = Sampled(Pair(mixed[0, ..., None, None], mixed[1, ..., None, None], codes), Mean())
        shapes = Shape.each(batch)
        alone = [
            Shape.of(Sampled(Pair(a, b, codes), Mean()))
            for a, b in zip(batch.pair.a, batch.pair.b, strict=True)
        ]
        assert [choose(one).test for one in shapes] == [choose(one).test for one in alone]
        for one, other in zip(shapes, alone, strict=True):
            assert dataclasses.asdict(one) == pytest.approx(dataclasses.asdict(other))
        assert {shape.binary for shape in shapes} == {True, False}


def test_shape_of_no_ties_is_the_plain_one() -> None:
    """A shape without ties and with even clusters is chosen for as it always was."""
    assert str(choose(Shape(100, None, binary=False, levels=None)).test) == "paired_t"
    assert choose(Shape(500, 60, binary=False, levels=None)).bounds == "cluster_t(variance=cr1)"
    pair = Pair(np.zeros((8, 1, 1)), np.zeros((8, 1, 1)))
    assert Shape.of(Sampled(pair, Mean())).tied == 1.0


def test_hardly_any_items_are_not_drawn_again() -> None:
    """Below five items of a metric that is no mean the interval is Student's, and the studentised bootstrap is not asked; a mean draws nothing anyway."""
    few = choose(Shape(4, None, binary=False, levels=None, metric="f1"))
    assert str(few.test) == "cautious(test=permutation, interval=student_t)"
    assert str(few.interval) == "student_t"
    assert note_codes(few.reasons) == ("metric_is_no_mean", "hardly_any_items")
    assert "bootstrap" in str(choose(Shape(5, None, binary=False, levels=None, metric="f1")).test)
    for items in (2, 4, 5):
        assert str(choose(Shape(items, None, binary=False, levels=3)).test) == CAUTIOUS


@pytest.mark.parametrize(("steps", "coarse"), [(None, False), (1.0, True), (10.0, True), (11.0, False)])
def test_few_ratings_are_drawn_again(steps: float | None, coarse: bool) -> None:
    """An effect makes differences of a few steps look skewed, which no t is to follow."""
    choice = choose(Shape(40, None, binary=False, levels=12, steps=steps))
    assert ("bootstrap" in str(choice.bounds)) == coarse
    assert ("tails_of_few" in note_codes(choice.reasons)) == coarse
    if coarse:
        assert str(choice.test) == f"cautious(test=permutation, interval={choice.bounds})"
        assert choice.bounds == "widest(first=student_t, second=bootstrap(kind=studentised))"


@pytest.mark.parametrize(("differing", "coarse"), [(0, False), (1, False), (2, True)])
def test_one_item_shows_no_steps(differing: int, coarse: bool) -> None:
    """Whatever it differs by is one step."""
    values = np.zeros(20)
    values[:differing] = np.pi
    assert _of(values).coarse == coarse


@pytest.mark.parametrize(
    ("values", "levels", "steps"),
    [
        ([0.0, 3.0, 1.0, 1.0, 1.0, 1.0, 3.0, 1.0], 3, 3.0),
        ([0.0, 3.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0], 4, 3.0),
        ([0.5, -1.0, 0.5, 0.0], 3, 2.0),
        ([0.2, 0.41, -0.3], 3, 41.0),
        ([0.0, 0.0, 0.0], 1, 0.0),
        ([0.1, 0.1, 0.1], 1, 1.0),
        ([np.pi, 1.0, np.sqrt(2.0)], None, None),
    ],
)
def test_steps_of_the_largest_difference(
    values: list[float], levels: int | None, steps: float | None
) -> None:
    shape = _of(np.array(values))
    assert (shape.levels, shape.steps) == (levels, steps)


@pytest.mark.parametrize("items", [20, 40])
def test_ratings_keep_their_power(items: int) -> None:
    """Three ratings, two in five of them ties: as many differences are found as by the permutation test, but for a few in a hundred."""
    from tellapart.calibration.difference_laws import on_lattice  # noqa: PLC0415  (here alone)

    b = on_lattice((-1.0, 0.0, 1.0), (0.2, 0.6, 0.2))((300, items), 2.8 / np.sqrt(items), stream(1))
    sampled = Sampled(Pair(np.zeros((300, items, 1, 1)), b[..., np.newaxis, np.newaxis]), Mean())
    given = found = 0
    for place, shape in enumerate(Shape.each(sampled)):
        entry = sampled.entries([place])
        test, exact = choose(dataclasses.replace(shape, binary=False)).test, TESTS.parse("permutation")
        given += int(exact.apply(entry.sample(exact), stream(0)).pvalue[0] <= 0.05)
        found += int(test.apply(entry.sample(test), stream(0)).pvalue[0] <= 0.05)
    assert given - 15 <= found <= given


@pytest.mark.parametrize("items", [2, 3, 4, 5])
def test_what_can_never_be_claimed_is_not_excluded(items: int) -> None:
    """However large a difference of five items is, all signs alike have a p-value above 0.05, and the interval says no more."""
    a = np.zeros(items)
    answer = compare(Scores.from_arrays({"a": a, "b": a + 1.0 + np.arange(items) / 100.0}))
    assert answer.pvalue == pytest.approx(2.0 ** (1 - items), rel=1e-6, abs=0.0)
    assert (answer.interval.low, answer.verdict) == (0.0, "undetermined")


def _failing(seen: int, items: int = 80) -> np.ndarray:
    """Steady small gains, and so many items that fail."""
    values = np.random.default_rng(1).normal(0.05, 0.04, items)
    values[:seen] = -0.7
    return values


def _of(values: np.ndarray) -> Shape:
    b = values[:, np.newaxis, np.newaxis]
    return Shape.of(Sampled(Pair(np.zeros_like(b), b), Mean()))


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("seen", [1, 2])
def test_rare_failures_are_reckoned_with(seen: int, sign: float) -> None:
    """On either side, and by test and interval alike; with few items beside the permutation test."""
    choice = choose(_of(sign * _failing(seen)))
    assert str(choice.test) == "cautious(test=failure_t, interval=bootstrap(kind=studentised))"
    assert choice.bounds == "widest(first=failure_t, second=bootstrap(kind=studentised))"
    (reason,) = choice.reasons
    assert (reason.code, reason.values["seen"]) == ("failures_to_come", seen)
    few = choose(_of(sign * _failing(seen, 30)))
    assert few.bounds == "widest(first=failure_t, second=leaning_t)"
    assert str(few.test) == f"cautious(test=permutation, interval={few.bounds})"
    assert note_codes(few.reasons) == ("few_items_differ", "failures_to_come")


def test_none_of_them_and_three_need_no_such_test() -> None:
    assert str(choose(_of(_failing(0))).test) == "paired_t"
    assert "failure_t" not in str(choose(_of(_failing(3))).test)


def test_clusters_have_no_rare_failures() -> None:
    b = _failing(1)[:, np.newaxis, np.newaxis]
    shape = Shape.of(Sampled(Pair(np.zeros_like(b), b, np.arange(80)), Mean()))
    assert shape.failures == 0


@pytest.mark.parametrize(("items", "failures"), [(80, 2), (100, 2), (110, 0), (400, 0), (40, 1), (15, 0)])
def test_more_items_show_more_failures(items: int, failures: int) -> None:
    """In proportion: of those that show three or more no others are reckoned with."""
    assert _of(_failing(2)).at(items, None).failures == failures


@pytest.mark.parametrize(("lean", "least", "most"), [(True, 0.8, 1.0), (False, 0.0, 0.05)])
def test_uneven_clusters_that_lean_are_seen_to(lean: bool, least: float, most: float) -> None:
    """Sixty clusters of 2 to 60 items: lognormal effects mostly show their skewness, though the largest clusters hide it; normal ones have none."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(60), np.round(np.geomspace(2.0, 60.0, 60)).astype(int))
    effects = rng.lognormal(size=(200, 60)) if lean else rng.normal(size=(200, 60))
    b = effects[:, codes, np.newaxis, np.newaxis]
    shapes = Shape.each(Sampled(Pair(np.zeros_like(b), b, codes), Mean()))
    assert least <= np.mean([shape.leans for shape in shapes]) <= most
