"""Frequencies far out at which a characteristic function comes back, because the sizes nearly share a step.

Ratings with a little noise are the case: near the frequency 2π/step every size has nearly come full circle, all factors
are near 1 again, and the sum of a few dozen nodes near 0 has not seen it. Each revival is looked for where one of three sizes
has turned a whole number of times, and believed when all other sizes have nearly done so.
"""

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.sign_flip_law.contour import Contour

PROBED = 24
"""Sizes of each row that must agree on a frequency before the others are asked."""

WORK = 1 << 17
"""Probes of all rows of a block together."""

LEAST_MULTIPLES, MULTIPLES = 32, 160
"""A step is looked for down to these fractions of a size: in a large batch, and in a few rows."""

CANDIDATES = 3
"""Frequencies at which all sizes are asked."""


def revival(contour: Contour, frequency: FloatArray) -> FloatArray:
    """How much of the tail may hide in revivals beyond `frequency`, relative to the contour's height, `(row,)`.

    At a revival the sizes are near multiples of one step, and the law is a row of clusters one step apart: inversion up
    to `frequency` does not see on which side of the threshold the nearest cluster lies.
    """
    probed = _probed(len(contour.sizes))
    base, shifted = _suspects(contour.sizes[probed], frequency)
    strength = _strength(contour.sizes[probed], contour.odds[probed], shifted)
    # On a lattice the frequencies end at half a turn; beyond, they repeat what was already summed. Within nine standard
    # deviations of 0 it is not a revival but the first decay.
    outside = (contour.whole & (2.0 * shifted > 1.0)) | (2.0 * np.pi * base * contour.spread < 9.0)
    strength[outside] = 0.0
    hidden = np.zeros(len(contour.threshold))
    least = _least(len(probed) / len(contour.sizes))
    if strength.max(initial=0.0) > least:
        for place in np.argsort(strength, axis=0)[-CANDIDATES:]:
            step, turns, strong = (x[place, np.arange(len(place))] for x in (1.0 / base, shifted, strength))
            cluster = step / (np.sqrt(2.0 * np.pi) * contour.spread)
            found = np.where(strong > least, cluster * _magnitude(contour, turns), 0.0)
            hidden = np.maximum(hidden, found)
    return hidden


def _probed(items: int) -> IntArray:
    """Places, in order, of the sizes that are asked first: spread over the upper three quarters, for zeros stand in front."""
    return np.arange(items - 1, items // 4 - 1, -max(1, (3 * items // 4) // PROBED))[PROBED - 1 :: -1]


def _least(share: float) -> float:
    """How strong a revival must be among a share of the sizes that were probed, for all to be asked.

    All sizes together are at most as strong as those probed, and mostly as weak as so many times them: a hundredth where few of
    very many were probed, a millionth where an eighth or more were.
    """
    return max(float(10.0 ** (-2.0 - 32.0 * share)), 1e-6)


def _suspects(sizes: FloatArray, frequency: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turns per unit at which one of three sizes comes full circle, and their first multiples beyond `frequency`."""
    many = min(max(WORK // (3 * sizes.size), LEAST_MULTIPLES), MULTIPLES)
    # Zeros stand in front, and one of them is no reference: it never comes full circle.
    references = np.maximum(sizes[[-1, len(sizes) // 2, len(sizes) // 4]], 1e-3 * sizes[-1])
    base = (np.arange(1.0, many + 1.0)[:, np.newaxis, np.newaxis] / references).reshape(-1, sizes.shape[-1])
    return base, base * np.maximum(np.ceil(frequency / (2.0 * np.pi * base)), 1.0)


def _strength(sizes: FloatArray, odds: FloatArray, turns: FloatArray) -> FloatArray:
    """An upper bound of the squared magnitude of the factors of some sizes, `(turn, row)`."""
    off = turns * sizes[:, np.newaxis]
    off -= np.rint(off)
    off *= off
    # cos²(πx) is at most (1 − 4x²)² up to half a turn.
    off *= -4.0
    off += 1.0
    off *= off
    swing = (4.0 * odds / (1.0 + odds) ** 2)[:, np.newaxis]
    off *= swing
    off += 1.0 - swing
    return np.asarray(np.multiply.reduce(off, axis=0))


def _magnitude(contour: Contour, turns: FloatArray) -> FloatArray:
    """|characteristic function| at one frequency per row."""
    half = np.sin(np.pi * turns * contour.sizes)
    lost = np.log1p(-4.0 * contour.odds / (1.0 + contour.odds) ** 2 * half**2)
    return np.asarray(np.exp(0.5 * lost.sum(axis=0)))
