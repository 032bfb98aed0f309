"""What more items would buy: how many it takes to tell two systems apart at the critical value of the whole family."""

import math

from scipy import special

MOST_ITEMS = 1e15
"""Beyond this the answer is no number of items: nobody has them, and doubles begin to skip whole numbers."""


def separable_gap(spread: float, items: int, critical: float, power: float) -> float | None:
    """The smallest true gap that so many items separate with this power.

    (c + z_power)·s/√n, where c is the max-T critical value of the family and s the standard deviation of the pair's
    differences (with clusters, √n times their standard error): normal approximation, single step, so a little cautious.
    """
    gap = (critical + float(special.ndtri(power))) * spread / math.sqrt(items)
    return gap if math.isfinite(gap) and gap > 0.0 else None


def items_to_separate(spread: float, gap: float, critical: float, power: float) -> int | None:
    """Items at which a true gap of this size is separated with this power: ((c + z_power)·s/gap)², rounded up.

    None where they are beyond what anybody could count.
    """
    ratio = (critical + float(special.ndtri(power))) * spread / gap
    return max(2, math.ceil(ratio * ratio)) if ratio * ratio <= MOST_ITEMS else None
