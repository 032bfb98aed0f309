"""Does a printed number agree with ours? Rounding and their own Monte Carlo error are allowed for, nothing else."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.reproduce.published import PublishedRow
from tellapart.results.reproduction import CellResult, CellVerdict

LEVEL = 0.999
"""So high because many numbers are held against it: of a thousand that are right one is called different."""
SLACK = 1e-9
"""Of a unit of the last printed digit: what floats may miss an edge by."""
ROUNDING = 0.05
"""A number that is off by less than one in its last digit differs by rounding, unless that is more than this part of it."""


@dataclass(frozen=True)
class Ours:
    """Our number.

    `half_width` is how far it can be off, `replicates` what it was simulated from (None when exact); `share` says that the
    printed one is a share of replicates, with the error that comes with them; `below_rounding` that ours is too small for the
    precision it is computed with, and taken for 0.
    """

    value: float
    half_width: float = 0.0
    replicates: int | None = None
    share: bool = False
    below_rounding: bool = False


def judge(row: PublishedRow, ours: Ours | None, replicates: int | None) -> CellResult:
    """The cell of a printed number that came from so many replicates (None when it was computed)."""
    if ours is None:
        return _cell(row, None, (None, None), "as published", row.why)
    if row.digits is None and row.means is None:
        return _cell(row, ours, (ours.value, ours.value), "as published", row.why)
    low, high = _agreeing(row, ours, replicates)
    verdict = _verdict(row, ours, (low, high))
    why = row.why if verdict in {"differs", "differs by rounding"} else ""
    return _cell(row, ours, (low, high), verdict, why)


def _cell(
    row: PublishedRow,
    ours: Ours | None,
    bounds: tuple[float | None, float | None],
    verdict: CellVerdict,
    why: str,
) -> CellResult:
    value, below = (None, False) if ours is None else (ours.value, ours.below_rounding)
    cell = CellResult(row.label, row.published, row.printed, value, *bounds, verdict, why)
    return replace(cell, below_rounding=True) if below else cell


def _agreeing(row: PublishedRow, ours: Ours, replicates: int | None) -> tuple[float, float]:
    """Between which values a printed number agrees with ours; words are judged by our number itself."""
    if row.means is not None:
        return ours.value - ours.half_width, ours.value + ours.half_width
    room = 0.5 * row.unit + ours.half_width
    if replicates is None or not ours.share:
        return ours.value - room, ours.value + room
    low, high = predicted(ours, replicates)
    return low - room, high + room


def _verdict(row: PublishedRow, ours: Ours, bounds: tuple[float, float]) -> CellVerdict:
    if row.means is not None:
        low, high = row.means
        slack = SLACK * max(abs(low), abs(high), 1.0)
        return "agrees" if low - slack <= ours.value <= high + slack else "differs"
    printed, slack = float(row.published), SLACK * row.unit
    if bounds[0] - slack <= printed <= bounds[1] + slack:
        return "agrees"
    beyond = max(bounds[0] - printed, printed - bounds[1])
    near = beyond < 0.5 * row.unit and abs(printed - ours.value) <= ROUNDING * abs(ours.value)
    return "differs by rounding" if near else "differs"


def predicted(ours: Ours, replicates: int) -> tuple[float, float]:
    """Where 99.9 % of shares from so many replicates lie if ours is true.

    Binomial where ours is exact; where it was simulated too, beta-binomial, which adds the error of our own replicates.
    """
    below = _cumulative(ours, replicates)
    low, high = np.searchsorted(below, [0.5 * (1.0 - LEVEL), 0.5 * (1.0 + LEVEL)])
    return float(low) / replicates, float(min(high, replicates)) / replicates


def _cumulative(ours: Ours, replicates: int) -> FloatArray:
    """P(count ≤ k) for k = 0 … replicates."""
    k = np.arange(replicates + 1.0)
    if ours.replicates is None:
        return np.asarray(special.bdtr(k, replicates, ours.value))
    # Jeffreys' prior: half a hit and half a miss more than were seen.
    hits, misses = (x * ours.replicates + 0.5 for x in (ours.value, 1.0 - ours.value))
    logs = special.betaln(k + hits, replicates - k + misses) - special.betaln(hits, misses)
    ways = -special.betaln(k + 1.0, replicates - k + 1.0) - np.log(replicates + 1.0)
    return np.asarray(np.cumsum(np.exp(logs + ways)))
