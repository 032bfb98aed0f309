"""Calibration scenarios of numeric scores: distributions of differences, each with its numbers of items."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from tellapart.studies.calibration.difference_laws import (
    LOGNORMAL,
    failing,
    half_lognormal,
    heavy_tailed,
    in_clusters,
    laplace,
    lognormal,
    mostly_zero,
    ndcg_with_zeros,
    nearly_binary,
    normal,
    on_lattice,
    outliers,
    skewed,
    two_datasets,
    uniform,
)
from tellapart.studies.calibration.scenario import Draw, RepeatedItems, Scenario, TrainedSystems

OFTEN = 10_000
"""Replicates of a scenario: the band of a rate of .06 ends below .07 then."""
FEWEST_FAILURES = 3
"""Where fewer are expected, every twentieth sample or more holds none."""

SKEW = "a long tail that a sample does not show cannot be allowed for"
RARE = f"fewer than {FEWEST_FAILURES} failures are expected, and a sample without any does not show that there are some"


class Law(NamedTuple):
    """Differences of one kind and the numbers of items that they are tried with.

    `tail` is the side of the longer tail, `failing` the share of items on which a system fails that gains a little on the others.
    """

    kind: str
    draw: Draw
    sizes: tuple[int, ...]
    tail: int = 0
    failing: float = 1.0
    known: str = ""

    def scenario(self, items: int) -> Scenario:
        known = RARE if items * self.failing < FEWEST_FAILURES else self.known
        return Scenario(
            group="numbers", kind=self.kind, items=items, draw=self.draw, replicates=OFTEN, tail=self.tail, known=known
        )  # fmt: skip


def _failure_law(share: float, *sizes: int) -> Law:
    return Law(f"small gains, {share:.0%} failures".replace("%", " %"), failing(share), sizes, -1, share, SKEW)


FIVE_LEVELS = on_lattice((-2.0, -1.0, 0.0, 1.0, 2.0), (0.05, 0.15, 0.6, 0.15, 0.05))
LOPSIDED = on_lattice((-4.0, 0.0, 1.0), (0.05, 0.75, 0.2))
CEILING = on_lattice((-4.0, -3.0, 0.0, 1.0), (0.06, 0.04, 0.54, 0.36))

NORMAL = Law("normal differences", normal, (6, 8, 10, 20, 30, 60, 200))
EXPONENTIAL = Law("skewed (exponential)", skewed, (6, 8, 10, 15, 20, 30, 60, 200), 1, known=SKEW)
RATINGS = Law("ratings −2 … 2", FIVE_LEVELS, (10, 20, 60))

LAPLACE = Law("Laplace", laplace, (10, 20, 60))
HEAVY = Law("heavy tails (t, 3 df)", heavy_tailed, (10, 20, 60, 200))
LOGNORMAL_LAW = Law("skewed (lognormal)", lognormal, (8, 10, 20, 30, 50, 100, 300), 1, known=SKEW)
FIVE_PERCENT = _failure_law(0.05, 30, 60, 100, 200)
NEARLY_BINARY = Law("right is 1, wrong .12 to .34", nearly_binary(), (20, 40, 100, 300))

LAWS = (
    NORMAL,
    LAPLACE,
    HEAVY,
    Law("uniform", uniform, (8, 20, 60)),
    EXPONENTIAL,
    LOGNORMAL_LAW,
    _failure_law(0.15, 15, 20, 30, 60),
    _failure_law(0.08, 20, 30, 60, 100),
    FIVE_PERCENT,
    _failure_law(0.03, 60, 100, 200),
    _failure_law(0.01, 100, 300),
    Law("gains that vary, 5 % failures", failing(0.05, sd=0.2), (60, 100), -1, 0.05, SKEW),
    Law("small gains, 5 % lognormal failures", failing(0.05, sd=0.1, losses=LOGNORMAL), (60, 100), -1, 0.05, SKEW),
    Law("outliers on both sides", outliers, (15, 60)),
    Law("two datasets of unlike spread", two_datasets, (20, 60)),
    Law("four in five tied", mostly_zero, (20, 60, 200)),
    Law("half tied, the others lognormal", half_lognormal, (20, 60, 200), 1, known=SKEW),
    RATINGS,
    Law("lopsided ratings −4, 0, 1", LOPSIDED, (20, 60, 200), -1, 0.05, SKEW),
    Law("ratings at a ceiling", CEILING, (20, 60, 200), -1, 0.1, SKEW),
    Law("nDCG with zeros", ndcg_with_zeros(), (10, 20, 50, 200)),
    NEARLY_BINARY,
)  # fmt: skip
"""Everything that a mean of numbers is tried on; the effect is in standard deviations of a difference."""

WITHOUT_THE_BOUND = (
    (NORMAL, 10), (LAPLACE, 10), (HEAVY, 10), (EXPONENTIAL, 8), (EXPONENTIAL, 20), (LOGNORMAL_LAW, 10), (LOGNORMAL_LAW, 20),
    (LOGNORMAL_LAW, 50), (NEARLY_BINARY, 40), (FIVE_PERCENT, 60),
)  # fmt: skip
"""Where Student's t is shown alone, and with the bootstrap beside it for every sample: what the bound on skewness costs and saves."""

