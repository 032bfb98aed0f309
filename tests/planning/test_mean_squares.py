"""Power of mixed models on balanced designs of raters and items, against quadrature and simulation of another program."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tellapart import Study, power
from tellapart.foundation.seeds import stream
from tellapart.numerics.mixed_models.mean_square_law import MeanSquares, Stratum, average
from tellapart.planning.raters import items_ceiling, raters_ceiling
from tellapart.populations.ratings import RatedSystems

Row = dict[str, str]
Reference = Callable[[str], list[Row]]
SETTINGS = {"low": (0.08, 0.26, 0.16), "high": (0.22, 0.28, 0.26)}
NAMES = ("rater_effect_sd", "item_effect_sd", "residual_sd")
RULES = ("kenward_roger", "cochran")


def told(row: Row) -> dict[str, str]:
    return dict(part.split("=") for part in row["case"].split(","))


def population(said: dict[str, str], effect: float | None = None) -> RatedSystems:
    """The population of a row of the reference, in which one rater per item and some of them are designs of their own."""
    design = said.get("design", "crossed")
    one, some = design == "items_in_raters", design == "k_per_item"
    sds = {name: float(value) for name, value in said.items() if name.endswith("_sd")}
    if "setting" in said:
        sds = dict(zip(NAMES, SETTINGS[said["setting"]], strict=True))
    return RatedSystems(
        raters=int(said.get("raters", "2")),
        design="crossed" if one or some else design,  # type: ignore[arg-type]  # a name of the reference
        per_item=1 if one else int(said["per_item"]) if some else None,
        effect=float(said.get("effect", "0")) if effect is None else effect,
        **sds,  # type: ignore[arg-type]  # names of spreads
    )


def powers(rows: list[Row]) -> Iterator[tuple[Row, str, RatedSystems]]:
    """Rows of balanced designs with the rule they are about and, of sizes, no effect."""
    for row in rows:
        what, _, rule = row["quantity"].removesuffix("_exact").partition("_")
        exact = row["quantity"].endswith("_exact") or "size_kenward_roger_exact" not in {r["quantity"] for r in rows}
        if rule in RULES and exact and what in {"power", "size"}:
            yield row, rule, population(told(row), 0.0 if what == "size" else None)


def test_powers_of_balanced_designs(reference: Reference) -> None:
    """Crossed, and nested by raters, items and both: within 1e-5 of the reference."""
    rows = list(powers(reference("ratings_power.csv")))
    assert {p.design for _, _, p in rows} == {"crossed", "raters_nested", "items_nested", "both_nested"}
    for row, rule, source in rows:
        found = power(Study(source, f"mixed_model(df={rule})", int(told(row)["items"])))
        assert found.engine == "exact"
        assert found.power == pytest.approx(float(row["value"]), abs=1e-5), row


def test_sizes(reference: Reference) -> None:
    """How often equal systems are called different by the rules themselves."""
    rows = list(powers(reference("ratings_type1.csv")))
    assert len(rows) > 40
    for row, rule, source in rows:
        found = power(Study(source, f"mixed_model(df={rule})", int(told(row)["items"])))
        assert found.power == pytest.approx(float(row["value"]), abs=1e-5), row


def test_precision(reference: Reference) -> None:
    """Ratings, standard errors and degrees of freedom of every design; those of some raters per item depend on who rates what."""
    for row in reference("ratings_power.csv"):
        said = told(row)
        source, items = population(said), int(said["items"])
        precise = source.precision(items)
        found = {"ratings": source.ratings(items), "se": precise.variance**0.5, "df": precise.df}
        if row["quantity"] in found:
            assert found[row["quantity"]] == pytest.approx(float(row["value"]), abs=float(row["tolerance"])), row


def test_formula_by_name(reference: Reference) -> None:
    """Westfall, Kenny and Judd's noncentral t at the true variances."""
    seen = 0
    for row in reference("ratings_power.csv"):
        said = told(row)
        if row["quantity"] == "power_noncentral_t":
            test = "rater_t" if said["design"] == "items_in_raters" else "mixed_model"
            found = power(Study(population(said), test, int(said["items"])), engine="formula")
            assert found.power == pytest.approx(float(row["value"]), abs=float(row["tolerance"])), row
            seen += 1
    assert seen > 12


def test_some_raters_per_item_are_simulated(reference: Reference) -> None:
    """With the test itself: within the error of both simulations."""
    rows = [r for r in reference("ratings_power.csv") if r["quantity"].startswith("power_simulated_")]
    for row in rows:
        said, rule = told(row), row["quantity"].removeprefix("power_simulated_")
        if said["design"] == "k_per_item" and rule == "kenward_roger":
            study = Study(population(said), f"mixed_model(df={rule})", int(said["items"]))
            found = power(study, replicates=1000)
            assert found.engine == "monte_carlo"
            assert abs(found.power - float(row["value"])) <= float(row["tolerance"]) + 0.05, row


