"""Below how many items, and with how many resamples, no bootstrap is made."""

from typing import Literal

from tellapart.errors import SpellingError, Unsuitable

Kind = Literal["percentile", "bca", "studentised"]

FEWEST_ITEMS = 50
"""Below this many items an interval of percentiles, moved or not, is short of its level by more than a point."""

FEWEST_UNITS = 6
"""Of fewer items, or clusters, resamples bound nothing: a studentised bootstrap of them has p = 1 and no interval."""

AUTOMATIC, AT_FIRST, NEAR_ALPHA = 0, 1_999, 9_999
"""No number of resamples named; then so many are drawn, and so many of one evaluation whose p-value may be near alpha."""

MOST_DRAWN = 20_000_000
"""Units that are drawn for the second look: a tenth of a second. Beyond 2,000 units there are fewer resamples, so that an answer does not take longer the more is known."""

NEAR = 0.005, 0.2
"""The p-values that may be near alpha: it is usually 0.05, sometimes 0.01 or 0.1."""

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 1_000_000
"""Fewer cannot show a tail of 1 %; more take gigabytes for digits that the items do not have."""


HOW_MANY = f"0 means {AT_FIRST:,}, and up to {NEAR_ALPHA:,} where the p-value lies between {NEAR[0]:g} and {NEAR[1]:g}"


def label_of(kind: Kind) -> str:
    """What a bootstrap of this kind is called."""
    return "BCa bootstrap" if kind == "bca" else f"{kind} bootstrap"


def refuse_few_items(kind: Kind, items: int) -> None:
    if kind != "studentised" and items < FEWEST_ITEMS:
        raise Unsuitable(
            f"a {label_of(kind)} of {items} items is too short (at 20 items percentiles hold the truth 93 % of the time instead of "
            f"95 %); it needs {FEWEST_ITEMS} items. Use bootstrap(kind=studentised), which takes fewer"
        )


def check_resamples(resamples: int) -> None:
    if resamples != AUTOMATIC and not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise SpellingError(
            f"bootstrap: resamples={resamples} should be at least {FEWEST_RESAMPLES} and at most {MOST_RESAMPLES}, usually 9999"
        )
