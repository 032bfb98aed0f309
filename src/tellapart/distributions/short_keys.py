"""Differences whose sizes are all apart, as those of continuous scores are, in the order of their sizes: by short keys.

Each size is cut to 30 bits, and twice that is the key of a positive difference, one less that of a negative one. Sorting
such keys takes half as long as sorting the numbers, and where neighbours are two steps apart their order is that of the
sizes and no two of these tie. Rows in which some are nearer are left to a way that looks at every digit.
"""

import numpy as np
import numpy.typing as npt

from tellapart.arrays import NOISE, BoolArray, FloatArray, IntArray

ShortKeys = npt.NDArray[np.int32]

STEPS = 2.0**30 - 1.0
"""The largest size in steps: thirty bits, so that twice of it stays a positive 32-bit integer."""
APART = 5
"""Keys so far apart, whatever their signs, are of sizes two steps apart."""


def short_keys(values: FloatArray, scale: float) -> tuple[BoolArray, ShortKeys, IntArray] | None:
    """Of `(row, item)`: in which rows no sizes tie, sorted keys, those of negative ones odd, and how many are zero.

    None where steps would be as fine as the grid, fourteen digits below `scale`, on which ties are judged.
    """
    largest = float(max(values.max(initial=0.0), -values.min(initial=0.0)))
    if not largest > 4.0 * STEPS * NOISE * scale or not np.isfinite(largest):
        return None
    keys = (values * (STEPS / largest)).astype(np.int32)
    # All bits of a negative number but its size: 2·|k| − 1 of them, and 2·k of the others.
    negative = keys >> 31
    keys <<= 1
    keys ^= negative
    keys.sort(axis=-1)
    gaps = keys[:, 1:] - keys[:, :-1]
    apart = (gaps.min(axis=-1, initial=APART) >= APART) & (keys[:, 0] >= APART)
    zeros = np.zeros(len(values), dtype=np.int64)
    rows = np.flatnonzero(keys[:, 0] == 0)
    if len(rows):
        zeros[rows] = np.count_nonzero(values[rows] == 0.0, axis=-1)
        apart[rows] = _apart_but_zeros(gaps[rows], zeros[rows])
    return apart, keys, zeros


def _apart_but_zeros(gaps: ShortKeys, zeros: IntArray) -> BoolArray:
    """Of rows whose first key is 0, whether that is a zero and all that follow the zeros are apart from these and from each other."""
    among_zeros = np.arange(gaps.shape[-1]) < zeros[:, np.newaxis] - 1
    wide = np.where(among_zeros, np.int32(APART), gaps)
    return np.asarray((wide.min(axis=-1, initial=APART) >= APART) & (zeros > 0))
