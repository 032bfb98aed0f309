"""What the ratio of an effect and its error is held against: a law for its tails, and its critical value."""

from typing import Literal

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.components.fitted import Fitted
from tellapart.distributions.moments import t_ratio
from tellapart.distributions.roots import increasing_root
from tellapart.distributions.student import t_quantile, t_quantiles, t_tails

VERY_MANY = 1_000
"""Fits from which on quantiles are looked up: those of a quadrature."""

Degrees = Literal["kenward_roger", "cochran", "satterthwaite", "normal"]


def error_of(fitted: Fitted, degrees: Degrees) -> FloatArray:
    """The standard error that goes with the law: Kenward and Roger's own, else the plain one."""
    return fitted.se_adjusted if degrees == "kenward_roger" else fitted.se


def degrees_of(fitted: Fitted, degrees: Degrees) -> FloatArray:
    """Degrees of freedom of Student's t; endless for the normal law, NaN for Cochran's rule, which weighs two laws."""
    named = {
        "kenward_roger": fitted.df_kenward_roger,
        "satterthwaite": fitted.df_satterthwaite,
        "normal": np.full_like(fitted.effect, np.inf),
        "cochran": np.full_like(fitted.effect, np.nan),
    }
    return named[degrees]


def tails(fitted: Fitted, degrees: Degrees) -> tuple[FloatArray, FloatArray]:
    """P(T ≤ t) and P(T ≥ t) of the ratio of the effect and its error, if there were no effect."""
    ratio = t_ratio(fitted.effect, error_of(fitted, degrees))
    if degrees == "cochran":
        return _cochran_tails(ratio, fitted)
    return t_tails(ratio, degrees_of(fitted, degrees))


def critical_value(fitted: Fitted, level: float, degrees: Degrees) -> FloatArray:
    """How many standard errors an interval of this level reaches to each side."""
    upper = (1.0 + level) / 2.0
    if degrees == "cochran":
        raters, items = _cochran_weights(fitted)
        return raters * t_quantile(upper, fitted.raters - 1.0) + items * t_quantile(upper, fitted.items - 1.0)
    df = degrees_of(fitted, degrees)
    return t_quantiles(upper, df) if df.size >= VERY_MANY else t_quantile(upper, df)


def _cochran_weights(fitted: Fitted) -> tuple[FloatArray, FloatArray]:
    """How much the critical values of t over raters and over items count: their shares, the rest with the fewer of the two."""
    fewer_raters = fitted.raters <= fitted.items
    raters = fitted.rater_share + np.where(fewer_raters, fitted.rest_share, 0.0)
    return raters, 1.0 - raters


def _cochran_tails(ratio: FloatArray, fitted: Fitted) -> tuple[FloatArray, FloatArray]:
    """Tails at which the critical value is the ratio itself. Cochran & Cox (1950)."""
    raters, items = _cochran_weights(fitted)
    few, many = np.minimum(fitted.raters, fitted.items) - 1.0, np.maximum(fitted.raters, fitted.items) - 1.0
    of_few = np.where(fitted.raters <= fitted.items, raters, items)
    size = np.abs(ratio)

    def excess(quantile: FloatArray) -> FloatArray:
        tail = t_tails(quantile, few)[1]
        return np.asarray(of_few * quantile - (1.0 - of_few) * t_quantile(tail, many) - size)

    # Of equal tails the law with fewer degrees of freedom has the larger quantile, so that its own is at least the ratio.
    known = np.where(np.isfinite(size), size, 0.0)
    quantile = increasing_root(lambda q: np.where(np.isfinite(size), excess(q), q), known, 2.0 * known + 1.0)
    below, above = t_tails(np.copysign(quantile, ratio), few)
    return np.where(np.isnan(size), np.nan, below), np.where(np.isnan(size), np.nan, above)
