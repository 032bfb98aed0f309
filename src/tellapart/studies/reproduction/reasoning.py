"""Sample sizes and correlation bounds of the 2026 paper on reasoning benchmarks, for right-or-wrong scores.

Its formula is right, its table has half of the formula's items, and accuracies bound correlations.
"""

import math
from collections.abc import Sequence

from tellapart.compute.work import Budget
from tellapart.methods.significance import TESTS
from tellapart.numerics.null_laws.proportions import miettinen_items
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import Ours, Setting, nothing, recomputes

ACCURACY, POWER, ALPHA = 0.7, 0.8, 0.05
"""As the document assumes throughout."""
ASYMPTOTIC = TESTS.parse("mcnemar(variant=asymptotic)")
EXACT = Budget(engine="exact")

recomputes("reasoning-benchmarks")(nothing)


@recomputes("reasoning-abstract")
def abstract(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (nothing is simulated)
    return [Ours(float(_formula_items_of(row))) for row in rows]


@recomputes("reasoning-formula")
def formula(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    return [Ours(_enumerated_share(row, _formula_items_of(row))) for row in rows]


@recomputes("reasoning-items")
def items(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """The formula's items, and the power that the printed ones have."""
    return [
        Ours(
            float(_formula_items_of(row))
            if row.settings["quantity"] == "items"
            else _enumerated_share(row, int(row.number("items")))
        )
        for row in rows
    ]


def formula_items(variance: float, effect: float) -> float:
    """(z + z)² times the variance of a difference, over the squared effect; a real number."""
    return float(miettinen_items(variance, effect, POWER, ALPHA))


def _difference_variance(row: PublishedRow) -> float:
    return 2.0 * ACCURACY * (1.0 - ACCURACY) * (1.0 - row.number("correlation"))


def _formula_items_of(row: PublishedRow) -> int:
    return math.ceil(formula_items(_difference_variance(row), row.number("effect")))


def _enumerated_share(row: PublishedRow, items: int) -> float:
    """By enumeration, for two accuracies about 0.7."""
    effect = row.number("effect")
    scores = PairedBinary(accuracy=ACCURACY - 0.5 * effect, correlation=row.number("correlation"), effect=effect)
    return power_of(Study(scores, ASYMPTOTIC, items, ALPHA), EXACT).power


@recomputes("reasoning-detectable")
def detectable(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """In points, by the same formula solved for the effect."""
    return [
        Ours(100.0 * math.sqrt(formula_items(_difference_variance(row), 1.0) / row.number("items"))) for row in rows
    ]


@recomputes("reasoning-correlations")
def correlations(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    return [Ours(largest_correlation(row.number("accuracy"), row.number("other"))) for row in rows]


def largest_correlation(a: float, b: float) -> float:
    """The largest correlation that right-or-wrong scores with these accuracies can have: as few items differ as can."""
    fewest, _ = PairedBinary(accuracy=a, effect=b - a, discordance=abs(b - a)).share_range
    both = 0.5 * (a + b - fewest)
    return (both - a * b) / math.sqrt(a * (1.0 - a) * b * (1.0 - b))
