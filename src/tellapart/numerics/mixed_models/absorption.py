"""Likelihood terms of crossed differences with missing cells, with one random factor eliminated (absorbed).

The differences have variance σ²V with V = I + θ₁·Z₁Z₁' + θ₂·Z₂Z₂', Z₁ the levels that are kept (the fewer ones) and Z₂ those
that are absorbed. As one absorbed level touches no other, its part is inverted by hand, and what is left to invert is as large
as the kept levels are many. Henderson (1975); Gilmour, Thompson & Cullis (1995).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray

# Matrices and vectors of a whole batch, `(batch, row, column)` and `(batch, row)`: what mixed models with
# gaps are computed by.

LARGE = 16
"""Rows from which on a matrix is worth a call of its own."""

Sums = tuple[FloatArray, FloatArray]
"""Sums over the levels that are kept, and over those that are absorbed."""


def inverse_and_logdet(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Inverse and log-determinant of symmetric positive matrices; large ones by symmetric factors, in half the time."""
    if matrices.shape[1] < LARGE or not np.isfinite(matrices).all():
        return _one_after_the_other(matrices)
    inverses, diagonals = np.empty_like(matrices), np.empty(matrices.shape[:2])
    for place, matrix in enumerate(matrices):
        factor, failed = lapack.dpotrf(matrix, lower=1, clean=0)
        if failed:
            return _one_after_the_other(matrices)
        diagonals[place] = factor.diagonal()
        inverses[place] = _half_inverse(matrix, factor)
    # Above the diagonal a factorization leaves what was there.
    lower = np.tril(inverses)
    inverses = lower + np.tril(lower, -1).transpose(0, 2, 1)
    return inverses, 2.0 * np.log(diagonals).sum(axis=1)


def _half_inverse(matrix: FloatArray, factor: FloatArray) -> FloatArray:
    """The inverse up to its diagonal. `dpotri` does for all, but its threads wait for each other ten times as long as they compute."""
    if not hasattr(lapack, "dsytri"):  # scipy before 1.16
        return np.asarray(lapack.dpotri(factor, lower=1)[0])
    parts, pivots, _ = lapack.dsytrf(matrix, lower=1)
    return np.asarray(lapack.dsytri(parts, pivots, lower=1, overwrite_a=1)[0])


