"""Power of tests that may stop at planned looks, against simulations of another program."""

import pytest
from tests.numerics.frontier import rows

from tellapart.answers.plan.file import Spending
from tellapart.foundation.errors import UsageError
from tellapart.planning.look_schedule import LookSchedule
from tellapart.planning.looks import most_items, power_with_looks
from tellapart.planning.study import Study

SPENDINGS: dict[str, Spending] = {"asOF": "obf", "asP": "pocock"}


def schedule(row: dict[str, str]) -> LookSchedule:
    return LookSchedule.equal(int(row["looks"]), SPENDINGS[row["boundary"]])


def published(table: str) -> list[dict[str, str]]:
    return [row for row in rows(table) if row["boundary"] in SPENDINGS]


def paired_binary(row: dict[str, str]) -> str:
    return f"paired_binary(accuracy=0.5, discordance={row['discordance']}, effect={row['true_effect']})"


@pytest.mark.parametrize("row", published("gs_plan_mcnemar"), ids=str)
def test_mcnemar(row: dict[str, str]) -> None:
    study = Study(paired_binary(row), "mcnemar", int(row["max_items"]))
    found = power_with_looks(study, schedule(row), 1, 0)
    assert list(found.items) == [int(items) for items in row["items_at_looks"].split()]
    assert found.found.power == pytest.approx(float(row["power"]), abs=0.003)
    assert found.expected_items == pytest.approx(float(row["expected_items"]), rel=0.005, abs=0.0)


@pytest.mark.parametrize("row", published("gs_non_inferiority"), ids=str)
def test_non_inferiority(row: dict[str, str]) -> None:
    test = f"non_inferiority(test=mcnemar, margin={row['margin']})"
    found = power_with_looks(Study(paired_binary(row), test, int(row["max_items"])), schedule(row), 1, 0)
    assert found.found.power == pytest.approx(float(row["passes"]), abs=0.003)
    assert found.expected_items == pytest.approx(float(row["expected_items"]), rel=0.005, abs=0.0)


@pytest.mark.parametrize("row", [r for r in published("gs_type_one") if "mid-p" in r["test"]], ids=str)
def test_false_alarms_of_mcnemar(row: dict[str, str]) -> None:
    share = row["scores"].split()[1]
    study = Study(f"paired_binary(accuracy=0.5, discordance={share}, effect=0)", "mcnemar", int(row["items"]))
    found = power_with_looks(study, schedule(row), 1, 0)
    assert found.found.power == pytest.approx(float(row["false_alarms"]), abs=0.003)


@pytest.mark.parametrize("row", [r for r in published("gs_type_one") if r["items"] == "20" and r["test"] == "paired t"])
def test_false_alarms_of_paired_t(row: dict[str, str]) -> None:
    study = Study("gaussian(sd=1, correlation=0, effect=0)", "paired_t", int(row["items"]))
    found = power_with_looks(study, schedule(row), 20_000, 1)
    assert found.found.power == pytest.approx(float(row["false_alarms"]), abs=0.003 + 3.0 * 0.0016)


def test_simulation_agrees_with_all_paths() -> None:
    """A test of the same decisions that is simulated, because it looks at differences: the sign test."""
    effect = "paired_binary(accuracy=0.5, discordance=0.3, effect=0.1)"
    plan = LookSchedule((0.3, 0.6, 1.0), "pocock")
    exact, drawn = (power_with_looks(Study(effect, test, 240), plan, 20_000, 3) for test in ("mcnemar", "sign"))
    assert exact.found.engine == "exact"
    assert drawn.found.engine == "monte_carlo"
    exact_p = power_with_looks(Study(effect, "mcnemar(variant=exact)", 240), plan, 1, 0)
    assert drawn.found.power == pytest.approx(exact_p.found.power, abs=0.012)
    assert drawn.expected_items == pytest.approx(exact_p.expected_items, rel=0.02, abs=0.0)
    assert drawn.found.type_m == pytest.approx(exact_p.found.type_m, rel=0.02, abs=0.0)


def test_the_first_number_that_has_the_power() -> None:
    study = Study("paired_binary(accuracy=0.7, discordance=0.1, effect=0.02)", "mcnemar", 1949)
    found = most_items(study, LookSchedule.equal(3, "obf"), 0.8, (1, 0))
    assert found.items == (658, 1316, 1974)
    assert found.nominal == pytest.approx((0.000207, 0.012024, 0.046256), abs=1e-6)
    assert found.found.power == pytest.approx(0.8007, abs=5e-5)
    # Normal theory alone comes to 0.789 of 0.80 here.
    lax = Study(
        "paired_binary(accuracy=0.7, discordance=0.06, effect=0)", "non_inferiority(test=mcnemar, margin=0.03)", 440
    )
    found = most_items(lax, LookSchedule.equal(5, "obf"), 0.8, (1, 0))
    assert found.items[-1] > 456
    assert found.found.power >= 0.8


def test_clusters_stay_whole() -> None:
    study = Study("clustered(population=gaussian(sd=1, correlation=0, effect=0.2), size=5, icc=0.3)", "cluster_t", 400)
    found = power_with_looks(study, LookSchedule.equal(3, "obf"), 200, 0)
    assert all(items % 5 == 0 for items in found.items)


def test_too_few_items_for_the_looks() -> None:
    with pytest.raises(UsageError, match="too few"):
        LookSchedule.equal(20, "obf").items(12)
