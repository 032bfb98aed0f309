"""Normal approximations for right-or-wrong scores, against other programs and each other."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.numerics.null_laws.proportions import (
    connett_detectable,
    connett_items,
    connett_power,
    miettinen_items,
    miettinen_power,
    two_proportion_power,
)
from tellapart.numerics.null_laws.tails import Alternative

Rows = list[dict[str, str]]
Reference = Callable[[str], Rows]

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)


def test_numbers_of_items(reference: Reference) -> None:
    """Connett's and Lachenbruch's numbers of items are the reference's, and so are whole numbers."""
    rows = reference("sample_size_mcnemar.csv")
    share, effect, power, alpha = (
        np.array([float(row[name]) for row in rows]) for name in ("discordance", "delta", "power", "alpha")
    )
    for function, name in (
        (connett_items, "connett"),
        (miettinen_items, "lachenbruch"),
    ):
        found = function(share, effect, power, alpha)
        np.testing.assert_allclose(found, [float(row[f"n_{name}_real"]) for row in rows], rtol=1e-11)
        if f"n_{name}_ceiling" in rows[0]:
            np.testing.assert_array_equal(np.ceil(found), [int(row[f"n_{name}_ceiling"]) for row in rows])


def test_normal_approximations(reference: Reference) -> None:
    """Connett's and Miettinen's powers are the reference's."""
    rows = reference("power_mcnemar.csv")
    n, share, effect = (np.array([float(r[k]) for r in rows]) for k in ("n", "discordance", "delta"))
    for function, name in (
        (connett_power, "power_connett_duffy_normal"),
        (miettinen_power, "power_lachenbruch_miettinen_simple"),
    ):
        np.testing.assert_allclose(function(n, share, effect, 0.05), [float(r[name]) for r in rows], rtol=1e-11)


@given(st.integers(10, 1_000_000), st.floats(0.001, 1.0), st.floats(0.1, 0.99), st.sampled_from(ALTERNATIVES))
@settings(max_examples=200, deadline=None)
def test_detectable_effect_has_the_power(
    items: int, discordance: float, power: float, alternative: Alternative
) -> None:
    """The smallest detectable effect has the power asked for, or even the largest possible one has less."""
    effect = connett_detectable(items, discordance, power, 0.05, alternative)
    sign = -1.0 if alternative == "less" else 1.0
    if effect is None:
        assert float(connett_power(items, discordance, sign * discordance, 0.05, alternative)) <= power + 1e-9
    else:
        found = float(connett_power(items, discordance, sign * effect, 0.05, alternative))
        assert found == pytest.approx(power, abs=1e-9)


def test_two_proportions_at_its_table() -> None:
    """Power of two independent proportions, 0.5 against 0.75 with 50 items each, as `power.prop.test` prints it."""
    assert float(two_proportion_power(50, 0.5, 0.75, 0.05)) == pytest.approx(0.7401659, abs=1e-6)


def test_certain_effects() -> None:
    """Without any spread every effect past the critical value is found and none in the wrong direction."""
    assert float(connett_power(10, 1.0, 1.0, 0.05)) == 1.0
    assert float(connett_power(10, 1.0, 1.0, 0.05, "less")) == 0.0
    assert connett_detectable(3, 0.1, 0.8, 0.05) is None
    assert float(connett_items(0.1, 0.0, 0.8, 0.05)) == np.inf
