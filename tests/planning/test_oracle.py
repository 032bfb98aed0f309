"""The reference tables through the public doors, `power(Study)` and `plan(…)`, one-sided rows included."""

import math
from collections.abc import Callable

import pytest

from tellapart import Study, plan, power
from tellapart.numerics.null_laws.proportions import connett_items, miettinen_items
from tellapart.planning.tally import error_rates

Row = dict[str, str]
Reference = Callable[[str], list[Row]]
VARIANTS = {
    "asymptotic": "asymptotic",
    "corrected": "asymptotic_cc",
    "exact": "exact_conditional",
    "mid_p": "midp",
    "unconditional": "exact_unconditional_ss",
}


def gaussian(row: Row, effect: str = "") -> str:
    return f"gaussian(sd={row['sd']}, correlation={row['rho']}{effect})"


def sided(row: Row) -> str:
    return "paired_t" if row["alternative"] == "two.sided" else "paired_t(alternative=greater)"


def mirrored(row: Row) -> str:
    return sided(row).replace("greater", "less")


def test_power_of_the_paired_t(reference: Reference) -> None:
    """Every row of the table to 1e-9, and the same in the other direction."""
    for row in reference("power_paired_t.csv"):
        items, alpha, expected = int(row["n"]), float(row["alpha"]), float(row["power_quadrature"])
        up = Study(gaussian(row, f", effect={row['delta']}"), sided(row), items, alpha)
        assert power(up).power == pytest.approx(expected, rel=1e-9, abs=0.0), row
    for row in reference("power_paired_t.csv")[::23]:
        down = plan(
            gaussian(row, f", effect=-{row['delta']}"),
            test=mirrored(row),
            items=int(row["n"]),
            alpha=float(row["alpha"]),
        ).rows[0]
        assert down.power == pytest.approx(float(row["power_quadrature"]), rel=1e-9, abs=0.0), row
        assert (down.engine, down.power_low, down.power_high) == ("formula", down.power, down.power)


def test_items_of_the_paired_t(reference: Reference) -> None:
    """The smallest number of items."""
    for row in reference("required_n_paired_t.csv")[::3]:
        found = plan(
            gaussian(row, f", effect={row['delta']}"),
            test=sided(row),
            power=float(row["power"]),
            alpha=float(row["alpha"]),
        ).rows[0]
        assert (found.items, found.stable_from) == (int(row["n_ceiling"]), int(row["n_ceiling"])), row


def test_effects_of_the_paired_t(reference: Reference) -> None:
    """The smallest detectable effect to 1e-9."""
    for row in reference("mde_paired_t.csv")[::5]:
        found = plan(
            gaussian(row),
            test=sided(row),
            items=int(row["n"]),
            power=float(row["power"]),
            alpha=float(row["alpha"]),
        ).rows[0]
        assert found.effect == pytest.approx(float(row["mde"]), rel=1e-9, abs=0.0), row


@pytest.mark.parametrize("variant", VARIANTS)
def test_power_of_mcnemar(reference: Reference, variant: str) -> None:
    """Rejections in either direction, and in the right one as power · (1 − type S), to eleven digits."""
    for row in reference("power_mcnemar.csv"):
        found = plan(
            f"paired_binary(discordance={row['discordance']}, effect={row['delta']})",
            test=f"mcnemar(variant={variant})",
            items=int(row["n"]),
            alpha=float(row["alpha"]),
        ).rows[0]
        assert found.type_s is not None
        assert found.power == pytest.approx(float(row[f"power_{VARIANTS[variant]}"]), rel=1e-11, abs=0.0), row
        right = float(row[f"power_correct_direction_{VARIANTS[variant]}"])
        assert found.power * (1.0 - found.type_s) == pytest.approx(right, rel=1e-11, abs=0.0), row


def test_items_by_normal_approximations(reference: Reference) -> None:
    """Connett's number by naming the formula engine, and both by their own names."""
    named = {
        connett_items: "n_connett_real",
        miettinen_items: "n_lachenbruch_real",
    }
    for row in reference("sample_size_mcnemar.csv"):
        question = (float(row[name]) for name in ("discordance", "delta", "power", "alpha"))
        share, effect, target, alpha = question
        for function, column in named.items():
            assert float(function(share, effect, target, alpha)) == pytest.approx(float(row[column]), rel=1e-9, abs=0.0)
        found = plan(
            f"paired_binary(discordance={share}, effect={effect})",
            test="mcnemar(variant=asymptotic)",
            engine="formula",
            power=target,
            alpha=alpha,
        ).rows[0]
        assert found.items == int(row["n_connett_ceiling"]), row


def test_type_s_and_type_m(reference: Reference) -> None:
    """By the noncentral t, in a plan too; the published shifted t is another definition except at infinite freedom."""
    for row in reference("type_m_s.csv"):
        effect, error, df, alpha = (float(row[name]) for name in ("effect", "se", "df", "alpha"))
        if "shifted" in row["definition"] and math.isfinite(df):
            continue
        found = error_rates(effect, error, df=df, alpha=alpha)
        told = {"power": found.power, "type_s": found.type_s, "type_m": found.type_m}
        if math.isfinite(df):
            items = int(df) + 1
            spread = error * math.sqrt(items)
            population = f"gaussian(sd={spread!r}, correlation=0.5, effect={effect})"
            planned = plan(population, items=items, alpha=alpha, test="paired_t").rows[0]
            told |= {"power": planned.power, "type_s": planned.type_s}
        for name, value in told.items():
            if row[name] and math.isfinite(float(row[name])):
                assert value == pytest.approx(float(row[name]), rel=1e-9, abs=1e-15), (name, row)
