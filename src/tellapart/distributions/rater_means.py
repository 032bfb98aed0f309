"""What each rater says on average: the sample where raters are all that varies."""

from typing import Any

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.errors import Unsuitable


def rater_means(sample: Any, method: str) -> FloatArray:
    """The mean difference of each rater over the items that they rated, `(*batch, rater)`; raters without any are left out."""
    from tellapart.summaries.crossed import Crossed  # noqa: PLC0415  (plain scores have no need of it)

    if not isinstance(sample, Crossed):
        raise Unsuitable(
            f"{method} needs every rater of an item to have rated both systems on it; use mixed_model, which takes single ratings"
        )
    if sample.order is not None:
        raise Unsuitable(
            f"{method} takes no order, and these votes showed their systems in both; use mixed_model, which does"
        )
    rated = sample.rated.any(axis=-1)
    every = rated.reshape(-1, sample.raters).all(axis=0)
    return np.asarray(np.nanmean(sample.values[..., every, :], axis=-1))
