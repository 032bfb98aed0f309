"""Repeated runs of an item: their share of the variance of a comparison, and the notes on them."""

import math
from collections.abc import Iterator

from tellapart.answers.comparison import Repeats
from tellapart.answers.parts import Note
from tellapart.data.pair import Pair
from tellapart.data.summaries.counts import Coding, coding
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.numerics.run_variance import (
    RunVariance,
    SystemRuns,
    cross_disagreement,
    identical_runs,
    run_shift_pvalue,
)
from tellapart.verbs.compare.analysis import Analysis

LEVEL = 0.95
"""The level of the interval of the share of runs."""
SHIFTED = 0.01
"""The p-value up to which whole runs are said to shift."""


def has_repeats(pair: Pair) -> bool:
    return bool(max(pair.a.shape[-2], pair.b.shape[-2]) > 1)


def repeats(analysis: Analysis, *, grouped: bool) -> Repeats | None:
    """Counts of runs and the variance between them; None without repeats.

    The parts of the variance are told of plain means of shared items: scores of an item in several groups are not repeats of one evaluation.
    """
    pair = analysis.pair
    if not has_repeats(pair) or analysis.seeded:
        return None
    a, b = (SystemRuns(x[..., 0]) for x in (pair.a, pair.b))
    found = Repeats(
        runs_a=int(a.counts.max()),
        runs_b=int(b.counts.max()),
        fewest_a=int(a.counts.min()),
        fewest_b=int(b.counts.min()),
        within_item_variance_a=_known(a.within),
        within_item_variance_b=_known(b.within),
    )
    if grouped or not (analysis.paired and analysis.metric.linear):
        return found
    return Repeats(**(vars(found) | _parts(RunVariance(a, b), coding(pair.a, pair.b))))


def _known(value: FloatArray) -> float | None:
    return float(value) if math.isfinite(value) else None


def _parts(found: RunVariance, code: Coding | None) -> dict[str, float | None]:
    """What items and runs have of the variance of B − A, and how often runs disagree where they are right or wrong."""
    known: dict[str, float | None] = {}
    if code is not None:
        known = _disagreements(found, code)
    share = _known(found.share)
    if share is None:
        return known
    (low, high), (robust_low, robust_high) = found.share_bounds(LEVEL), found.robust_share_bounds(LEVEL)
    return known | {
        "item_variance": float(found.item_variance),
        "runs_share": min(share, 1.0),
        "runs_share_low": _known(low),
        "runs_share_high": _known(high),
        "runs_share_robust_low": _known(robust_low),
        "runs_share_robust_high": _known(robust_high),
        "se_endless_runs": float(found.standard_error(math.inf)),
        "se_one_run": float(found.standard_error(1.0)),
    }


def _disagreements(found: RunVariance, code: Coding) -> dict[str, float | None]:
    """Two runs of one solve rate p disagree with chance 2p(1 − p), which is twice the variance of a run."""
    a, b = ((one.means - code.wrong) / code.step for one in (found.a, found.b))
    return {
        "disagreement_a": _known(2.0 * found.a.within / code.step**2),
        "disagreement_b": _known(2.0 * found.b.within / code.step**2),
        "discordance_one_run": float(cross_disagreement(a, b)),
    }


def run_notes(analysis: Analysis, names: tuple[str, str], *, grouped: bool) -> Iterator[Note]:
    """That runs were averaged, and where they look like copies or like trainings."""
    pair = analysis.pair
    if not has_repeats(pair) or analysis.seeded:
        return
    yield Note("runs_averaged")
    if grouped:
        return
    copies = [
        {"system": name, "runs": int(runs.shape[-2]), "different": int(runs.shape[-2]) - len(found)}
        for name, runs in zip(names, (pair.a, pair.b), strict=True)
        if (found := identical_runs(runs))
    ]
    if copies:
        yield Note("identical_runs", {"systems": copies})
    elif analysis.metric.linear:
        pvalue = run_shift_pvalue(pair.a[..., 0], pair.b[..., 0])
        if rejects(pvalue, SHIFTED):
            yield Note("runs_shift", {"pvalue": pvalue})
    if analysis.clusters is not None:
        yield Note("runs_share_without_clusters")
