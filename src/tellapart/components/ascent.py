"""The highest point of many likelihoods at once, over variance ratios that are not negative."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray

STEPS = 100
"""A safe end: six to ten are taken as a rule."""

CLOSE = 1e-13
"""A step that can gain no more log-likelihood than this is the last one."""

LARGEST_RATIO = 1e9
"""Variance ratios beyond this are endless: nothing is left of the residual."""


@dataclass(frozen=True, eq=False)
class Height:
    """Log-likelihoods `(batch,)`, their slopes `(batch, ratio)` and minus their bends `(batch, ratio, ratio)`, observed and expected."""

    value: FloatArray
    slope: FloatArray
    observed: FloatArray
    expected: FloatArray

    def replaced(self, rows: IntArray, better: "Height", chosen: BoolArray) -> None:
        """Take over the better heights of some rows."""
        for mine, theirs in zip(vars(self).values(), vars(better).values(), strict=True):
            mine[rows[chosen]] = theirs[chosen]


Likelihood = Callable[[FloatArray, IntArray], Height]
"""From ratios `(rows, ratio)` and the places of these rows in the batch."""


def highest(likelihood: Likelihood, start: FloatArray, fitted: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Ratios of highest likelihood near `start`, and that height; ratios that are not `fitted` stay 0.

    Newton's steps where the likelihood is a hill, Fisher's where it is not, shortened until they rise; ratios that would
    fall below 0 stay there as long as the likelihood falls away from it. Jennrich & Sampson (1976).
    """
    ratios = np.where(fitted, start, 0.0)
    rows = np.arange(len(ratios))
    here = likelihood(ratios, rows)
    # Little at first, as most starts are near the top; ten times more whenever a step would have led down.
    damping = np.full(len(ratios), 1e-3)
    for _ in range(STEPS):
        step, gain = _step(_rows(here, rows), ratios[rows], fitted[rows], damping[rows])
        open_ = gain > CLOSE
        rows, step = rows[open_], step[open_]
        if not rows.size:
            break
        trial = np.clip(ratios[rows] + step, 0.0, LARGEST_RATIO)
        there = likelihood(trial, rows)
        rises = there.value >= here.value[rows]
        ratios[rows[rises]] = trial[rises]
        here.replaced(rows, there, rises)
        damping[rows] = np.where(rises, damping[rows] / 10.0, damping[rows] * 10.0)
        # Where rounding hides a rise, ever shorter steps end it.
        rows = rows[damping[rows] < 1e12]
    return ratios, here.value


def _rows(height: Height, rows: IntArray) -> Height:
    return Height(*(part[rows] for part in vars(height).values()))


def _step(
    here: Height, ratios: FloatArray, fitted: BoolArray, damping: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The damped step, and the log-likelihood that an undamped one would gain."""
    ends = (ratios >= LARGEST_RATIO) & (here.slope >= 0.0)
    free = fitted & ~((ratios <= 0.0) & (here.slope <= 0.0)) & ~ends
    slope = np.where(free, here.slope, 0.0)
    hill = _restricted(here.observed, free)
    hilly = np.linalg.eigvalsh(hill)[:, :1, None] > 0.0
    bend = np.where(hilly, hill, _restricted(here.expected, free))
    diagonal = np.einsum("bii->bi", bend)
    damped = bend + damping[:, None, None] * diagonal[:, :, None] * np.eye(bend.shape[1])
    step = np.linalg.solve(damped, slope[:, :, None])[:, :, 0]
    return step, np.einsum("bi,bi->b", step, slope)


def _restricted(bend: FloatArray, free: BoolArray) -> FloatArray:
    """Only free ratios bend together; the others get a bend of their own, so that the matrix can be inverted."""
    both = free[:, :, None] & free[:, None, :]
    return np.where(
        both, bend, np.where(np.eye(bend.shape[1], dtype=bool), np.maximum(np.abs(bend), 1e-300), 0.0)
    )
