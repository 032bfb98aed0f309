"""Which methods suit a metric that is no mean, and that they keep what they promise on lopsided texts and labels."""

import numpy as np
import pytest

from tellapart.arrays import FloatArray
from tellapart.decision import rejects
from tellapart.intervals import Interval
from tellapart.metrics import METRICS
from tellapart.results.note import codes
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.verbs.choose import FEW_RECOMPUTED, Choice, choose
from tellapart.verbs.sampled import Sampled
from tellapart.verbs.shape import Shape

HULL = "widest(first=student_t, second=bootstrap(kind=studentised))"
ALL_THREE = f"cautious(test=permutation, interval={HULL})"
FOLLOWING = "cautious(test=permutation, interval=leaning_t)"
BOTH = "cautious(test=permutation, interval=bootstrap(kind=studentised))"


def shape(
    items: int, telling: float, tied: float = 0.0, straightness: float = 1.0, metric: str = "bleu"
) -> Shape:
    return Shape(
        items,
        None,
        binary=False,
        levels=None,
        metric=metric,
        tied=tied,
        straightness=straightness,
        telling=telling,
    )


@pytest.mark.parametrize(
    ("given", "test", "reasons"),
    [
        (shape(300, 240.0), "paired_t", {"continuous_differences"}),
        (shape(300, 50.0), "paired_t", {"continuous_differences"}),
        (shape(300, 49.9), BOTH, {"few_items_tell"}),
        (shape(300, 12.0, tied=0.9), BOTH, {"few_items_differ"}),
        (shape(100, 7.0), ALL_THREE, {"few_items_tell", "resamples_of_few"}),
        (shape(30, 24.0), ALL_THREE, {"few_items_differ", "resamples_of_few"}),
        (shape(FEW_RECOMPUTED - 1, 150.0, straightness=0.99), ALL_THREE, {"metric_is_not_straight", "resamples_of_few"}),
        (shape(FEW_RECOMPUTED, 150.0, straightness=0.99), BOTH, {"metric_is_not_straight"}),
        (shape(30, 24.0, metric="mean"), FOLLOWING, {"few_items_differ"}),
        (shape(300, 300.0, tied=0.84, metric="mean"), FOLLOWING, {"few_items_differ"}),
    ],
)  # fmt: skip
def test_few_items_are_held_against_student_too(given: Shape, test: str, reasons: set[str]) -> None:
    """Resamples alone of few segments claim too much; where few hold most of the metric no t test is chosen alone."""
    found = choose(given)
    assert str(found.test) == test
    assert set(codes(found.reasons)) - {"metric_is_no_mean"} == reasons
    hull = {"paired_t": "student_t", ALL_THREE: HULL, FOLLOWING: "leaning_t"}.get(
        test, "bootstrap(kind=studentised)"
    )
    assert str(found.interval) == hull


def made_segments(rng: np.random.Generator, items: int, longer: float) -> tuple[FloatArray, FloatArray]:
    """BLEU's counts of two systems with shares of matches about a half; three in a hundred segments are so many times longer."""
    length = np.where(rng.random(items) < 0.03, longer, 1.0) * rng.integers(5, 30, items)
    both = []
    for _ in range(2):
        share = np.clip(rng.beta(4.0, 4.0, items), 0.02, 0.98)
        total = np.stack([np.maximum(length - order, 1.0) for order in range(4)], axis=-1)
        match = np.stack(
            [np.floor(total[:, order] * share ** (1.0 + 0.7 * order)) for order in range(4)], axis=-1
        )
        both.append(np.column_stack([length, length, match, total]))
    return both[0], both[1]


def made_labels(rng: np.random.Generator, items: int, rare: float) -> tuple[FloatArray, FloatArray]:
    """Counts for MCC of two systems that are alike, on a class with a share `rare` of the labels."""
    labels = (rng.random(items) < rare).astype(np.int64)
    shared = rng.random(items)
    metric = METRICS.parse("mcc")
    both = []
    for _ in range(2):
        chance = np.where(rng.random(items) < 0.6, shared, rng.random(items))
        said = np.where(labels == 1, chance < 0.6, chance >= 0.97).astype(np.int64)
        both.append(metric.count(labels, said, ("0", "1")))  # type: ignore[attr-defined]
    return both[0], both[1]


def few_resamples(choice: Choice) -> tuple[str, str]:
    short = [
        str(x).replace("kind=studentised", "kind=studentised, resamples=199")
        for x in (choice.test, choice.interval)
    ]
    return short[0].replace("test=permutation,", "test=permutation(resamples=199),"), short[1]


@pytest.mark.parametrize(
    ("metric", "items", "longer", "level"),
    [("bleu", 40, 10.0, 0.95), ("bleu", 120, 10.0, 0.95), ("bleu", 120, 60.0, 0.88), ("mcc", 150, 1.0, 0.95)],
    ids=["40 texts", "120 texts", "120 texts, a few very long", "150 labels"],
)
def test_defaults_keep_their_promise_on_lopsided_data(
    metric: str, items: int, longer: float, level: float
) -> None:
    """Equal systems are told apart about one time in twenty, and the interval holds zero as often as is said where very few texts tell."""
    replicates, rejected, held = 250, 0, 0
    for k in range(replicates):
        rng = np.random.default_rng([k, items])
        a, b = made_segments(rng, items, longer) if metric == "bleu" else made_labels(rng, items, 0.08)
        sampled = Sampled(Pair(a[:, np.newaxis], b[:, np.newaxis], None), METRICS.parse(metric))
        test, interval = few_resamples(choose(Shape.of(sampled)))
        judge, bounds = TESTS.parse(test), Interval.parse(interval)
        rejected += int(rejects(judge.apply(sampled.summary(judge.needs), stream(1, k)).pvalue, 0.05))
        low, high = bounds.interval(sampled.summary(bounds.needs), 0.95, stream(1, k))
        held += bool(low <= 0.0 <= high)
    # Three standard errors of 250 replicates.
    assert rejected <= replicates * 0.05 + 3.0 * np.sqrt(replicates * 0.0475)
    assert held >= replicates * level - 3.0 * np.sqrt(replicates * level * (1.0 - level))
