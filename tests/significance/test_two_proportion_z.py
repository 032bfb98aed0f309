"""The z test of two accuracies on different items, against statsmodels and by maximum likelihood."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.proportion import proportions_ztest

from tellapart.data.summaries import Proportion, SeparateCounts
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS, Outcome

SIDES = {"two-sided": "two-sided", "less": "smaller", "greater": "larger"}
COUNTS = [((31, 60), (38, 55)), ((38, 55), (31, 60)), ((5, 20), (5, 20)), ((0, 12), (7, 15))]


def counts(a: tuple[int, int], b: tuple[int, int]) -> SeparateCounts:
    return SeparateCounts(*(Proportion(np.asarray(right), np.asarray(items)) for right, items in (a, b)))


def found(a: Any, b: Any, alternative: str, null: float = 0.0) -> Outcome:
    test = TESTS.parse(f"two_proportion_z(alternative={alternative})")
    return test.against(counts(a, b), null, stream(0)) if null else test.apply(counts(a, b), stream(0))


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize(("a", "b"), COUNTS)
def test_pooled_as_in_statsmodels(a: Any, b: Any, alternative: str) -> None:
    """Of no difference: the pooled variance."""
    z, pvalue = proportions_ztest([b[0], a[0]], [b[1], a[1]], alternative=SIDES[alternative])
    ours = found(a, b, alternative)
    assert float(ours.pvalue) == pytest.approx(pvalue, rel=1e-10, abs=0.0)
    assert float(ours.statistic) == pytest.approx(z, rel=1e-10, abs=0.0)
    assert float(ours.direction) == np.sign(b[0] / b[1] - a[0] / a[1])
    assert (float(ours.error), ours.method) == (0.0, "normal approximation, pooled variance")


@pytest.mark.parametrize("null", [-0.9, -0.3, -0.05, 0.1, 0.4, 0.8])
@pytest.mark.parametrize(("a", "b"), [*COUNTS, ((1, 2), (90, 100)), ((60, 61), (1, 5)), ((3, 4), (2, 300))])
def test_another_null_by_maximum_likelihood(a: Any, b: Any, null: float) -> None:
    """Of another difference: the variance of the likeliest shares that differ by it (Farrington & Manning).

    They are searched for here: the closed form in statsmodels 0.15 has `count0` for `nobs0` in its linear term.
    """

    def surprise(share: float) -> float:
        shares = zip((a, b), (share, share + null), strict=True)
        return -float(sum(x * np.log(p) + (n - x) * np.log1p(-p) for (x, n), p in shares))

    low, high = max(0.0, -null) + 1e-13, min(1.0, 1.0 - null) - 1e-13
    p = optimize.minimize_scalar(surprise, bounds=(low, high), method="bounded", options={"xatol": 1e-12}).x
    error = np.sqrt(p * (1.0 - p) / a[1] + (p + null) * (1.0 - p - null) / b[1])
    z = (b[0] / b[1] - a[0] / a[1] - null) / error
    ours = found(a, b, "greater", null)
    # What the search leaves of an error is small beside z, and not beside a tail that is far out.
    assert float(ours.statistic) == pytest.approx(z, rel=1e-6, abs=1e-6)
    assert float(ours.pvalue) == pytest.approx(stats.norm.sf(float(ours.statistic)), rel=1e-12, abs=0.0)
    assert ours.method == "normal approximation, variance under the null"


def test_all_right_against_all_wrong() -> None:
    """Without any variance under the null the gap is as far away as can be; without a gap there is no evidence."""
    assert float(found((4, 4), (0, 3), "two-sided", -1.0).pvalue) == 1.0
    assert float(found((4, 4), (0, 3), "less", 2.0).pvalue) == np.nextafter(0.0, 1.0)
    assert float(found((4, 4), (3, 3), "two-sided").pvalue) == 1.0


@pytest.mark.parametrize("null", [1.0, 1.2, 2.0])
def test_shares_that_cannot_be_so_far_apart(null: float) -> None:
    """A difference of 1 or more is beyond any that was seen, however few the items of one system are."""
    for a, b in (((2, 4), (500, 1000)), ((500, 1000), (2, 4))):
        assert float(found(a, b, "less", null).pvalue) == np.nextafter(0.0, 1.0)
        assert float(found(a, b, "greater", -null).pvalue) == np.nextafter(0.0, 1.0)
        assert float(found(a, b, "greater", null).pvalue) == 1.0


def test_a_root_at_the_end_of_the_shares() -> None:
    """Five of five against none of four, if they differed by 0.8: the likeliest shares are 1 and 0.2, and z is −1.

    The cubic touches zero there, and rounding takes a cosine above 1.
    """
    assert float(found((5, 5), (0, 4), "less", -0.7999999999999999).pvalue) == pytest.approx(
        stats.norm.cdf(-1.0), rel=1e-5, abs=0.0
    )


@pytest.mark.parametrize(("a", "b", "null"), [((0, 10), (10, 10), 1.0), ((10, 10), (0, 10), -1.0)])
def test_as_far_apart_as_shares_can_be(a: Any, b: Any, null: float) -> None:
    """All wrong and all right, on equally many items, differ by 1: all three roots of the cubic are one, and no gap is left."""
    assert float(found(a, b, "two-sided", null).pvalue) == 1.0
    assert float(found(a, b, "greater", null).pvalue) == 0.5
