"""Which test and interval suit these scores: deterministic, and every choice says why."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tellapart.arrays import NOISE
from tellapart.distributions.lattice import common_step
from tellapart.scores import Pair
from tellapart.significance import TESTS, Procedure
from tellapart.summaries import Aggregation, Differences, Parts, is_binary
from tellapart.wording import amount, thousands

if TYPE_CHECKING:
    from tellapart.intervals import Interval

FEW_CLUSTERS = 10
FEW_ITEMS = 50
DISCRETE_LEVELS = 50


@dataclass(frozen=True)
class Shape:
    """What the choice depends on, and nothing else."""

    items: int
    clusters: int | None
    binary: bool
    levels: int | None
    """How many sizes the differences have, if they are discrete."""
    metric: str = "mean"

    @classmethod
    def of(cls, pair: Pair, metric: Aggregation) -> "Shape":
        differences = Differences.of(pair, metric)
        clusters = None if pair.clusters is None else int(pair.clusters.max(initial=-1)) + 1
        binary = metric.linear and is_binary(pair)
        return cls(differences.items, clusters, binary, discrete_levels(differences), str(metric))


@dataclass(frozen=True)
class Choice:
    test: Procedure
    bounds: "Interval | str"
    """The interval, or its spelling."""
    reasons: tuple[str, ...]

    @property
    def interval(self) -> "Interval":
        from tellapart.intervals import Interval  # noqa: PLC0415  (a plan needs the test alone)

        return Interval.parse(self.bounds)


def discrete_levels(differences: Differences) -> int | None:
    """How many sizes the differences have if they are few and share a common step; None for continuous ones."""
    sizes = np.unique(np.abs(differences.snapped))
    if len(sizes) > DISCRETE_LEVELS:
        return None
    noise = np.array([NOISE * (differences.scale or sizes[-1])])
    return len(sizes) if common_step(sizes[np.newaxis], noise)[0] > 0.0 or sizes[-1] == 0.0 else None


def choose(shape: Shape) -> Choice:
    """The default test and interval for scores of this shape."""
    choice = _clustered(shape) if shape.clusters is not None else _independent(shape)
    if shape.metric == "mean":
        return choice
    how = (
        "is computed anew after every swap and in every resample"
        if issubclass(choice.test.needs, Parts)
        else "is followed through each item's influence on it"
    )
    return replace(
        choice, reasons=(f"{shape.metric} is no mean of item scores, so it {how}", *choice.reasons)
    )


def _independent(shape: Shape) -> Choice:
    if shape.binary:
        return _choice(
            "mcnemar(variant=mid_p)",
            "tango",
            "scores are right or wrong: McNemar's mid-p test counts the items only one "
            "system got right, and Tango's score interval matches it",
        )
    if shape.levels is not None:
        return _choice(
            "permutation",
            "bootstrap(kind=studentised)",
            f"differences take only {amount(shape.levels, 'size')} on a common step: the exact "
            "permutation test of the mean needs no approximation, and the studentised bootstrap follows skew",
        )
    if shape.items < FEW_ITEMS:
        return _choice(
            "permutation",
            "bootstrap(kind=studentised)",
            f"{shape.items} items are too few to lean on normality (below {FEW_ITEMS}): "
            "the permutation test of the mean is exact for symmetric differences, the studentised bootstrap follows skew",
        )
    return _choice(
        "paired_t",
        "student_t",
        f"{thousands(shape.items)} items with continuous differences: the paired t test of the mean and its interval",
    )


def _clustered(shape: Shape) -> Choice:
    assert shape.clusters is not None
    if shape.clusters < FEW_CLUSTERS:
        return _choice(
            "cluster_sign_flip",
            "cluster_t(variance=cr1)",
            f"items come in only {amount(shape.clusters, 'cluster')} (below {FEW_CLUSTERS}): signs of "
            "whole clusters are flipped, which is exact for symmetric cluster effects",
        )
    return _choice(
        "cluster_t(variance=cr1)",
        "cluster_t(variance=cr1)",
        f"items come in {shape.clusters} clusters: the variance is taken between clusters, "
        f"with {shape.clusters - 1} degrees of freedom",
    )


def _choice(test: str, interval: str, reason: str) -> Choice:
    return Choice(TESTS.parse(test), interval, (reason,))
