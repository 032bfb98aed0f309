"""Human ratings in Card et al. (2020): figure 6, and tables 12 to 16 as far as their data are public."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tellapart.choosing.pairs import suited_to_raters
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.numerics.mixed_models.fit_samples import fit_differences
from tellapart.planning.power import power
from tellapart.planning.study import Study
from tellapart.populations.evidence import RatingSpreads
from tellapart.populations.population import Design
from tellapart.populations.rating_designs import SPREADS
from tellapart.populations.ratings import RatedSystems
from tellapart.studies.reproduction.card_figures import towards
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import Ours, Setting, nothing, recomputes

Z = 1.96
"""Their critical value, whatever the number of workers."""
MOST_FITS = 2_000
"""Simulated evaluations of each design: a fit by maximum likelihood takes its time, and theirs were 200."""
PPLM = "pplm_human_ratings.csv.gz"


def _published_spreads(row: PublishedRow) -> dict[str, Any]:
    """The standard deviations of the setting that a row of a table names."""
    return RatingSpreads.parse(f"ratings(setting={row.settings['setting']})").coefficients


def _printed_ratings(row: PublishedRow, effect: float) -> RatedSystems:
    spreads = _published_spreads(row)
    return RatedSystems(raters=int(row.number("workers")), effect=effect, **{name: spreads[name] for name in SPREADS})


@recomputes("card2020-figure-6")
def likert(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """Their rule, t > 1.96 by maximum likelihood, with an effect that is half the difference; and the default test on that difference."""
    return [
        _as_they_did(row, setting) if row.settings["quantity"].startswith("power in") else _by_default(row)
        for row in rows
    ]


def _as_they_did(row: PublishedRow, setting: Setting) -> Ours:
    replicates = min(setting.replicates, MOST_FITS)
    estimates, errors = _simulated_fits(_printed_ratings(row, 0.0), int(row.number("items")), replicates, setting.seed)
    # All effects of a design are found in the same simulated ratings: a true difference moves the estimate and nothing else.
    found = (estimates + 2.0 * row.number("effect")) / errors > Z
    return Ours(float(found.mean()), replicates=replicates, share=True)


@lru_cache(maxsize=8)
def _simulated_fits(source: RatedSystems, items: int, replicates: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Estimated differences and their standard errors, by maximum likelihood."""
    sample = source.draw_summary(ByRaters, Design(items), replicates, stream(seed))
    assert sample is not None, "paired ratings are drawn directly"
    fitted = fit_differences(sample.values, "ml")
    return fitted.effect, fitted.se


def _by_default(row: PublishedRow) -> Ours:
    source, items = _printed_ratings(row, row.number("effect")), int(row.number("items"))
    return Ours(towards(power(Study(source, suited_to_raters(source.raters, items), items))))


@recomputes("card2020-table-12")
def sizes(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    """Workers of the one set of ratings that is public as they used it."""
    table = setting.table(PPLM)
    worker = table[0].index("worker")
    workers = Ours(float(len({line[worker] for line in table[1:]})))
    known = {("workers", "Dathathri et al."): workers}
    return [known.get((row.settings["quantity"], row.settings["dataset"])) for row in rows]


for _table in ("card2020-table-13", "card2020-table-14", "card2020-table-15"):
    recomputes(_table)(nothing)


@recomputes("card2020-table-16")
def settings(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    """The two settings as evidence keeps them, slopes halved again; and what PPLM fluency says of differences between systems."""
    return [_of_setting(row) if not row.settings["systems"] else _measured_sd(row, setting) for row in rows]


_NAMES = {
    "worker intercept": ("rater_sd", 1.0),
    "worker slope": ("rater_effect_sd", 0.5),
    "item intercept": ("item_sd", 1.0),
    "item slope": ("item_effect_sd", 0.5),
    "sigma": ("residual_sd", 1.0),
}


def _of_setting(row: PublishedRow) -> Ours:
    name, times = _NAMES[row.settings["quantity"]]
    return Ours(times * _published_spreads(row)[name])


def _measured_sd(row: PublishedRow, setting: Setting) -> Ours:
    a, _, b = row.settings["systems"].partition(" and ")
    sds = _fitted_spreads(setting, a, b)
    return Ours(sds["rater_effect_sd" if "workers" in row.settings["quantity"] else "item_effect_sd"])


@lru_cache(maxsize=8)
def _fitted_spreads(setting: Setting, a: str, b: str) -> dict[str, float]:
    """Of the differences between two systems, by REML; fluency from 1 to 5 brought to 0–1, repeats of a rater averaged."""
    header, *lines = setting.table(PPLM)
    rated: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for line in lines:
        cell = dict(zip(header, line, strict=True))
        if cell["study"] == "pplm" and cell["fluency"]:
            rated[cell["worker"], f"{cell['topic']}/{cell['item']}", cell["system_idx"]].append(
                (float(cell["fluency"]) - 1.0) / 4.0
            )
    found = fit_differences(_rating_differences(rated, a, b))
    return {name: float(sd) for name, sd in found.sds.items()}


def _rating_differences(rated: dict[tuple[str, str, str], list[float]], a: str, b: str) -> FloatArray:
    pairs = {(w, i) for w, i, s in rated if s == a} & {(w, i) for w, i, s in rated if s == b}
    workers, items = (sorted({pair[place] for pair in pairs}) for place in (0, 1))
    table = np.full((len(workers), len(items)), np.nan)
    for worker, item in pairs:
        means = [float(np.mean(rated[worker, item, system])) for system in (a, b)]
        table[workers.index(worker), items.index(item)] = means[1] - means[0]
    return table
