"""Likelihood of single ratings over variance ratios, with gradient, information and the inputs of inference.

First derivatives are written out. Second ones are the imaginary parts of first ones at ratios with a tiny imaginary part, which
loses no digits: Squire & Trapp (1998).
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.inference import Height, Summit
from tellapart.numerics.mixed_models.model_fit import Method
from tellapart.numerics.mixed_models.rating_grid import Inverse, Numbers, RatingGrid

LEAST_BEND = 1e-9
"""Share of what was subtracted from it below which an information is rounding."""

TINY = 1e-30
"""An imaginary part whose square is nothing beside 1."""


@dataclass(frozen=True, eq=False)
class Slopes:
    """y'P·y, y'P·V_j·P·y, tr(P·V_j) (of V⁻¹ for maximum likelihood), c'V·c and c'V_j·c, where c'y is the effect."""

    grid: RatingGrid
    ratios: Numbers
    method: Method

    @cached_property
    def inverse(self) -> Inverse:
        return Inverse(self.grid, self.ratios)

    @cached_property
    def of_columns(self) -> Numbers:
        """V⁻¹X."""
        return self.inverse.applied(self.grid.columns)

    @cached_property
    def precision(self) -> Numbers:
        """X'V⁻¹X."""
        return np.asarray(np.einsum("asri,bsri->ab", self.grid.columns, self.of_columns))

    @cached_property
    def covariance(self) -> Numbers:
        return np.asarray(np.linalg.inv(self.precision))

    def projected(self, vectors: Numbers) -> Numbers:
        """P·z of vectors z."""
        inverse = self.inverse.applied(vectors)
        common = np.einsum("asri,vsri->va", self.of_columns, vectors) @ self.covariance
        return np.asarray(inverse - np.einsum("va,asri->vsri", common, self.of_columns))

    @cached_property
    def effects(self) -> Numbers:
        """Fixed effects."""
        return np.asarray(self.covariance @ np.einsum("asri,sri->a", self.of_columns, self.grid.values))

    @cached_property
    def residuals(self) -> Numbers:
        """P·y."""
        return self.projected(self.grid.values[np.newaxis])

    @cached_property
    def rest(self) -> Numbers:
        return np.asarray((self.residuals[0] * self.grid.values).sum() + self.grid.extra)

    @cached_property
    def scores(self) -> Numbers:
        return np.asarray(self._level_products(self.residuals)[0])

    @cached_property
    def weights(self) -> Numbers:
        """The vector c of the effect."""
        return np.asarray(np.einsum("a,asri->sri", self.covariance[self.grid.contrast], self.of_columns))

    @cached_property
    def spread(self) -> Numbers:
        return np.asarray(self.covariance[self.grid.contrast, self.grid.contrast])

    @cached_property
    def pulls(self) -> Numbers:
        return np.asarray(self._level_products(self.weights[np.newaxis])[0])

    @cached_property
    def traces(self) -> Numbers:
        if self.method == "ml":
            return self.inverse.traces
        taken = np.stack([self._level_products(self.of_columns, other[np.newaxis]) for other in self.of_columns])
        return np.asarray(self.inverse.traces - np.einsum("abj,ab->j", taken, self.covariance))

    def _level_products(self, vectors: Numbers, others: Numbers | None = None) -> Numbers:
        """z'V_j·w of vectors z and w, `(vector, term)`."""
        parts = self._by_level(vectors)
        beside = parts if others is None else self._by_level(others)
        return np.stack([(one * other).sum(axis=1) for one, other in zip(parts, beside, strict=True)], axis=1)

    def _by_level(self, vectors: Numbers) -> list[Numbers]:
        """Z_j'z in the order of the terms, each `(vector, level)`."""
        sums = self.grid.summed(vectors)
        of_raters, of_items = sums.sum(axis=3), sums.sum(axis=2)
        cells = sums[:, 0].reshape(len(vectors), -1)
        return [of_raters[:, 1], of_items[:, 1], of_raters[:, 0], of_items[:, 0], cells]

    def spread_out(self) -> Numbers:
        """V_j·P·y, one vector per term: the working vectors of the average information."""
        of_raters_slope, of_items_slope, of_raters, of_items, cells = (
            part[0] for part in self._by_level(self.residuals)
        )
        codes, present = self.grid.codes[:, None, None], self.grid.present
        return np.stack(
            [
                codes * of_raters_slope[None, :, None] * present,
                codes * of_items_slope[None, None, :] * present,
                of_raters[None, :, None] * present,
                of_items[None, None, :] * present,
                cells.reshape(present.shape[1:])[None] * present,
            ]
        )

    @cached_property
    def freedom(self) -> float:
        fixed = len(self.grid.columns) if self.method == "reml" else 0
        return float(self.grid.present.sum()) - fixed

    @property
    def height(self) -> float:
        """The log-likelihood with the variance at its best."""
        fixed = float(np.linalg.slogdet(self.precision)[1]) if self.method == "reml" else 0.0
        unit = float(self.rest) / self.freedom
        if unit <= 0.0:
            return math.inf
        return -0.5 * (self.freedom * (1.0 + math.log(2.0 * math.pi * unit)) + float(self.inverse.logdet) + fixed)


