"""Which test and interval suit these scores: deterministic, and every choice says why."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tellapart.arrays import NOISE
from tellapart.distributions.clusters import Variance, evenness, suited_variance
from tellapart.distributions.lattice import common_step
from tellapart.scores import Pair
from tellapart.significance import TESTS, Procedure
from tellapart.summaries import Aggregation, Differences, is_binary
from tellapart.wording import amount, significant, thousands

if TYPE_CHECKING:
    from tellapart.intervals import Interval

FEW_CLUSTERS = 10
FEW_ITEMS = 50
"""Below so many items that differ a mean is not known to be near normal: a tie tells nothing of how differences vary."""
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
    tied: float = 0.0
    """The share of items on which the systems do not differ."""
    evenness: float = 1.0
    """Degrees of freedom that cluster sizes leave, as a share of those that equal ones would."""

    @classmethod
    def of(cls, pair: Pair, metric: Aggregation) -> "Shape":
        differences = Differences.of(pair, metric)
        codes = pair.clusters
        return cls(
            items=differences.items,
            clusters=None if codes is None else int(codes.max(initial=-1)) + 1,
            binary=metric.linear and is_binary(pair),
            levels=discrete_levels(differences),
            metric=str(metric),
            tied=float(np.mean(differences.snapped == 0.0)),
            evenness=1.0 if codes is None else evenness(codes),
        )

    @property
    def variance(self) -> Variance:
        return suited_variance(self.evenness)

    @property
    def differing(self) -> int:
        """On how many items the systems differ."""
        return round(self.items * (1.0 - self.tied))


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
        if choice.test.needs.holds_parts
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
    if shape.differing < FEW_ITEMS:
        return _choice(
            "permutation",
            "bootstrap(kind=studentised)",
            f"{_so_few(shape)} too few to lean on normality (below {FEW_ITEMS}): "
            "the permutation test of the mean is exact for symmetric differences, the studentised bootstrap follows skew",
        )
    return _choice(
        "paired_t",
        "student_t",
        f"{thousands(shape.items)} items with continuous differences: the paired t test of the mean and its interval",
    )


def _so_few(shape: Shape) -> str:
    if shape.items < FEW_ITEMS:
        return f"{shape.items} items are"
    return f"{shape.differing} of {thousands(shape.items)} items differ, which is"


def _clustered(shape: Shape) -> Choice:
    assert shape.clusters is not None
    by_clusters = f"cluster_t(variance={shape.variance})"
    if shape.clusters < FEW_CLUSTERS:
        return _choice(
            "cluster_sign_flip",
            by_clusters,
            f"items come in only {amount(shape.clusters, 'cluster')} (below {FEW_CLUSTERS}): signs of "
            "whole clusters are flipped, which is exact for symmetric cluster effects",
            _uneven(shape, "the interval's variance"),
        )
    return _choice(
        by_clusters,
        by_clusters,
        f"items come in {thousands(shape.clusters)} clusters: the variance is taken between clusters, "
        f"with {_degrees_of_freedom(shape)} degrees of freedom",
        _uneven(shape, "the variance"),
    )


def _degrees_of_freedom(shape: Shape) -> str:
    most = (shape.clusters or 1) - 1
    return thousands(most) if shape.variance == "cr1" else significant(shape.evenness * most, 3)


def _uneven(shape: Shape, what: str) -> str:
    if shape.variance == "cr1":
        return ""
    return f"clusters are of uneven size: {what} is CR2, which allows for large clusters pulling the mean towards themselves"


def _choice(test: str, interval: str, *reasons: str) -> Choice:
    return Choice(TESTS.parse(test), interval, tuple(filter(None, reasons)))
