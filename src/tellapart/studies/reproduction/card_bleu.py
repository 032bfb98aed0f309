"""Power of BLEU differences in Card et al. (2020): their mixture of zeros and Laplace effects, by formula."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median

import numpy as np

from tellapart.answers.evidence_fit import SwappedPair
from tellapart.compute.work import Budget
from tellapart.metrics import METRICS
from tellapart.planning.power import power_of
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import ItemsAxis
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.readers import read
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import FILES, Ours, Setting, recomputes, worst_step
from tellapart.verbs.evidence.swaps import fit_swaps

FORMULA = Budget(engine="formula")
TARGET = 0.8
AXES = ("items", "effect", "zero_share", "scale")
CLOSE = 3.3
"""Standard errors that 99.9 % of simulated means lie within."""


def _bleu_study(row: PublishedRow, items: int) -> Study:
    """The paired t on their effects of single swaps, which are our differences times −2 over the number of items."""
    numbers = {name: row.number(name) for name in AXES[1:]}
    return Study(DeltaLaplace(**numbers), "paired_t", items)


def _bleu_power(row: PublishedRow) -> PowerResult:
    return power_of(_bleu_study(row, int(row.number("items"))), FORMULA)


@recomputes("card2020-figure-4")
@recomputes("card2020-appendix-g")
def bleu(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (nothing is simulated)
    return [
        Ours(_bleu_items(row) if row.settings["quantity"].startswith("items") else _bleu_power(row).power)
        for row in rows
    ]


def _bleu_items(row: PublishedRow) -> float:
    return float(solve(ItemsAxis(_bleu_study(row, 1000), TARGET, FORMULA)).items)


@recomputes("card2020-notebook-bleu")
def notebook(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """Their 500 trials scatter: the power as a share of them, the exaggeration as a mean over those that were found."""
    return [_bleu_share(row) if row.settings["quantity"] == "power" else _bleu_exaggeration(row) for row in rows]


def _bleu_share(row: PublishedRow) -> Ours:
    return Ours(_bleu_power(row).power, share=True)


def _bleu_exaggeration(row: PublishedRow, trials: int = 500) -> Ours:
    found, study = _bleu_power(row), _bleu_study(row, int(row.number("items")))
    assert found.type_m is not None
    # What is found scatters less than an estimate does, so that this width is ample.
    error = (study.population.sd_difference or 0.0) / math.sqrt(study.items) / abs(study.population.known_effect)
    return Ours(found.type_m, half_width=CLOSE * error / math.sqrt(found.power * trials))


@recomputes("card2020-figure-17")
def figure(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """Our power at each point of the figure, and first the worst step along each axis."""
    points = [row for row in rows if row.settings["items"]]
    values = {tuple(row.number(axis) for axis in AXES): _bleu_power(row).power for row in points}
    steps = (worst_step(values, axis, worst) for axis, worst in enumerate((min, min, min, max)))
    return [*steps, *map(Ours, values.values())]


# Single swaps of sentences in Card et al. (2020), appendix G: their procedure on the outputs of WMT17, as
# theirs are not to be had.

FIELDS = {
    "share of swaps that change nothing": "zero_share",
    "scale": "likelihood_scale",
    "scale by the second moment": "scale",
}
PICKED: dict[str, Callable[[list[float]], float]] = {"least": min, "median": median, "most": max}
BRIEF = "a brevity penalty on one system or both"
LONG = "both systems at least as long as the reference"


@lru_cache(maxsize=1)
def _swapped_pairs(folder: Path) -> tuple[tuple[SwappedPair, ...], dict[str, float]]:
    """Every pair of WMT17 systems by BLEU, and how long each system is, as a share of the reference."""
    scores = read(folder / FILES["wmt17"][0], metric="bleu")
    lengths = np.nansum(scores.values[:, :, 0, :2], axis=1)
    ratios = dict(zip(scores.systems, (lengths[:, 0] / lengths[:, 1]).tolist(), strict=True))
    return fit_swaps(scores, METRICS.parse("bleu"), "WMT17").swaps, ratios


@recomputes("card2020-table-3")
def swaps(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    pairs, _ = _swapped_pairs(setting.data)

    def found(row: PublishedRow) -> Ours | None:
        pick = PICKED.get(row.settings["of all pairs"])
        field = FIELDS[row.settings["quantity"]]
        return None if pick is None else Ours(pick([float(getattr(pair, field)) for pair in pairs]))

    return [found(row) for row in rows]


@recomputes("card2020-figure-15")
def additivity(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    """How far joint swaps are sums of single ones: nearly, unless a brevity penalty sets in."""
    pairs, ratios = _swapped_pairs(setting.data)
    brief = {pair: min(ratios[pair.a], ratios[pair.b]) < 1.0 for pair in pairs}
    asked: dict[str, list[float]] = {
        LONG: [pair.additivity for pair in pairs if not brief[pair]],
        BRIEF: [pair.additivity for pair in pairs if brief[pair]],
        "any": [pair.additivity for pair in pairs],
    }

    def found(row: PublishedRow) -> Ours | None:
        values = asked.get(row.settings["lengths"])
        pick = min if row.settings["quantity"].startswith("least") else max
        return None if values is None else Ours(pick(values))

    return [found(row) for row in rows]
