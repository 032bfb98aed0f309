"""Below how many items, and with how many resamples, no bootstrap is made."""

from typing import Literal

from tellapart.errors import SpellingError, Unsuitable

Kind = Literal["percentile", "bca", "studentised"]

FEWEST_ITEMS = 50
"""Below this many items an interval of percentiles, moved or not, is short of its level by more than a point."""

FEWEST_STUDENTISED = 5
"""Of fewer items so many resamples repeat one item, or miss the spread, that t ratios of them claim what no signs could."""

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 1_000_000
"""Fewer cannot show a tail of 1 %; more take gigabytes for digits that the items do not have."""


def label_of(kind: Kind) -> str:
    """What a bootstrap of this kind is called."""
    return "BCa bootstrap" if kind == "bca" else f"{kind} bootstrap"


def refuse_few_items(kind: Kind, items: int) -> None:
    if kind != "studentised" and items < FEWEST_ITEMS:
        raise Unsuitable(
            f"a {label_of(kind)} of {items} items is too short (at 20 items percentiles hold the truth 93 % of the time instead of "
            f"95 %); it needs {FEWEST_ITEMS} items. Use bootstrap(kind=studentised), which takes fewer"
        )


def refuse_hardly_any(items: int) -> None:
    """An interval of so few is wide, and says so; a p-value would be as small as the resamples are many."""
    if items < FEWEST_STUDENTISED:
        raise Unsuitable(
            f"{items} items are too few to be drawn again; a test by studentised bootstrap needs {FEWEST_STUDENTISED}. Leave the method to "
            "be chosen, or name paired_t or permutation"
        )


def check_resamples(resamples: int) -> None:
    if not FEWEST_RESAMPLES <= resamples <= MOST_RESAMPLES:
        raise SpellingError(
            f"bootstrap: resamples={resamples} should be at least {FEWEST_RESAMPLES} and at most {MOST_RESAMPLES}, usually 9999"
        )
