"""How a family is resampled: as its correction says, or as its scores suggest, and what two ways say together."""

from typing import Any

import numpy as np
import pytest

from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.corrections.min_p import MinP
from tellapart.multiplicity.family import Family, all_pairs, family_of
from tellapart.multiplicity.joint_bootstrap import joint_bootstrap
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import JointPvalues, _thinned, joint_pvalues
from tellapart.multiplicity.judging import HOLDS_FROM, UNSEEN, Judging
from tellapart.scores import Scores


def judging(table: Any, clusters: list[int] | None = None, resamples: int = 399) -> Judging:
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=clusters)
    board = Board.of(scores, METRICS.parse("mean"))
    return Judging(board, family_of(board, *all_pairs(len(table))), 0.05, resamples, (7, ()))


def normal(items: int = 60) -> Any:
    return np.random.default_rng(1).normal(size=(4, items)) + np.array([0.0, 0.0, 0.4, 0.8])[:, np.newaxis]


def failing(items: int) -> Any:
    """Equal means: two systems hardly vary, the others gain a little and fail on one item in twelve."""
    rng = np.random.default_rng(2)
    gains = np.where(rng.random((5, items)) < 0.08, -0.92, 0.08) + 0.05 * rng.standard_normal((5, items))
    return np.concatenate([0.05 * rng.standard_normal((5, items)), gains])


def test_each_way_is_the_one_asked_for() -> None:
    """Random signs, items drawn again, and both: the p-values of that way, and of the third the larger of the two."""
    judge = judging(normal())
    flips = joint_pvalues(joint_flips(judge.family, 399, judge._stream(0)))
    drawn = joint_pvalues([joint_bootstrap(judge.board, judge.family, 399, judge._stream(3))])
    found = {way: judge.joint(MaxT(resampling=way)) for way in ("flips", "bootstrap", "cautious")}
    assert found["flips"].step_down.tolist() == flips.step_down.tolist()
    assert found["bootstrap"].step_down.tolist() == drawn.step_down.tolist()
    for name in ("raw", "step_down", "single_step"):
        larger = np.maximum(getattr(flips, name), getattr(drawn, name))
        assert getattr(found["cautious"], name).tolist() == larger.tolist()
    assert flips.step_down.tolist() != drawn.step_down.tolist()


def test_maxima_of_signs_are_told_as_t() -> None:
    """Beside drawn items the critical value is that of t: t² = x²·(n − 1)/(n − x²)."""
    judge = judging(normal())
    x = judge.flips.maxima
    np.testing.assert_allclose(judge._flips_as_t.maxima, np.sqrt(x**2 * 59.0 / (60.0 - x**2)), rtol=1e-12)


@pytest.mark.parametrize(("table", "leans"), [(failing(150), True), (normal(150), False)])
def test_leaning_boards_are_judged_both_ways(table: Any, leans: bool) -> None:
    """Where differences lean random signs claim too much; elsewhere they are enough."""
    judge = judging(table)
    assert judge.leans is leans
    assert str(judge.chosen()) == str(MaxT(resampling="cautious" if leans else "flips"))


def test_two_values_never_lean() -> None:
    """Right or wrong, the same rare failures are symmetric under equal means."""
    assert judging((failing(150) > -0.5).astype(float)).leans is False


def test_clusters_are_judged_by_their_own_laws() -> None:
    """Min-P for several pairs in clusters, max-T for a single one."""
    clusters = np.repeat(np.arange(30), 2).tolist()
    assert judging(normal(), clusters).chosen() == MinP()
    assert judging(normal()[:2], clusters).chosen() == MaxT()


@pytest.mark.parametrize("items", [HOLDS_FROM - 1, HOLDS_FROM])
def test_few_items_that_lean_hide_rare_failures(items: int) -> None:
    """Below a hundred items drawing them again is told to err by 60/n more; from a hundred on nothing is told."""
    judge = judging(failing(items))
    assert judge.leans
    cautious = MaxT(resampling="cautious")
    told = judge.expected_error(cautious, judge.joint(cautious))
    assert told == (pytest.approx(0.05 * (1.0 + UNSEEN / items)) if items < HOLDS_FROM else None)


def by_hand(values: list[float], maxima: list[float]) -> JointPvalues:
    x = np.array(values)
    return JointPvalues(np.ones(2), x, x / 2.0, x / 4.0, np.array(maxima), len(maxima), exhaustive=True)


def test_the_larger_of_two_ways() -> None:
    """Pair by pair the larger p-value, the larger of both maxima, as many as both have; and never all there are."""
    found = by_hand([0.2, 0.8], [1.0, 2.0, 5.0]).larger(by_hand([0.4, 0.6], [1.5, 1.8, 4.0]))
    assert found.raw.tolist() == [0.4, 0.8]
    assert found.step_down.tolist() == [0.2, 0.4]
    assert found.single_step.tolist() == [0.1, 0.2]
    assert found.maxima.tolist() == [1.5, 2.0, 5.0]
    assert (found.resamples, found.exhaustive) == (3, False)


def test_thinned_maxima_keep_their_quantiles() -> None:
    """Of 199 every second is one of 99: the critical value at any level that both can show is the same."""
    maxima = np.arange(1.0, 200.0)
    assert _thinned(maxima, 99).tolist() == np.arange(2.0, 199.0, 2.0).tolist()
    assert _thinned(maxima, 199).tolist() == maxima.tolist()
    for count in (20, 77, 150):
        shares = np.arange(1, count + 1) / (count + 1.0)
        exact = np.ceil(shares * 200.0 - 1e-9)
        assert _thinned(maxima, count).tolist() == exact.tolist()


def test_rounding_is_judged_by_what_was_taken_off_too() -> None:
    """A number taken off both columns of a pair made rounding twice."""
    columns = np.array([[3.0, 4.0], [0.0, 1.0]])
    family = Family(columns, np.array([0]), np.array([1]), np.zeros(1), rounding=10.0)
    assert family.sizes.tolist() == [5.0 + 1.0 + 20.0]
