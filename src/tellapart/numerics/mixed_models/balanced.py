"""Closed-form variance components of complete rater-by-item designs, truncated where REML truncates them."""

import numpy as np

from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray
from tellapart.numerics.mixed_models.model_fit import DIFFERENCE_TERMS, MixedModelFit

MeanSquares = tuple[FloatArray, FloatArray, FloatArray]
Three = tuple[float, float, float]
"""A number for raters, for items and for the rest."""


def fit_balanced(differences: FloatArray) -> MixedModelFit:
    """Components of `(*batch, rater, item)` without gaps, from three mean squares.

    The likelihood that REML maximises is that of the mean squares of raters, items and the rest, whose expectations are
    e + items·r, e + raters·i and e for variances r, i, e that are not negative. Patterson & Thompson (1971).
    """
    raters, items = differences.shape[-2:]
    effect, sums = _sums_of_squares(differences)
    degrees = (raters - 1.0, items - 1.0, (raters - 1.0) * (items - 1.0))
    by_rater, by_item, rest = truncated(sums, degrees)
    variances = np.stack([(by_rater - rest) / items, (by_item - rest) / raters, rest], axis=-1)
    parts = np.stack([by_rater - rest, by_item - rest, rest], axis=-1)
    total = by_rater + by_item - rest
    singular = variances <= 0.0
    se = np.sqrt(total / (raters * items))
    with np.errstate(invalid="ignore", divide="ignore"):
        return MixedModelFit(
            effect=effect,
            se=se,
            se_adjusted=se,
            df_satterthwaite=satterthwaite((by_rater, by_item, rest), singular, degrees),
            df_kenward_roger=pooled_degrees((by_rater, by_item, rest), degrees),
            terms=DIFFERENCE_TERMS,
            variances=variances,
            shares=parts / total[..., np.newaxis],
            singular=singular,
            dropped=np.zeros_like(singular),
            raters=np.full_like(effect, raters),
            items=np.full_like(effect, items),
            loglik=_loglik((by_rater, by_item, rest), sums, degrees),
            information=_information((by_rater, by_item, rest), degrees, (raters, items)),
            paired=True,
        )


def _sums_of_squares(differences: FloatArray) -> tuple[FloatArray, MeanSquares]:
    raters, items = differences.shape[-2:]
    of_raters, of_items = differences.mean(axis=-1), differences.mean(axis=-2)
    effect = of_raters.mean(axis=-1)
    centred = differences - of_raters[..., :, np.newaxis] - of_items[..., np.newaxis, :] + effect[..., None, None]
    between_raters = items * _row_squares(of_raters - effect[..., np.newaxis])
    between_items = raters * _row_squares(of_items - effect[..., np.newaxis])
    left = _row_squares(centred.reshape(*effect.shape, -1))
    # Rounding is no spread: one number everywhere has none.
    spread = between_raters + between_items + left > raters * items * (NOISE * effect) ** 2
    return effect, (between_raters * spread, between_items * spread, left * spread)


def _row_squares(rows: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("...i,...i->...", rows, rows))


def truncated(sums: MeanSquares, degrees: Three) -> MeanSquares:
    """Expected mean squares of highest likelihood among those where neither raters nor items are below the rest.

    The rest is the smallest of its own mean square and of those pooled with it: raters, items or both. Thompson (1962).
    """
    (by_rater, by_item, rest), (raters, items, left) = sums, degrees
    pooled = [
        rest / left,
        (rest + by_rater) / (left + raters),
        (rest + by_item) / (left + items),
        (rest + by_rater + by_item) / (left + raters + items),
    ]
    least = np.minimum.reduce(pooled)
    return np.maximum(by_rater / raters, least), np.maximum(by_item / items, least), least


def pooled_degrees(squares: MeanSquares, degrees: Three, weights: Three = (1.0, 1.0, 1.0)) -> FloatArray:
    """Satterthwaite's degrees of freedom of raters + items − rest, boundary terms counted: Kenward and Roger's."""
    by_rater, by_item, rest = (weight * square for weight, square in zip(weights, squares, strict=True))
    spread = by_rater**2 / degrees[0] + by_item**2 / degrees[1] + rest**2 / degrees[2]
    return np.asarray((by_rater + by_item - rest) ** 2 / spread)


def satterthwaite(squares: MeanSquares, singular: BoolArray, degrees: Three) -> FloatArray:
    """The fit without terms at the boundary, whose mean squares are pooled with the residual."""
    raters, items, left = degrees
    no_raters, no_items = singular[..., 0], singular[..., 1]
    inside = np.where(no_items, raters, pooled_degrees(squares, degrees))
    return np.where(no_raters, np.where(no_items, raters + items + left, items), inside)


def _loglik(squares: MeanSquares, sums: MeanSquares, degrees: Three) -> FloatArray:
    """Restricted log-likelihood, up to nothing: the mean itself adds log(raters·items) as lme4 counts it."""
    cells = (degrees[0] + 1.0) * (degrees[1] + 1.0)
    known = (cells - 1.0) * np.log(2.0 * np.pi) + np.log(cells)
    parts = [d * np.log(m) + np.where(m > 0.0, s / m, d) for m, s, d in zip(squares, sums, degrees, strict=True)]
    return np.asarray(-0.5 * (known + sum(parts)))


def _information(squares: MeanSquares, degrees: Three, shape: tuple[int, int]) -> FloatArray:
    """The information d/2m² of each expected mean square, expressed in its variance components."""
    made_of = np.array([[shape[1], 0.0, 1.0], [0.0, shape[0], 1.0], [0.0, 0.0, 1.0]])
    of_squares = np.stack([d / (2.0 * m * m) for m, d in zip(squares, degrees, strict=True)], axis=-1)
    return np.asarray(np.einsum("...m,mi,mj->...ij", of_squares, made_of, made_of))
