"""Group sequential boundaries against rpact, and an independent recursion of the same integrals."""

import numpy as np
import pytest
from tests.numerics.frontier import designs, rows

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.looks import (
    Boundaries,
    Sides,
    Spending,
    lan_demets,
    spending_boundaries,
)

SPENDINGS: dict[str, Spending] = {"asOF": "obf", "asP": "pocock"}
RESOLVED = 1e-9
"""A nominal level below which the reference subtracts numbers near one."""


def column(table: list[dict[str, str]], name: str) -> FloatArray:
    return np.array([float(row[name]) for row in table])


def sides(row: dict[str, str]) -> Sides:
    return 2 if row["sided"] == "2" else 1


def design(table: list[dict[str, str]]) -> Boundaries:
    """The design of a reference by its spending function."""
    first, information = table[0], column(table, "information")
    alpha, kind = float(first["alpha"]), first["type"]
    if kind == "asKD":
        return spending_boundaries(information, alpha / sides(first) * information**2, sides(first))
    return lan_demets(information, SPENDINGS[kind], alpha, sides(first))


DESIGNS = {
    name: (table, design(table))
    for name, table in designs("gs_boundaries", "design")
    if table[0]["type"].startswith("as")
}


@pytest.mark.parametrize("name", DESIGNS)
def test_boundaries_and_the_alpha_they_spend(name: str) -> None:
    table, found = DESIGNS[name]
    resolved = found.nominal > RESOLVED
    assert found.z[resolved] == pytest.approx(column(table, "z_recursion")[resolved], abs=1e-6)
    assert found.crossed().sum() == pytest.approx(float(table[0]["alpha"]), abs=2e-8)


@pytest.mark.parametrize(
    "row",
    [r for r in rows("gs_inflation") if r["design"] in DESIGNS],
    ids=lambda row: f"{row['design']}-{row['power']}",
)
def test_items_over_those_of_one_look(row: dict[str, str]) -> None:
    """Power counts claims on the right side alone, as the reference does."""
    _, found = DESIGNS[row["design"]]
    power = float(row["power"])
    grown, drift = found.inflation(float(row["alpha"]), power), found.drift_with_power(power)
    expected = [grown * found.expected_information(share * drift) for share in (1.0, 0.5, 0.0)]
    wanted = [float(row[name]) for name in ("inflation", "expected_h1", "expected_h01", "expected_h0")]
    assert [grown, *expected] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize("row", [r for r in rows("gs_power") if r["type"] in SPENDINGS], ids=str)
def test_power_at_an_effect(row: dict[str, str]) -> None:
    """Here the reference counts claims on either side."""
    looks, items = int(row["looks"]), float(row["max_items"])
    found = lan_demets(np.arange(1, looks + 1) / looks, SPENDINGS[row["type"]], float(row["alpha"]), sides(row))
    drift = float(row["effect_in_sd"]) * np.sqrt(items)
    power, expected = found.crossed(drift).sum(), items * found.expected_information(drift)
    assert power == pytest.approx(float(row["power"]), abs=1e-4)
    assert expected == pytest.approx(float(row["expected_items"]), abs=0.05)
