"""Beta scores with correlated latent normals, and a table of Beta quantiles for fast draws."""

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray, IntArray, floats
from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import fraction
from tellapart.populations.latent_pair import LatentPair
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS

Places = tuple[IntArray, FloatArray]

LAST_NORMAL = 8.5
"""The table ends here: a normal score beyond it comes once in 10^17 draws, and is given the table's end."""
ERROR = 1e-9
"""No quantile is off by more than this, on the scale of scores between 0 and 1."""
FIRST, LAST = 1 << 8, 1 << 17
"""Cells of the first table tried, and of the finest."""
MIDDLE = np.array([1.0, 0.5, 0.25, 0.125])
"""Powers of one half: a cubic in the middle of its cell."""
AT_ENDS = np.array([[-25.0, 48.0, -36.0, 16.0, -3.0], [-3.0, -10.0, 18.0, -6.0, 1.0]]) / 12.0
"""Slopes at the first two of five values, as good as central differences are further in."""


@dataclass(frozen=True, eq=False)
class BetaQuantiles:
    """The Beta quantile at the probability of a normal score, by monotone cubics on equal cells.

    Cells are halved until the cubics meet the true quantiles between them. Fritsch & Carlson (1980).
    """

    coefficients: FloatArray
    """`(4, cell)`: of the cubic in each cell, constant first."""

    def __call__(self, normals: FloatArray) -> FloatArray:
        return self.at(places(normals, self.cells))

    @property
    def cells(self) -> int:
        return int(self.coefficients.shape[1])

    def at(self, places: Places) -> FloatArray:
        """The quantiles at these places of a table with as many cells."""
        cell, within = places
        constant, *others = (c.take(cell) for c in self.coefficients)
        value = others.pop()
        for coefficient in (others.pop(), others.pop(), constant):
            value *= within
            value += coefficient
        return floats(value)


def places(normals: FloatArray, cells: int) -> Places:
    """The cell of each normal score, and its position in it."""
    within = normals * (cells / (2.0 * LAST_NORMAL))
    within += cells / 2.0
    np.clip(within, 0.0, np.nextafter(cells, 0.0), out=within)
    cell = within.astype(np.intp)
    within -= cell
    return cell, within


@lru_cache(maxsize=64)
def beta_quantiles(mean: float, sd: float) -> BetaQuantiles:
    """The table of the Beta distribution with this mean and standard deviation."""
    size = mean * (1.0 - mean) / sd**2 - 1.0
    a, b = mean * size, (1.0 - mean) * size
    cells = FIRST
    nodes = _exact_quantiles(a, b, floats(np.arange(cells + 1)) * (2.0 * LAST_NORMAL / cells) - LAST_NORMAL)
    while cells < LAST:
        table = _cubics(nodes)
        middles = _exact_quantiles(a, b, (floats(np.arange(cells)) + 0.5) * (2.0 * LAST_NORMAL / cells) - LAST_NORMAL)
        off = np.abs(MIDDLE @ table - middles).max()
        nodes = np.insert(nodes, np.arange(1, cells + 1), middles)
        cells *= 2
        if off <= ERROR:
            return BetaQuantiles(_cubics(nodes))
    raise UsageError(
        f"beta: with mean={mean:g} and sd={sd:g} almost every score is 0 or 1; use paired_binary for such scores"
    )


def _exact_quantiles(a: float, b: float, normals: FloatArray) -> FloatArray:
    """Each half from its own tail, so that no probability is rounded to 1."""
    lower, upper = normals[normals < 0.0], normals[normals >= 0.0]
    low = _inverse_beta(a, b, special.ndtr(lower))
    # Scores this small are 0 to any reader, and cubics between them would round to below it.
    low[low < 1e-15] = 0.0
    return np.concatenate((low, 1.0 - _inverse_beta(b, a, special.ndtr(-upper))))


