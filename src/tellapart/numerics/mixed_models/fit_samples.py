"""Mixed-model fit of a sample of paired ratings, votes or single ratings, by the model for its kind."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from tellapart.data.summaries.rater_samples import ByRaters, Crossed, UnpairedRatings
from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray, IntArray
from tellapart.numerics.mixed_models.balanced import fit_balanced
from tellapart.numerics.mixed_models.model_fit import DIFFERENCE_TERMS, RATING_TERMS, Method, MixedModelFit
from tellapart.numerics.mixed_models.rating_grid import RatingGrid
from tellapart.numerics.mixed_models.single_ratings import LongRatings, fit_grid, fit_ratings
from tellapart.numerics.mixed_models.unbalanced import fit_unbalanced

# Paired differences of crossed raters and items: difference = effect + rater + item + residual.


def fit_differences(differences: FloatArray, method: Method = "reml") -> MixedModelFit:
    """Effect and variance components of `(*batch, rater, item)`, NaN where a rater did not rate an item.

    True for independent normal raters, items and residuals; the effect and its error lean on the first two moments alone.
    Equal to `y ~ x + (1 + x || rater) + (1 + x || item) + (1 | rater:item)` of lme4 on the ratings, with x = ±½.
    """
    batch, shape = differences.shape[:-2], differences.shape[-2:]
    if method == "reml" and min(shape) > 1 and not np.isnan(differences).any():
        return fit_balanced(differences).settled()
    return fit_unbalanced(differences.reshape(-1, *shape), method).settled().reshaped(batch)


# Votes of crossed raters and items with the order that systems were shown in: vote = effect ± advantage of
# the first + rater + item + residual.

OF_RATINGS = {"rater_effect": "rater", "item_effect": "item", "residual": "residual"}
"""A vote is fitted as if it were a rating of one system, whose levels are the effects of a difference."""
PLACES = [RATING_TERMS.index(OF_RATINGS[term]) for term in DIFFERENCE_TERMS]


def fit_ordered(votes: FloatArray, order: FloatArray, method: Method = "reml") -> MixedModelFit:
    """Effect with both orders alike, and variance components of `(rater, item)`, NaN where a rater did not vote on an item.

    `order` is 1 where B was shown first and −1 where A was (0 where both were): a fixed effect, half-way between whose ends the effect
    lies. Equal to `vote ~ order + (1 | rater) + (1 | item)` of lme4, with no more degrees of freedom than few votes in one order have. Levels with one vote each are the residual's, and are not fitted.
    """
    met = ~np.isnan(order)
    identifiable_terms = tuple(term for term, axis in (("rater", 1), ("item", 0)) if met.sum(axis=axis).max() > 1)
    votes, order = (_packed_votes(part, met) for part in (votes, order))
    present = (~np.isnan(order)).astype(np.float64)[np.newaxis]
    values, code = (np.nan_to_num(part)[np.newaxis] for part in (votes, order))
    grid = RatingGrid(values, present, np.stack([present, code]), np.zeros(1), contrast=0)
    fitted = _with_difference_terms(fit_grid(grid, method, identifiable_terms), met)
    few = degrees_of_order(order[~np.isnan(order)])
    return replace(
        fitted,
        df_kenward_roger=np.minimum(fitted.df_kenward_roger, few),
        df_satterthwaite=np.minimum(fitted.df_satterthwaite, few),
        raters=np.minimum(fitted.raters, few + 1.0),
        items=np.minimum(fitted.items, few + 1.0),
    )


def degrees_of_order(order: FloatArray) -> float:
    """Degrees of freedom of an effect beside an order, were there no raters and items: 1 at least, where one vote alone says what an order does.

    Of the error by least squares with residuals made as large as errors (CR2). Without votes of both orders those of Welch's t with
    as many votes in each. Residuals of votes are far from normal, which many votes make up for, and few in one order do not. Bell & McCaffrey (2002).
    """
    columns = np.stack([np.ones_like(order), order], axis=1)
    inner = np.linalg.inv(columns.T @ columns)
    weights, leverage = columns @ inner[0], np.einsum("vi,ij,vj->v", columns, inner, columns)
    if leverage.max() > 1.0 - NOISE:
        return 1.0
    squares = weights**2 / (1.0 - leverage)
    common = inner @ (columns.T * squares) @ columns
    spread = (squares**2 * (1.0 - 2.0 * leverage)).sum() + np.trace(common @ common)
    return max(float((weights**2).sum() ** 2 / spread), 1.0)


def _packed_votes(part: FloatArray, met: BoolArray) -> FloatArray:
    """Votes moved to as few raters as possible where each rater has one vote, since rater identities then say nothing; likewise for items."""
    for axis in (0, 1):
        if met.sum(axis=1 - axis).max() == 1:
            first = np.argsort(~met, axis=axis, kind="stable")
            fewer = slice(int(met.sum(axis=axis).max()))
            places = (fewer, slice(None)) if axis == 0 else (slice(None), fewer)
            part = np.take_along_axis(part, first, axis)[places]
            met = np.take_along_axis(met, first, axis)[places]
    return part


def _with_difference_terms(fitted: MixedModelFit, met: BoolArray) -> MixedModelFit:
    """Named as differences are, with as many raters and items as there were."""
    return replace(
        fitted,
        terms=DIFFERENCE_TERMS,
        variances=fitted.variances[PLACES],
        shares=fitted.shares[PLACES],
        singular=fitted.singular[PLACES],
        dropped=fitted.dropped[PLACES],
        information=fitted.information[PLACES][:, PLACES],
        raters=np.asarray(float(met.any(axis=1).sum())),
        items=np.asarray(float(met.any(axis=0).sum())),
        paired=True,
    )


def fit_sample(sample: ByRaters, method: Method = "reml") -> MixedModelFit:
    """The fit of a sample, computed once for each method."""
    if method not in sample.fits:
        sample.fits[method] = _fit_sample(sample, method)
    found: MixedModelFit = sample.fits[method]
    return found


def _fit_sample(sample: ByRaters, method: Method) -> MixedModelFit:
    if isinstance(sample, Crossed):
        return fit_differences(sample.values, method) if sample.order is None else _fit_votes(sample, method)
    assert isinstance(sample, UnpairedRatings), "ratings are in pairs or single"
    found = _each(partial(_fit_one_evaluation, sample, method=method), sample.values, 1)
    # Levels that each saw one system only leave a degree of freedom less: each system's own mean takes one.
    lone = [_one_system_each(codes, sample.of_b) for codes in (sample.rater, sample.item)]
    return replace(found, raters=found.raters - lone[0], items=found.items - lone[1])


def _fit_votes(sample: Crossed, method: Method) -> MixedModelFit:
    order = sample.order
    assert order is not None, "votes showed both orders"
    return _each(lambda votes: fit_ordered(votes, order, method), sample.values, 2)


def _each(fit: Callable[[FloatArray], MixedModelFit], values: FloatArray, axes: int) -> MixedModelFit:
    """The fits of a batch of evaluations, of `axes` axes each, one after the other."""
    batch, shape = values.shape[:-axes], values.shape[-axes:]
    if not batch:
        return fit(values)
    return _batch_of_fits([fit(one) for one in values.reshape(-1, *shape)]).reshaped(batch)


def _fit_one_evaluation(sample: UnpairedRatings, values: FloatArray, method: Method) -> MixedModelFit:
    """One evaluation, seen from the system with the higher average: whichever is called B, the same likelihood is climbed from the same side."""
    below = bool(values[sample.of_b].mean() < values[~sample.of_b].mean())
    system = (sample.of_b ^ below).astype(np.int64)
    found = fit_ratings(LongRatings(system, sample.rater, sample.item, values), method)
    return replace(found, effect=-found.effect) if below else found


def _one_system_each(codes: IntArray, of_b: BoolArray) -> bool:
    """Whether no rater, or no item, was met with both systems."""
    return not np.isin(codes[of_b], codes[~of_b]).any()


def _batch_of_fits(each: list[MixedModelFit]) -> MixedModelFit:
    """The fits of a batch as one."""
    arrays: dict[str, Any] = {
        field.name: np.stack([getattr(one, field.name) for one in each])
        for field in fields(MixedModelFit)
        if isinstance(getattr(each[0], field.name), np.ndarray | np.floating)
    }
    return replace(each[0], **arrays)
