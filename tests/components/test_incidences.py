"""Differences with gaps of every kind: the best of several starts, many at once as one by one, and cases at the edge."""

import itertools

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.absorption import Absorbed, Incidence
from tellapart.numerics.mixed_models.balanced import fit_balanced
from tellapart.numerics.mixed_models.fit_samples import fit_differences
from tellapart.numerics.mixed_models.inference import highest
from tellapart.numerics.mixed_models.model_fit import Degrees, Method
from tellapart.numerics.mixed_models.unbalanced import _height, _unit_values, fit_unbalanced

LAWS: tuple[Degrees, ...] = ("kenward_roger", "satterthwaite", "cochran", "normal")


def evaluations(seed: int, shape: tuple[int, int, int], filled: float) -> FloatArray:
    rng = np.random.default_rng(seed)
    batch, raters, items = shape
    spreads = rng.choice([0.0, 0.3, 1.0, 3.0], size=(2, batch, 1, 1))
    values = spreads[0] * rng.normal(size=(batch, raters, 1)) + spreads[1] * rng.normal(size=(batch, 1, items))
    values = values + rng.normal(size=shape)
    values = np.where(rng.random((batch, 1, 1)) < 0.3, np.rint(values), values)
    return np.where(rng.random(shape) < filled, values, np.nan)


@pytest.mark.parametrize("method", ["reml", "ml"])
@pytest.mark.parametrize(
    ("shape", "filled"),
    [
        *itertools.product([(12, 3, 30), (12, 6, 14), (12, 10, 25)], [0.25, 0.5, 0.8]),
        # As sparse, with so many raters and items that one start is taken to be enough.
        ((8, 40, 110), 0.05),
    ],
)
def test_two_hundred_incidences_reach_the_best_of_several_starts(
    shape: tuple[int, int, int], filled: float, method: Method
) -> None:
    """No start of sixteen leads to a higher likelihood, unless that has no end."""
    values = evaluations(int(filled * 100) + shape[1], shape, filled)
    fitted = fit_unbalanced(values, method)
    unit, (_, scale) = _unit_values(values, ~np.isnan(values))
    data = Incidence.of(unit, ~np.isnan(values))
    freedom = data.total - (method == "reml")
    found = fitted.loglik + freedom * np.log(scale)
    for start in [(a, b) for a in (0.0, 0.03, 1.0, 30.0) for b in (0.0, 0.03, 1.0, 30.0)]:
        reached = highest(
            lambda at, rows: _height(Absorbed(data.rows(rows), at), method),
            np.tile(start, (shape[0], 1)),
            ~fitted.dropped[:, :2],
        )[1]
        assert (fitted.singular[:, 2] | (reached <= found + 1e-8)).all(), start


def test_many_at_once_as_one_by_one() -> None:
    """A batch of any shape is its evaluations."""
    values = evaluations(5, (6, 5, 12), 0.7).reshape(2, 3, 5, 12)
    together = fit_differences(values)
    for place in np.ndindex(2, 3):
        alone = fit_differences(values[place])
        assert float(together.loglik[place]) == pytest.approx(float(alone.loglik), abs=1e-10)
        assert float(together.df_kenward_roger[place]) == pytest.approx(
            float(alone.df_kenward_roger), rel=1e-6, abs=0.0
        )


