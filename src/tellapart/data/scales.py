"""Scales of scores: rescaling, mixed scales (percent and fractions), placeholder numbers, and margins too wide."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

import numpy as np

from tellapart.data.score_storage import rows_of, stored_bytes
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FINEST, LARGEST, FloatArray
from tellapart.foundation.errors import DataError, Unsuitable, UsageError
from tellapart.foundation.spelling import Hundredths
from tellapart.foundation.surfaces import option

SCALES = (5.0, 10.0, 100.0)
"""The upper ends of other scales than shares."""


def rescaled(scores: Scores, divisors: Mapping[str, float | str]) -> Scores:
    """Scores with those of some systems divided, such as percent by 100."""
    if not divisors:
        return scores
    if scores.parts != ("score",):
        raise Unsuitable(f"{option('rescale')} divides scores, and these are counts for a metric; leave it out")
    values = np.array(scores.values, dtype=np.float64)
    for system, divisor in divisors.items():
        values[scores.system(system)] /= _above_zero(system, divisor)
    return replace(scores, values=values)


def _above_zero(system: str, divisor: float | str) -> float:
    with suppress(ValueError):
        if FINEST <= (number := float(divisor)) <= LARGEST:
            return number
    raise UsageError(f"{option('rescale', f'{system}={divisor}')}: wanted a number above 0 to divide scores by")


def refuse_unlike_scales(scores: Scores, settled: Collection[str], *, asked: bool) -> None:
    """Refuse a system that was scored from 0 to 100 beside another from 0 to 1, unless the caller spoke of its scale.

    Numbers that may stand for no score are refused first, unless they were `asked` about.
    """
    if scores.parts != ("score",) or stored_bytes(scores.values) is not None:
        return
    if not asked:
        _refuse_sentinels(scores)
    systems = zip(scores.systems, map(_known, rows_of(scores.values)), strict=True)
    known = {name: values for name, values in systems if name not in settled and len(values) and values.min() >= 0.0}
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


SENTINELS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0)
"""Numbers that people write where there is no score."""


def without_blanks(scores: Scores, blank: str | Iterable[float]) -> Scores:
    """Scores without the numbers that stand for none."""
    if scores.parts != ("score",) or (isinstance(blank, str) and blank == "none"):
        return scores
    values = np.array(scores.values, dtype=np.float64)
    values[np.isin(values, _numbers(blank))] = np.nan
    return replace(scores, values=values)


def _numbers(blank: str | Iterable[float]) -> list[float]:
    try:
        return [float(one) for one in (blank.split(",") if isinstance(blank, str) else blank)]
    except (TypeError, ValueError):
        raise UsageError(
            f"{option('blank')} is {blank!r}; wanted numbers that stand for no score, such as {option('blank', '-1,999')}, or none"
        ) from None


def _refuse_sentinels(scores: Scores) -> None:
    low, high = _ends(rows_of(scores.values))
    for sentinel in SENTINELS:
        if sentinel not in {low, high}:
            continue
        others = [known[known != sentinel] for known in map(_known, rows_of(scores.values))]
        times = [np.count_nonzero(_known(values) == sentinel) for values in rows_of(scores.values)]
        total, (least, most) = sum(times) + sum(map(len, others)), _ends(others)
        if _stands_out(sentinel, least, most, sum(times) / total):
            raise DataError(
                f"{sentinel:g} is {sum(times)} of {total} scores, and the others lie between {least:g} and {most:g}. If it means that there is no score, "
                f"say so: {option('blank', f'{sentinel:g}')}. If all are scores: {option('blank', 'none')}"
            )


def _ends(systems: Iterable[FloatArray]) -> tuple[float, float]:
    """The least and the largest score."""
    known = [(float(one.min()), float(one.max())) for one in map(_known, systems) if len(one)]
    return min((low for low, _ in known), default=np.nan), max((high for _, high in known), default=np.nan)


def _stands_out(sentinel: float, least: float, most: float, share: float) -> bool:
    """Whether it is far from all others, and rare: of two that are compared, −1, 0 and 1 may say which is better."""
    if sentinel > 0.0:
        return least >= 0.0 and most <= sentinel / 9.0 and share < 0.5
    return least >= 0.0 and share < 0.1


def score_range(scores: Scores) -> float:
    """How far two scores can lie apart: 1 for shares, and for right or wrong, else as far as any two do."""
    if stored_bytes(scores.values) is not None:
        return 1.0
    low, high = _ends(rows_of(scores.values))
    if np.isnan(low):
        return np.inf
    return 1.0 if low >= 0.0 and high <= 1.0 else high - low


def refuse_two_readings(scores: Scores, name: str, size: float) -> None:
    """Refuse a margin or an effect in percent where scores are no shares: 2% may be 2 of their units, or hundredths."""
    if isinstance(size, Hundredths) and 1.0 < score_range(scores) < np.inf:
        raise UsageError(
            f"{name} is {100 * size:g}%, which is {size:g} of scores between 0 and 1, and these lie up to {score_range(scores):g} apart. In their own "
            f"units, write {option(name, f'{100 * size:g}')} for {100 * size:g} of them, or {option(name, f'{size:g}')} for hundredths"
        )


def refuse_wide_margin(scores: Scores, margin: float) -> None:
    """Refuse a margin that no candidate could miss."""
    refuse_two_readings(scores, "margin", margin)
    if scores.parts == ("score",) and margin >= score_range(scores):
        raise UsageError(
            f"a margin of {margin:g} is as wide as the scores, which lie {score_range(scores):g} apart at most: no difference could be larger. Give "
            f"the largest difference that does not matter, in the units of the scores, such as {option('margin', f'{score_range(scores) / 50:g}')}"
        )
