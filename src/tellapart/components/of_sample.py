"""The model of raters and items, fitted to whatever a sample holds: pairs of ratings, votes, or single ratings."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.components.differences import fit_differences
from tellapart.components.fitted import Fitted, Method
from tellapart.components.ordered import fit_ordered
from tellapart.components.single import LongRatings, fit_ratings
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.crossed import Crossed
from tellapart.summaries.rated import Rated


def fit_sample(sample: ByRaters, method: Method = "reml") -> Fitted:
    """The fit of a sample, computed once for each method."""
    if method not in sample.fits:
        sample.fits[method] = _fit(sample, method)
    found: Fitted = sample.fits[method]
    return found


def _fit(sample: ByRaters, method: Method) -> Fitted:
    if isinstance(sample, Crossed):
        return fit_differences(sample.values, method) if sample.order is None else _of_votes(sample, method)
    assert isinstance(sample, Rated), "ratings are in pairs or single"
    found = _each(partial(_of_one, sample, method=method), sample.values, 1)
    # Levels that each saw one system only leave a degree of freedom less: each system's own mean takes one.
    lone = [_one_system_each(codes, sample.of_b) for codes in (sample.rater, sample.item)]
    return replace(found, raters=found.raters - lone[0], items=found.items - lone[1])


def _of_votes(sample: Crossed, method: Method) -> Fitted:
    order = sample.order
    assert order is not None, "votes showed both orders"
    return _each(lambda votes: fit_ordered(votes, order, method), sample.values, 2)


def _each(fit: Callable[[FloatArray], Fitted], values: FloatArray, axes: int) -> Fitted:
    """The fits of a batch of evaluations, of so many axes each, one after the other."""
    batch, shape = values.shape[:-axes], values.shape[-axes:]
    if not batch:
        return fit(values)
    return _stacked([fit(one) for one in values.reshape(-1, *shape)]).reshaped(batch)


def _of_one(sample: Rated, values: FloatArray, method: Method) -> Fitted:
    """One evaluation, seen from the system with the higher average: whichever is called B, the same likelihood is climbed from the same side."""
    below = bool(values[sample.of_b].mean() < values[~sample.of_b].mean())
    system = (sample.of_b ^ below).astype(np.int64)
    found = fit_ratings(LongRatings(system, sample.rater, sample.item, values), method)
    return replace(found, effect=-found.effect) if below else found


def _one_system_each(codes: IntArray, of_b: BoolArray) -> bool:
    """Whether no rater, or no item, was met with both systems."""
    return not np.isin(codes[of_b], codes[~of_b]).any()


def _stacked(each: list[Fitted]) -> Fitted:
    """The fits of a batch as one."""
    arrays: dict[str, Any] = {
        field.name: np.stack([getattr(one, field.name) for one in each])
        for field in fields(Fitted)
        if isinstance(getattr(each[0], field.name), np.ndarray | np.floating)
    }
    return replace(each[0], **arrays)
