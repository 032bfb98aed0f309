"""Power, false positive rates and sample sizes of the 2026 paper on embedding model comparisons.

It moves B's scores by the effect and clips both systems afterwards, so a little of the effect is lost; the true one is
what is left. Its tests are SciPy's of the time: Wilcoxon's exact up to 50 items, its normal approximation beyond.
"""

import math
from collections.abc import Sequence

from tellapart.compute.work import Budget
from tellapart.methods.significance import TESTS, Procedure
from tellapart.numerics.null_laws.tails import two_sided_quantile
from tellapart.planning.power import power_of, powers_of
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import EffectAxis, ItemsAxis
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.beta import Beta
from tellapart.populations.gaussian import Gaussian
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.published import rows as printed_rows
from tellapart.studies.reproduction.table import Ours, Setting, recomputes

MEAN, SD = 0.65, 0.12
"""Of the scores that the paper drew."""
EXACT_UP_TO = 50
"""Items, as SciPy of the time decided."""


@recomputes("embeddings-power", simulating=True)
@recomputes("embeddings-large-effects", simulating=True)
@recomputes("embeddings-type-1", simulating=True)
def powers(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """How often the test of each row rejects."""
    studies = [_embedding_study(row) for row in rows]
    found = powers_of(studies, Budget("monte_carlo", setting.replicates, setting.seed), setting.runner)
    return [Ours(found[study].power, replicates=found[study].replicates, share=True) for study in studies]


@recomputes("embeddings-distributions", simulating=True)
def distributions(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """Powers, and at the end the gap between two of the powers that are printed."""
    printed = {
        r.settings["distribution"]: r.published
        for r in rows
        if r.settings["quantity"] == "power"
        and (r.settings["test"], r.number("items"), r.number("effect")) == ("wilcoxon", 200, 0.01)
    }
    gap = abs(float(printed["normal"]) - float(printed["beta"]))
    return [*powers(rows[:-1], setting), Ours(gap)]


@recomputes("embeddings-wilcoxon", simulating=True)
def wilcoxon(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """Powers of both tests; the column of differences is arithmetic on the printed ones."""
    simulated = [row for row in rows if row.settings["test"] in {"paired_t", "wilcoxon"}]
    found = iter(powers(simulated, setting))
    return [
        next(found) if row in simulated else Ours(float(rows[i - 2].published) - float(rows[i - 1].published))
        for i, row in enumerate(rows)
    ]


def _embedding_study(row: PublishedRow) -> Study:
    told = row.settings
    items = int(told["items"])
    shift, correlation = float(told.get("effect", 0.0)), float(told["correlation"])
    return Study(
        _embedding_scores(told.get("distribution", "normal"), shift, correlation),
        _embedding_test(told.get("test", "paired_t"), items),
        items,
    )


def _embedding_scores(distribution: str, shift: float, correlation: float) -> Population:
    if distribution == "beta":
        return Beta(mean=MEAN, sd=SD, correlation=correlation, effect=shift)
    scores = Gaussian(mean=MEAN, sd=SD, correlation=correlation, clip=(0.0, 1.0))
    return scores.with_effect(scores.effect_of_shift(shift))


def _embedding_test(name: str, items: int) -> Procedure:
    if name == "wilcoxon" and items > EXACT_UP_TO:
        return TESTS.parse("wilcoxon(method=asymptotic)")
    return TESTS.parse(name)


# The tables and sentences of the paper on embedding benchmarks that need no simulation.

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
        Ours(t_power_of(SD, row.number("correlation"), int(row.number("items")), row.number("effect"))) for row in rows
    ]


@recomputes("embeddings-spread")
def spread(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    def sd(correlation: float) -> float:
        return Gaussian(sd=SD, correlation=correlation).sd_difference

    *spreads, ratio = rows
    return [*(Ours(sd(row.number("correlation"))) for row in spreads), Ours(sd(0.5) / sd(ratio.number("correlation")))]


@recomputes("embeddings-counts")
def counts(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (three numbers of three kinds)
    ratio = t_power_of(SD, 0.95, 100, 0.01) / t_power_of(SD, 0.5, 100, 0.01)
    return [Ours(5.0 * 4.0 * 3.0 * 2.0), Ours(ratio), Ours(3.0 / math.pi)]


@recomputes("embeddings-type-1-summary")
def type_1_summary(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """The text's statements about the printed rates, recomputed from them; and the rates that 0.05 would give."""
    rates: dict[str, list[float]] = {}
    for row in printed_rows("embeddings-type-1"):
        rates.setdefault(row.settings["distribution"], []).append(float(row.published))
    half_width = two_sided_quantile(0.95) * math.sqrt(0.05 * 0.95 / 1000.0)
    extremes = (side(rates[d]) for d in ("normal", "beta") for side in (min, max))
    return [*map(Ours, extremes), Ours(0.05 - half_width), Ours(0.05 + half_width)]
