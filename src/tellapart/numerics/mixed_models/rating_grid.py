"""Single ratings on a grid `(system, rater, item)`, and their inverse variance matrix by block elimination.

A rating's variance is σ²V with V = I + θ_c·(cells) + Σ over raters and items of θ_level·11' + θ_slope·xx', where x is −½ for one system
and ½ for the other. Cells touch no other cell and items no other item, so both are inverted by hand; what is left to invert is
twice as large as the raters are many. All of it holds for complex ratios, too: their imaginary parts carry derivatives.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart.foundation.arrays import FloatArray

Numbers = npt.NDArray[Any]
"""Real, or complex where derivatives are asked for."""

TERMS = ("rater_effect", "item_effect", "rater", "item", "rater_item")
"""In the order of ratios θ."""


@dataclass(frozen=True, eq=False)
class RatingGrid:
    """Ratings `(system, rater, item)`, 0 where there are none, with the columns of fixed effects `(column, system, rater, item)`.

    `codes` are the systems' x; `contrast` is the column whose effect is asked for.
    """

    values: FloatArray
    present: FloatArray
    columns: FloatArray
    codes: FloatArray
    contrast: int
    extra: float = 0.0
    """Squares of a residual too small to matter, where there is none of its own."""

    @cached_property
    def moments(self) -> FloatArray:
        """How many ratings each rater and item have together, and the sum of their x: `(2, rater, item)`."""
        return self.summed(self.present)

    def summed(self, vectors: Numbers) -> Numbers:
        """Sums over systems of ratings and of x times ratings: `(…, 2, rater, item)`."""
        return np.asarray(np.einsum("ms,...sri->...mri", np.stack([np.ones_like(self.codes), self.codes]), vectors))

    @cached_property
    def squares(self) -> FloatArray:
        """Sums over systems of 1, x and x² as `(2, 2, rater, item)`."""
        basis = np.stack([np.ones_like(self.codes), self.codes])
        return np.asarray(np.einsum("ms,ns,sri->mnri", basis, basis, self.present))


@dataclass(frozen=True, eq=False)
class Inverse:
    """V⁻¹ of a grid at variance ratios in the order of `TERMS`."""

    grid: RatingGrid
    ratios: Numbers

    @cached_property
    def cell_shrink(self) -> Numbers:
        """A cell's sum, shrunk by the cell's own variance."""
        return np.asarray(1.0 / (1.0 + self.ratios[4] * self.grid.moments[0]))

    @cached_property
    def gram(self) -> Numbers:
        """The products of level and slope columns within each cell, cells eliminated: `(2, 2, rater, item)`."""
        moments = self.grid.moments
        lost = self.ratios[4] * self.cell_shrink * moments[:, None] * moments[None, :]
        return np.asarray(self.grid.squares - lost)

    @cached_property
    def rater_ratios(self) -> Numbers:
        return self.ratios[[2, 0]]

    @cached_property
    def item_ratios(self) -> Numbers:
        return self.ratios[[3, 1]]

    @cached_property
    def item_gram(self) -> Numbers:
        """The block of each item, `(item, 2, 2)`."""
        return np.asarray(np.moveaxis(self.gram.sum(axis=2), -1, 0))

    @cached_property
    def item_system(self) -> Numbers:
        """(I + G·Θ)⁻¹ of each item's products G and ratios Θ: what the item's own variance leaves of its sums."""
        return np.asarray(np.linalg.inv(np.eye(2) + self.item_gram * self.item_ratios[None, None, :]))

    @cached_property
    def item_weight(self) -> Numbers:
        """Θ(I + G·Θ)⁻¹ of each item."""
        return np.asarray(self.item_ratios[None, :, None] * self.item_system)

    @cached_property
    def met(self) -> Numbers:
        """Products of raters' columns with items' columns: `(item, 2, 2·rater)`."""
        items = self.gram.shape[3]
        return np.asarray(self.gram.transpose(3, 1, 0, 2).reshape(items, 2, -1))

    @cached_property
    def left(self) -> Numbers:
        """Products of raters' columns with items eliminated, `(2·rater, 2·rater)`."""
        raters = self.gram.shape[2]
        own = np.zeros((2, raters, 2, raters), dtype=self.gram.dtype)
        places = np.arange(raters)
        own[:, places, :, places] = np.moveaxis(self.gram.sum(axis=3), -1, 0)
        rows = self.met.reshape(-1, 2 * raters)
        weighted = np.matmul(self.item_weight, self.met).reshape(-1, 2 * raters)
        return np.asarray(own.reshape(2 * raters, 2 * raters) - rows.T @ weighted)

    @cached_property
    def rater_diagonal(self) -> Numbers:
        return np.asarray(np.repeat(self.rater_ratios, self.gram.shape[2]))

    @cached_property
    def system(self) -> Numbers:
        """I + G·Θ of raters, G as `left`."""
        return np.asarray(np.eye(len(self.left)) + self.left * self.rater_diagonal)

    @cached_property
    def system_inverse(self) -> Numbers:
        return np.asarray(np.linalg.inv(self.system))

    @cached_property
    def logdet(self) -> FloatArray:
        """The logarithm of |V|, for real ratios."""
        items = -np.linalg.slogdet(self.item_system)[1].sum()
        return np.asarray(np.linalg.slogdet(self.system)[1] + items - np.log(self.cell_shrink).sum())

    def applied(self, vectors: Numbers) -> Numbers:
        """V⁻¹z of vectors `(vector, system, rater, item)`."""
        raters = self.gram.shape[2]
        sums = self.grid.summed(self._cells_out(vectors))
        of_raters, of_items = sums.sum(axis=3).reshape(len(vectors), -1), sums.sum(axis=2).transpose(0, 2, 1)
        weighted = np.einsum("imn,vin->vim", self.item_weight, of_items)
        met = self.met.reshape(-1, 2 * raters)
        right = of_raters - weighted.reshape(len(vectors), -1) @ met
        raters_part = (right @ self.system_inverse.T) * self.rater_diagonal
        remaining = of_items - (raters_part @ met.T).reshape(of_items.shape)
        items_part = np.einsum("imn,vin->vim", self.item_weight, remaining)
        both = raters_part.reshape(-1, 2, raters)[:, :, :, None] + items_part.transpose(0, 2, 1)[:, :, None, :]
        codes = self.grid.codes[None, :, None, None]
        predicted = (both[:, None, 0] + codes * both[:, None, 1]) * self.grid.present
        return np.asarray(self._cells_out(vectors - predicted))

    def _cells_out(self, vectors: Numbers) -> Numbers:
        within = vectors.sum(axis=1) * (self.ratios[4] * self.cell_shrink)
        return np.asarray(vectors - within[:, None] * self.grid.present)

    @cached_property
    def rater_weight(self) -> Numbers:
        """Θ(I + G·Θ)⁻¹ of raters."""
        return np.asarray(self.rater_diagonal[:, None] * self.system_inverse)

    @cached_property
    def traces(self) -> Numbers:
        """tr(V⁻¹V_j) in the order of `TERMS`."""
        raters = self.gram.shape[2]
        of_raters = np.einsum("ij,ji->i", self.system_inverse, self.left).reshape(2, raters).sum(axis=1)
        kept = np.matmul(self.item_system, self.met)
        own = np.einsum("imn,inm->m", self.item_system, self.item_gram)
        of_items = own - (np.matmul(kept, self.rater_weight) * kept).sum(axis=(0, 2))
        return np.array([of_raters[1], of_items[1], of_raters[0], of_items[0], self._cell_trace()])

    def _cell_trace(self) -> Numbers:
        """The cells' own sums minus the part that raters and items explain."""
        raters, items = self.gram.shape[2:]
        moments = self.grid.moments * self.cell_shrink
        towards = np.matmul(self.item_weight, self.met)
        crossed = np.matmul(towards, self.rater_weight)
        of_items = self.item_weight + np.matmul(crossed, towards.transpose(0, 2, 1))
        places = np.arange(raters)
        of_raters = self.rater_weight.reshape(2, raters, 2, raters)[:, places, :, places]
        explained = np.einsum("mri,rmn,nri->", moments, of_raters, moments, optimize=True)
        explained += np.einsum("mri,imn,nri->", moments, of_items, moments, optimize=True)
        between = crossed.reshape(items, 2, 2, raters)
        explained -= 2.0 * np.einsum("mri,imnr,nri->", moments, between, moments, optimize=True)
        return np.asarray((self.grid.moments[0] * self.cell_shrink).sum() - explained)
