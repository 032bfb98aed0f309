"""The power of differences of BLEU in Card et al. (2020): their mixture of zeros and Laplace effects, by formula instead of simulation."""

import math
from collections.abc import Sequence

from tellapart.planning.budget import Budget
from tellapart.planning.items_axis import ItemsAxis
from tellapart.planning.power import power_of
from tellapart.planning.solve import solve
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.reproduce.judgement import Ours
from tellapart.reproduce.published import PublishedRow
from tellapart.reproduce.steps import worst_step
from tellapart.reproduce.table import Setting, recomputes

FORMULA = Budget(engine="formula")
TARGET = 0.8
AXES = ("items", "effect", "zero_share", "scale")
CLOSE = 3.3
"""Standard errors that 99.9 % of simulated means lie within."""


def _study(row: PublishedRow, items: int) -> Study:
    """The paired t on their effects of single swaps, which are our differences times −2 over the number of items."""
    numbers = {name: row.number(name) for name in AXES[1:]}
    return Study(DeltaLaplace(**numbers), "paired_t", items)


def _found(row: PublishedRow) -> PowerResult:
    return power_of(_study(row, int(row.number("items"))), FORMULA)


@recomputes("card2020-figure-4")
@recomputes("card2020-appendix-g")
def bleu(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (nothing is simulated)
    return [
        Ours(_items(row) if row.settings["quantity"].startswith("items") else _found(row).power)
        for row in rows
    ]


def _items(row: PublishedRow) -> float:
    return float(solve(ItemsAxis(_study(row, 1000), TARGET, FORMULA)).items)


@recomputes("card2020-notebook-bleu")
def notebook(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """Their 500 trials scatter: the power as a share of them, the exaggeration as a mean over those that were found."""
    return [_share(row) if row.settings["quantity"] == "power" else _exaggeration(row) for row in rows]


def _share(row: PublishedRow) -> Ours:
    return Ours(_found(row).power, share=True)


def _exaggeration(row: PublishedRow, trials: int = 500) -> Ours:
    found, study = _found(row), _study(row, int(row.number("items")))
    assert found.type_m is not None
    # What is found scatters less than an estimate does, so that this width is ample.
    error = (
        (study.population.sd_difference or 0.0) / math.sqrt(study.items) / abs(study.population.known_effect)
    )
    return Ours(found.type_m, half_width=CLOSE * error / math.sqrt(found.power * trials))


@recomputes("card2020-figure-17")
def figure(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """Our power at each point of the figure, and first the worst step along each axis."""
    points = [row for row in rows if row.settings["items"]]
    values = {tuple(row.number(axis) for axis in AXES): _found(row).power for row in points}
    steps = (worst_step(values, axis, worst) for axis, worst in enumerate((min, min, min, max)))
    return [*steps, *map(Ours, values.values())]