def test_ceilings(reference: Reference) -> None:
    """The power with endless items, and with endless raters."""
    for row in reference("ratings_ceilings.csv"):
        said = told(row)
        ceiling = items_ceiling if row["quantity"].endswith("items_to_infinity") else raters_ceiling
        study = Study(population(said), "mixed_model", int(said.get("items", "2")))
        assert ceiling(study) == pytest.approx(float(row["value"]), abs=1e-6), row


@pytest.mark.parametrize(("effect", "exact", "formula"), [(0.2, 0.67774, 0.6777), (0.1, 0.23158, 0.2286)])
def test_golden(effect: float, exact: float, formula: float) -> None:
    """Ten raters on a hundred items, SDs .22, .28 and .26."""
    source = RatedSystems(raters=10, rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26, effect=effect)
    study = Study(source, "mixed_model(df=kenward_roger)", 100)
    assert source.precision(100).df == pytest.approx(12.0226, abs=5e-5)
    assert power(study).power == pytest.approx(exact, abs=1e-5)
    assert power(study, engine="formula").power == pytest.approx(formula, abs=5e-5)


UNLIKE = [
    ("raters=4, rater_effect_sd=0.3, item_effect_sd=0.1, residual_sd=0.5", 12, "cochran", "two-sided"),
    ("raters=8, rater_effect_sd=0, item_effect_sd=0.4, residual_sd=0.6", 9, "kenward_roger", "greater"),
    ("raters=2, rater_effect_sd=0.1, item_effect_sd=0.2, residual_sd=0.3", 30, "cochran", "two-sided"),
    ("raters=7, rater_effect_sd=0.2, item_effect_sd=0, residual_sd=1", 25, "satterthwaite", "two-sided"),
    ("raters=3, rater_effect_sd=0.2, item_effect_sd=0.1, residual_sd=0.4", 15, "normal", "less"),
]


@pytest.mark.parametrize(("sds", "items", "rule", "alternative"), UNLIKE)
def test_engines_agree(sds: str, items: int, rule: str, alternative: str) -> None:
    """Quadrature and the test itself on simulated ratings: power, signs and exaggeration."""
    effect = -0.25 if alternative == "less" else 0.25
    study = Study(f"ratings({sds}, effect={effect})", f"mixed_model(df={rule}, alternative={alternative})", items)
    exact, drawn = power(study), power(study, engine="monte_carlo", replicates=20_000)
    assert (exact.engine, drawn.engine) == ("exact", "monte_carlo")
    assert exact.power == pytest.approx(drawn.power, abs=4.5 * (0.25 / 20_000) ** 0.5)
    assert exact.type_m == pytest.approx(drawn.type_m, rel=0.03, abs=0.0)
    assert exact.type_s == pytest.approx(drawn.type_s, abs=0.01)


@pytest.mark.parametrize("margin", ["equivalence(margin=0.4, test={})", "non_inferiority(margin=0.4, test={})"])
def test_margins_by_quadrature(margin: str) -> None:
    """Equivalence and non-inferiority of rated systems."""
    source = "ratings(raters=6, rater_effect_sd=0.2, item_effect_sd=0.3, residual_sd=0.5, effect=0.05)"
    study = Study(source, margin.format("mixed_model(df=kenward_roger)"), 20)
    exact, drawn = power(study), power(study, engine="monte_carlo", replicates=20_000)
    assert exact.engine == "exact"
    assert exact.power == pytest.approx(drawn.power, abs=4.5 * (0.25 / 20_000) ** 0.5)


@pytest.mark.parametrize("df", [(1, 1, 1), (1, 30, 30), (2, 4, 8), (9, 99, 891)])
def test_averages_over_mean_squares(df: tuple[int, int, int]) -> None:
    """Against draws of chi-squares: the mean error, where components are truncated often."""
    squares = MeanSquares(*(Stratum(m, d, 0.1) for m, d in zip((1.3, 1.1, 1.0), df, strict=True)))
    (found,) = average(squares, lambda fit: (fit.se,))
    rng = stream(3)
    drawn = [s.expected * rng.chisquare(s.df, 200_000) / s.df for s in (squares.raters, squares.items, squares.rest)]
    errors = squares.fitted(*drawn).se
    assert found == pytest.approx(float(errors.mean()), abs=4.0 * float(np.std(errors)) / 200_000**0.5)


def test_worst_size_of_few_raters(reference: Reference) -> None:
    """Kenward and Roger's rule is too easy with three raters; Cochran's keeps its level at the same place."""
    worst = {r["quantity"]: float(r["value"]) for r in reference("ratings_worst_size.csv") if r["case"] == "raters=3"}
    sizes = dict.fromkeys(RULES, 0.0)
    for ratio in (0.05, 0.1, 0.2, 0.4):
        source = RatedSystems(raters=3, rater_effect_sd=ratio, item_effect_sd=1, residual_sd=0.5, effect=0.0)
        for rule in RULES:
            found = (power(Study(source, f"mixed_model(df={rule})", n)).power for n in (100, 300, 1000))
            sizes[rule] = max(sizes[rule], *found)
    assert sizes["kenward_roger"] == pytest.approx(worst["worst_size_kenward_roger"], abs=0.004)
    assert sizes["cochran"] <= worst["worst_size_cochran"] + 0.004
