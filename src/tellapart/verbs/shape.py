"""What scores of two systems are like: whatever the choice of a test and an interval depends on."""

from dataclasses import dataclass, replace

import numpy as np

from tellapart.arrays import NOISE, BoolArray, FloatArray, IntArray
from tellapart.distributions.clusters import Variance, cluster_sums, evenness, suited_variance
from tellapart.distributions.lattice import common_step
from tellapart.distributions.leaning import GROSS, TOO_LARGE, Leaning, leaning
from tellapart.distributions.rare_failures import ENOUGH, rare_failures
from tellapart.summaries import Differences
from tellapart.verbs.sampled import Sampled

DISCRETE_LEVELS = 50
FEW_STEPS = 10
"""Up to so many steps lie between the items that differ most and a tie where scores are ratings, or right, half right and wrong."""


@dataclass(frozen=True)
class Shape:
    """What the choice depends on, and nothing else."""

    items: int
    clusters: int | None
    binary: bool
    levels: int | None
    """How many sizes the differences have, if they are discrete."""
    steps: float | None = None
    """How many steps the largest of them is, if they are discrete."""
    metric: str = "mean"
    tied: float = 0.0
    """The share of items on which the systems do not differ."""
    leans: bool = False
    """Whether the differences lean to one side so far that Student's t would claim too much; of clusters, their sums."""
    failures: int = 0
    """Items that lie far out on one side alone, where they are one or two: of rare failures others may have been spared."""
    expected_size: float = 0.05
    """How often Student's t would claim a difference at 5 % between systems that are equal."""
    evenness: float = 1.0
    """Degrees of freedom that cluster sizes leave, as a share of those that equal ones would."""
    straightness: float = 1.0
    """How well joint swaps of items are the sums of single ones: 1 for a mean, and below where influence misleads."""
    telling: float | None = None
    """Of a metric that is no mean, how many items of one weight would tell as much."""

    @classmethod
    def of(cls, sampled: Sampled) -> "Shape":
        (shape,) = cls.each(sampled)
        return shape

    @classmethod
    def each(cls, sampled: Sampled) -> "list[Shape]":
        """The shape of every sample of a batch."""
        metric, codes, binary = sampled.metric, sampled.pair.clusters, sampled.binary
        differences = sampled.differences
        items, tied = differences.items, np.mean(differences.snapped == 0.0, axis=-1)
        lean = leaning_units(differences, codes)
        # Not sums of clusters, which vary with their sizes, nor influences, which vary with more than scores do.
        plain = codes is None and metric.linear
        failures = rare_failures(differences.snapped) if plain else np.zeros_like(tied, dtype=np.int64)
        sizes = discrete_levels(differences)
        every = cls(
            items=items,
            clusters=None if codes is None else int(codes.max(initial=-1)) + 1,
            binary=binary,
            levels=None,
            metric="mean" if metric.linear else str(metric),
            evenness=1.0 if codes is None else evenness(codes),
        )
        levels = [None if one is None else one[0] for one in sizes]
        steps = [None if one is None else one[1] for one in sizes]
        binaries, each = _binary(sampled, levels), (tied, lean.acted_on, lean.size, failures)
        found = zip(binaries, levels, steps, *(np.ravel(x).tolist() for x in each), strict=True)
        named = ("binary", "levels", "steps", "tied", "leans", "expected_size", "failures")
        shapes = [replace(every, **dict(zip(named, one, strict=True))) for one in found]
        # Of simulated samples it would take longer than their tests do: those are taken for straight.
        return shapes if metric.linear or differences.values.ndim > 1 else _bent(shapes, sampled)

    def at(self, items: int, clusters: int | None) -> "Shape":
        """More or fewer items of the same kind: what skewness does to Student's t falls with their number."""
        size = 0.05 + (self.expected_size - 0.05) * self.items / items
        leans = size > (TOO_LARGE if self.leans else GROSS)
        failures = round(self.failures * items / self.items)
        few = failures if failures < ENOUGH else 0
        return replace(self, items=items, clusters=clusters, expected_size=size, leans=leans, failures=few)

    @property
    def variance(self) -> Variance:
        return suited_variance(self.evenness)

    @property
    def coarse(self) -> bool:
        """Whether the differences are those of ratings: a few steps at most, which one item alone does not show."""
        return self.steps is not None and bool(are_ratings(np.array(self.steps), self.differing))

    @property
    def differing(self) -> int:
        """On how many items the systems differ."""
        return round(self.items * (1.0 - self.tied))


