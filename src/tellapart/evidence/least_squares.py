"""A straight line through past results, and how well each of them would have been predicted from the others."""

from dataclasses import dataclass

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, FloatArray
from tellapart.errors import DataError

LONELY = 1e-9
"""A result whose leverage is nearer to 1 than this decides its own prediction; the others say nothing about it."""


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """The coefficients, how well they fit, and each response as predicted from all other rows (NaN where they cannot)."""

    coefficients: FloatArray
    r_squared: float
    residual_sd: float
    predicted: FloatArray
    prediction_error: float
    """The root mean square error of those predictions."""


def least_squares(design: FloatArray, response: FloatArray) -> LeastSquares:
    """Ordinary least squares with leave-one-out predictions, which need no refitting.

    A row's residual e understates how badly the other rows predict it, because the row pulled the line towards itself by
    its leverage h, the diagonal of the projection onto the columns; without it the residual is e / (1 − h). Assumes more
    rows than columns and columns that are not combinations of each other. Allen (1974).
    """
    rows, columns = design.shape
    if rows <= columns or np.linalg.matrix_rank(design) < columns:
        raise DataError(
            f"{rows} results do not determine {columns} coefficients; give more of them, and not all with the same "
            "accuracy or gap"
        )
    q, r = np.linalg.qr(design)
    coefficients = np.linalg.solve(r, q.T @ response)
    noise = STATISTIC_NOISE * float(np.abs(response).max())
    residuals = _above(noise, response - design @ coefficients)
    rest = 1.0 - (q * q).sum(axis=1)
    errors = np.where(rest > LONELY, residuals / np.maximum(rest, LONELY), np.nan)
    total = float((_above(noise, response - response.mean()) ** 2).sum())
    squares = float((residuals**2).sum())
    return LeastSquares(
        coefficients,
        1.0 - squares / total if total > 0.0 else float("nan"),
        float(np.sqrt(squares / (rows - columns))),
        response - errors,
        float(np.sqrt(np.nanmean(errors**2))),
    )


def _above(noise: float, values: FloatArray) -> FloatArray:
    return np.where(np.abs(values) > noise, values, 0.0)
