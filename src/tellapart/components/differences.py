"""Paired differences of crossed raters and items: difference = effect + rater + item + residual."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.components.balanced import fit_balanced
from tellapart.components.fitted import Fitted, Method
from tellapart.components.gapped import fit_gapped


def fit_differences(differences: FloatArray, method: Method = "reml") -> Fitted:
    """Effect and variance components of `(*batch, rater, item)`, NaN where a rater did not rate an item.

    True for independent normal raters, items and residuals; the effect and its error lean on the first two moments alone.
    Equal to `y ~ x + (1 + x || rater) + (1 + x || item) + (1 | rater:item)` of lme4 on the ratings, with x = ±½.
    """
    batch, shape = differences.shape[:-2], differences.shape[-2:]
    if method == "reml" and min(shape) > 1 and not np.isnan(differences).any():
        return fit_balanced(differences).settled()
    return fit_gapped(differences.reshape(-1, *shape), method).settled().reshaped(batch)
