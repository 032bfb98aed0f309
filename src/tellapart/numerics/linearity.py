"""Linearity check of a metric: correlation of joint swaps of items with the sums of their single swaps.

Influence takes a metric for a plane near what was observed. At a kink, as where BLEU's brevity penalty sets in, or where a rare class
decides, it is none, and t tests on influence mislead. Every single swap is computed exactly, and so are some joint ones: where these
are nearly sums of single ones, the metric is straight as far as a permutation reaches. Card et al. (2020), appendix G.
"""

from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray
from tellapart.foundation.errors import DataError
from tellapart.foundation.seeds import stream
from tellapart.numerics.moments import cluster_sums

# A straight line through past results, and how well each of them would have been predicted from the others.

LONELY = 1e-9
"""A result whose leverage is nearer to 1 than this decides its own prediction; the others say nothing about it."""


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """The coefficients, how well they fit, and each response as predicted from all other rows (NaN where they cannot)."""

    coefficients: FloatArray
    r_squared: float
    residual_sd: float
    predicted: FloatArray
    prediction_error: float
    """The root mean square error of those predictions."""


def least_squares(design: FloatArray, response: FloatArray) -> LeastSquares:
    """Ordinary least squares with leave-one-out predictions, which need no refitting.

    A row's residual e understates how badly the other rows predict it, because the row pulled the line towards itself by
    its leverage h, the diagonal of the projection onto the columns; without it the residual is e / (1 − h). Assumes more
    rows than columns and columns that are not combinations of each other. Allen (1974).
    """
    rows, columns = design.shape
    if rows <= columns or np.linalg.matrix_rank(design) < columns:
        raise DataError(
            f"{rows} results do not determine {columns} coefficients; give more of them, and not all with the same "
            "accuracy or gap"
        )
    q, r = np.linalg.qr(design)
    coefficients = np.linalg.solve(r, q.T @ response)
    noise = STATISTIC_NOISE * float(np.abs(response).max())
    residuals = _above_noise(noise, response - design @ coefficients)
    rest = 1.0 - (q * q).sum(axis=1)
    errors = np.where(rest > LONELY, residuals / np.maximum(rest, LONELY), np.nan)
    total = float((_above_noise(noise, response - response.mean()) ** 2).sum())
    squares = float((residuals**2).sum())
    return LeastSquares(
        coefficients,
        1.0 - squares / total if total > 0.0 else float("nan"),
        float(np.sqrt(squares / (rows - columns))),
        response - errors,
        float(np.sqrt(np.nanmean(errors**2))),
    )


def _above_noise(noise: float, values: FloatArray) -> FloatArray:
    return np.where(np.abs(values) > noise, values, 0.0)


JOINT_SWAPS = 256
"""As many tell .99 from .999 with next to no error."""

STRAIGHT = 0.999
"""Joint swaps that correlate with sums of single ones below this show that influence misleads: by 12 % at the median, else by .5 %."""

HELD = 1 << 21
"""Numbers held at once."""


def joint_swap_correlation(sample: Parts) -> FloatArray:
    """The correlation of joint swaps with the sums of single ones, `(*batch,)`; 1 where nothing changes."""
    swaps = _unit_swaps(sample)
    swapped = joint_swaps(swaps[0].units)
    return np.array([one.joint_swap_correlation(swapped) for one in swaps]).reshape(sample.a.shape[:-2])


def single_swaps(sample: Parts) -> FloatArray:
    """By how much the effect changes when one unit alone is swapped between the systems, `(*batch, unit)`."""
    swaps = _unit_swaps(sample)
    return np.stack([one.single for one in swaps]).reshape(*sample.a.shape[:-2], swaps[0].units)


def joint_swaps(units: int) -> FloatArray:
    """Which units are swapped together, `(swap, unit)`, 1 or 0: the same for all pairs, so that nothing else decides."""
    return stream(0).integers(0, 2, size=(JOINT_SWAPS, units)).astype(np.float64)


def _unit_swaps(sample: Parts) -> "list[Swaps]":
    n, parts = sample.a.shape[-2:]
    a, b = (x.reshape(-1, n, parts) for x in (sample.a, sample.b))
    moved, middle = b - a, 0.5 * (a + b).sum(axis=1)
    if sample.clusters is not None:
        moved = np.moveaxis(cluster_sums(np.moveaxis(moved, 1, -1), sample.clusters), -1, 1)
    return [Swaps(*entry, sample, n) for entry in zip(moved, middle, strict=True)]


@dataclass(frozen=True, eq=False)
class Swaps:
    """The parts of B minus A in every unit, and the mean of both sums: the effect of any swaps follows from these."""

    moved: FloatArray
    middle: FloatArray
    sample: Parts
    items: int

    @property
    def units(self) -> int:
        return len(self.moved)

    @property
    def observed(self) -> FloatArray:
        return np.asarray(self.moved.sum(axis=0))

    def effect(self, sums: FloatArray) -> FloatArray:
        """The effect where B's sums are so far ahead of A's."""
        b, a = (self.sample.metric.value((self.middle + side * sums) / self.items, self.items) for side in (0.5, -0.5))
        return np.asarray(b - a)

    @property
    def single(self) -> FloatArray:
        """The change of the effect by each single swap."""
        step = max(1, HELD // self.moved.shape[-1])
        pieces = (self.moved[start : start + step] for start in range(0, self.units, step))
        swapped = [self.effect(self.observed - 2.0 * piece) for piece in pieces]
        return np.concatenate(swapped) - float(self.effect(self.observed))

    def joint_swap_correlation(self, swapped: FloatArray) -> float:
        joint = self.effect(self.observed - 2.0 * (swapped @ self.moved)) - float(self.effect(self.observed))
        return correlation(swapped @ self.single, joint)


def correlation(one: FloatArray, other: FloatArray) -> float:
    """Pearson's correlation of numbers in one unit; 1 where neither varies by more than rounding."""
    gaps = [x - x.mean() for x in (one, other)]
    sizes = [float(np.abs(gap).max()) for gap in gaps]
    # Zeros alone are as good as not varying, and are not divided by.
    if min(sizes) <= STATISTIC_NOISE * max(*sizes, float(np.abs(other).max()), 1e-300):
        return 1.0 if max(sizes) <= STATISTIC_NOISE * float(np.abs([one, other]).max()) else 0.0
    first, second = (gap / size for gap, size in zip(gaps, sizes, strict=True))
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))
