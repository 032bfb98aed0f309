"""Votes of crossed raters and items with the order that systems were shown in: vote = effect ± advantage of the first + rater + item + residual."""

from dataclasses import replace

import numpy as np

from tellapart.arrays import NOISE, BoolArray, FloatArray
from tellapart.components.fitted import DIFFERENCE_TERMS, RATING_TERMS, Fitted, Method
from tellapart.components.grid import RatingGrid
from tellapart.components.single import fit_grid

OF_RATINGS = {"rater_effect": "rater", "item_effect": "item", "residual": "residual"}
"""A vote is fitted as if it were a rating of one system, whose levels are the effects of a difference."""
PLACES = [RATING_TERMS.index(OF_RATINGS[term]) for term in DIFFERENCE_TERMS]


def fit_ordered(votes: FloatArray, order: FloatArray, method: Method = "reml") -> Fitted:
    """Effect with both orders alike, and variance components of `(rater, item)`, NaN where a rater did not vote on an item.

    `order` is 1 where B was shown first and −1 where A was (0 where both were): a fixed effect, half-way between whose ends the effect
    lies. Equal to `vote ~ order + (1 | rater) + (1 | item)` of lme4, with no more degrees of freedom than few votes in one order have. Levels with one vote each are the residual's, and are not fitted.
    """
    met = ~np.isnan(order)
    told_apart = tuple(term for term, axis in (("rater", 1), ("item", 0)) if met.sum(axis=axis).max() > 1)
    votes, order = (_packed(part, met) for part in (votes, order))
    present = (~np.isnan(order)).astype(np.float64)[np.newaxis]
    values, code = (np.nan_to_num(part)[np.newaxis] for part in (votes, order))
    grid = RatingGrid(values, present, np.stack([present, code]), np.zeros(1), contrast=0)
    fitted = _of_differences(fit_grid(grid, method, told_apart), met)
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


def _packed(part: FloatArray, met: BoolArray) -> FloatArray:
    """The same votes on as few raters as fit, where each of them has one: whose they are says nothing. So for items."""
    for axis in (0, 1):
        if met.sum(axis=1 - axis).max() == 1:
            first = np.argsort(~met, axis=axis, kind="stable")
            fewer = slice(int(met.sum(axis=axis).max()))
            places = (fewer, slice(None)) if axis == 0 else (slice(None), fewer)
            part = np.take_along_axis(part, first, axis)[places]
            met = np.take_along_axis(met, first, axis)[places]
    return part


def _of_differences(fitted: Fitted, met: BoolArray) -> Fitted:
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
