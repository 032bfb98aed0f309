"""Simulated ratings: levels of raters and items, differences between systems, and residuals."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries.rater_samples import Crossed, UnpairedRatings
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.populations.noise import Noise
from tellapart.populations.rating_designs import RatingLayout

if TYPE_CHECKING:
    from tellapart.populations.ratings import RatedSystems


Cut = Callable[[FloatArray], FloatArray]
"""A change of every rating before it is given, such as rounding to a step of the scale."""


def scores(population: "RatedSystems", noise: Noise, cut: Cut) -> Pair:
    """Each system's ratings, those of one item as its runs: what averaging over raters sees."""
    where = _layout(population, noise)
    if where.of_b is None:
        a, b = (_by_item(cut(x), where.item) for x in _both_ratings(population, noise, where))
        return Pair(a, b)
    values = cut(_single(population, noise, where))
    a, b = (_by_item(values[..., which], where.item[which]) for which in (~where.of_b, where.of_b))
    return Pair(a, b)


def by_raters(population: "RatedSystems", noise: Noise, cut: Cut) -> "Crossed | UnpairedRatings":
    """Differences of each rater on each item where all rate both systems, single ratings else."""
    where = _layout(population, noise)
    if where.of_b is not None:
        return UnpairedRatings(cut(_single(population, noise, where)), where.of_b, where.rater, where.item)
    a, b = (cut(x) for x in _both_ratings(population, noise, where))
    return Crossed(_rating_table(population, b - a, where))


def drawn_differences(population: "RatedSystems", items: int, size: int, rng: Generator) -> FloatArray:
    """Drawn differences without levels of raters and items, which cancel."""
    where = population.layout(items)
    values = rng.standard_normal((size, where.cells))
    values *= math.sqrt(2.0) * population.residual_sd
    by_item = values.reshape(size, items, population.rated_by)
    of_items = population.item_effect_sd * rng.standard_normal((size, items)) + population.known_effect
    by_item += of_items[..., np.newaxis]
    of_raters = population.rater_effect_sd * rng.standard_normal((size, population.raters))
    everybody = population.rated_by == population.raters
    by_item += of_raters[:, np.newaxis] if everybody else of_raters[:, where.rater].reshape(by_item.shape)
    return _rating_table(population, values, where)


def _layout(population: "RatedSystems", noise: Noise) -> RatingLayout:
    return population.layout(noise.layers[2].shape[-1])


def _cell_levels(population: "RatedSystems", noise: Noise, where: RatingLayout) -> FloatArray:
    levels = (population.rater_sd or 0.0) * noise.layers[0][..., where.rater]
    levels += (population.item_sd or 0.0) * noise.layers[2][..., where.item]
    return levels


def _cell_gaps(population: "RatedSystems", noise: Noise, where: RatingLayout) -> FloatArray:
    """By how much B is above A for the rater and the item of each cell."""
    gaps = population.rater_effect_sd * noise.layers[1][..., where.rater]
    gaps += population.item_effect_sd * noise.layers[3][..., where.item]
    gaps += population.known_effect
    return gaps


def _both_ratings(population: "RatedSystems", noise: Noise, where: RatingLayout) -> tuple[FloatArray, FloatArray]:
    levels, half = _cell_levels(population, noise, where), _cell_gaps(population, noise, where) / 2.0
    of_a, of_b = (population.residual_sd * layer for layer in noise.layers[4:])
    return levels - half + of_a, levels + half + of_b


def _single(population: "RatedSystems", noise: Noise, where: RatingLayout) -> FloatArray:
    assert where.of_b is not None
    values = _cell_levels(population, noise, where) + _cell_gaps(population, noise, where) * (where.of_b - 0.5)
    return np.asarray(values + population.residual_sd * noise.layers[4])


def _rating_table(population: "RatedSystems", cells: FloatArray, where: RatingLayout) -> FloatArray:
    """Cells as a table of raters and items."""
    items = len(where.item) // population.rated_by
    if population.rated_by == population.raters:
        return cells.reshape(len(cells), items, population.raters).swapaxes(-1, -2)
    table = np.full((len(cells), population.raters, items), np.nan)
    table[:, where.rater, where.item] = cells
    return table


def _by_item(values: FloatArray, item: IntArray) -> FloatArray:
    """Cells `(size, cell)`, ordered by item and as many on each, as `(size, item, run, part)`."""
    return values.reshape(len(values), len(np.unique(item)), -1, 1)
