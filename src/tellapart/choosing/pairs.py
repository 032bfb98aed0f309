"""Choice of the default test and interval for two systems: deterministic, with a reason for each choice."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tellapart.answers.parts import Note
from tellapart.data.paired_sample import PairedSample
from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.methods.intervals import Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.numerics.moments import MOST_LISTED, cluster_sizes, degrees_of_freedom, residual_sums
from tellapart.numerics.resampling.bootstrap_ranks import FEWEST_UNITS

FEW_CLUSTERS = 6
"""Of fewer nothing shows how their effects vary: their signs must agree, and those of five cannot reach 0.05."""
STUDENTISED = "bootstrap(kind=studentised)"
CLUSTER_T = "cluster_t(variance=cr2)"

# The one bound that says where Student's t needs a second opinion.

VISIBLY_SKEWED = 0.9
"""The absolute sample skewness above which the studentised bootstrap must agree with Student's t, for every law and number of units.

What it costs and saves is measured in the guide, "How the test is chosen".
"""


def visibly_skewed(values: FloatArray) -> BoolArray:
    """Whether each sample of `(*batch, unit)` is; units that do not vary are not."""
    return np.asarray(np.abs(sample_skewness(values)) > VISIBLY_SKEWED)


def sample_skewness(values: FloatArray) -> FloatArray:
    """The third moment about the mean over the 3/2 power of the second, `(*batch,)`; 0 where nothing varies."""
    # From the first number: equal ones then deviate by exactly 0, where a rounded mean would leave rounding to be skewed.
    shifted = values - values[..., :1]
    centred = shifted - shifted.mean(axis=-1, keepdims=True)
    # In units of the largest: cubes of very large or very small numbers would leave the range of doubles.
    largest = np.abs(centred).max(axis=-1, keepdims=True, initial=0.0)
    centred = np.divide(centred, largest, out=np.zeros_like(centred), where=largest > 0.0)
    squares = centred * centred
    second, third = squares.mean(axis=-1), (squares * centred).mean(axis=-1)
    return np.asarray(np.divide(third, second**1.5, out=np.zeros_like(third), where=second > 0.0))


# What the choice of a test and an interval depends on, and nothing else.


@dataclass(frozen=True)
class ScoreProfile:
    """The numbers of items and clusters, whether scores are right or wrong, and how skewed the differences of the units are."""

    items: int
    clusters: int | None = None
    binary: bool = False
    skewness: float = 0.0
    constant: bool = False
    """Whether every unit differs by one and the same number other than zero."""
    df: float | None = None
    """Satterthwaite's degrees of freedom of a t test of these clusters."""
    metric: str = "mean"
    seeds: tuple[int, int] | None = None
    """How many seeds A and B were trained with, where a column says so."""

    @classmethod
    def of(cls, sample: PairedSample) -> "ScoreProfile":
        (profile,) = cls.each(sample)
        return profile

    @classmethod
    def each(cls, sample: PairedSample) -> "list[ScoreProfile]":
        """The profile of every evaluation of a batch; of the only one where there is no batch."""
        if sample.pair.seed_runs is not None:
            a, b = (one.shape[-2] // sample.pair.seed_runs for one in (sample.pair.a, sample.pair.b))
            seeded = cls(
                sample.parts.items, metric="mean" if sample.metric.linear else str(sample.metric), seeds=(a, b)
            )
            return [seeded] * math.prod(sample.pair.a.shape[:-3])
        binary, codes = sample.binary_entries, sample.pair.clusters
        counted = binary & (codes is None)
        if counted.all():
            return [cls(sample.parts.items, binary=True)] * binary.size
        differences = sample.differences
        effect, items = differences.effect, differences.items
        clusters, df = None, None
        if codes is not None:
            sizes = cluster_sizes(codes)
            clusters, df = len(sizes), float(degrees_of_freedom(sizes, "cr2"))
        varying = unit_differences(differences)
        # A cluster alone shows nothing of how clusters differ, and is refused by the tests of several.
        constant = (np.ptp(varying, axis=-1) == 0.0) & (effect != 0.0) & (clusters != 1)
        skewness = np.where(counted, 0.0, sample_skewness(varying))
        metric = "mean" if sample.metric.linear else str(sample.metric)
        columns = (np.ravel(column).tolist() for column in (binary, skewness, constant & ~counted))
        return [cls(items, clusters, right, skew, same, df, metric) for right, skew, same in zip(*columns, strict=True)]

    @property
    def units(self) -> int:
        """How many clusters there are, or items where these are independent."""
        return self.items if self.clusters is None else self.clusters

    @property
    def skewed(self) -> bool:
        return abs(self.skewness) > VISIBLY_SKEWED


def unit_differences(differences: Differences) -> FloatArray:
    """The independent numbers, `(*batch, unit)`: differences of items, or what each cluster adds to the deviation from the mean."""
    if differences.clusters is None:
        return differences.values
    mean = differences.values.mean(axis=-1)
    return residual_sums(differences.values, mean, differences.clusters, differences.scale)


@dataclass(frozen=True)
class Choice:
    """A test, an interval or the spelling of one, and why these."""

    test: Procedure
    interval: Interval | str
    reasons: tuple[Note, ...]


def choose(profile: ScoreProfile) -> Choice:
    """The default test and interval for scores of this profile."""
    if profile.seeds is not None:
        return _seeded(*profile.seeds)
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


def _seeded(a: int, b: int) -> Choice:
    """Satterthwaite's degrees of freedom keep the level with as many seeds of both; with unlike numbers Cochran's rule does."""
    method = f"seeds_t(df={'satterthwaite' if a == b else 'cochran'})"
    return _choice(method, method, Note("trained_several_times", {"seeds": [a, b]}))


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
    """The spelling of the test for these numbers of raters and items."""
    if one_rater_per_item:
        return "rater_t"
    df = "kenward_roger" if min(raters, items) >= FEW_LEVELS else "cochran"
    return f"mixed_model(df={df})"
