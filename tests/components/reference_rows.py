"""Rows of the reference tables of fits, and a fit in their names."""

import csv
from pathlib import Path
from typing import Any

from tellapart.numerics.mixed_models.model_fit import MixedModelFit

REFERENCE = Path(__file__).parents[1] / "reference"


def rows(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def named(fitted: MixedModelFit) -> dict[str, Any]:
    """What both kinds of fits report, but for their variances."""
    return {
        "effect": fitted.effect,
        "se": fitted.se,
        "loglik_reml": fitted.loglik,
        "singular": fitted.singular.any(),
        "df_satterthwaite": fitted.df_satterthwaite,
        "df_kenward_roger": fitted.df_kenward_roger,
        "se_kenward_roger": fitted.se_adjusted,
        "share_of_variance_raters": fitted.rater_share,
        "share_of_variance_items": fitted.item_share,
        "share_of_variance_rest": fitted.rest_share,
    }
