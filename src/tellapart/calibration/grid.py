"""The scenarios: sizes, ties, skew, zeros and clusters, and what is not chosen because it fails on them."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellapart.calibration.difference_laws import (
    LOGNORMAL,
    TELLING,
    TIED,
    failing,
    half_lognormal,
    heavy_tailed,
    in_clusters,
    lognormal,
    mostly_zero,
    normal,
    on_lattice,
    outliers,
    rarely_failing,
    skewed,
    two_datasets,
)
from tellapart.calibration.scenario import Draw, Scenario
from tellapart.verbs.choose import FEW_ITEMS

OFTEN, RESAMPLED = 20_000, 1_000
"""Replicates where a test is cheap, and where the default interval resamples; a quarter where signs are flipped or clusters added up."""

RATINGS = on_lattice((-2.0, -1.0, 0.0, 1.0, 2.0), (0.05, 0.15, 0.6, 0.15, 0.05))
LOPSIDED = on_lattice((-4.0, 0.0, 1.0), (0.05, 0.75, 0.2))
FIVE_PERCENT, THREE_PERCENT, ONE_PERCENT = failing(0.05), failing(0.03), failing(0.01)
VARYING_GAINS, LOGNORMAL_LOSSES = failing(0.05, sd=0.2), failing(0.05, sd=0.1, losses=LOGNORMAL)
FAILING = (rarely_failing, FIVE_PERCENT, THREE_PERCENT, ONE_PERCENT, VARYING_GAINS, LOGNORMAL_LOSSES)
DIFFERING: dict[Draw, float] = {mostly_zero: TELLING, half_lognormal: 1.0 - TIED}
"""The share of items that differ, where some are tied by design."""
LIKENESS, SIZE = 0.3, 10
"""The correlation of items of one cluster, and how many a cluster of the usual kind has."""
EVERY_SIZE = "20 clusters of 2 to 60"
UNEVEN = tuple(int(size) for size in np.round(np.geomspace(2.0, 60.0, 20)))

SKEW = "lopsided differences: tests and intervals of a mean need more items before its error looks normal"
RARE = (
    "so few failures are expected that some samples hold none, or one: what is not seen cannot be allowed for"
)
HIDDEN = (
    "some failures are no larger than what gains vary by, and others far larger than any that is seen: no rule that leaves scores with outliers on "
    "both sides their power tells these samples from theirs"
)
HEAVY = "heavy tails: so few items do not show how far they reach"
CORNER = "every item differs, which right-or-wrong scores of real systems never do: mid-p is liberal there"
WHOLE_COUNTS = (
    "counts are whole numbers, so coverage jumps about its level from one number of items to the next"
)
FEW_DIFFER = "so few items differ that their spread is badly known, however many are tied"
SMALL_COUNTS = "the exact test stays far below its level, and Wald's interval knows no small counts"
FIVE_CLUSTERS = (
    "the signs of five clusters can fall in 32 ways, so no p-value reaches 0.05: nothing can be found"
)
FEWER_THAN_FIVE = "fewer than five items are expected to differ, too few for any p-value to reach 0.05"
UNEVEN_CLUSTERS = "a few large clusters hold most items: cr2 comes near its level, not to it"
ONE_SIDED = "effects of clusters lean to one side, and so few hardly show how far: their skewness is followed as far as is worth its power"
PULLED = "large clusters pull the mean towards themselves, which cr1 does not allow for"

CONTINUOUS: tuple[tuple[str, Draw, tuple[int, ...], str], ...] = (
    ("normal differences", normal, (8, 10, 20, 40, 60, 200), ""),
    ("heavy tails (t, 3 df)", heavy_tailed, (20, 60, 200), HEAVY),
    ("skewed (exponential)", skewed, (8, 20, 40, 60, 200, 1000), SKEW),
    ("skewed (lognormal)", lognormal, (8, 12, 30, 60, 100), SKEW),
    ("small gains, 8 % failures", rarely_failing, (30, 60, 100), RARE),
    ("small gains, 5 % failures", FIVE_PERCENT, (60,), RARE),
    ("small gains, 3 % failures", THREE_PERCENT, (100,), RARE),
    ("small gains, 1 % failures", ONE_PERCENT, (300,), RARE),
    ("gains that vary, 5 % failures", VARYING_GAINS, (60,), HIDDEN),
    ("small gains, 5 % lognormal failures", LOGNORMAL_LOSSES, (60,), HIDDEN),
    ("outliers on both sides", outliers, (60,), ""),
    ("two datasets of unlike spread", two_datasets, (20, 60), HEAVY),
    ("four in five tied", mostly_zero, (20, 60, 200, 400), ""),
    ("half tied, the others lognormal", half_lognormal, (24, 60), SKEW),
    ("ratings −2 … 2", RATINGS, (12, 20, 60, 200), ""),
    ("lopsided ratings −4, 0, 1", LOPSIDED, (20, 60, 200), SKEW),
)


def scenarios() -> Iterator[Scenario]:
    """Everything that is simulated, in the order of the report."""
    for kind, draw, sizes, known in CONTINUOUS:
        for items in sizes:
            drawn_again = items >= FEW_ITEMS and draw in {RATINGS, LOPSIDED, skewed, lognormal, *FAILING}
            few = items * DIFFERING.get(draw, 1.0) < FEW_ITEMS
            replicates = RESAMPLED if drawn_again else OFTEN // 4 if few else OFTEN
            yield Scenario("numbers", kind, items, draw, replicates, known=known)
    for groups in (5, 6, 8, 12, 20, 50):
        known = FIVE_CLUSTERS if groups == 5 else ""
        yield clustered(f"{groups} clusters of {SIZE}", (SIZE,) * groups, known=known)
    yield clustered(EVERY_SIZE, UNEVEN, known=UNEVEN_CLUSTERS)
    for law, draw in (("exponential", skewed), ("lognormal", lognormal)):
        for groups in (8, 12, 20):
            yield clustered(f"{groups} clusters of {SIZE}, {law} effects", (SIZE,) * groups, ONE_SIDED, draw)
        yield clustered(f"{EVERY_SIZE}, {law} effects", UNEVEN, ONE_SIDED, draw)
    yield from rejected()


def clustered(kind: str, sizes: tuple[int, ...], known: str = "", law: Draw = normal) -> Scenario:
    """Items that are alike within clusters, whose effects vary by this law."""
    items = sum(sizes)
    weighted = sum(size**2 for size in sizes) / items
    return Scenario(
        "clusters",
        kind,
        items,
        in_clusters(sizes, LIKENESS, law),
        OFTEN // 4,
        sizes,
        1.0 + (weighted - 1.0) * LIKENESS,
        known=known,
    )


def rejected() -> Iterator[Scenario]:
    """What defaults protect from."""
    yield replace(
        clustered("8 clusters of 10, ignored", (SIZE,) * 8, "items of a cluster are counted as independent"),
        group="not chosen", test="paired_t", interval="student_t",
    )  # fmt: skip
    yield replace(
        clustered(f"{EVERY_SIZE}, cr1", UNEVEN, PULLED),
        group="not chosen", replicates=OFTEN // 4, test="cluster_t(variance=cr1)", interval="cluster_t(variance=cr1)",
    )  # fmt: skip
    yield Scenario(
        "not chosen", "four in five tied", 60, mostly_zero, OFTEN // 4, test="paired_t", interval="student_t",
        known=FEW_DIFFER,
    )  # fmt: skip
    yield Scenario(
        "not chosen", "skewed (exponential)", 200, skewed, OFTEN // 4, test="wilcoxon(method=asymptotic)",
        interval="student_t", known="Wilcoxon's test is about symmetry, not about the mean",
    )  # fmt: skip
    yield replace(
        clustered(
            "8 clusters of 10, percentiles", (SIZE,) * 8, "percentiles lack the t factor of eight clusters"
        ),
        group="not chosen", test="bootstrap(kind=percentile, resamples=999)",
        interval="bootstrap(kind=percentile, resamples=999)",
    )  # fmt: skip
