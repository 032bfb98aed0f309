"""Many rows, as simulations have them, are inverted at few nodes first: near enough for a count, and they say how near."""

import numpy as np
import pytest

from tellapart.numerics.sign_flip_law import sign_flip_tails
from tellapart.numerics.sign_flip_law.choice_of_method import MANY


@pytest.mark.parametrize("items", [23, 28, 34])
@pytest.mark.parametrize("law", ["normal", "exponential", "two heaps"])
def test_each_row_of_many_is_what_it_is_alone(items: int, law: str) -> None:
    """Up to the error that is reported; and none crosses a level of one in twenty or one in a thousand."""
    rng = np.random.default_rng(items)
    values = {
        "normal": rng.normal(0.4, 1.0, (2 * MANY, items)),
        "exponential": rng.exponential(1.0, (2 * MANY, items)) - 0.7,
        "two heaps": np.where(
            rng.random((2 * MANY, items)) < 0.4,
            rng.normal(1.0, 0.05, (2 * MANY, items)),
            rng.normal(0.0, 1.0, (2 * MANY, items)),
        ),
    }[law]
    many, alone = sign_flip_tails(values), [sign_flip_tails(row) for row in values[:12]]
    for place, one in enumerate(alone):
        assert abs(many.upper[place] - one.upper) <= many.error[place] + one.error
        for level in (0.025, 0.0005):
            assert (many.upper[place] <= level) == (one.upper <= level)
    assert (many.error <= 0.011 * np.maximum(many.upper, 1e-3)).mean() > 0.9


def test_few_rows_are_exact() -> None:
    """Those that somebody reads."""
    values = np.random.default_rng(0).normal(0.4, 1.0, (5, 24))
    assert (sign_flip_tails(values).error == 0.0).all()
