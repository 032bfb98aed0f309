"""How often a test rejects in each direction, and what the estimate is on average when it does."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Rejections:
    """Probabilities of rejecting downwards and upwards, and E[|estimate|; rejected] on each side; each `(*batch,)`.

    Estimates are in the unit of the effect that `type_s` and `type_m` are asked about.
    """

    lower: FloatArray
    upper: FloatArray
    lower_size: FloatArray
    upper_size: FloatArray

    @property
    def power(self) -> FloatArray:
        return np.minimum(self.lower + self.upper, 1.0)

    def type_s(self, effect: FloatArray) -> FloatArray:
        """The share of rejections with the wrong sign; a half without effect, 1 where all that is left has underflown."""
        wrong = np.where(effect > 0.0, self.lower, np.where(effect < 0.0, self.upper, 0.5 * self.power))
        return _share(wrong, self.lower + self.upper, otherwise=1.0)

    def type_m(self, effect: FloatArray) -> FloatArray:
        """The mean of |estimate / effect| among rejections; infinite without effect."""
        size = self.lower_size + self.upper_size
        return _share(size, np.abs(effect) * (self.lower + self.upper), otherwise=np.inf)


def _share(part: FloatArray, whole: FloatArray, otherwise: float) -> FloatArray:
    share = np.full(np.shape(whole), otherwise)
    with np.errstate(over="ignore"):  # the exaggeration of next to no effect
        return np.asarray(np.divide(part, whole, out=share, where=whole > 0.0))