def are_ratings(steps: FloatArray, differing: IntArray | int) -> BoolArray:
    """Whether a sample whose largest difference is so many steps, and in which so many items differ, is one of ratings."""
    return np.asarray((steps <= FEW_STEPS) & (differing > 1))


def leaning_units(differences: Differences, codes: IntArray | None) -> Leaning:
    """How far the units lean that vary independently: items, or what clusters of them add."""
    if codes is None:
        return leaning(differences.values)
    from tellapart.distributions.leaning_t import evened_sums  # noqa: PLC0415  (independent items need none of it)

    return leaning(evened_sums(differences.values, codes, differences.scale), evenness(codes))


def of_clusters(differences: Differences, codes: IntArray) -> FloatArray:
    """What each cluster adds to the sum of deviations from the mean: the units that vary there."""
    return cluster_sums(differences.values - differences.values.mean(axis=-1, keepdims=True), codes)


def _bent(shapes: list[Shape], sampled: Sampled) -> list[Shape]:
    """The shapes with how straight the metric is on each sample, and how many items tell of it."""
    from tellapart.distributions.straightness import straightness  # noqa: PLC0415  (a mean is straight)
    from tellapart.distributions.telling import telling_units  # noqa: PLC0415  (of a mean all items tell)

    parts = sampled.parts
    joint = np.concatenate([parts.a, parts.b], axis=-1)
    straight, telling = straightness(parts), telling_units(parts, joint.reshape(-1, *joint.shape[-2:]))
    # Influence of equal parts differs where the systems do: each is followed about its own mean parts.
    tied = (parts.a == parts.b).all(axis=-1).mean(axis=-1)
    found = zip(shapes, *(np.ravel(x).tolist() for x in (straight, telling, tied)), strict=True)
    return [replace(shape, straightness=one, telling=few, tied=same) for shape, one, few, same in found]


def _binary(sampled: Sampled, levels: list[int | None]) -> list[bool]:
    """Which samples of a batch are right or wrong: all of them, or some that happen to hold no other score."""
    if sampled.binary or len(levels) == 1:
        return [sampled.binary] * len(levels)
    # Right-or-wrong scores differ by nothing or by one step.
    return [
        few is not None and few <= 2 and sampled.entries([place]).binary for place, few in enumerate(levels)
    ]


def discrete_levels(differences: Differences) -> list[tuple[int, float] | None]:
    """How many sizes the differences of each sample have, and how many steps the largest is, if they are few and share a step; None for continuous ones."""
    ordered = np.abs(differences.snapped).reshape(-1, differences.items)
    ordered.sort(axis=-1)
    changes = ordered[:, 1:] != ordered[:, :-1]
    count = 1 + np.count_nonzero(changes, axis=-1)
    levels: list[tuple[int, float] | None] = [None] * len(ordered)
    few = np.flatnonzero(count <= DISCRETE_LEVELS)
    if not len(few):
        return levels
    largest = ordered[few, -1]
    noise = NOISE * (np.full_like(largest, differences.scale) if differences.scale else largest)
    # Each size once: there may be millions of items, and a step of the sizes is one of all.
    sizes = np.repeat(largest[:, np.newaxis], DISCRETE_LEVELS, axis=1)
    for row, place in zip(sizes, few.tolist(), strict=True):
        row[: count[place]] = ordered[place][np.append(True, changes[place])]
    step = common_step(sizes, noise)
    steps = np.divide(largest, step, out=np.zeros_like(largest), where=step > 0.0)
    stepped = (step > 0.0) | (largest == 0.0)
    for place, most in zip(few[stepped].tolist(), np.rint(steps[stepped]).tolist(), strict=True):
        levels[place] = int(count[place]), most
    return levels
