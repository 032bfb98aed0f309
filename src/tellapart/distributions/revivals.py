"""Frequencies far out at which a characteristic function comes back, because the sizes nearly share a step."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.contour import Contour

PROBED = 16
"""Sizes of each row that must agree on a frequency before the others are asked."""

WORK = 1 << 17
"""Probes of all rows of a block together."""

MULTIPLES = 160
"""A step is looked for down to this fraction of a size."""

CANDIDATES = 3
"""Frequencies at which all sizes are asked."""


def revival(contour: Contour, frequency: FloatArray) -> FloatArray:
    """How much of the tail may hide in revivals beyond `frequency`, relative to the contour's height, `(row,)`.

    At a revival the sizes are near multiples of one step, and the law is a row of clusters one step apart: inversion up
    to `frequency` does not see on which side of the reach the nearest cluster lies.
    """
    base, shifted = _suspects(contour, frequency)
    strength = _sampled_strength(contour, shifted)
    # On a lattice the frequencies end at half a turn; beyond, they repeat what was already summed.
    outside = (contour.whole & (2.0 * shifted > 1.0)) | (2.0 * np.pi * base * contour.spread < 9.0)
    strength[outside] = 0.0
    best = np.argsort(strength, axis=0)[-CANDIDATES:]
    hidden = np.zeros(len(contour.reach))
    for place in best:
        chosen = place[np.newaxis]
        turns, step = (np.take_along_axis(x, chosen, axis=0)[0] for x in (shifted, 1.0 / base))
        strong = np.take_along_axis(strength, chosen, axis=0)[0] > 1e-6
        cluster = np.minimum(step / (np.sqrt(2.0 * np.pi) * contour.spread), 2.0)
        if strong.any():
            hidden = np.maximum(hidden, np.where(strong, cluster * _magnitude(contour, turns), 0.0))
    return hidden


def _suspects(contour: Contour, frequency: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Turns per unit at which one of three sizes comes full circle, and their first multiples beyond `frequency`."""
    sizes = contour.sizes[_probes(contour)]
    rows = sizes.shape[-1]
    many = int(np.clip(WORK // (3 * sizes.size), 8, MULTIPLES))
    references = np.maximum(sizes[[-1, len(sizes) // 2, len(sizes) // 4]], 1e-3 * sizes[-1])
    base = (np.arange(1.0, many + 1.0)[:, np.newaxis, np.newaxis] / references).reshape(-1, rows)
    return base, base * np.maximum(np.ceil(frequency / (2.0 * np.pi * base)), 1.0)


def _probes(contour: Contour) -> FloatArray:
    """Places spread over the upper three quarters of the sizes, which are sorted with zeros in front."""
    items = len(contour.sizes)
    return np.unique(np.linspace(items // 4, items - 1, PROBED).astype(np.int64))


def _sampled_strength(contour: Contour, turns: FloatArray) -> FloatArray:
    """An upper bound of the squared magnitude over the probed sizes only, `(turn, row)`."""
    probes = _probes(contour)
    sizes, odds = contour.sizes[probes], contour.odds[probes]
    off = turns * sizes[:, np.newaxis]
    off -= np.rint(off)
    off *= off
    off *= -(16.0 * odds / (1.0 + odds) ** 2)[:, np.newaxis]
    off += 1.0
    return np.asarray(np.multiply.reduce(off, axis=0))


def _magnitude(contour: Contour, turns: FloatArray) -> FloatArray:
    """|characteristic function| at one frequency a row."""
    half = np.sin(np.pi * turns * contour.sizes)
    lost = np.log1p(-4.0 * contour.odds / (1.0 + contour.odds) ** 2 * half**2)
    return np.asarray(np.exp(0.5 * lost.sum(axis=0)))
