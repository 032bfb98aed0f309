"""Votes of raters on items as differences already taken, against lme4, and with the order they were shown in."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tellapart.numerics.mixed_models.fit_samples import fit_differences
from tellapart.numerics.mixed_models.rating_grid import RatingGrid
from tellapart.numerics.mixed_models.single_ratings import fit_grid

REFERENCE = Path(__file__).parents[1] / "reference"


def rows(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


VOTES = rows("votes_data")
RATERS, ITEMS = (sorted({row[name] for row in VOTES}) for name in ("rater", "item"))
PLACES = tuple(
    np.array([names.index(row[role]) for row in VOTES]) for names, role in ((RATERS, "rater"), (ITEMS, "item"))
)
EXPECTED = {row["quantity"]: (float(row["value"]), float(row["tolerance"])) for row in rows("votes_clustered")}


def test_as_lme4() -> None:
    """Effect, errors, degrees of freedom, p and variances of 1, 0 and −1."""
    values = np.full((len(RATERS), len(ITEMS)), np.nan)
    values[PLACES] = [{"B": 1.0, "A": -1.0}.get(row["winner"], 0.0) for row in VOTES]
    fitted = fit_differences(values)
    found = {
        "effect_crossed": fitted.effect,
        "se_crossed": fitted.se,
        "df_satterthwaite": fitted.df_satterthwaite,
        "df_kenward_roger": fitted.df_kenward_roger,
        "se_kenward_roger": fitted.se_adjusted,
        "p_satterthwaite": 2.0 * np.minimum(*fitted.tails("satterthwaite")),
        "p_kenward_roger": 2.0 * np.minimum(*fitted.tails("kenward_roger")),
        "variance_rater": fitted.variances[0],
        "variance_item": fitted.variances[1],
        "variance_residual": fitted.variances[2],
        "loglik_reml": fitted.loglik,
    }
    for name, value in found.items():
        expected, bound = EXPECTED[name]
        assert float(value) == pytest.approx(expected, abs=bound, rel=0), name


@pytest.mark.parametrize(("column", "name"), [(0, "effect_order_balanced"), (1, "first_shown_advantage")])
def test_with_the_order_as_a_column(column: int, name: str) -> None:
    """The effect with both orders alike, and the advantage of being shown first."""
    present, values, first = np.zeros((3, 1, len(RATERS), len(ITEMS)))
    present[0][PLACES] = 1.0
    values[0][PLACES] = [{"B": 1.0, "A": -1.0}.get(row["winner"], 0.0) for row in VOTES]
    first[0][PLACES] = [{"B": 0.5, "A": -0.5}[row["first"]] for row in VOTES]
    grid = RatingGrid(values, present, np.stack([present, first]), np.zeros(1), contrast=column)
    expected, bound = EXPECTED[name]
    assert float(fit_grid(grid, "reml", ("rater", "item")).effect) == pytest.approx(expected, abs=bound, rel=0)
