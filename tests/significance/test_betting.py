"""The test `betting` beside tests that look once: what looking at any moment costs. Its numbers are checked in `tests/intervals`."""

import numpy as np

from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.betting import OrderedDifferences


def test_power_at_the_items_of_a_fixed_design() -> None:
    """Discordance 0.1, a difference of 0.05, the 305 items that McNemar's test takes for 80 %: exact recursion says 0.4035."""
    rng = np.random.default_rng(1)
    values = rng.choice([-1.0, 0.0, 1.0], (4000, 305), p=[0.025, 0.9, 0.075])
    pvalue = TESTS.parse("betting").apply(OrderedDifferences(values), stream(0)).pvalue
    assert abs(float(np.mean(pvalue <= 0.05)) - 0.4035) <= 3.0 * np.sqrt(0.4035 * 0.5965 / 4000)


def test_p_never_rises_as_items_come_in() -> None:
    rng = np.random.default_rng(2)
    values = rng.choice([-1.0, 0.0, 1.0], 200, p=[0.1, 0.7, 0.2])
    found = [
        float(TESTS.parse("betting").apply(OrderedDifferences(values[:n]), stream(0)).pvalue) for n in range(2, 200)
    ]
    assert np.all(np.diff(found) <= 0.0)
