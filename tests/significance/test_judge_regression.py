"""A judge with few human labels: the estimate, its interval and p-value, against reference values and by its laws."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats
from tests.numerics.frontier import rows

from tellapart.data.judged_pair import JudgedPair
from tellapart.data.pair import Pair
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.judge_regression import Judged
from tellapart.metrics import METRICS

MEAN, TEST, INTERVAL = METRICS.parse("mean"), TESTS.parse("judge_regression"), INTERVALS.parse("judge_regression")
REFERENCE = rows("judge_intervals")
EACH = pytest.mark.parametrize("row", REFERENCE, ids=[row["data"] for row in REFERENCE])


@cache
def judged(name: str) -> Judged:
    """A data set of the reference as the methods see it, without clusters."""
    table = [row for row in rows("data/judge") if row["data"] == name]
    said = np.array([float(row["human_difference"] or "nan") for row in table])
    judge, place = np.array([float(row["judge_difference"]) for row in table]), np.flatnonzero(~np.isnan(said))
    step = 1.0 if name.startswith("right_wrong") else None
    return Judged(said[place], judge, place, step=step)


def clusters(name: str) -> IntArray:
    names = [row["cluster"] for row in rows("data/judge") if row["data"] == name]
    return np.unique(names, return_inverse=True)[1]


def numbers(sample: Judged) -> tuple[float, float, float, float]:
    low, high = INTERVAL.interval(sample, 0.95, stream(0))
    pvalue = TEST.apply(sample, stream(0)).pvalue
    return float(sample.effect), float(low), float(high), float(pvalue)


@EACH
def test_default_agrees_with_the_reference(row: dict[str, str]) -> None:
    """Regression with HC3, with two labels added where fewer than ten differ."""
    sample = judged(row["data"])
    assert (sample.items, len(sample.judge)) == (int(row["labels"]), int(row["judged"]))
    assert (int(sample.differ), bool(sample.plus_two)) == (
        int(row["labels_that_differ"]),
        row["default_plus_two"] == "yes",
    )
    expected = [float(row[f"default_{name}"]) for name in ("estimate", "low", "high", "pvalue")]
    assert numbers(sample) == pytest.approx(expected, abs=1e-8)
    assert float(sample.estimate.slope) == pytest.approx(float(row["beta"]), abs=1e-8)


@EACH
def test_clusters_agree_with_the_reference(row: dict[str, str]) -> None:
    sample = replace(judged(row["data"]), clusters=clusters(row["data"]))
    _, low, high, _ = numbers(sample)
    found = (float(sample.estimate.error), low, high)
    assert found == pytest.approx([float(row[f"cluster_{one}"]) for one in ("standard_error", "low", "high")], abs=1e-8)


@EACH
def test_strata_by_what_the_judge_sees_agree_with_the_reference(row: dict[str, str]) -> None:
    sample = judged(row["data"])
    sample = replace(sample, strata=np.unique(np.sign(sample.judge), return_inverse=True)[1])
    found, (_, low, high, _) = sample.estimate, numbers(sample)
    names = ("estimate", "standard_error", "df", "low", "high")
    expected = [float(row[f"strata_by_judge_{name}"]) for name in names]
    assert (found.effect, found.error, found.df, low, high) == pytest.approx(expected, abs=1e-7)


def drawn(
    labels: int = 40, items: int = 300, *, noise: float = 0.5, seed: int = 1, batch: tuple[int, ...] = ()
) -> Judged:
    """Normal differences, and a judge who sees them with some noise."""
    rng = np.random.default_rng(seed)
    truth = 0.1 + rng.normal(size=(*batch, items))
    return Judged(truth[..., :labels], truth + noise * rng.normal(size=truth.shape), np.arange(labels))


def test_first_term_of_the_variance_is_hc3_of_least_squares() -> None:
    """By matrices: the variance of the prediction at the judge's overall mean."""
    sample = drawn()
    judge = sample.judge_on_labelled
    design = np.stack([np.ones_like(judge), judge], axis=1)
    inverse = np.linalg.inv(design.T @ design)
    residuals = sample.human - design @ (inverse @ design.T @ sample.human)
    leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
    middle = design.T @ (design * ((residuals / (1.0 - leverage)) ** 2)[:, np.newaxis])
    at = np.array([1.0, sample.judge.mean()])
    variance = at @ inverse @ middle @ inverse @ at
    variance += float(sample.estimate.slope) ** 2 * sample.judge.var(ddof=1) / len(sample.judge)
    assert float(sample.estimate.error) == pytest.approx(np.sqrt(variance), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("times", "more"), [(2.0, 0.0), (-0.3, 5.0), (1.0, 100.0)])
