"""Mixed model of single ratings by crossed raters and items, where raters did not rate both systems."""

from dataclasses import dataclass, replace

import numpy as np

from tellapart.foundation.arrays import NOISE, BoolArray, FloatArray, IntArray
from tellapart.numerics.mixed_models.inference import ENDLESS, LEAST_RESIDUAL, highest, identifiable_terms
from tellapart.numerics.mixed_models.likelihood import Slopes, height_of, patterns_of, summit_of
from tellapart.numerics.mixed_models.model_fit import RATING_TERMS, Method, MixedModelFit
from tellapart.numerics.mixed_models.rating_grid import RatingGrid

KEPT_FIRST = np.array([2, 3, 0, 4, 1])
"""The order in which terms are kept, by place in `RATING_TERMS`: levels before effects, and the item's effect last."""

OTHER_FACTOR = {"rater_effect": "item_effect", "item_effect": "rater_effect", "rater": "item", "item": "rater"}
SWAPPED = [RATING_TERMS.index(OTHER_FACTOR.get(term, term)) for term in RATING_TERMS]

STARTS = (0.3, 0.02, 3.0)
"""Ratios that the ascent starts from, all terms alike; the first alone where there are many ratings per level."""

SPARSE = 4.0
"""Ratings per rater and item below which the likelihood is climbed from all of `STARTS`."""


@dataclass(frozen=True, eq=False)
class LongRatings:
    """One row per rating: its system (0 or 1), rater and item as numbers from 0 on, and value; no row twice."""

    system: IntArray
    rater: IntArray
    item: IntArray
    value: FloatArray


def fit_ratings(ratings: LongRatings, method: Method = "reml", terms: tuple[str, ...] = RATING_TERMS) -> MixedModelFit:
    """Effect B − A and variance components of `y ~ x + (1 + x || rater) + (1 + x || item) + (1 | rater:item)`, x = ±½.

    Of `terms` those that the data can tell apart are fitted. Ratings of one rater on one item are told from those of others on
    that item; where no item offers that, only unlike items do, and the term `rater_item` is dropped. True for independent normal
    effects and residuals. Bates et al. (2015).
    """
    shape = (2, int(ratings.rater.max()) + 1, int(ratings.item.max()) + 1)
    place = (ratings.system, ratings.rater, ratings.item)
    values, present = np.zeros(shape), np.zeros(shape)
    values[place], present[place] = ratings.value, 1.0
    codes = np.array([-0.5, 0.5])
    columns = np.stack([present, codes[:, None, None] * present])
    within = _rated_twice_beside_others(present)
    fitted = tuple(term for term in terms if within or term != "rater_item")
    return fit_grid(RatingGrid(values, present, columns, codes, contrast=1), method, fitted)


def _rated_twice_beside_others(present: FloatArray) -> bool:
    """Whether some rater gave an item both systems' ratings, and another one rated that item."""
    raters = present.any(axis=0).sum(axis=0)
    return bool((present.all(axis=0).any(axis=0) & (raters > 1)).any())


def fit_grid(grid: RatingGrid, method: Method, terms: tuple[str, ...]) -> MixedModelFit:
    """The fit for any columns of fixed effects and any systems."""
    if grid.present.shape[1] > grid.present.shape[2]:
        return fit_grid(_transposed(grid), method, tuple(OTHER_FACTOR.get(term, term) for term in terms)).swapped(
            SWAPPED
        )
    plain, unit, scale = _unit_grid(grid)
    asked = np.array([term in terms for term in RATING_TERMS[:-1]])
    kept = _kept_terms(unit, asked)
    unit, ratios = _grid_summit(unit, kept[:-1] & (scale > 0.0), method)
    return _grid_fit(unit, ratios, kept, method, (plain, scale)).settled()


