"""Several runs of an item as one score, by the option `runs_as`: pass@k, pass^k or majority@k of right-or-wrong runs."""

from dataclasses import replace

import numpy as np

from tellapart.data.pair import Missing
from tellapart.data.scores import Scores
from tellapart.data.summaries.counts import Coding, coding
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import DataError
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.numerics.k_samples import RunSummary


def _one_score(summary: RunSummary, scores: Scores, missing: str | Missing) -> Scores:
    """The scores with one run of each item, and of each seed: what k of its runs would show."""
    if len(scores.parts) > 1:
        raise DataError(
            f"{option('runs_as')} is for right-or-wrong scores, and these are parts of a metric: {', '.join(scores.parts)}"
        )
    values = scores.values[..., 0]
    code = coding(values)
    if code is None:
        raise DataError(
            f"{summary} is for right-or-wrong scores (0 and 1, 0 and 100 or −1 and 1), and these are not; leave {option('runs_as')} out to average runs"
        )
    runs = scores.seed_runs or values.shape[2]
    by_seed = values.reshape(*values.shape[:2], -1, runs)
    samples = np.asarray((~np.isnan(by_seed)).sum(axis=-1))
    if missing == "error":
        _refuse_few(summary, scores, samples)
    return _summarised(summary, scores, by_seed, samples, code)


def _refuse_few(summary: RunSummary, scores: Scores, samples: IntArray) -> None:
    few = (samples > 0) & (samples < summary.k)
    if few.any():
        system, item, _ = (int(place) for place in np.argwhere(few)[0])
        least = int(samples[few].min())
        # An item is kept where every system has enough.
        left = (samples >= summary.k).all(axis=(0, 2)).any()
        dropped = f", or {option('missing', 'drop')} to leave such items out" if left else ""
        raise DataError(
            f"item {scores.show(item)!r} has {amount(int(samples[few][0]), 'sample')} of {scores.systems[system]!r}; {summary} needs {summary.k}: "
            f"{option('runs_as', f'{summary.kind}{least}')}{dropped}"
        )


def _summarised(summary: RunSummary, scores: Scores, runs: FloatArray, samples: IntArray, code: Coding) -> Scores:
    right = np.asarray((runs == code.right).sum(axis=-1))
    enough = samples >= summary.k
    if not enough.any():
        raise DataError(f"no item has {summary.k} samples, which {summary} needs")
    shares = summary.shares(right, np.maximum(samples, summary.k))
    values = np.where(enough, code.wrong + code.step * shares, np.nan)
    least, most = int(samples[enough].min()), int(samples[enough].max())
    counted = str(most) if least == most else f"{least} to {most}"
    return replace(
        scores,
        values=values[..., np.newaxis],
        measure=f"{summary} of n = {counted}",
        seed_runs=None if scores.seed_runs is None else 1,
    )


def summarise_runs(scores: Scores, runs_as: str | None, missing: str) -> Scores:
    """The scores as they are, or with the runs of each item as one score."""
    return scores if runs_as is None else _one_score(RunSummary.parse(runs_as), scores, missing)
