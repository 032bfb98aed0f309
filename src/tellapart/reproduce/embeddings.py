"""Simulated powers and false positive rates of scores between 0 and 1, as the paper on embedding benchmarks drew them.

It moves B's scores by the effect and clips both systems afterwards, so a little of the effect is lost; the true one is
what is left. Its tests are SciPy's of the time: Wilcoxon's exact up to 50 items, its normal approximation beyond.
"""

from collections.abc import Sequence

from tellapart.planning.budget import Budget
from tellapart.planning.power import powers_of
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.beta import Beta
from tellapart.populations.gaussian import Gaussian
from tellapart.reproduce.judgement import Ours
from tellapart.reproduce.published import PublishedRow
from tellapart.reproduce.table import Setting, recomputes
from tellapart.significance import TESTS, Procedure

MEAN, SD = 0.65, 0.12
"""Of the scores that the paper drew."""
EXACT_UP_TO = 50
"""Items, as SciPy of the time decided."""


@recomputes("embeddings-power", simulating=True)
@recomputes("embeddings-large-effects", simulating=True)
@recomputes("embeddings-type-1", simulating=True)
def powers(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """How often the test of each row rejects."""
    studies = [_study(row) for row in rows]
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


def _study(row: PublishedRow) -> Study:
    told = row.settings
    items = int(told["items"])
    shift, correlation = float(told.get("effect", 0.0)), float(told["correlation"])
    return Study(
        _population(told.get("distribution", "normal"), shift, correlation),
        _test(told.get("test", "paired_t"), items),
        items,
    )


def _population(distribution: str, shift: float, correlation: float) -> Population:
    if distribution == "beta":
        return Beta(mean=MEAN, sd=SD, correlation=correlation, effect=shift)
    scores = Gaussian(mean=MEAN, sd=SD, correlation=correlation, clip=(0.0, 1.0))
    return scores.with_effect(scores.effect_of_shift(shift))


def _test(name: str, items: int) -> Procedure:
    if name == "wilcoxon" and items > EXACT_UP_TO:
        return TESTS.parse("wilcoxon(method=asymptotic)")
    return TESTS.parse(name)
