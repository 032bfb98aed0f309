"""Rules of thumb on significance in retrieval evaluations, recomputed: which hold, and which do not."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics.mean import Mean
from tellapart.numerics.null_laws.proportions import wilson_bounds
from tellapart.numerics.null_laws.tails import counted, sided, t_tails, two_sided_quantile
from tellapart.populations.gaussian import Gaussian
from tellapart.studies.reproduction.embeddings import t_power_of
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.reasoning import formula_items
from tellapart.studies.reproduction.table import Ours, Setting, recomputes


@recomputes("retrieval-noise")
def noise(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (nothing is simulated)
    return [Ours(_noise(row)) for row in rows]


def _noise(row: PublishedRow) -> float:
    quantity, items, sd = row.settings["quantity"], row.number("items"), row.number("sd")
    if quantity.startswith("standard error of one"):
        return sd / math.sqrt(items)
    correlation = row.number("correlation")
    error = Gaussian(sd=sd, correlation=correlation).sd_difference / math.sqrt(items)
    if quantity.startswith("standard error"):
        return error
    effect = row.number("effect")
    if quantity.startswith("p "):
        return float(sided(*t_tails(np.asarray(effect / error), items - 1.0), "two-sided"))
    return t_power_of(sd, correlation, int(items), effect)


@recomputes("retrieval-pairing")
def pairing(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """Queries of every difficulty, normally spread, on each of which B scores the same amount higher."""
    tests = {"p, paired": TESTS.parse("permutation"), "p, unpaired": TESTS.parse("welch_t")}

    def pvalue(row: PublishedRow) -> float:
        test = tests[row.settings["quantity"]]
        a = 0.5 + row.number("sd") * _standard_scores(int(row.number("items")))
        pair = Pair(a[:, np.newaxis, np.newaxis], a[:, np.newaxis, np.newaxis] + row.number("effect"))
        return float(test.apply(test.needs.of(pair, Mean()), stream(0)).pvalue)

    return [Ours(pvalue(row)) for row in rows]


def _standard_scores(items: int) -> FloatArray:
    """Normal quantiles at equal steps, with mean 0 and standard deviation 1."""
    scores = special.ndtri((np.arange(items) + 0.5) / items)
    return np.asarray(scores / scores.std(ddof=1))


@recomputes("retrieval-permutation")
def permutation(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """The observed order is equally likely to take any place among the shuffled ones: every count with its chance."""
    return [Ours(_permutation(row)) for row in rows]


def _permutation(row: PublishedRow) -> float:
    shuffles = int(row.number("shuffles"))
    counts = np.arange(shuffles + 1.0)
    right, naive = counted(counts, shuffles), counts / shuffles
    if row.settings["quantity"] == "smallest p":
        return float(right.min())
    pvalues = right if row.settings["quantity"] == "size with the +1" else naive
    return float(rejects(pvalues, row.number("alpha")).mean())


@recomputes("retrieval-queries")
def queries(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """By the normal approximation, as rules of thumb go; a t test needs two more."""

    def needed(row: PublishedRow) -> int:
        spread = Gaussian(sd=row.number("sd"), correlation=row.number("correlation")).sd_difference
        return math.ceil(formula_items(spread**2, row.number("effect")))

    return [Ours(float(needed(row))) for row in rows]


@recomputes("retrieval-wins")
def wins(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    expected, evidence, bound = rows
    won, datasets = int(evidence.number("wins")), int(evidence.number("datasets"))
    zero = np.asarray(0)
    table = Discordance(zero, np.asarray(won), np.asarray(datasets - won), zero)
    found = TESTS.parse("mcnemar(variant=exact)").apply(table, stream(0))
    share = wilson_bounds(bound.number("wins"), bound.number("datasets"), two_sided_quantile(0.95))
    return [Ours(0.5 * expected.number("datasets")), Ours(float(found.pvalue)), Ours(float(share.low))]


@recomputes("retrieval-report")
def report(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """The p that goes with an estimate and its 95 % interval."""

    def pvalue(row: PublishedRow) -> float:
        error = (row.number("high") - row.number("low")) / (2.0 * two_sided_quantile(0.95))
        return float(2.0 * special.ndtr(-abs(row.number("effect")) / error))

    return [Ours(pvalue(row)) for row in rows]
