"""What a small pilot leaves open: how much larger the spread may be, and how uncertain the correlation is."""

import math

from scipy import special

from tellapart.errors import UsageError


def variance_inflation(items: int, assurance: float) -> float:
    """The factor on n that makes the planned power hold with probability `assurance`, the spread being estimated.

    The upper limit of level `assurance` on the variance over its estimate, (m − 1) / χ²: exact for normal differences of
    a pilot of m items. Browne (1995).
    """
    _check(items, assurance, least=2)
    return float((items - 1) / special.chdtri(items - 1, assurance))


def sd_upper_limit(sd: float, items: int, assurance: float) -> float:
    """The standard deviation that the true one exceeds only with probability 1 − `assurance`."""
    return sd * math.sqrt(variance_inflation(items, assurance))


def correlation_interval(correlation: float, items: int, level: float = 0.95) -> tuple[float, float]:
    """Fisher's interval for a correlation estimated on `items` items; for bivariate normal scores. Fisher (1921)."""
    _check(items, level, least=4)
    if abs(correlation) >= 1.0:
        return correlation, correlation
    centre, reach = math.atanh(correlation), float(special.ndtri(0.5 + level / 2.0)) / math.sqrt(items - 3)
    return math.tanh(centre - reach), math.tanh(centre + reach)


def _check(items: int, level: float, least: int) -> None:
    if items < least:
        raise UsageError(f"a pilot of {items} items says nothing about this; at least {least} are needed")
    if not 0.0 < level < 1.0:
        raise UsageError(f"a level of {level:g} should be between 0 and 1")
