"""Evidence fitted to a table of past results, or to the scores of every pair of systems."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from tellapart.answers.evidence_fit import EvidenceFit, Fit, SeenPair
from tellapart.answers.parts import BadRow, Note
from tellapart.claims.past_results import COLUMNS, PastResult, PrintedResult, Scales, past_result
from tellapart.data.scores import Scores
from tellapart.data.summaries import coding
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.foundation.errors import DataError, TooFew
from tellapart.foundation.surfaces import LINE_END
from tellapart.metrics import Metric
from tellapart.numerics.linearity import LeastSquares
from tellapart.populations.evidence.fitted import FittedGain, FittedOverlap, fit_gain, fit_overlap, fit_spread
from tellapart.readers import read
from tellapart.readers.tables.assembly import Read
from tellapart.readers.tables.reported import ReportedRow, ReportedTable, holds_scores, read_reported
from tellapart.verbs.compare.systems import plain_scores
from tellapart.verbs.evidence.swaps import fit_swaps
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import unused_columns, usable_rows


def fit_evidence(path: str | os.PathLike[str], limits: Mapping[str, float | str] = MappingProxyType({})) -> EvidenceFit:
    """Overlap from accuracy and gap, gain from baseline, by least squares with leave-one-out prediction errors.

    Columns: baseline (or accuracy_a) and new (or accuracy_b) or gap; agreement (overlap) or discordance if known.
    Rows count alike, whatever their number of items. A table of scores, with a column of items, is taken pair by pair.
    `limits` allows larger files than usual: bytes, line, columns, nesting.
    """
    if holds_scores(os.fspath(path), limits):
        return fit_scores(read(os.fspath(path), limits=limits), Path(path).name)
    return _fit_results(path, limits)


def fit_scores(scores: Read, name: str) -> EvidenceFit:
    """Fit evidence to these scores, by any metric."""
    counted = getattr(scores, "counted", None)
    metric = None if counted is None else Metric.parse(counted.metric)
    if metric is None or metric.linear:
        return fit_pairs(scores, name)
    return fit_swaps(scores, metric, name)


def _fit_results(path: str | os.PathLike[str], limits: Mapping[str, float | str]) -> EvidenceFit:
    table = read_reported(os.fspath(path), COLUMNS, limits=limits)
    results, bad = _usable_results(table)
    if len(results) == 0:
        raise DataError(
            LINE_END.join([f"no row of {table.name} can be used", *(f"line {b.line}: {b.problem}" for b in bad)])
        )
    overlap, gain, notes = _result_fits(results)
    return EvidenceFit(
        overlap,
        gain,
        bad,
        (*notes, *unused_columns(table.unused)),
        sign("evidence fit", f"{table.name} ({len(results)} results)"),
    )


def _usable_results(table: ReportedTable) -> tuple[tuple[PastResult, ...], tuple[BadRow, ...]]:
    scales = Scales.of(table.name, map(_printed_result, table.rows))
    return usable_rows(table, lambda row: past_result(_printed_result(row), scales))


def _printed_result(row: ReportedRow) -> PrintedResult:
    cells: dict[str, Any] = dict(row.cells)
    return PrintedResult(**cells)


def _result_fits(results: tuple[PastResult, ...]) -> tuple[Fit | None, Fit, tuple[Note, ...]]:
    baseline, new = (np.array([getattr(r, side) for r in results]) for side in ("baseline", "new"))
    known = np.array([r.agreement is not None for r in results])
    agreement = np.array([np.nan if r.agreement is None else r.agreement for r in results])[known]
    # Differences of printed numbers: what floats add to them is no variation.
    gain = of_line("gain", *fit_gain(baseline, np.round(new - baseline, 12)))
    if not known.any():
        return None, gain, (Note("no_overlap_reported"),)
    try:
        overlap = of_line("agreement", *fit_overlap(baseline[known], new[known], agreement))
    except DataError as error:
        return None, gain, (Note("overlap_not_fitted", {"problem": error.message}),)
    return overlap, gain, ()


# Evidence of one's own from scores: every pair of systems on the items they share.

FEWEST_ITEMS = 3
"""Shared items below which two systems have no correlation to speak of."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """All pairs of systems that share enough items: who they are, on how many items, their means, and how they go together."""

    first: IntArray
    second: IntArray
    items: IntArray
    a: FloatArray
    b: FloatArray
    correlation: FloatArray
    discordance: FloatArray | None

    @classmethod
    def of(cls, scores: Scores) -> "Pairs":
        values, z, has = item_means(scores)
        i, j = np.triu_indices(len(z), 1)
        shared, sums, squares, products = (x @ y.T for x, y in ((has, has), (z, has), (z * z, has), (z, z)))
        kept = shared[i, j] >= FEWEST_ITEMS
        i, j = i[kept], j[kept]
        n = shared[i, j]
        a, b = sums[i, j] / n, sums[j, i] / n
        mean_squares = squares[i, j] / n, squares[j, i] / n
        # Beside their squares: one score everywhere does not vary, and scores of any unit may.
        of_a, of_b = (
            np.where(square - mean * mean > STATISTIC_NOISE * square, square - mean * mean, 0.0)
            for square, mean in zip(mean_squares, (a, b), strict=True)
        )
        spread = np.sqrt(of_a) * np.sqrt(of_b)
        covariance = products[i, j] / n - a * b
        correlation = np.divide(covariance, spread, out=np.full_like(a, np.nan), where=spread > 0.0)
        binary = values.shape[-1] == 1 and coding(values) is not None
        discordance = a + b - 2.0 * products[i, j] / n if binary else None
        return cls(i, j, n.astype(np.int64), a, b, np.clip(correlation, -1.0, 1.0), discordance)

    def seen(self, names: tuple[str, ...]) -> Iterator[SeenPair]:
        for k in range(len(self.first)):
            r = float(self.correlation[k])
            yield SeenPair(
                names[self.first[k]],
                names[self.second[k]],
                int(self.items[k]),
                float(self.a[k]),
                float(self.b[k]),
                float(self.b[k] - self.a[k]),
                None if np.isnan(r) else r,
                None if self.discordance is None else float(self.discordance[k]),
            )


def item_means(scores: Scores) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The scores of every run, their mean per item with 0 where there is none, and 1 where there is one.

    Right or wrong is 1 or 0, whichever two numbers say so.
    """
    values = scores.values[..., 0]
    code = coding(values) if values.shape[-1] == 1 else None
    if code is not None:
        values = (values - code.wrong) / code.step
    known = ~np.isnan(values)
    runs = known.sum(axis=-1)
    means = np.where(known, values, 0.0).sum(axis=-1) / np.maximum(runs, 1)
    return values, np.asarray(means), (runs > 0).astype(np.float64)


