"""Ranks among bootstrap resamples: the one that bounds a tail, and counts at or beyond a null value."""

from typing import Literal

import numpy as np

from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray
from tellapart.foundation.errors import SpellingError, Unsuitable
from tellapart.numerics.resampling.draws import Replicates

# Below how many items, and with how many resamples, no bootstrap is made.

Kind = Literal["percentile", "bca", "studentised"]

FEWEST_ITEMS = 50
"""Below this many items an interval of percentiles, moved or not, is short of its level by more than a point."""

FEWEST_UNITS = 6
"""With fewer items or clusters a studentised bootstrap has p = 1 and no interval."""

AUTOMATIC, AT_FIRST, NEAR_ALPHA = 0, 1_999, 9_999
"""Resamples where none are named, and those of a single evaluation whose p-value may be near alpha."""

MOST_DRAWN = 20_000_000
"""Units that are drawn for the second look: a tenth of a second. Beyond 2,000 units there are fewer resamples, so that an answer does not take longer the more is known."""

NEAR = 0.005, 0.2
"""The p-values that may be near alpha: it is usually 0.05, sometimes 0.01 or 0.1."""

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 1_000_000
"""Fewer cannot show a tail of 1 %; more take gigabytes for digits that the items do not have."""


RESAMPLES_HELP = (
    f"0 means {AT_FIRST:,}, and up to {NEAR_ALPHA:,} where the p-value lies between {NEAR[0]:g} and {NEAR[1]:g}"
)


def bootstrap_label(kind: Kind) -> str:
    """The name of a bootstrap of this kind."""
    return "BCa bootstrap" if kind == "bca" else f"{kind} bootstrap"


def refuse_few_items(kind: Kind, items: int) -> None:
    if kind != "studentised" and items < FEWEST_ITEMS:
        raise Unsuitable(
            f"a {bootstrap_label(kind)} of {items} items is too short (at 20 items percentiles hold the truth 93 % of the time instead of "
            f"95 %); it needs {FEWEST_ITEMS} items. Use bootstrap(kind=studentised), which takes fewer"
        )


def check_resamples(resamples: int) -> None:
    if resamples != AUTOMATIC and not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise SpellingError(
            f"bootstrap: resamples={resamples} should be at least {FEWEST_RESAMPLES} and at most {MOST_RESAMPLES}, usually 9999"
        )


Two = tuple[FloatArray, FloatArray]

SLACK = 1e-9
"""Slack of a rank: 0.025 of 10,000 is 250, and must not become 249 because floats miss it by their last digit."""


def bounding_rank(tail: float, resamples: int) -> int:
    """Which resample, counted from the end, bounds a tail of this size; 0 when there are too few to reach it."""
    return int(np.floor((resamples + 1) * tail + SLACK))


def attained_rank(tail: float, found: Replicates) -> int:
    """The ranks, refused where there are too few resamples."""
    resamples = found.effects.shape[-1]
    rank = bounding_rank(tail, resamples)
    if rank < 1:
        # One over a usual level is a whole number but for rounding, which must not ask for one resample more.
        raise Unsuitable(
            f"{resamples} resamples cannot reach a tail of {tail:g}; write resamples={int(np.ceil(1.0 / tail - 1e-6)) - 1} or more"
        )
    return rank


def is_tied(gap: FloatArray, found: Replicates) -> BoolArray:
    """Whether gaps are zero up to the rounding of the effects they are between."""
    largest = np.maximum(found.effects.max(axis=-1), -found.effects.min(axis=-1))
    return np.asarray(np.abs(gap) <= STATISTIC_NOISE * largest.reshape(largest.shape + (1,) * (gap.ndim - 1)))


def counts_beyond(found: Replicates, null: float) -> Two:
    """How many resampled effects are at or above `null`, and how many at or below it."""
    gap = found.effects - null
    tied = is_tied(gap, found)
    above, below = ((side | tied).sum(axis=-1).astype(np.float64) for side in (gap > 0.0, gap < 0.0))
    return above, below