def _inverse_beta(a: float, b: float, probabilities: FloatArray) -> FloatArray:
    """Scipy's inverse, and where that finds no number in the far tail of a nearly flat law, the leading term x = (p·a·B(a, b))^(1/a)."""
    found = floats(special.betaincinv(a, b, probabilities))
    lost = np.isnan(found)
    if lost.any():
        found[lost] = np.exp((np.log(probabilities[lost]) + np.log(a) + special.betaln(a, b)) / a)
    return found


def _cubics(nodes: FloatArray) -> FloatArray:
    """Coefficients of the cubic through each pair of neighbours, its slopes held where it cannot turn back."""
    secant = np.diff(nodes)
    slope = np.empty_like(nodes)
    slope[:2], slope[-2:] = AT_ENDS @ nodes[:5], -(AT_ENDS @ nodes[:-6:-1])[::-1]
    slope[2:-2] = (nodes[:-4] - nodes[4:] + 8.0 * (nodes[3:-1] - nodes[1:-3])) / 12.0
    steepest = 3.0 * np.minimum(np.append(secant, secant[-1]), np.insert(secant, 0, secant[0]))
    slope = np.clip(slope, 0.0, steepest)
    left, right = slope[:-1], slope[1:]
    return np.stack([nodes[:-1], left, 3.0 * secant - 2.0 * left - right, left + right - 2.0 * secant])


NARROWEST = 1e-5
"""The smallest spread against which the error of the quantiles is nothing."""


@POPULATIONS.add("beta")
@dataclass(frozen=True, kw_only=True)
class Beta(LatentPair):
    """Scores between 0 and 1 with Beta margins, tied together by the correlation of underlying normals.

    Assumes one hump (or two piles at the ends, when `sd` is large), the same spread for both systems, and a Gaussian
    copula, whose `correlation` is a little above that of the scores themselves. Quantiles come from a table and are
    within 1e-9. The wrong choice for right-or-wrong scores (`paired_binary`), for scores with many exact zeros or ones,
    and for metrics with few values, such as reciprocal rank: use a `pilot` there. Sklar (1959).
    """

    correlation: float = field(metadata={"help": "of the normals underlying the two systems' scores of an item"})
    mean: float = field(metadata={"help": "mean score of A, between 0 and 1"})

    label = "Beta scores"
    test = "paired_t"
    examples = (
        "beta(effect=0.02, sd=0.12, correlation=0.8, mean=0.65)",
        "beta(effect=-0.1, sd=0.4, correlation=0.3, mean=0.6)",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        fraction(self.name, "mean", self.mean)
        if self.sd < NARROWEST:
            raise UsageError(
                f"beta: sd={self.sd:g} should be at least {NARROWEST:g}; use gaussian or a pilot for scores so near to each other"
            )
        most = math.sqrt(max(self.mean * (1.0 - self.mean), 0.0))
        if not self.sd < most:
            raise UsageError(
                f"beta: sd={self.sd:g} cannot be: scores between 0 and 1 with mean={self.mean:g} have an sd below "
                f"{most:.4g}"
            )
        low, high = self.effect_range
        if self.effect is not None and not low < self.effect < high:
            raise UsageError(
                f"beta: effect={self.effect:g} cannot be: with mean={self.mean:g} and sd={self.sd:g} it lies between "
                f"{low:.4g} and {high:.4g}, or B's scores could not have that sd"
            )

    @property
    def effect_range(self) -> tuple[float, float]:
        # Scores between 0 and 1 with this sd have a mean within so much of the middle: m(1 − m) must exceed sd².
        half = math.sqrt(max(0.25 - self.sd**2, 0.0))
        return 0.5 - half - self.mean, 0.5 + half - self.mean

    def _margins(self, noise: Noise) -> tuple[FloatArray, FloatArray]:
        a = noise.once(("beta", self.mean, self.sd), lambda: beta_quantiles(self.mean, self.sd)(noise.layers[0]))
        table = beta_quantiles(self.mean + self.known_effect, self.sd)
        # Tables of other effects mostly have as many cells: only what stands there differs.
        key = ("places", self.correlation, table.cells)
        return a, table.at(noise.once(key, lambda: places(self._correlated(noise), table.cells)))