def _unit_grid(grid: RatingGrid) -> tuple[float, RatingGrid, float]:
    """The effect by least squares, and the grid of residuals with a mean square of 1, and what they were divided by."""
    total = grid.present.sum()
    products = np.einsum("asri,bsri->ab", grid.columns, grid.columns)
    plain = np.linalg.solve(products, np.einsum("asri,sri->a", grid.columns, grid.values))
    residuals = grid.values - np.einsum("a,asri->sri", plain, grid.columns)
    scale = float(np.sqrt((residuals**2).sum() / total))
    if scale <= NOISE * float(np.abs(grid.values).max()):
        return float(plain[grid.contrast]), replace(grid, values=np.zeros_like(grid.values)), 0.0
    return float(plain[grid.contrast]), replace(grid, values=residuals / scale), scale


def _kept_terms(grid: RatingGrid, asked: BoolArray) -> BoolArray:
    """Which of the terms asked for can be told apart, and the residual."""
    patterns = patterns_of(grid, len(asked))
    order = np.append(KEPT_FIRST, len(asked))
    wanted = np.append(asked, [True])
    patterns = np.where(wanted[:, None] & wanted[None, :], patterns, 0.0)
    kept = np.zeros(len(order), dtype=bool)
    kept[order] = identifiable_terms(patterns[np.newaxis][:, order][:, :, order])[0]
    return kept


def _grid_summit(grid: RatingGrid, free: BoolArray, method: Method) -> tuple[RatingGrid, FloatArray]:
    """The best ratios; where they have no end, those beside a residual too small to matter."""
    ratios = _best_grid_start(grid, free, method)
    if ratios.max() <= ENDLESS:
        return grid, ratios
    grid = replace(grid, extra=LEAST_RESIDUAL * float(grid.present.sum()))
    return grid, _best_grid_start(grid, free, method)


def _best_grid_start(grid: RatingGrid, free: BoolArray, method: Method) -> FloatArray:
    levels = grid.present.any(axis=(0, 2)).sum() + grid.present.any(axis=(0, 1)).sum()
    starts = STARTS if grid.present.sum() < SPARSE * levels else STARTS[:1]
    found = [
        highest(
            lambda ratios, rows: height_of(grid, ratios[0], method),  # noqa: ARG005  (a batch of one)
            np.full((1, len(free)), start),
            free[np.newaxis],
        )
        for start in starts
    ]
    return np.asarray(max(found, key=lambda ratios_and_height: float(ratios_and_height[1][0]))[0][0])


def _grid_fit(
    grid: RatingGrid, ratios: FloatArray, kept: BoolArray, method: Method, units: tuple[float, float]
) -> MixedModelFit:
    plain, scale = units
    summit, at, known = summit_of(grid, ratios, method), Slopes(grid, ratios, method), kept[np.newaxis]
    adjusted, df_kenward_roger = np.full((2, 1), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        if method == "reml":
            adjusted, df_kenward_roger = summit.kenward_roger(known)
        unit = summit.variance[:, None] * scale**2
        variances = np.append(ratios, float(grid.extra == 0.0)) * unit
        return MixedModelFit(
            effect=plain + scale * at.effects[[grid.contrast]],
            se=summit.se * scale,
            se_adjusted=adjusted * scale,
            df_satterthwaite=summit.satterthwaite(known),
            df_kenward_roger=df_kenward_roger,
            terms=RATING_TERMS,
            variances=variances,
            shares=summit.shares(),
            singular=known & (variances <= 0.0),
            dropped=~known,
            raters=np.array([float(grid.present.any(axis=(0, 2)).sum())]),
            items=np.array([float(grid.present.any(axis=(0, 1)).sum())]),
            loglik=np.array([at.height - at.freedom * np.log(scale)]),
            information=summit.expected / (2.0 * unit[:, :, None] ** 2),
            paired=False,
        ).reshaped(())


def _transposed(grid: RatingGrid) -> RatingGrid:
    return RatingGrid(
        grid.values.transpose(0, 2, 1),
        grid.present.transpose(0, 2, 1),
        grid.columns.transpose(0, 1, 3, 2),
        grid.codes,
        grid.contrast,
    )
