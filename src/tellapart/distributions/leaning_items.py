"""Few items that may lean to one side, some of them ties: Student's t of those that differ, moved by their skewness, times their share."""

from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.distributions.followed_skewness import followed_skewness
from tellapart.distributions.leaning_t import leaning_quantiles, leaning_tails
from tellapart.distributions.moments import mean_and_variance, t_ratio
from tellapart.distributions.student import t_quantile, t_tails

FARTHEST_QUANTILE = 8.0
"""The normal quantile up to which bounds are followed to a margin: a tail of 6·10⁻¹⁶, and no smaller one is told apart from it."""
HALVINGS = 58
"""Of the range of quantiles, until no digit of a double is left to find."""


@dataclass(frozen=True, eq=False)
class LeaningItems:
    """What the mean of differences is made of, each `(*batch,)`: the mean on items that differ, and how many do."""

    items: int
    mean: FloatArray
    error: FloatArray
    """Student's standard error, of all items."""
    differing: IntArray
    error_differing: FloatArray
    """That of the mean of the items that differ, times their share; 0 where they are fewer than two or all differ by the same."""
    skewness: FloatArray
    """That of the mean of the items that differ, as far as it is followed."""

    @classmethod
    def of(cls, values: FloatArray, tied: BoolArray) -> "LeaningItems":
        items, (mean, variance) = values.shape[-1], mean_and_variance(values)
        differing = items - np.count_nonzero(tied, axis=-1)
        deviations = _deviations(values, tied, differing)
        units = np.maximum(differing, 2)
        spread = np.sqrt((deviations**2).sum(axis=-1) / (units - 1.0))
        skewness = followed_skewness(np.where(tied, np.inf, deviations), differing)
        error_differing = spread * np.sqrt(units) / items
        return cls(items, mean, np.sqrt(variance / items), differing, error_differing, skewness)

    def tails(self, null: float) -> tuple[FloatArray, FloatArray]:
        """How likely a mean as low as this one is, and one as high, where the true one is `null`: as large as every bound beyond it allows."""
        if null != 0.0:
            return self._tails_by_bounds(null)
        varies = self.error_differing > 0.0
        ratio = np.divide(self.mean, self.error_differing, out=np.zeros_like(self.mean), where=varies)
        of_all = t_tails(t_ratio(self.mean, self.error), self.items - 1)
        moved = leaning_tails(ratio, self._df, self.skewness)
        lower, upper = (
            np.maximum(np.where(varies, np.maximum(a, b), a), self._one_sided)
            for a, b in zip(of_all, moved, strict=True)
        )
        return lower, upper

    @property
    def _df(self) -> FloatArray:
        return np.asarray(np.maximum(self.differing - 1.0, 1.0))

    @property
    def _one_sided(self) -> FloatArray:
        """How likely it is that all items that differ do so to the same side of zero by chance: no tail at zero is smaller."""
        return np.asarray(0.5**self.differing)

    def bounds(self, quantile: FloatArray | float) -> tuple[FloatArray, FloatArray]:
        """The lower and the upper bound at this normal quantile: nowhere closer than Student's of all items, and about zero where no signs could exclude it."""
        above, below = leaning_quantiles(quantile, self._df, self.skewness)
        low, high = self._lower(self.mean, above, quantile), -self._lower(-self.mean, -below, quantile)
        # A level whose tail is this very chance is reached, rounded or not.
        within = special.ndtr(-np.asarray(quantile)) < self._one_sided * (1.0 - STATISTIC_NOISE)
        return np.where(within, np.minimum(low, 0.0), low), np.where(within, np.maximum(high, 0.0), high)

    def _lower(self, mean: FloatArray, t: FloatArray, quantile: FloatArray | float) -> FloatArray:
        """Mean and share each have an error; together they vary by the root of both squares (Zou and Donner 2008), and turn no sign that the mean keeps."""
        students = -t_quantile(special.ndtr(-quantile), self.items - 1.0)
        count = np.maximum(self.differing, 1)
        of_share = students * np.sqrt((1.0 - self.differing / self.items) / count)
        alone = mean - t * self.error_differing
        both = mean - np.hypot(t * self.error_differing, mean * of_share)
        kept = np.where(alone > 0.0, np.maximum(both, np.exp(-of_share) * alone), both)
        return np.asarray(np.minimum(kept, mean - students * self.error))

    def _tails_by_bounds(self, null: float) -> tuple[FloatArray, FloatArray]:
        """From the quantile at which a bound reaches the null: down to 1/2 where none does, and what the other side leaves where that does."""
        reached, beyond = np.zeros((2, *self.mean.shape)), np.full((2, *self.mean.shape), FARTHEST_QUANTILE)
        outside = self._leave_out(null, reached)
        for _ in range(HALVINGS):
            tried = (reached + beyond) / 2.0
            left_out = self._leave_out(null, tried)
            reached, beyond = np.where(left_out, tried, reached), np.where(left_out, beyond, tried)
        # Where nothing varies bounds are a point, which is no certainty: as at zero there is no answer.
        answered = (self.error > 0.0) | (self.mean == null)
        lower, upper = np.where(answered, special.ndtr(-reached), np.nan)
        return np.where(outside[1], 1.0 - upper, lower), np.where(outside[0], 1.0 - lower, upper)

    def _leave_out(self, null: float, quantiles: FloatArray) -> BoolArray:
        """Whether the upper bound at the first quantile lies below the null, and the lower one at the second above it."""
        (_, high), (low, _) = self.bounds(quantiles[0]), self.bounds(quantiles[1])
        return np.stack([high < null, low > null])


def _deviations(values: FloatArray, tied: BoolArray, differing: IntArray) -> FloatArray:
    """From the mean of the items that differ; 0 for ties."""
    # From one of them: equal ones then deviate by exactly 0.
    first = np.take_along_axis(values, np.argmin(tied, axis=-1)[..., np.newaxis], axis=-1)
    shifted = np.where(tied, 0.0, values - first)
    mean = shifted.sum(axis=-1) / np.maximum(differing, 1)
    return np.where(tied, 0.0, shifted - mean[..., np.newaxis])