def fit_pairs(scores: Read, name: str) -> EvidenceFit:
    """Correlation, discordance and gains of every pair of systems in scores.

    Where scores are right or wrong, overlap from the worse accuracy and the gap, with the error of predicting a system that
    was left out, and gains of the better of two over the other; else the spread and correlation of the scores.
    """
    if not isinstance(scores, Scores):
        scores = plain_scores(scores, "evidence", may_fix=False)
    pairs = Pairs.of(scores)
    if len(pairs.first) == 0:
        raise DataError(f"{name}: no two systems share {FEWEST_ITEMS} items")
    fits = _overlap_fits(pairs) if pairs.discordance is not None else _spread_fits(scores, pairs)
    overlap, gain, spread, notes = fits
    return EvidenceFit(
        overlap,
        gain,
        (),
        (Note("pairs_of_systems", {"systems": len(scores.systems), "pairs": len(pairs.first)}), *notes),
        sign("evidence fit", f"{name} ({len(scores.systems)} systems)"),
        spread=spread,
        pairs=tuple(pairs.seen(scores.systems)),
    )


Fits = tuple[Fit | None, Fit | None, Fit | None, tuple[Note, ...]]


def _overlap_fits(pairs: Pairs) -> Fits:
    assert pairs.discordance is not None, "right or wrong"
    worse, better = np.minimum(pairs.a, pairs.b), np.maximum(pairs.a, pairs.b)
    try:
        evidence, line = fit_overlap(pairs.a, pairs.b, 1.0 - pairs.discordance, (pairs.first, pairs.second))
        overlap: Fit | None = replace(of_line("agreement", evidence, line), prediction_error=evidence.error)
        notes: tuple[Note, ...] = (Note("systems_left_out"),)
    except DataError as error:
        overlap, notes = None, (Note("overlap_not_fitted", {"problem": error.message}),)
    try:
        gain: Fit | None = of_line("gain", *fit_gain(worse, np.round(better - worse, 12)))
        notes = (*notes, Note("gains_of_pairs"))
    except DataError as error:
        gain, notes = None, (*notes, Note("gains_not_fitted", {"problem": error.message}))
    return overlap, gain, None, notes


def _spread_fits(scores: Scores, pairs: Pairs) -> Fits:
    _, z, has = item_means(scores)
    counts = has.sum(axis=-1)
    means = z.sum(axis=-1) / np.maximum(counts, 1.0)
    squares = (np.where(has > 0.0, z - means[:, None], 0.0) ** 2).sum(axis=-1)
    sds = np.sqrt(squares / np.maximum(counts - 1.0, 1.0))
    within = bool(((z >= 0.0) & (z <= 1.0)).all())
    zeros = ((z == 0.0) & (has > 0.0)).sum(axis=-1) / np.maximum(counts, 1.0)
    seen = (means[counts > 0], zeros[counts > 0]) if within else (None, None)
    try:
        evidence = fit_spread(sds, pairs.correlation[np.isfinite(pairs.correlation)], *seen)
    except TooFew as error:
        return None, None, None, (Note("spread_not_fitted", {"problem": error.message}),)
    low, high = float(min(pairs.a.min(), pairs.b.min())), float(max(pairs.a.max(), pairs.b.max()))
    fit = Fit(str(evidence), "spread", evidence.coefficients, None, None, None, len(pairs.first), low, high)
    return None, None, fit, ()


def of_line(response: str, evidence: FittedOverlap | FittedGain, fit: LeastSquares) -> Fit:
    low, high = evidence.accuracies
    return Fit(
        evidence=str(evidence),
        response=response,
        coefficients=evidence.coefficients,
        r_squared=fit.r_squared,
        residual_sd=fit.residual_sd,
        prediction_error=fit.prediction_error,
        observations=len(fit.predicted),
        accuracy_low=low,
        accuracy_high=high,
    )
