"""Precision of a design of raters and items: mean squares, variance of the effect and degrees of freedom."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray, floats
from tellapart.foundation.seeds import stream
from tellapart.numerics.mixed_models.mean_square_law import MeanSquares, Stratum

# Who rates what: the cells of a rating design, one per rater and item that meet.

RatingDesign = Literal["crossed", "raters_nested", "items_nested", "both_nested", "counterbalanced"]

PAIRED: RatingDesign = "crossed"
"""The design in which every rater of an item rates both systems on it."""
RATERS_APART: tuple[RatingDesign, ...] = ("raters_nested", "both_nested")
"""Each rater rates one system only."""
ITEMS_APART: tuple[RatingDesign, ...] = ("items_nested", "both_nested")
"""Each item is rated for one system only."""


@dataclass(frozen=True, eq=False)
class RatingLayout:
    """The rater and the item of each cell; `of_b` is which system was rated there, None where both were."""

    rater: IntArray
    item: IntArray
    of_b: BoolArray | None

    @property
    def cells(self) -> int:
        return len(self.rater)

    @property
    def ratings(self) -> int:
        return self.cells if self.of_b is not None else 2 * self.cells


@lru_cache(maxsize=64)
def layout(design: RatingDesign, raters: int, per_item: int, items: int) -> RatingLayout:
    """The cells of a design, ordered by item and rater; with fewer raters per item than there are, dealt out evenly."""
    if per_item < raters:
        rater, item = _dealt(raters, per_item, items)
    else:
        item, rater = (grid.ravel() for grid in np.indices((items, raters)))
    late_rater, late_item = rater >= raters // 2, item >= items // 2
    if design == "both_nested":
        met = late_rater == late_item
        return RatingLayout(rater[met], item[met], late_rater[met])
    of_b = {
        "crossed": None,
        "raters_nested": late_rater,
        "items_nested": late_item,
        "counterbalanced": late_rater ^ late_item,
    }
    return RatingLayout(rater, item, of_b[design])


def _dealt(raters: int, per_item: int, items: int) -> tuple[IntArray, IntArray]:
    """Each item gets those who have rated least so far, at random among equals: loads never differ by more than one."""
    rng, load = stream(0), np.zeros(raters, dtype=np.int64)
    rater = np.empty((items, per_item), dtype=np.int64)
    for item in range(items):
        chosen = np.lexsort((rng.random(raters), load))[:per_item]
        load[chosen] += 1
        rater[item] = np.sort(chosen)
    return rater.ravel(), np.repeat(np.arange(items), per_item)


if TYPE_CHECKING:
    from tellapart.populations.ratings import RatedSystems

SPREADS = ("rater_effect_sd", "item_effect_sd", "residual_sd")
"""Spreads that every plan of ratings needs."""
LEVELS = ("rater_sd", "item_sd")
"""Spreads needed where systems have raters or items of their own."""


LEAST = 1e-12
"""Least share of the residual in the variance, as its logarithm is needed."""
ROUNDING = 1e-9
"""Of eigenvalues between 0 and 1."""


NEXT_TO_NOTHING = 1e-13
"""Of a unit: what is added so that parts which nothing tells apart can be solved for, with an error that has no end."""


class EffectPrecision(NamedTuple):
    """The variance of an estimated effect, and the degrees of freedom that an estimate of it has."""

    variance: float
    df: float


def mean_squares(population: "RatedSystems", items: int) -> MeanSquares | None:
    """The strata of a balanced design; None where a fit is no function of three mean squares."""
    if population.rated_by < population.raters or items % population.unit or items < 2 * population.unit:
        return None
    p, q, spread = population.raters, items, population.variances
    raters, own_items, one = (spread[name] for name in SPREADS)
    all_raters, all_items = (spread[level] + own / 4.0 for level, own in zip(LEVELS, (raters, own_items), strict=True))
    rest = {"crossed": 2.0 * one}.get(population.design, one)
    rest = max(rest, LEAST * (raters + own_items + all_raters + all_items))
    strata: dict[str, tuple[Added, Added, float, float]] = {
        "crossed": ((q * raters, p - 1), (p * own_items, q - 1), (p - 1) * (q - 1), 1.0),
        "raters_nested": ((q * all_raters, p - 2), (p / 4 * own_items, q - 1), (p - 2) * (q - 1), 4.0),
        "items_nested": ((q / 4 * raters, p - 1), (p * all_items, q - 2), (p - 1) * (q - 2), 4.0),
        "both_nested": ((q / 2 * all_raters, p - 2), (p / 2 * all_items, q - 2), (p - 2) * (q - 2) / 2, 8.0),
    }
    found = strata.get(population.design)
    return None if found is None else _mean_squares_of_three_strata(rest, *found[:3], found[3] / (p * q))


Added = tuple[float, int]
"""The addition of raters or items to the residual mean square, and its degrees of freedom."""


def _mean_squares_of_three_strata(rest: float, raters: Added, items: Added, df: float, weight: float) -> MeanSquares:
    (more_raters, df_raters), (more_items, df_items) = raters, items
    return MeanSquares(
        Stratum(rest + more_raters, df_raters, weight),
        Stratum(rest + more_items, df_items, weight),
        Stratum(rest, df, weight),
    )


def precision(population: "RatedSystems", items: int) -> EffectPrecision:
    """The true variance of the effect and its degrees of freedom by Satterthwaite, at the true variances."""
    squares = mean_squares(population, items)
    if squares is not None:
        return EffectPrecision(squares.variance, squares.df)
    if population.design == "counterbalanced":
        return _counterbalanced(population, items)
    p, spread = population.raters, population.variances
    raters, own_items, one = (spread[name] for name in SPREADS)
    if population.one_rater_per_item:
        return EffectPrecision(raters / p + (own_items + 2.0 * one) / items, p - 1.0)
    return _some_per_item(population, items)


def _counterbalanced(population: "RatedSystems", items: int) -> EffectPrecision:
    """From the strata of two halves of raters by two halves of items; the last two hold one contrast between halves each."""
    p, q, spread = population.raters, items, population.variances
    # Of raters' and items' effects, their levels, and the rest.
    made_of = np.array(
        [
            [q / 4, 0, 0, 0, 1],
            [0, p / 4, 0, 0, 1],
            [0, 0, q, 0, 1],
            [0, 0, 0, p, 1],
            [0, 0, 0, 0, 1],
            [0, p / 4, q, 0, 1],
            [q / 4, 0, 0, p, 1],
        ]
    )
    counts = np.array([p - 2, q - 2, p - 2, q - 2, (p - 2) * (q - 2), 1, 1], dtype=np.float64)
    variances = _with_some_rest(np.array([spread[name] for name in (*SPREADS[:2], *LEVELS, SPREADS[2])]))
    squares = made_of @ variances
    information = np.einsum("s,si,sj->ij", counts / (2.0 * squares**2), made_of, made_of)
    gradient = 4.0 / (p * q) * np.array([q / 4, p / 4, 0, 0, 1])
    return _from_information(gradient, variances, information)


def _some_per_item(population: "RatedSystems", items: int) -> EffectPrecision:
    """From the eigenvalues of who rates together with whom; true where all raters rate as many items."""
    where, p, k = population.layout(items), population.raters, population.rated_by
    load, cells = where.cells / p, where.cells
    met = np.zeros((p, items))
    met[where.rater, where.item] = 1.0
    # The largest eigenvalue belongs to the mean itself.
    overlap = floats(np.linalg.eigvalsh(met @ met.T)[:-1] / (load * k))
    apart, same = int((overlap < ROUNDING).sum()), int((overlap > 1.0 - ROUNDING).sum())
    mixed = overlap[(overlap >= ROUNDING) & (overlap <= 1.0 - ROUNDING)]
    variances = _with_some_rest(np.array([population.variances[name] for name in SPREADS]) * [1.0, 1.0, 2.0])
    # Contrasts of raters that items are blind to, that items see in full, those of items alone, and the rest.
    made_of = np.array([[load, 0.0, 1.0], [load, k, 1.0], [0.0, k, 1.0], [0.0, 0.0, 1.0]])
    counts = np.array(
        [apart, same, items - 1 - len(mixed) - same, cells - items - len(mixed) - apart], dtype=np.float64
    )
    information = np.einsum("s,si,sj->ij", counts / (2.0 * (made_of @ variances) ** 2), made_of, made_of)
    information += _of_mixed(mixed, np.diag([load, 0.0]), k, variances)
    return _from_information(made_of[1] / cells, variances, information)


def _of_mixed(overlap: FloatArray, raters: FloatArray, per_item: int, variances: FloatArray) -> FloatArray:
    """The information in contrasts of raters that are partly contrasts of items: each in a plane of its own."""
    items = np.stack([np.sqrt(overlap), np.sqrt(1.0 - overlap)], axis=-1)
    shape = (len(overlap), 2, 2)
    of_items = per_item * np.einsum("ni,nj->nij", items, items)
    parts = np.stack([np.broadcast_to(raters, shape), of_items, np.broadcast_to(np.eye(2), shape)])
    scaled = np.einsum("nij,vnjk->vnik", np.linalg.inv(np.einsum("v,vnij->nij", variances, parts)), parts)
    return np.asarray(0.5 * np.einsum("vnij,wnji->vw", scaled, scaled))


def _with_some_rest(variances: FloatArray) -> FloatArray:
    """Of ratings that scatter by nothing all is known; by next to nothing, nearly all."""
    return np.append(variances[:-1], max(variances[-1], LEAST * variances.sum()))


def _from_information(gradient: FloatArray, variances: FloatArray, information: FloatArray) -> EffectPrecision:
    variance = float(gradient @ variances)
    return EffectPrecision(variance, float(degrees_of_freedom(gradient, variances, information)))


def degrees_of_freedom(gradient: FloatArray, variances: FloatArray, information: FloatArray) -> FloatArray:
    """Satterthwaite's, of gradient'variances `(*batch,)` whose parts are known by this information `(*batch, part, part)`."""
    # Each part in units of its own error: what is known next to perfectly would else drown the others in rounding.
    unit = 1.0 / np.sqrt(np.einsum("...ii->...i", information))
    slope = gradient * unit
    scaled = information * unit[..., :, None] * unit[..., None, :] + NEXT_TO_NOTHING * np.eye(len(variances))
    spread = (slope * np.linalg.solve(scaled, slope[..., None])[..., 0]).sum(axis=-1)
    return np.asarray(2.0 * (gradient @ variances) ** 2 / spread)


def with_endless_items(population: "RatedSystems") -> EffectPrecision:
    """The variance that remains with infinitely many items."""
    own = population.variances["rater_effect_sd"]
    p = population.raters
    if population.design in RATERS_APART:
        return EffectPrecision((4.0 * population.variances["rater_sd"] + own) / p, p - 2.0)
    return EffectPrecision(own / p, p - 1.0)


def with_endless_raters(population: "RatedSystems", items: int) -> EffectPrecision:
    """The variance that remains with infinitely many raters; if raters per item are given, their scatter stays with the items."""
    own, one = (population.variances[name] for name in SPREADS[1:])
    if population.design in ITEMS_APART:
        return EffectPrecision((4.0 * population.variances["item_sd"] + own) / items, items - 2.0)
    scatter = 0.0 if population.rated_by == population.raters else 2.0 * one / population.rated_by
    raters = 0.0 if not scatter else population.variances["rater_effect_sd"] / population.rated_by
    return EffectPrecision((own + raters + scatter) / items, items - 1.0)
