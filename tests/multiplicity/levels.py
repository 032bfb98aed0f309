"""The level of simultaneous intervals from the deviations themselves, which boards hold only as their products."""

from tellapart.boards.simultaneous_intervals import level_of_products
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator


def simultaneous_level(residuals: FloatArray, level: float, rng: Generator) -> float:
    """Of deviations from the means, `(system, unit)`, by item or summed by cluster."""
    return level_of_products(residuals @ residuals.T, residuals.shape[1] - 1, level, rng)
