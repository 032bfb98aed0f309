"""Every test and interval that is run only where it is named: where its assumptions hold, and where they do not."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from tellapart.calibration.difference_laws import normal, skewed
from tellapart.calibration.grid import SIZE, clustered
from tellapart.calibration.laws import EXPONENTIAL, NORMAL, OFTEN, RATINGS, Law
from tellapart.calibration.measure import ALPHA, certain, judged
from tellapart.calibration.scenario import DETECTED, Scenario, SeparateItems
from tellapart.calibration.tables import WeightedTables, one_system, same_items, separate_items
from tellapart.distributions.proportion_power import connett_detectable
from tellapart.intervals import INTERVALS
from tellapart.results.calibration import Calibrated
from tellapart.significance import TESTS

GROUP = "by name"
MARGIN = 0.4
"""Of tests against a margin, in standard deviations of a difference."""

MARGINS = {"equivalence": MARGIN, "non_inferiority": -MARGIN}
"""The effect at which each of the tests against a margin must not reject; without an effect it should."""

WINS = (
    "the sign test is about the share of items won, and Hodges and Lehmann's interval about the pseudo-median"
)
SKEW = "skewed differences: tests and intervals of a mean need more items before its error looks normal"
PERCENTILES = "percentiles of resamples lack the t factor, and allow for no skew"
NO_SMALL_SAMPLE = "BCa and percentiles lack the t factor of few items"
LEANING = "with an effect these ratings lean to one side, and their pseudo-median is not their mean"
ON_AVERAGE = "the level is kept on average over accuracies, and near right always or never it is not at some"

SIMULATED: tuple[tuple[Law, int, str, str, str], ...] = (
    (NORMAL, 40, "sign", "hodges_lehmann", ""),
    (EXPONENTIAL, 200, "sign", "hodges_lehmann", WINS),
    (NORMAL, 40, "wilcoxon", "hodges_lehmann", ""),
    (NORMAL, 40, "wilcoxon(method=asymptotic)", "student_t", ""),
    (NORMAL, 40, "wilcoxon(method=corrected)", "student_t", ""),
    (RATINGS, 60, "wilcoxon(zeros=pratt)", "hodges_lehmann", LEANING),
    (NORMAL, 40, "permutation(resamples=999)", "student_t", ""),
    *(
        (law, 60, method, method, known)
        for law, knowns in ((NORMAL, ("", NO_SMALL_SAMPLE, NO_SMALL_SAMPLE)), (EXPONENTIAL, (SKEW, SKEW, PERCENTILES)))
        for kind, known in zip(("studentised", "bca", "percentile"), knowns, strict=True)
        for method in (f"bootstrap(kind={kind}, resamples=999)",)
    ),
    *(
        (law, 60, f"{name}(test=paired_t, margin={MARGIN:g})", "student_t", known)
        for law, known in ((NORMAL, ""), (EXPONENTIAL, SKEW))
        for name in MARGINS
    ),
)  # fmt: skip
"""Which law, how many items, the test, the interval, and why they fail if they do."""

SAME_ITEMS = (
    ("mcnemar(variant=asymptotic)", "newcombe"),
    ("mcnemar(variant=corrected)", "bonett_price"),
    ("mcnemar(variant=exact)", "wald"),
    ("mcnemar(variant=unconditional)", "tango"),
)
SEPARATE_ITEMS = ("two_proportion_z", "newcombe_independent")
ONE_SYSTEM = ("wilson", "clopper_pearson", "jeffreys", "agresti_coull")


def simulated_by_name() -> Iterator[Scenario]:
    given: dict[str, Any] = {"group": GROUP, "replicates": OFTEN}
    for law, items, test, interval, known in SIMULATED:
        null = MARGINS.get(test.partition("(")[0])
        against: dict[str, Any] = {} if null is None else {"null": null, "aim": 0.0, "tail": 0}
        yield replace(law.scenario(items), **given, **against, test=test, interval=interval, known=known)
    for kind, draw, known in (("normal scores", normal, ""), ("skewed scores", skewed, SKEW)):
        yield SeparateItems(
            **given, kind=f"{kind}, A on 20 items of its own that vary twice as much", items=40, draw=draw, test="welch_t",
            interval="welch_t", known=known, items_of_a=20, spread_of_a=2.0,
        )  # fmt: skip
    signs: dict[str, Any] = {"test": "cluster_sign_flip", "interval": "cluster_sign_flip"}
    yield replace(clustered(f"8 clusters of {SIZE}", (SIZE,) * 8), **given, **signs)


def cases_by_name() -> Iterator[Callable[[], Calibrated]]:
    """What every row that is enumerated takes to be made."""
    for share in (0.1, 0.3):
        for test, interval in SAME_ITEMS:
            yield partial(same_items_row, 60, share, test, interval)
    yield partial(separate_items_row, 100, 0.7, *SEPARATE_ITEMS)
    yield partial(separate_items_row, 20, 0.9, *SEPARATE_ITEMS)
    for accuracy in (0.7, 0.95):
        for interval in ONE_SYSTEM:
            yield partial(one_system_row, 50, accuracy, interval)


def same_items_row(items: int, discordance: float, test: str, interval: str) -> Calibrated:
    effect = connett_detectable(items, discordance, 0.8, ALPHA) or discordance
    without, with_effect = (same_items(items, discordance, e, 0.7) for e in (0.0, effect))
    return _enumerated(
        f"{discordance:g} of items differ, both right on 0.7 of the others",
        items,
        (test, interval),
        effect,
        (without, with_effect),
    )


def separate_items_row(items: int, accuracy: float, test: str, interval: str) -> Calibrated:
    effect = DETECTED * math.sqrt(2.0 * accuracy * (1.0 - accuracy) / items)
    without, with_effect = (
        separate_items((items, items), (accuracy - gap, accuracy)) for gap in (0.0, effect)
    )
    return _enumerated(
        f"B right on {accuracy:g}, each system on its own items",
        items,
        (test, interval),
        effect,
        (without, with_effect),
    )


def _enumerated(
    kind: str,
    items: int,
    methods: tuple[str, str],
    effect: float,
    tables: tuple[WeightedTables, WeightedTables],
) -> Calibrated:
    """The row of a test and an interval, summed over all tables without an effect and with it."""
    test, interval = TESTS.parse(methods[0]), INTERVALS.parse(methods[1])
    without, with_effect = tables
    return judged(
        Calibrated(
            GROUP, None, kind, items, *methods, effect,
            size=certain(without.rejected(test)),
            coverage=certain(with_effect.held(interval, effect)),
            power=certain(with_effect.rejected(test)),
            power_against=None,
            verdict="holds",
            why="",
        ),
        items,
    )  # fmt: skip


def one_system_row(items: int, accuracy: float, interval: str) -> Calibrated:
    held = one_system(items, accuracy).held(INTERVALS.parse(interval), accuracy)
    return judged(
        Calibrated(
            GROUP, None, f"one system, right on {accuracy:g}", items, None, interval, accuracy,
            size=None, coverage=certain(held), power=None, power_against=None, verdict="holds", why=ON_AVERAGE,
        ),
        items,
    )  # fmt: skip
