"""Scores on several scales: a system in percent beside another in shares, and a margin as wide as the scores."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np

from tellapart.data.score_storage import rows_of, stored_bytes
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FINEST, LARGEST, FloatArray
from tellapart.foundation.errors import DataError, Unsuitable, UsageError
from tellapart.foundation.surfaces import option

SCALES = (5.0, 10.0, 100.0)
"""The upper ends of other scales than shares."""


def rescaled(scores: Scores, divisors: Mapping[str, float | str]) -> Scores:
    """Scores with those of some systems divided, such as percent by 100."""
    if not divisors:
        return scores
    if scores.parts != ("score",):
        raise Unsuitable(
            f"{option('rescale')} divides scores, and these are counts for a metric; leave it out"
        )
    values = np.array(scores.values, dtype=np.float64)
    for system, divisor in divisors.items():
        values[scores.system(system)] /= _above_zero(system, divisor)
    return replace(scores, values=values)


def _above_zero(system: str, divisor: float | str) -> float:
    with suppress(ValueError):
        if FINEST <= (number := float(divisor)) <= LARGEST:
            return number
    raise UsageError(
        f"{option('rescale', f'{system}={divisor}')}: wanted a number above 0 to divide scores by"
    )


def refuse_unlike_scales(scores: Scores, settled: Collection[str]) -> None:
    """Refuse a system that was scored from 0 to 100 beside another from 0 to 1, unless the caller spoke of its scale."""
    if scores.parts != ("score",) or stored_bytes(scores.values) is not None:
        return
    systems = zip(scores.systems, map(_known, rows_of(scores.values)), strict=True)
    known = {
        name: values
        for name, values in systems
        if name not in settled and len(values) and values.min() >= 0.0
    }
    shares = [name for name, values in known.items() if 0.0 < values.max() <= 1.0]
    others = [name for name, values in known.items() if _beyond_shares(values)]
    if not shares or not others:
        return
    # Counts of few things are whole numbers too.
    graded = any((known[name] % 1.0).any() for name in shares)
    other = max(others, key=lambda name: float(known[name].max()))
    scale = next(end for end in SCALES if known[other].max() <= end)
    if scale == SCALES[-1] or graded:
        raise DataError(
            f"the scores of {shares[0]!r} lie between 0 and 1 and those of {other!r} between 0 and {scale:g}. Divide these: "
            f"{option('rescale', f'{other}={scale:g}')}. If both are on one scale, say so: {option('rescale', f'{other}=1')}"
        )


def _known(values: FloatArray) -> FloatArray:
    return np.asarray(values)[~np.isnan(values)]


def _beyond_shares(values: FloatArray) -> bool:
    """Whether nearly all scores that are not 0 are at least 1, and some well above."""
    small = np.count_nonzero((values > 0.0) & (values < 1.0))
    return bool(3.0 < values.max() <= SCALES[-1] and small <= 0.1 * np.count_nonzero(values))


def score_range(scores: Scores) -> float:
    """How far two scores can lie apart: 1 for shares, and for right or wrong, else as far as any two do."""
    if stored_bytes(scores.values) is not None:
        return 1.0
    ends = [(float(one.min()), float(one.max())) for one in map(_known, rows_of(scores.values)) if len(one)]
    low, high = min((low for low, _ in ends), default=0.0), max((high for _, high in ends), default=0.0)
    return 1.0 if low >= 0.0 and high <= 1.0 else high - low


def refuse_wide_margin(scores: Scores, margin: float) -> None:
    """Refuse a margin that no candidate could miss."""
    if scores.parts == ("score",) and margin >= score_range(scores):
        raise UsageError(
            f"a margin of {margin:g} is as wide as the scores, which lie {score_range(scores):g} apart at most: no difference could be larger. Give "
            f"the largest difference that does not matter, in the units of the scores, such as {option('margin', f'{score_range(scores) / 50:g}')}"
        )
