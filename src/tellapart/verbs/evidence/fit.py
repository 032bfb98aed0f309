"""Evidence of one's own, fitted to a table of past results."""

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from tellapart.answers.evidence_fit.fields import EvidenceFit, Fit
from tellapart.answers.parts import BadRow, Note
from tellapart.claims.past_results import COLUMNS, PastResult, PrintedResult, Scales, past_result
from tellapart.foundation.errors import DataError
from tellapart.foundation.surfaces import LINE_END
from tellapart.metrics import Metric
from tellapart.populations.evidence.fitted import fit_gain, fit_overlap
from tellapart.readers import read
from tellapart.readers.tables.assembly import Read
from tellapart.readers.tables.reported import ReportedRow, ReportedTable, holds_scores, read_reported
from tellapart.verbs.evidence.pairs import fit_pairs, of_line
from tellapart.verbs.evidence.swaps import fit_swaps
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import unused_columns, usable_rows


def fit_evidence(
    path: str | os.PathLike[str], limits: Mapping[str, float | str] = MappingProxyType({})
) -> EvidenceFit:
    """Overlap from accuracy and gap, gain from baseline, by least squares with leave-one-out prediction errors.

    Columns: baseline (or accuracy_a) and new (or accuracy_b) or gap; agreement (overlap) or discordance if known.
    Rows count alike, whatever their number of items. A table of scores, with a column of items, is taken pair by pair.
    `limits` allows larger files than usual: bytes, line, columns, nesting.
    """
    if holds_scores(os.fspath(path), limits):
        return fit_scores(read(os.fspath(path), limits=limits), Path(path).name)
    return _fit_results(path, limits)


def fit_scores(scores: Read, name: str) -> EvidenceFit:
    """What the systems of these scores, by whatever metric they were read for, say of the next ones."""
    counted = getattr(scores, "counted", None)
    metric = None if counted is None else Metric.parse(counted.metric)
    if metric is None or metric.linear:
        return fit_pairs(scores, name)
    return fit_swaps(scores, metric, name)


def _fit_results(path: str | os.PathLike[str], limits: Mapping[str, float | str]) -> EvidenceFit:
    table = read_reported(os.fspath(path), COLUMNS, limits=limits)
    results, bad = _results(table)
    if len(results) == 0:
        raise DataError(
            LINE_END.join(
                [f"no row of {table.name} can be used", *(f"line {b.line}: {b.problem}" for b in bad)]
            )
        )
    overlap, gain, notes = _fits(results)
    return EvidenceFit(
        overlap,
        gain,
        bad,
        (*notes, *unused_columns(table.unused)),
        sign("evidence fit", f"{table.name} ({len(results)} results)"),
    )


def _results(table: ReportedTable) -> tuple[tuple[PastResult, ...], tuple[BadRow, ...]]:
    scales = Scales.of(table.name, map(_printed, table.rows))
    return usable_rows(table, lambda row: past_result(_printed(row), scales))


def _printed(row: ReportedRow) -> PrintedResult:
    cells: dict[str, Any] = dict(row.cells)
    return PrintedResult(**cells)


def _fits(results: tuple[PastResult, ...]) -> tuple[Fit | None, Fit, tuple[Note, ...]]:
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