def test_the_closed_form_is_the_likelihood_s() -> None:
    """Without gaps, mean squares and ascent agree, truncated terms included."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(60, 4, 9)) + rng.choice([0.0, 0.5], size=(60, 1, 1)) * rng.normal(size=(60, 4, 1))
    closed, climbed = fit_balanced(values), fit_unbalanced(values, "reml")
    assert closed.singular[:, 0].any()
    assert closed.singular[:, 1].any()
    assert (closed.singular[:, 0] & closed.singular[:, 1]).any()
    assert (closed.singular == climbed.singular).all()
    for name in (
        "effect",
        "se",
        "loglik",
        "df_kenward_roger",
        "df_satterthwaite",
        "shares",
        "variances",
        "information",
    ):
        assert getattr(climbed, name) == pytest.approx(getattr(closed, name), rel=1e-5, abs=1e-8), name


def test_swapping_raters_and_items() -> None:
    """The factor that is absorbed makes no difference."""
    values = evaluations(8, (4, 6, 15), 0.6)
    fitted, other = fit_unbalanced(values, "reml"), fit_unbalanced(values.transpose(0, 2, 1), "reml")
    assert other.variances[:, [1, 0, 2]] == pytest.approx(fitted.variances, rel=1e-9, abs=0.0)
    assert (other.raters == fitted.items).all()


def test_turned_round() -> None:
    """B − A in place of A − B has the other sign and the same p."""
    values = evaluations(9, (3, 6, 15), 0.6)
    fitted, turned = fit_differences(values), fit_differences(-values)
    for law in LAWS:
        below, above = fitted.tails(law)
        assert turned.tails(law)[0] == pytest.approx(above, rel=1e-8, abs=0.0)
        assert turned.tails(law)[1] == pytest.approx(below, rel=1e-8, abs=0.0)
    assert turned.effect == pytest.approx(-fitted.effect)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_cochran_s_p_is_where_the_interval_ends(level: float) -> None:
    """At an interval's end the p-value is one less its level."""
    fitted = fit_differences(evaluations(11, (1, 4, 12), 0.8)[0])
    ratio = float(fitted.effect / fitted.se)
    share = float(fitted.rater_share + fitted.rest_share)
    assert float(fitted.critical_value(level, "cochran")) == pytest.approx(_weighted(share, level), rel=1e-9, abs=0.0)
    p = 2.0 * float(np.minimum(*fitted.tails("cochran")))
    assert float(fitted.critical_value(1.0 - p, "cochran")) == pytest.approx(abs(ratio), rel=1e-8, abs=0.0)


def _weighted(share: float, level: float) -> float:
    stats = pytest.importorskip("scipy.stats")
    upper = (1.0 + level) / 2.0
    return float(share * stats.t.ppf(upper, 3) + (1.0 - share) * stats.t.ppf(upper, 11))


NAN = np.nan


@pytest.mark.parametrize(
    ("values", "singular", "dropped"),
    [
        (np.zeros((3, 4)), [True, True, True], [False] * 3),
        (np.array([[0.1, 0.1, NAN], [0.1, 0.1, 0.1]]), [True, True, True], [False] * 3),
        (np.add.outer(np.arange(3.0), np.arange(4.0) ** 2), [False, False, True], [False] * 3),
        (
            np.array([[0.0, 0, 0, NAN, 0], [1, 1, 1, 1, 1], [3, NAN, 3, 3, 3]]),
            [False, True, True],
            [False] * 3,
        ),
        (np.array([[1.0, NAN], [NAN, 3.0]]), [False] * 3, [True, True, False]),
        (np.array([[1.0, 2.0, 4.0, 7.0]]), [False] * 3, [True, True, False]),
        (np.array([[1.0, 2.0, NAN, NAN], [NAN, NAN, 5.0, 3.0]]), [False] * 3, [False, True, False]),
    ],
    ids=[
        "zeros",
        "constants",
        "no residual",
        "constant raters",
        "diagonal",
        "one rater",
        "one rater an item",
    ],
)
def test_at_the_edge(values: FloatArray, singular: list[bool], dropped: list[bool]) -> None:
    """What is 0 is named, what cannot be told apart too, and nothing is invented."""
    fitted = fit_differences(values)
    assert fitted.singular.tolist() == singular
    assert fitted.dropped.tolist() == dropped
    assert float(fitted.shares.sum()) == pytest.approx(1.0, abs=1e-6)
    assert not np.isnan(fitted.se)


def test_constant_raters_with_gaps_are_a_t_test_of_raters() -> None:
    """Each rater says one thing on every item: raters are the sample."""
    stats = pytest.importorskip("scipy.stats")
    values = np.array([[0.0, 0, 0, NAN, 0], [1, 1, 1, 1, 1], [3, NAN, 3, 3, 3]])
    p = 2.0 * float(np.minimum(*fit_differences(values).tails("kenward_roger")))
    assert p == pytest.approx(stats.ttest_1samp([0.0, 1.0, 3.0], 0.0).pvalue, rel=1e-5, abs=0.0)


def test_one_rater_per_item_is_a_t_test_of_raters() -> None:
    """Equal loads without spread of items beside the rest: t over the raters' means."""
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    values = np.full((5, 40), NAN)
    for rater in range(5):
        values[rater, rater * 8 : rater * 8 + 8] = rng.normal(size=8) + 2.0 * rng.normal()
    p = 2.0 * float(np.minimum(*fit_differences(values).tails("kenward_roger")))
    assert p == pytest.approx(stats.ttest_1samp(np.nanmean(values, axis=1), 0.0).pvalue, rel=1e-6, abs=0.0)
