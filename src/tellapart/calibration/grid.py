"""The scenarios: numbers and clusters of every law, and what is not chosen because it fails on them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tellapart.calibration.difference_laws import in_clusters, lognormal, normal, skewed
from tellapart.calibration.laws import LAWS, OFTEN, SKEW, WITHOUT_THE_BOUND
from tellapart.calibration.scenario import Draw, Scenario

LIKENESS, SIZE = 0.3, 10
"""The correlation of items of one cluster, and how many a cluster of the usual kind has."""
EVERY_SIZE = "20 clusters of 2 to 60"
UNEVEN = tuple(int(size) for size in np.round(np.geomspace(2.0, 60.0, 20)))

SMALL_COUNTS = "the exact test stays far below its level, and Wald's interval knows no small counts"
FIVE_CLUSTERS = (
    "the signs of five clusters can fall in 32 ways, so no p-value reaches 0.05: nothing can be found"
)
FEWER_THAN_FIVE = "fewer than five items are expected to differ, too few for any p-value to reach 0.05"
ALONE = "Student's t knows no skewness"
BOTH = "both(first=paired_t, second=bootstrap(kind=studentised))"
BOTH_BOUNDS = "both(first=student_t, second=bootstrap(kind=studentised))"
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
    yield from rejected()


def clustered(
    kind: str, sizes: tuple[int, ...], known: str = "", law: Draw = normal, tail: int = 0
) -> Scenario:
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
    """What defaults protect from."""
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
    for law, items in WITHOUT_THE_BOUND:
        for test, interval, known in (("paired_t", "student_t", ALONE), (BOTH, BOTH_BOUNDS, SKEW)):
            yield replace(law.scenario(items), **lone, test=test, interval=interval, known=known)
    yield Scenario(
        **lone, kind="skewed (exponential)", items=200, draw=skewed, test="wilcoxon(method=asymptotic)", interval="student_t",
        tail=1, known="Wilcoxon's test is about symmetry, not about the mean",
    )  # fmt: skip
