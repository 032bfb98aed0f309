"""Variance components of paired differences against lme4, lmerTest and pbkrtest."""

import numpy as np
import pytest
from tests.components.reference_rows import named, rows

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.mixed_models.fit_samples import fit_differences
from tellapart.numerics.mixed_models.model_fit import Degrees, MixedModelFit
from tellapart.numerics.mixed_models.unbalanced import fit_unbalanced


def differences_of(dataset: str) -> FloatArray:
    """B − A by rater and item, NaN where a rater did not rate an item with both systems."""
    chosen = [row for row in rows("ratings_fit_data") if row["dataset"] == dataset]
    raters, items = (sorted({row[name] for row in chosen}) for name in ("rater", "item"))
    values = np.full((2, len(raters), len(items)), np.nan)
    for row in chosen:
        values["AB".index(row["system"]), raters.index(row["rater"]), items.index(row["item"])] = float(row["rating"])
    return np.asarray(values[1] - values[0])


def reported(fitted: MixedModelFit) -> dict[str, float]:
    """A fit in the names of the reference table."""
    found = {
        **named(fitted),
        "variance_rater_intercept": fitted.variances[..., 0],
        "variance_item_intercept": fitted.variances[..., 1],
        "variance_residual": fitted.variances[..., 2],
    }
    laws: tuple[Degrees, ...] = ("kenward_roger", "satterthwaite", "cochran")
    for law in laws:
        reach = fitted.critical_value(0.95, law) * fitted.standard_error(law)
        found[f"p_{law}"] = 2.0 * np.minimum(*fitted.tails(law))
        found[f"low_{law}"], found[f"high_{law}"] = fitted.effect - reach, fitted.effect + reach
    return {name: float(value) for name, value in found.items()}


CASES = sorted({row["case"] for row in rows("ratings_fit")})


@pytest.mark.parametrize("balanced_path", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_as_lme4_on_differences(case: str, balanced_path: bool) -> None:
    """Effect, errors, degrees of freedom, p, intervals, shares and likelihood, by whichever way."""
    values = differences_of(case)
    found = reported(fit_differences(values) if balanced_path else fit_unbalanced(values[None], "reml").reshaped(()))
    expected = [row for row in rows("ratings_fit") if (row["case"], row["model"]) == (case, "differences")]
    compared = [row["quantity"] for row in expected if row["quantity"] in found]
    assert len(compared) == len(expected) - 1
    for row in expected:
        if row["quantity"] in found:
            bound = float(row["tolerance"])
            assert found[row["quantity"]] == pytest.approx(float(row["value"]), abs=bound, rel=0), row["quantity"]