def test_the_scale_of_the_judge_changes_nothing(times: float, more: float) -> None:
    """A judge that is reliably wrong, or on another scale, is as useful."""
    sample = drawn()
    assert numbers(replace(sample, judge=times * sample.judge + more)) == pytest.approx(numbers(sample), abs=1e-9)


def test_swapping_the_systems_mirrors() -> None:
    sample = drawn()
    effect, low, high, pvalue = numbers(sample)
    swapped = replace(sample, human=-sample.human, judge=-sample.judge)
    assert numbers(swapped) == pytest.approx((-effect, -high, -low, pvalue), rel=1e-12, abs=1e-12)


def test_a_judge_that_equals_people_gives_the_answer_of_all_items() -> None:
    """Estimate and standard error are those of the judge on all items: nothing is left to correct."""
    sample = drawn(noise=0.0)
    whole = sample.judge
    assert float(sample.effect) == pytest.approx(whole.mean(), abs=1e-12)
    assert float(sample.estimate.error) == pytest.approx(whole.std(ddof=1) / np.sqrt(len(whole)), rel=1e-9, abs=1e-12)


def test_a_judge_that_is_noise_costs_about_one_label() -> None:
    """The variance is wider than that of labels alone by about 1/(n − 3)."""
    labels, sample = 60, drawn(60, 600, batch=(4_000,))
    noise = np.random.default_rng(5).normal(size=sample.judge.shape)
    spread = float(replace(sample, judge=noise).effect.var())
    alone = float(sample.human.mean(axis=-1).var())
    assert spread / alone == pytest.approx(1.0 + 1.0 / (labels - 3), abs=0.02)


def test_a_judge_that_sees_nothing_on_the_labels_leaves_labels_alone() -> None:
    sample = drawn()
    blind = sample.judge.copy()
    blind[sample.place] = 0.5
    found = replace(sample, judge=blind).estimate
    assert float(found.slope) == 0.0
    assert float(found.effect) == pytest.approx(sample.human.mean())
    assert float(found.error) == pytest.approx(
        sample.human.std(ddof=1) / np.sqrt(sample.items - 1), rel=1e-9, abs=1e-12
    )


def test_a_single_label_on_which_the_judge_differs_sets_no_slope() -> None:
    """Its residual would be 0 whatever people say; labels alone decide."""
    sample = drawn()
    judge = np.zeros_like(sample.judge)
    judge[[3, 100, 200]] = 1.0
    found = replace(sample, judge=judge).estimate
    assert float(found.slope) == 0.0
    assert np.isfinite(found.error)


def test_items_in_any_order_and_a_batch_give_the_same_numbers() -> None:
    many = drawn(batch=(3,), seed=4)
    one = Judged(many.human[1], many.judge[1], many.place)
    order = np.random.default_rng(0).permutation(len(one.judge))
    place = np.flatnonzero(order < one.items)
    shuffled = Judged(one.human[order[place]], one.judge[order], place)
    assert numbers(shuffled) == pytest.approx(numbers(one), rel=1e-12, abs=1e-12)
    assert float(many.effect[1]) == pytest.approx(float(one.effect), rel=1e-12, abs=1e-12)


def test_where_every_item_is_labelled_the_estimate_is_their_mean() -> None:
    sample = drawn(labels=300)
    assert float(sample.effect) == pytest.approx(sample.human.mean(), abs=1e-12)


def test_moved_to_a_margin_the_test_is_the_inverse_of_the_interval() -> None:
    """Also with two labels added, whose number does not depend on where the null value is."""
    few = drawn()
    few = replace(few, human=np.where(np.arange(few.items) < 4, np.sign(few.human), 0.0), step=1.0)
    for sample in (drawn(), few):
        _, high = INTERVAL.interval(sample, 0.9, stream(0))
        moved = TEST.replace(alternative="less").against(sample, float(high), stream(0))
        assert float(moved.pvalue) == pytest.approx(0.05, rel=1e-9, abs=1e-12)


def test_summary_of_scores_of_both_systems() -> None:
    """Runs are averaged, and right or wrong is known by people's scores."""
    rng = np.random.default_rng(2)
    human, judge = (rng.integers(0, 2, (2, n, runs, 1)).astype(float) for n, runs in ((30, 1), (50, 3)))
    pair = JudgedPair(Pair(*human), Pair(*judge), np.arange(30))
    sample = Judged.of(pair, MEAN)
    assert sample.step == 1.0
    assert sample.judge == pytest.approx((judge[1] - judge[0]).mean(axis=1)[:, 0])
    t = stats.t.ppf(0.975, 28)
    low, high = INTERVAL.interval(sample, 0.95, stream(0))
    assert float(high - low) == pytest.approx(2.0 * t * float(sample.estimate.error))
