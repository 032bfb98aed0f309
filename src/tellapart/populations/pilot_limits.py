"""What a small pilot leaves open: how much larger the spread may be, and how uncertain the correlation is."""

import math

from scipy import special

from tellapart.errors import UsageError


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