# The scenarios: numbers and clusters of every law, and what is not chosen because it fails on them.

LIKENESS, SIZE = 0.3, 10
"""The correlation of items of one cluster, and how many a cluster of the usual kind has."""
EVERY_SIZE = "20 clusters of 2 to 60"
UNEVEN = tuple(int(size) for size in np.round(np.geomspace(2.0, 60.0, 20)))

SMALL_COUNTS = "the exact test stays far below its level, and Wald's interval knows no small counts"
FIVE_CLUSTERS = "the signs of five clusters can fall in 32 ways, so no p-value reaches 0.05: nothing can be found"
FEWER_THAN_FIVE = "fewer than five items are expected to differ, too few for any p-value to reach 0.05"
ALONE = "Student's t knows no skewness"
BOTH = "both(first=paired_t, second=bootstrap(kind=studentised))"
BOTH_BOUNDS = "both(first=student_t, second=bootstrap(kind=studentised))"
AVERAGED = "trainings that were averaged are taken for all that there could be"
AS_ITEMS = "runs of an item are counted as independent"
REPEATS = "runs and seeds"
PULLED = "large clusters pull the mean towards themselves, which cr1 does not allow for"


def scenarios() -> Iterator[Scenario]:
    """Numbers, then clusters, then what is not chosen, in the order of the report."""
    for law in LAWS:
        yield from map(law.scenario, law.sizes)
    for groups in (5, 6, 8, 12, 20, 50):
        known = FIVE_CLUSTERS if groups == 5 else ""
        yield clustered(f"{groups} clusters of {SIZE}", (SIZE,) * groups, known=known)
    yield clustered(EVERY_SIZE, UNEVEN)
    for name, draw in (("exponential", skewed), ("lognormal", lognormal)):
        for groups in (6, 8, 12, 20):
            yield clustered(f"{groups} clusters of {SIZE}, {name} effects", (SIZE,) * groups, SKEW, draw, 1)
        yield clustered(f"{EVERY_SIZE}, {name} effects", UNEVEN, SKEW, draw, 1)
    yield from repeats()
    yield from rejected()


def repeats() -> Iterator[Scenario]:
    """Runs of an item, and trainings of a system, by their numbers."""
    known: dict[str, Any] = {"group": REPEATS, "draw": normal, "replicates": OFTEN // 2}
    for runs in (2, 5):
        yield RepeatedItems(**known, kind=f"{runs} runs of each item", items=60, runs=runs)
    for seeds, seeds_b in ((2, 2), (3, 3), (5, 5), (10, 10), (3, 5)):
        kind = f"{seeds} seeds" if seeds == seeds_b else f"{seeds} and {seeds_b} seeds"
        yield from (TrainedSystems(**known, kind=kind, items=n, seeds=seeds, seeds_b=seeds_b) for n in (60, 200))


def clustered(kind: str, sizes: tuple[int, ...], known: str = "", law: Draw = normal, tail: int = 0) -> Scenario:
    """Items that are alike within clusters, whose effects vary by this law."""
    items = sum(sizes)
    weighted = sum(size**2 for size in sizes) / items
    return Scenario(
        group="clusters",
        kind=kind,
        items=items,
        draw=in_clusters(sizes, LIKENESS, law),
        replicates=OFTEN,
        sizes=sizes,
        design_effect=1.0 + (weighted - 1.0) * LIKENESS,
        tail=tail,
        known=known,
    )


def rejected() -> Iterator[Scenario]:
    """Methods that the defaults avoid."""
    lone: dict[str, Any] = {"group": "not chosen", "replicates": OFTEN // 2}
    percentiles = "bootstrap(kind=percentile, resamples=999)"
    yield replace(
        clustered("8 clusters of 10, ignored", (SIZE,) * 8, "items of a cluster are counted as independent"),
        **lone, test="paired_t", interval="student_t",
    )  # fmt: skip
    yield replace(
        clustered(f"{EVERY_SIZE}, cr1", UNEVEN, PULLED),
        **lone, test="cluster_t(variance=cr1)", interval="cluster_t(variance=cr1)",
    )  # fmt: skip
    yield replace(
        clustered("8 clusters of 10, percentiles", (SIZE,) * 8, "percentiles lack the t factor of eight clusters"),
        **lone, test=percentiles, interval=percentiles,
    )  # fmt: skip
    student: dict[str, Any] = {**lone, "draw": normal, "test": "paired_t", "interval": "student_t"}
    yield TrainedSystems(**student, kind="3 seeds, averaged", items=200, seeds=3, averaged=True, known=AVERAGED)
    yield RepeatedItems(**student, kind="5 runs, each as an item", items=60, as_items=True, known=AS_ITEMS)
    for law, items in WITHOUT_THE_BOUND:
        for test, interval, known in (("paired_t", "student_t", ALONE), (BOTH, BOTH_BOUNDS, SKEW)):
            yield replace(law.scenario(items), **lone, test=test, interval=interval, known=known)
    yield Scenario(
        **lone, kind="skewed (exponential)", items=200, draw=skewed, test="wilcoxon(method=asymptotic)", interval="student_t",
        tail=1, known="Wilcoxon's test is about symmetry, not about the mean",
    )  # fmt: skip