def _one_after_the_other(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.asarray(np.linalg.inv(matrices)), np.asarray(np.linalg.slogdet(matrices)[1])


def diagonal(entries: FloatArray) -> FloatArray:
    return entries[:, :, None] * np.eye(entries.shape[1])


def applied(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    if len(matrix) == 1:
        return np.asarray(vector @ matrix[0].T)
    return np.asarray(np.matmul(matrix, vector[:, :, None])[:, :, 0])


def dot(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("bi,bi->b", one, other))


def trace(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("bij,bji->b", one, other))


def squared(vectors: Sums) -> FloatArray:
    return np.stack([dot(v, v) for v in vectors], axis=1)


def outer(vector: FloatArray) -> FloatArray:
    return np.asarray(vector[:, :, None] * vector[:, None, :])


def symmetric(first: FloatArray, both: FloatArray, second: FloatArray) -> FloatArray:
    return np.stack([np.stack([first, both], axis=1), np.stack([both, second], axis=1)], axis=1)


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which differences there are, `(batch or 1, kept, absorbed)`, and their sums over each factor.

    Where all evaluations have the same ones, as simulated designs do, these are kept once: products with them are then of few large matrices.
    """

    present: FloatArray
    sums: Sums
    squares: FloatArray

    @classmethod
    def of(cls, values: FloatArray, present: BoolArray) -> "Incidence":
        """From values `(batch, kept, absorbed)` that are 0 where nothing is present."""
        squares = np.einsum("bka,bka->b", values, values)
        if (present == present[:1]).all():
            present = present[:1]
        return cls(present.astype(np.float64), (values.sum(axis=2), values.sum(axis=1)), squares)

    def rows(self, chosen: IntArray) -> "Incidence":
        """These evaluations only."""
        kept, absorbed = self.sums
        present = self.present if self.shared else self.present[chosen]
        return Incidence(present, (kept[chosen], absorbed[chosen]), self.squares[chosen])

    @property
    def shared(self) -> bool:
        """Whether all evaluations have the same differences."""
        return len(self.present) == 1

    @cached_property
    def counts(self) -> Sums:
        """How many differences each level has."""
        kept, absorbed = (
            np.broadcast_to(self.present.sum(axis=axis), sums.shape)
            for axis, sums in zip((2, 1), self.sums, strict=True)
        )
        return kept, absorbed

    @cached_property
    def even(self) -> bool:
        """Whether all absorbed levels of an evaluation have as many differences."""
        counts = self.present.sum(axis=1)
        return bool((counts == counts[:, :1]).all())

    @cached_property
    def total(self) -> FloatArray:
        """How many differences there are."""
        return np.asarray(self.counts[0].sum(axis=1))


@dataclass(frozen=True, eq=False)
class Absorbed:
    """Products with V⁻¹ at variance ratios θ `(batch, 2)` of the kept and the absorbed factor.

    P = V⁻¹ − V⁻¹x(x'V⁻¹x)⁻¹x'V⁻¹ takes out the mean, whose column is x; V_j = Z_jZ_j'.
    """

    data: Incidence
    ratios: FloatArray

    @cached_property
    def shrink(self) -> FloatArray:
        """The remainder of a sum over an absorbed level."""
        return np.asarray(1.0 / (1.0 + self.ratios[:, 1:] * self.data.counts[1]))

    @cached_property
    def grams(self) -> FloatArray:
        """Sums over absorbed levels of who met whom there, weighted by θ₂·shrink, shrink² and count·shrink³."""
        shrink, counts = self.shrink, self.data.counts[1]
        weights = np.stack([self.ratios[:, 1:] * shrink, shrink**2, counts * shrink**3], axis=1)
        present = self.data.present
        if self.data.even:  # weights are the same for all levels, and who met whom is summed once
            met = np.matmul(present, present.transpose(0, 2, 1))
            return np.asarray(weights[:, :, :1, None] * met[:, None])
        batch, kept, absorbed = len(weights), *present.shape[1:]
        weighted = (weights[:, :, None, :] * present[:, None, :, :]).reshape(batch, 3 * kept, absorbed)
        return np.asarray(np.matmul(weighted, present.transpose(0, 2, 1)).reshape(batch, 3, kept, kept))

    @cached_property
    def left(self) -> FloatArray:
        """Z₁'HZ₁ with H the inverse without the kept factor."""
        return np.asarray(diagonal(self.data.counts[0]) - self.grams[:, 0])

    @cached_property
    def system(self) -> FloatArray:
        """I + θ₁·Z₁'HZ₁, all that has to be inverted."""
        return np.asarray(np.eye(self.left.shape[1]) + self.ratios[:, :1, None] * self.left)

    @cached_property
    def _inverse_of_system(self) -> tuple[FloatArray, FloatArray]:
        """The inverse of the system, and the logarithm of its determinant."""
        return inverse_and_logdet(self.system)

    @property
    def inverse(self) -> FloatArray:
        return self._inverse_of_system[0]

    @cached_property
    def kept_block(self) -> FloatArray:
        """Z₁'V⁻¹Z₁."""
        return np.asarray(np.matmul(self.inverse, self.left))

    @cached_property
    def logdet(self) -> FloatArray:
        """The logarithm of |V|."""
        return np.asarray(self._inverse_of_system[1] - np.log(self.shrink).sum(axis=1))

    def products(self, sums: Sums) -> Sums:
        """Z_j'V⁻¹z of a vector z with these sums over levels."""
        kept, absorbed = sums
        right = kept - applied(self.data.present, self.ratios[:, 1:] * self.shrink * absorbed)
        of_kept = applied(self.inverse, right)
        met = applied(self.data.present.transpose(0, 2, 1), of_kept)
        return of_kept, self.shrink * (absorbed - self.ratios[:, :1] * met)

    @cached_property
    def of_mean(self) -> Sums:
        return self.products(self.data.counts)

    @cached_property
    def precision(self) -> FloatArray:
        """x'V⁻¹x, summed over the kept levels, of which every difference has one: nothing cancels."""
        return np.asarray(self.of_mean[0].sum(axis=1))

    @cached_property
    def effect(self) -> FloatArray:
        return np.asarray(self.products(self.data.sums)[0].sum(axis=1) / self.precision)

    @cached_property
    def residual_sums(self) -> Sums:
        (kept, absorbed), (kept_counts, counts) = self.data.sums, self.data.counts
        return kept - self.effect[:, None] * kept_counts, absorbed - self.effect[:, None] * counts

    @cached_property
    def of_rest(self) -> Sums:
        """Z_j'P·y."""
        return self.products(self.residual_sums)

    @cached_property
    def rest(self) -> FloatArray:
        """y'P·y."""
        plain = self.data.squares - self.effect * (2.0 * self.data.sums[0].sum(axis=1) - self.effect * self.data.total)
        explained = [dot(s, p) for s, p in zip(self.residual_sums, self.of_rest, strict=True)]
        return np.asarray(plain - self.ratios[:, 0] * explained[0] - self.ratios[:, 1] * explained[1])

    @cached_property
    def scores(self) -> FloatArray:
        """y'P·V_j·P·y."""
        return squared(self.of_rest)

    @cached_property
    def pulls(self) -> FloatArray:
        """x'V⁻¹V_jV⁻¹x."""
        return squared(self.of_mean)

    @cached_property
    def curves(self) -> FloatArray:
        """y'P·V_i·P·V_j·P·y."""
        lean = np.stack([dot(m, r) for m, r in zip(self.of_mean, self.of_rest, strict=True)], axis=1)
        return np.asarray(self._bilinear(self.of_rest) - outer(lean) / self.precision[:, None, None])

    @cached_property
    def bends(self) -> FloatArray:
        """x'V⁻¹V_i·P·V_jV⁻¹x."""
        return np.asarray(self._bilinear(self.of_mean) - outer(self.pulls) / self.precision[:, None, None])

    def _bilinear(self, vectors: Sums) -> FloatArray:
        """u_i'Z_i'V⁻¹Z_j·u_j of vectors u_j over levels."""
        kept, absorbed = vectors
        met = applied(self.data.present, self.shrink * absorbed)
        of_met = applied(self.inverse, met)
        both = dot(kept, of_met)
        own = (absorbed**2 * self.data.counts[1] * self.shrink).sum(axis=1) - self.ratios[:, 0] * dot(met, of_met)
        return symmetric(dot(kept, applied(self.kept_block, kept)), both, own)

    @cached_property
    def traces(self) -> FloatArray:
        """tr(V⁻¹V_j)."""
        absorbed = (self.data.counts[1] * self.shrink).sum(axis=1)
        lost = self.ratios[:, 0] * trace(self.inverse, self.grams[:, 1])
        return np.stack([np.trace(self.kept_block, axis1=1, axis2=2), absorbed - lost], axis=1)

    @cached_property
    def pairs(self) -> FloatArray:
        """tr(V⁻¹V_i·V⁻¹V_j)."""
        met = np.matmul(self.inverse, self.grams[:, 1])
        ratio = self.ratios[:, 0]
        own = ((self.data.counts[1] * self.shrink) ** 2).sum(axis=1)
        absorbed = own - 2.0 * ratio * trace(self.inverse, self.grams[:, 2]) + ratio**2 * trace(met, met)
        return symmetric(trace(self.kept_block, self.kept_block), trace(met, self.inverse), absorbed)
