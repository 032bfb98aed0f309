"""The model of raters and items, fitted to whatever a sample holds: pairs of ratings, votes, or single ratings."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.components.differences import fit_differences
from tellapart.components.fitted import Fitted, Method
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
        return fit_differences(sample.values, method)
    assert isinstance(sample, Rated), "ratings are in pairs or single"
    batch = sample.values.shape[:-1]
    rows = sample.values.reshape(-1, sample.values.shape[-1])
    each = [_of_one(sample, row, method) for row in rows]
    found = each[0] if not batch else _stacked(each).reshaped(batch)
    # Levels that each saw one system only leave a degree of freedom less: each system's own mean takes one.
    lone = [_one_system_each(codes, sample.of_b) for codes in (sample.rater, sample.item)]
    return replace(found, raters=found.raters - lone[0], items=found.items - lone[1])


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
