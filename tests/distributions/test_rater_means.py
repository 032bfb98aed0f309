"""What each rater says on average."""

import numpy as np
import pytest

from tellapart.data.summaries.rater_samples import Crossed, rater_means
from tellapart.foundation.errors import Unsuitable

NONE = np.nan


def test_means_are_over_what_each_has_rated() -> None:
    """Raters who rated nothing are left out."""
    values = np.array([[1.0, 3.0, NONE], [NONE, NONE, NONE], [NONE, -2.0, NONE], [0.0, 1.0, 5.0]])
    assert rater_means(Crossed(values), "rater_t").tolist() == [2.0, -2.0, 2.0]


def test_of_a_batch_those_who_rated_in_every_entry() -> None:
    """A table has the same raters throughout."""
    values = np.array([[[1.0, 3.0], [NONE, 4.0], [5.0, 5.0]], [[2.0, NONE], [NONE, NONE], [NONE, 7.0]]])
    assert rater_means(Crossed(values), "rater_t").tolist() == [[2.0, 5.0], [2.0, 7.0]]


def test_single_ratings_have_no_differences() -> None:
    with pytest.raises(Unsuitable, match="rater_t needs every rater"):
        rater_means(object(), "rater_t")  # type: ignore[arg-type]  # that is what is refused
