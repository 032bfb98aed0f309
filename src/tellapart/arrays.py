"""The shapes everything speaks: axis order is `(*batch, item, run, part)`, fixed here once.

`batch` is empty for real scores and is the replicate axis in simulation; `run` has length 1 without
repeats; `part` holds the sufficient pieces of a metric (1 for plain scores).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
ComplexArray = npt.NDArray[np.complex128]

SMALLEST = float(np.nextafter(0.0, 1.0))
"""The smallest positive double: a p-value underflows to this, never to 0."""

SNAP_DIGITS = 12
"""Scores agree when they agree to this many digits of the largest one: 0.3 - 0.1 and 0.2 are a tie."""


def floats(values: Any) -> FloatArray:
    """An aligned C-ordered float64 array, so that sums have the same bits on every machine they travel to."""
    return np.require(values, dtype=np.float64, requirements=["C", "A"])


def snap(values: FloatArray, scale: float) -> FloatArray:
    """Round to a decimal grid twelve digits below `scale`, so that float noise makes and breaks no ties."""
    if not (scale > 0.0 and np.isfinite(scale)):
        return values
    digits = SNAP_DIGITS - 1 - int(np.floor(np.log10(scale)))
    if digits > 300:
        return values
    # Dividing by a power of ten that is exact in binary keeps every decimal literal on its own grid point.
    power = 10.0 ** abs(digits)
    grid = np.rint(values * power) if digits >= 0 else np.rint(values / power)
    return np.asarray(grid / power if digits >= 0 else grid * power, dtype=np.float64)
