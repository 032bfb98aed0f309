"""The tables and sentences of the paper on embedding benchmarks that need no simulation."""

import math
from collections.abc import Sequence

from tellapart.distributions.normal import two_sided_quantile
from tellapart.planning.budget import Budget
from tellapart.planning.effect_axis import EffectAxis
from tellapart.planning.items_axis import ItemsAxis
from tellapart.planning.power import power_of
from tellapart.planning.solve import solve
from tellapart.planning.study import Study
from tellapart.populations.gaussian import Gaussian
from tellapart.reproduce.embeddings import SD
from tellapart.reproduce.judgement import Ours
from tellapart.reproduce.published import PublishedRow
from tellapart.reproduce.published import rows as printed_rows
from tellapart.reproduce.table import Setting, recomputes
from tellapart.significance import TESTS

POWER = 0.8
PAIRED_T = TESTS.parse("paired_t")
CLOSED = Budget(engine="formula")


def t_study(sd: float, correlation: float, items: int, effect: float | None) -> Study:
    """A paired t test on normal scores, for which power has a formula."""
    return Study(Gaussian(sd=sd, correlation=correlation, effect=effect), PAIRED_T, items)


def t_power_of(sd: float, correlation: float, items: int, effect: float) -> float:
    return power_of(t_study(sd, correlation, items, effect), CLOSED).power


@recomputes("embeddings-minimum-items")
def minimum_items(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (nothing is simulated)
    studies = (t_study(SD, row.number("correlation"), 2, row.number("effect")) for row in rows)
    return [Ours(float(solve(ItemsAxis(study, POWER, CLOSED)).items)) for study in studies]


@recomputes("embeddings-detectable")
def detectable(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    studies = (t_study(SD, row.number("correlation"), int(row.number("items")), None) for row in rows)
    return [Ours(solve(EffectAxis(study, POWER, CLOSED)).effect) for study in studies]


@recomputes("embeddings-example")
def example(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    return [
        Ours(t_power_of(SD, row.number("correlation"), int(row.number("items")), row.number("effect")))
        for row in rows
    ]


@recomputes("embeddings-spread")
def spread(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    def sd(correlation: float) -> float:
        return Gaussian(sd=SD, correlation=correlation).sd_difference

    *spreads, ratio = rows
    return [
        *(Ours(sd(row.number("correlation"))) for row in spreads),
        Ours(sd(0.5) / sd(ratio.number("correlation"))),
    ]


@recomputes("embeddings-counts")
def counts(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (three numbers of three kinds)
    ratio = t_power_of(SD, 0.95, 100, 0.01) / t_power_of(SD, 0.5, 100, 0.01)
    return [Ours(5.0 * 4.0 * 3.0 * 2.0), Ours(ratio), Ours(3.0 / math.pi)]


@recomputes("embeddings-type-1-summary")
def type_1_summary(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """What the text says of the printed rates, from the printed rates; and the rates that 0.05 would give."""
    rates: dict[str, list[float]] = {}
    for row in printed_rows("embeddings-type-1"):
        rates.setdefault(row.settings["distribution"], []).append(float(row.published))
    half_width = two_sided_quantile(0.95) * math.sqrt(0.05 * 0.95 / 1000.0)
    extremes = (side(rates[d]) for d in ("normal", "beta") for side in (min, max))
    return [*map(Ours, extremes), Ours(0.05 - half_width), Ours(0.05 + half_width)]
