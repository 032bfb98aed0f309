"""Expectations over the mean squares of a balanced design of raters and items.

Three mean squares, of raters, of items and of the rest, are independent chi-squares over their degrees of freedom, times what is expected of
them. A fit is a function of them alone, with kinks where a component is truncated at 0; quadrature is done on pieces between those.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.balanced import pooled_degrees, satterthwaite, truncated
from tellapart.numerics.mixed_models.model_fit import DIFFERENCE_TERMS, MixedModelFit

FINE, COARSE = 20, 12
"""Gauss–Legendre nodes per piece: errors of some 1e-6, and of some 1e-4."""
TAIL = 1e-8
"""The probability of a chi-square left out on each side."""
NEGLIGIBLE = 1e-8
"""The probability below which a piece is left out."""
NEARLY_NORMAL = 10
"""Degrees of freedom from which on a few nodes of Gauss and Laguerre do for a mean square without kinks."""
FEW = 9
"""Gauss's nodes for a law that is nearly normal: they are exact for polynomials of up to seventeenth degree in the mean square."""
SKEWED = 4
"""Degrees of freedom below which small mean squares count so much that nodes are laid closer there."""


class Stratum(NamedTuple):
    """A mean square: what is expected of it, its degrees of freedom, and what one of it adds to the variance of the effect."""

    expected: float
    df: float
    weight: float