def height_of(grid: RatingGrid, ratios: FloatArray, method: Method) -> Height:
    """Height, slope and average information, as a batch of one. Gilmour, Thompson & Cullis (1995)."""
    at = Slopes(grid, ratios, method)
    # Nothing is left over, or rounding ate it: no height, and no direction, so that the step that led here is taken back.
    if not at.rest > 0.0:
        flat = np.eye(len(ratios))[np.newaxis]
        return Height(np.array([-np.inf]), np.zeros((1, len(ratios))), flat, flat)
    unit = at.rest / at.freedom
    scores = at.scores / unit
    working = at.spread_out()
    curves = np.einsum("isrk,jsrk->ij", working, at.projected(working)) / unit
    average = 0.5 * (curves - np.outer(scores, scores) / at.freedom)
    # Of values that lie in one factor alone nothing is left of it, though the way up is endless, and of a factor in which they do not lie at
    # all, though the way down is open: a little in its place leads there.
    least = LEAST_BEND * (scores**2 + at.traces**2) / at.freedom
    np.fill_diagonal(average, np.maximum(average.diagonal(), least))
    return Height(np.array([at.height]), 0.5 * (scores - at.traces)[None], average[None], average[None])


def patterns_of(grid: RatingGrid, terms: int) -> FloatArray:
    """tr(M·V_i·M·V_j) of all terms and the residual, with M the residuals of the fixed effects alone."""
    at = Slopes(grid, np.zeros(terms), "reml")
    pairs = -np.stack([other.traces.imag for other in _nudged(at)]) / TINY
    border = np.append(at.traces, at.freedom)
    return np.concatenate([np.concatenate([pairs, at.traces[None]]), border[:, None]], axis=1)


def _nudged(at: Slopes) -> list[Slopes]:
    """The value with one ratio after the other moved slightly off the real line."""
    terms = len(at.ratios)
    return [replace(at, ratios=at.ratios + 1j * TINY * (np.arange(terms) == term)) for term in range(terms)]


def summit_of(grid: RatingGrid, ratios: FloatArray, method: Method) -> Summit:
    """The quantities that inference needs at the maximum, as a batch of one."""
    at = Slopes(grid, ratios, method)
    bent = _nudged(at)
    # d tr(P·V_j)/dρ_i is −tr(P·V_i·P·V_j): hence the signs, here and of the two below.
    pairs = -np.stack([other.traces.imag for other in bent]) / TINY
    curves = -0.5 * np.stack([other.scores.imag for other in bent]) / TINY
    bends = -0.5 * np.stack([other.pulls.imag for other in bent]) / TINY
    return Summit(
        ratios=ratios[None],
        variance=np.array([at.rest / at.freedom]),
        pairs=pairs[None],
        traces=at.traces[None],
        curves=curves[None],
        scores=at.scores[None],
        pulls=at.pulls[None],
        bends=bends[None],
        spread=np.array([at.spread]),
        freedom=np.array([at.freedom]),
    )
