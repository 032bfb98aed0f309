"""Single swaps of sentences in Card et al. (2020), appendix G: their procedure on the outputs of WMT17, as theirs are not to be had."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median

import numpy as np

from tellapart.metrics import METRICS
from tellapart.readers import read
from tellapart.reproduce.judgement import Ours
from tellapart.reproduce.published import PublishedRow
from tellapart.reproduce.table import FILES, Setting, recomputes
from tellapart.results.evidence_fit import SwappedPair
from tellapart.verbs.evidence.swaps import fit_swaps

FIELDS = {
    "share of swaps that change nothing": "zero_share",
    "scale": "likelihood_scale",
    "scale by the second moment": "scale",
}
PICKED: dict[str, Callable[[list[float]], float]] = {"least": min, "median": median, "most": max}
BRIEF = "a brevity penalty on one system or both"
LONG = "both systems at least as long as the reference"


@lru_cache(maxsize=1)
def _swapped(folder: Path) -> tuple[tuple[SwappedPair, ...], dict[str, float]]:
    """Every pair of WMT17 systems by BLEU, and how long each system is, as a share of the reference."""
    scores = read(folder / FILES["wmt17"][0], metric="bleu")
    lengths = np.nansum(scores.values[:, :, 0, :2], axis=1)
    ratios = dict(zip(scores.systems, (lengths[:, 0] / lengths[:, 1]).tolist(), strict=True))
    return fit_swaps(scores, METRICS.parse("bleu"), "WMT17").swaps, ratios


@recomputes("card2020-table-3")
def swaps(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    pairs, _ = _swapped(setting.data)

    def found(row: PublishedRow) -> Ours | None:
        pick = PICKED.get(row.settings["of all pairs"])
        field = FIELDS[row.settings["quantity"]]
        return None if pick is None else Ours(pick([float(getattr(pair, field)) for pair in pairs]))

    return [found(row) for row in rows]


@recomputes("card2020-figure-15")
def additivity(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    """How far joint swaps are sums of single ones: nearly, unless a brevity penalty sets in."""
    pairs, ratios = _swapped(setting.data)
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
