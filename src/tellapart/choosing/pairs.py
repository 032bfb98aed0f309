"""The default test and interval of two systems: deterministic, and each choice says why."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tellapart.answers.parts import Note
from tellapart.choosing.paired_sample import VISIBLY_SKEWED, ScoreProfile
from tellapart.methods.significance import TESTS, Procedure
from tellapart.numerics.moments import MOST_LISTED
from tellapart.numerics.resampling.bootstrap_ranks import FEWEST_UNITS

if TYPE_CHECKING:
    from tellapart.methods.intervals import Interval

FEW_CLUSTERS = 6
"""Of fewer nothing shows how their effects vary: their signs must agree, and those of five cannot reach 0.05."""
STUDENTISED = "bootstrap(kind=studentised)"
CLUSTER_T = "cluster_t(variance=cr2)"


@dataclass(frozen=True)
class Choice:
    """A test, the spelling of an interval or the interval, and why these."""

    test: Procedure
    bounds: "Interval | str"
    reasons: tuple[Note, ...]

    @property
    def interval(self) -> "Interval":
        from tellapart.methods.intervals import Interval  # noqa: PLC0415  (a plan needs the test alone)

        return Interval.parse(self.bounds)


def choose(profile: ScoreProfile) -> Choice:
    """The default test and interval for scores of this profile."""
    if profile.clusters is not None:
        choice = _clustered(profile)
    elif profile.binary:
        choice = _choice("mcnemar(variant=mid_p)", "tango", Note("right_or_wrong"))
    else:
        choice = _independent(profile)
    if profile.metric == "mean":
        return choice
    recomputed = choice.test.needs.holds_parts
    reason = Note("metric_is_no_mean", {"metric": profile.metric, "recomputed": recomputed})
    return replace(choice, reasons=(reason, *choice.reasons))


def _independent(profile: ScoreProfile) -> Choice:
    if profile.constant:
        return _choice("permutation", "hodges_lehmann", Note("no_spread", {"unit": "item"}))
    if profile.skewed:
        return _choice(*_both("paired_t", "student_t", STUDENTISED), *_skewed(profile, "item"))
    code = "few_items" if profile.items < FEWEST_UNITS else "items_not_skewed"
    return _choice("paired_t", "student_t", Note(code, {"items": profile.items}))


def _clustered(profile: ScoreProfile) -> Choice:
    clusters = profile.units
    if profile.constant:
        flipped = "cluster_sign_flip" if clusters <= MOST_LISTED else CLUSTER_T
        return _choice("cluster_sign_flip", flipped, Note("no_spread", {"unit": "cluster"}))
    if clusters < FEW_CLUSTERS:
        few = Note("few_clusters", {"clusters": clusters, "below": FEW_CLUSTERS})
        return _choice(*_both(CLUSTER_T, CLUSTER_T, "cluster_sign_flip"), few)
    many = Note("many_clusters", {"clusters": clusters, "df": profile.df})
    if profile.skewed:
        return _choice(*_both(CLUSTER_T, CLUSTER_T, STUDENTISED), many, *_skewed(profile, "cluster"))
    return _choice(CLUSTER_T, CLUSTER_T, many)


def _skewed(profile: ScoreProfile, unit: str) -> tuple[Note, ...]:
    """Why the bootstrap must agree, or that of so few units nothing can be claimed."""
    skewed = Note("visibly_skewed", {"unit": unit, "skewness": profile.skewness, "bound": VISIBLY_SKEWED})
    if profile.units >= FEWEST_UNITS:
        return (skewed,)
    few = {"units": profile.units, "unit": unit, "skewness": profile.skewness, "fewest": FEWEST_UNITS}
    return (Note("too_few_to_resample", few),)


def _both(test: str, interval: str, other: str) -> tuple[str, str]:
    """The spellings of a test and an interval that hold what both of two ways show."""
    return f"both(first={test}, second={other})", f"both(first={interval}, second={other})"


def _choice(test: str, interval: str, *reasons: Note) -> Choice:
    return Choice(_parsed(test), interval, reasons)


@lru_cache(maxsize=64)
def _parsed(test: str) -> Procedure:
    """A plan chooses thousands of times between a few."""
    return TESTS.parse(test)


# The default test of paired ratings, and of votes that share raters or items.

FEW_LEVELS = 6
"""Raters, and items, from which on Kenward and Roger's correction keeps its level (worst size .056; .060 with five); Cochran's does with fewer."""


def suited_to_raters(raters: int, items: int, *, one_rater_per_item: bool = False) -> str:
    """The spelling of the test for so many raters and items."""
    if one_rater_per_item:
        return "rater_t"
    df = "kenward_roger" if min(raters, items) >= FEW_LEVELS else "cochran"
    return f"mixed_model(df={df})"
