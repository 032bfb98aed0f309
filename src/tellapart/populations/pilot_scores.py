"""What the scores of a pilot must be, and what tells one pilot from another. It knows no effect and draws nothing."""

import math
from dataclasses import replace

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import floats
from tellapart.foundation.errors import DataError, TooFew, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.seeds import digest
from tellapart.metrics.metric import Metric


def checked(pair: Pair, metric: Metric) -> Pair:
    a, b = floats(pair.a), floats(pair.b)
    if a.ndim != 3 or len(a) != len(b) or a.shape[-1] != b.shape[-1]:
        raise DataError("a pilot needs the scores of two systems on the same items")
    if not metric.takes(a.shape[-1]):
        raise DataError(
            f"a pilot for {metric} needs {', '.join(metric.parts())} of every item, and these scores are of "
            f"{a.shape[-1]} parts; name the metric they are made for"
        )
    if len(a) < 2:
        raise TooFew(f"a pilot of {amount(len(a), 'item')} has no spread to plan with; at least 2 are needed")
    if any(np.isnan(x).all(axis=1).any() or np.isinf(x).any() for x in (a, b)):
        raise DataError("a pilot's scores must be finite, with at least one run of each system on every item")
    codes = (
        None if pair.clusters is None else np.unique(pair.clusters, return_inverse=True)[1].astype(np.int64)
    )
    return replace(pair, a=a, b=b, clusters=codes)


def digest_of(pair: Pair, metric: Metric) -> str:
    arrays = [x for x in (pair.a, pair.b, pair.clusters) if x is not None]
    scores = b"|".join(str(x.shape).encode() + x.tobytes() for x in arrays)
    return digest([scores] if metric.linear else [scores, f"|{metric}".encode()])


# What a small pilot leaves open: how much larger the spread may be, and how uncertain the correlation is.


def variance_inflation(units: int, level: float, kurtosis: float = 0.0) -> float:
    """The upper limit of this level on a variance, over its estimate from `units` independent pieces.

    That factor on n makes the planned power hold with probability `level`. (m − 1) / χ², exact for normal differences;
    heavy tails (an excess kurtosis above 0) leave fewer degrees of freedom, and very few of them no limit. Browne (1995); O'Neill (2014).
    """
    _check(units, level, least=2)
    heavy = max(_unbiased(kurtosis, units), 0.0) / 2.0 * (units - 1) / units
    df = (units - 1) / (1.0 + heavy)
    quantile = float(special.chdtri(df, level))
    return df / quantile if quantile > 0.0 else math.inf


def _unbiased(kurtosis: float, units: int) -> float:
    """The excess kurtosis of a sample corrected for its size: small samples hide their tails. Joanes & Gill (1998)."""
    if units < 4 or kurtosis == 0.0:
        return kurtosis
    return (units - 1) / ((units - 2) * (units - 3)) * ((units + 1) * kurtosis + 6.0)


def correlation_interval(correlation: float, items: int, level: float = 0.95) -> tuple[float, float]:
    """Fisher's interval for a correlation estimated on `items` items; for bivariate normal scores. Fisher (1921)."""
    _check(items, level, least=4)
    if abs(correlation) >= 1.0:
        return correlation, correlation
    centre = math.atanh(correlation)
    half_width = float(special.ndtri(0.5 + level / 2.0)) / math.sqrt(items - 3)
    return math.tanh(centre - half_width), math.tanh(centre + half_width)


def _check(items: int, level: float, least: int) -> None:
    if items < least:
        raise UsageError(f"a pilot of {items} items says nothing about this; at least {least} are needed")
    if not 0.0 < level < 1.0:
        raise UsageError(f"a level of {level:g} should be between 0 and 1")