@dataclass(frozen=True)
class MeanSquares:
    """The strata of a balanced design; the variance of the effect is raters + items − rest, each times its weight."""

    raters: Stratum
    items: Stratum
    rest: Stratum

    @property
    def variance(self) -> float:
        """The true variance of the estimated effect."""
        return float(self._variance_estimate(*(np.asarray(stratum.expected) for stratum in self._three_strata)))

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom at the true variances."""
        raters, items, rest = (np.asarray(stratum.expected) for stratum in self._three_strata)
        return float(pooled_degrees((raters, items, rest), self._stratum_df, self._stratum_weights))

    def fitted(self, raters: FloatArray, items: FloatArray, rest: FloatArray) -> MixedModelFit:
        """The REML fit of these mean squares, the effect itself left at 0."""
        degrees = self._stratum_df
        raters, items, rest = np.broadcast_arrays(raters, items, rest)
        sums = degrees[0] * raters, degrees[1] * items, degrees[2] * rest
        squares = by_rater, by_item, left = truncated(sums, degrees)
        variance = self._variance_estimate(*squares)
        parts = self.raters.weight * (by_rater - left), self.items.weight * (by_item - left)
        shares = np.stack([parts[0], parts[1], variance - parts[0] - parts[1]], axis=-1)
        singular = np.stack([by_rater <= left, by_item <= left, np.zeros_like(by_item, dtype=bool)], axis=-1)
        unknown, nothing = np.full(1, np.nan), np.zeros_like(variance)
        return MixedModelFit(
            effect=nothing,
            se=np.sqrt(variance),
            se_adjusted=np.sqrt(variance),
            df_satterthwaite=satterthwaite(squares, singular, degrees),
            df_kenward_roger=pooled_degrees(squares, degrees, self._stratum_weights),
            terms=DIFFERENCE_TERMS,
            variances=unknown,
            shares=shares / variance[..., np.newaxis],
            singular=singular,
            dropped=np.zeros_like(singular),
            # The same for all: a quantile of their degrees of freedom is one number, and not one per node.
            raters=np.full(1, degrees[0] + 1.0),
            items=np.full(1, degrees[1] + 1.0),
            loglik=unknown,
            information=unknown,
            paired=True,
        )

    @property
    def _three_strata(self) -> tuple[Stratum, Stratum, Stratum]:
        return self.raters, self.items, self.rest

    @property
    def _stratum_df(self) -> tuple[float, float, float]:
        return self.raters.df, self.items.df, self.rest.df

    @property
    def _stratum_weights(self) -> tuple[float, float, float]:
        return self.raters.weight, self.items.weight, self.rest.weight

    def _variance_estimate(self, raters: FloatArray, items: FloatArray, rest: FloatArray) -> FloatArray:
        of_raters, of_items, of_rest = self._stratum_weights
        return np.asarray(of_raters * raters + of_items * items - of_rest * rest)


Integrand = Callable[[MixedModelFit], tuple[FloatArray, ...]]
"""The function that is averaged: several numbers for each fit."""


def average(squares: MeanSquares, integrand: Integrand, nodes: int = FINE) -> tuple[float, ...]:
    """The averages of what `integrand` says of a fit, over all mean squares that the design can give."""
    sums: FloatArray | None = None
    mass = 0.0
    for fit, weight in pieces(squares, nodes):
        found = np.array([(weight * value).sum() for value in integrand(fit)])
        sums, mass = found if sums is None else sums + found, mass + float(weight.sum())
    assert sums is not None, "probabilities add up to 1"
    return tuple((sums / mass).tolist())


def pieces(squares: MeanSquares, nodes: int = FINE) -> Iterator[tuple[MixedModelFit, FloatArray]]:
    """Fits and their probability weights, `(rest, raters, items)`, on each piece between kinks."""
    rest, weight = _residual_nodes(squares.rest, nodes)
    for raters, raters_weight in _nodes_between_kinks(squares.raters, _rater_kinks(squares, rest), weight, nodes):
        given = rest[:, np.newaxis]
        kinks = _item_kinks(squares, given, raters)
        for items, both_weight in _nodes_between_kinks(squares.items, kinks, raters_weight, nodes):
            yield squares.fitted(raters[..., np.newaxis], items, given[..., np.newaxis]), both_weight


def _rater_kinks(squares: MeanSquares, rest: FloatArray) -> list[FloatArray]:
    """Mean squares of raters at which something is pooled: the rest itself, and where items alone can have brought that down."""
    share = squares.rest.df / (squares.rest.df + squares.items.df)
    return [share * rest, rest]


def _item_kinks(squares: MeanSquares, rest: FloatArray, raters: FloatArray) -> list[FloatArray]:
    """Mean squares of items at which something is pooled, those of raters and of the rest being given."""
    r, i, e = squares.raters.df, squares.items.df, squares.rest.df
    below = raters < rest
    alone = np.where(below, ((e + i) * raters - e * rest) / i, 0.0)
    return [np.maximum(alone, 0.0), np.where(below, (e * rest + r * raters) / (e + r), rest)]


def _residual_nodes(stratum: Stratum, nodes: int) -> tuple[FloatArray, FloatArray]:
    """The mean square of the rest, in which nothing has a kink as long as the others move with it."""
    if stratum.df >= NEARLY_NORMAL:
        ratio, weight = _laguerre(stratum.df)
        return stratum.expected * ratio, weight
    low, high = (np.asarray(end) for end in _mean_square_range(stratum.df))
    root, weight = _legendre(low, high, nodes, stratum.df)
    return stratum.expected * root**2, weight * _density(root, stratum.df)


def _nodes_between_kinks(
    stratum: Stratum, kinks: list[FloatArray], weight: FloatArray, nodes: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """A mean square on each piece between kinks that has any probability, and the weights of all so far."""
    low, high = _mean_square_range(stratum.df)
    roots = [np.clip(np.sqrt(kink / stratum.expected), low, high) for kink in kinks]
    edges = [np.full_like(roots[0], low), *roots, np.full_like(roots[0], high)]
    below = [special.gammainc(stratum.df / 2.0, stratum.df / 2.0 * edge**2) for edge in edges]
    if stratum.df >= NEARLY_NORMAL and float((weight * below[-2]).sum()) <= NEGLIGIBLE:
        ratio, chance = _laguerre(stratum.df)  # there is no kink to speak of
        yield (np.broadcast_to(stratum.expected * ratio, (*weight.shape, FEW)), weight[..., np.newaxis] * chance)
        return
    for (start, before), (end, after) in pairwise(zip(edges, below, strict=True)):
        if float((weight * (after - before)).sum()) > NEGLIGIBLE:
            root, length = _legendre(start, end, nodes, stratum.df)
            density = _density(root, stratum.df)
            yield stratum.expected * root**2, weight[..., np.newaxis] * length * density


def _mean_square_range(df: float) -> tuple[float, float]:
    """Between which roots of a mean square over its expectation nearly all of it lies."""
    return float(np.sqrt(special.chdtri(df, 1.0 - TAIL) / df)), float(np.sqrt(special.chdtri(df, TAIL) / df))


def _legendre(low: FloatArray, high: FloatArray, nodes: int, df: float) -> tuple[FloatArray, FloatArray]:
    places, lengths = _unit(nodes, graded=df < SKEWED)
    width = (high - low)[..., np.newaxis]
    return low[..., np.newaxis] + width * places, width * lengths


@lru_cache(maxsize=8)
def _unit(nodes: int, *, graded: bool) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights between 0 and 1, closer towards 0 if graded."""
    points, lengths = np.polynomial.legendre.leggauss(nodes)
    places, lengths = (points + 1.0) / 2.0, lengths / 2.0
    return (places**2, 2.0 * places * lengths) if graded else (places, lengths)


def _density(root: FloatArray, df: float) -> FloatArray:
    """Density of the root of a chi-square over its degrees of freedom; smooth at 0 even with one of them."""
    half = df / 2.0
    peak = np.log(2.0) + special.xlogy(half, half) - special.gammaln(half)
    return np.asarray(np.exp(peak + special.xlogy(df - 1.0, root) - half * root**2))


def _laguerre(df: float) -> tuple[FloatArray, FloatArray]:
    """Gauss's nodes and weights for a chi-square over its degrees of freedom. Golub & Welsch (1969)."""
    steps = np.arange(FEW)
    shape = df / 2.0
    off = np.sqrt(steps[1:] * (steps[1:] + shape - 1.0))
    values, vectors = np.linalg.eigh(np.diag(2.0 * steps + shape) + np.diag(off, 1) + np.diag(off, -1))
    return values / shape, vectors[0] ** 2
