"""Least-squares regression with standard errors, to recompute printed regression tables."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.linearity import LeastSquares, least_squares
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import Ours


@dataclass(frozen=True, eq=False)
class Regression:
    """A line through `observations` rows, and the standard error of each coefficient."""

    line: LeastSquares
    errors: FloatArray
    observations: int

    @property
    def residual_df(self) -> int:
        return self.observations - len(self.line.coefficients)

    @property
    def adjusted_r_squared(self) -> float:
        return 1.0 - (1.0 - self.line.r_squared) * (self.observations - 1) / self.residual_df

    @property
    def f(self) -> float:
        explained = self.line.r_squared / (len(self.line.coefficients) - 1)
        return explained / ((1.0 - self.line.r_squared) / self.residual_df)

    def predict(self, x: FloatArray) -> FloatArray:
        return np.asarray(x @ self.line.coefficients)


def fit(x: FloatArray, y: FloatArray) -> Regression:
    """The line of y on the columns of x, a constant among them."""
    line = least_squares(x, y)
    errors = line.residual_sd * np.sqrt(np.diag(np.linalg.inv(x.T @ x)))
    return Regression(line, errors, len(y))


def printed_statistics(rows: Sequence[PublishedRow], found: Regression, terms: Sequence[str]) -> list[Ours]:
    """Each row's statistic: of one of the terms, or of the whole fit."""
    whole = {
        "observations": found.observations,
        "R²": found.line.r_squared,
        "adjusted R²": found.adjusted_r_squared,
        "residual standard error": found.line.residual_sd,
        "F": found.f,
    }
    columns = {"coefficient": found.line.coefficients, "standard error": found.errors}

    def value(quantity: str, term: str) -> float:
        return float(columns[quantity][terms.index(term)] if quantity in columns else whole[quantity])

    return [Ours(value(row.settings["quantity"], row.settings["term"])) for row in rows]
