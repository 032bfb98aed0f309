"""Evaluations with the same gaps are fitted together as each is on its own."""

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.absorption import Absorbed, Incidence
from tellapart.numerics.mixed_models.unbalanced import fit_unbalanced
from tellapart.populations.rating_designs import layout


def _differences(raters: int, per_item: int, items: int, evaluations: int) -> FloatArray:
    """Dealt out evenly, with the gaps of a design that is the same in all."""
    rng = np.random.default_rng(raters)
    where = layout("crossed", raters, per_item, items)
    values = 0.4 * rng.standard_normal((evaluations, raters, 1)) + rng.standard_normal((evaluations, raters, items))
    table = np.full((evaluations, raters, items), np.nan)
    table[:, where.rater, where.item] = values[:, where.rater, where.item]
    return table


@pytest.mark.parametrize(("raters", "per_item", "items"), [(20, 3, 41), (7, 4, 30), (9, 2, 40)])
@pytest.mark.parametrize("lost", [0, 5], ids=["even", "uneven"])
def test_together_as_alone(raters: int, per_item: int, items: int, lost: int) -> None:
    table = _differences(raters, per_item, items, 6)
    table[:, :2, :lost] = np.nan
    together = fit_unbalanced(table, "reml")
    other = table[:1].copy()
    # One more evaluation with other gaps, and no design is shared.
    place = tuple(np.argwhere(~np.isnan(other[0]))[-1])
    other[(0, *place)] = np.nan
    apart = fit_unbalanced(np.concatenate([table, other]), "reml")
    for name in ("effect", "se", "se_adjusted", "df_kenward_roger", "loglik"):
        assert getattr(together, name) == pytest.approx(getattr(apart, name)[:-1], rel=1e-7, abs=0.0), name


@pytest.mark.parametrize("raters", [6, 30])
@pytest.mark.parametrize("lost", [0, 20], ids=["even", "uneven"])
def test_products_by_large_matrices(raters: int, lost: int) -> None:
    """V itself, inverted as a whole."""
    table = _differences(raters, 3, 60, 2)
    table[:, :2, :lost] = np.nan
    present = ~np.isnan(table)
    values = np.where(present, table, 0.0)
    ratios = np.array([[0.2, 0.7], [1.5, 0.0]])
    at = Absorbed(Incidence.of(values, present), ratios)
    rater, item = np.nonzero(present[0])
    patterns = [np.equal.outer(codes, codes).astype(float) for codes in (rater, item)]
    for row, (of_raters, of_items) in enumerate(ratios):
        whole = np.eye(len(rater)) + of_raters * patterns[0] + of_items * patterns[1]
        inverse = np.linalg.inv(whole)
        assert at.logdet[row] == pytest.approx(np.linalg.slogdet(whole)[1], rel=1e-10, abs=0.0)
        assert at.precision[row] == pytest.approx(inverse.sum(), rel=1e-10, abs=0.0)
        for i, one in enumerate(patterns):
            assert at.traces[row, i] == pytest.approx(np.trace(inverse @ one), rel=1e-10, abs=0.0)
            for j, other in enumerate(patterns):
                pair = np.trace(inverse @ one @ inverse @ other)
                assert at.pairs[row, i, j] == pytest.approx(pair, rel=1e-9, abs=0.0)
