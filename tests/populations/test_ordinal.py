"""Ratings on a few steps: effects in rating points, and power with the test itself."""

from collections.abc import Callable

import pytest

from tellapart import Study, plan, power
from tellapart.foundation.errors import UsageError
from tellapart.populations import POPULATIONS
from tellapart.populations.ordinal import Ordinal
from tellapart.populations.ratings import RatedSystems
from tellapart.verbs.plan.choices import choices

Row = dict[str, str]
Reference = Callable[[str], list[Row]]


def of(case: str) -> tuple[Ordinal, int]:
    """The population and the items of a case of the reference."""
    said = dict(part.split("=") for part in case.partition(": ")[2].partition(";")[0].split(","))
    latent = RatedSystems(
        raters=int(said["raters"]),
        rater_effect_sd=0.3,
        item_effect_sd=0.4,
        residual_sd=1.0,
        rater_sd=0.5,
        item_sd=0.5,
        effect=float(said["latent_effect"]),
    )
    cuts = tuple(float(cut) for cut in said["thresholds"].split(":"))
    return Ordinal(population=latent, thresholds=cuts, mean=float(said.get("mean", "0"))), int(said["items"])


def test_powers(reference: Reference) -> None:
    """Effects to 1e-9, power within the error of both simulations."""
    seen = 0
    for row in reference("ordinal_power.csv"):
        if row["case"].startswith(("own_thresholds", "clmm")):
            continue
        source, items = of(row["case"])
        if row["quantity"] == "effect_rating":
            assert source.effect == pytest.approx(float(row["value"]), abs=1e-9), row
        elif row["quantity"] == "power_linear_default":
            found = power(Study(source, choices(source, items).test, items), replicates=2000)
            assert found.power == pytest.approx(float(row["value"]), abs=float(row["tolerance"]) + 0.045), row
            seen += 1
    assert seen == 6


def test_latent_effects_are_found_again() -> None:
    """From rating points back to the latent effect, on both sides."""
    source, _ = of("x: raters=4,items=9,latent_effect=0.35,thresholds=-1:0.2:1.5,mean=0.4;")
    assert source.latent_effect == pytest.approx(0.35, abs=1e-9)
    assert source.with_effect(-(source.effect or 0.0)).latent_effect == pytest.approx(-0.35, abs=1e-9)
    assert POPULATIONS.parse(str(source)) == source


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "ordinal(population=ratings(raters=4, rater_effect_sd=1, item_effect_sd=1, residual_sd=1), thresholds=1:0)",
            "should rise",
        ),
        (
            "ordinal(population=ratings(raters=4, rater_effect_sd=1, item_effect_sd=1, residual_sd=1), thresholds=0:1, effect=2)",
            "3 steps",
        ),
        ("ordinal(population=gaussian(sd=1, correlation=0.5), thresholds=0:1)", "cannot wrap"),
        ("ordinal(population=ratings(raters=4), thresholds=0:1)", "cannot wrap"),
    ],
)
def test_refusals(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        POPULATIONS.parse(text)


def test_a_plan_of_steps() -> None:
    """Raters and ratings stand in the row, and the effect is in rating points wherever on the scale ratings lie."""
    inner = "ratings(raters=6, rater_effect_sd=0.3, item_effect_sd=0.4, residual_sd=1)"
    middle, end = (
        plan(
            "ordinal",
            population=inner,
            thresholds=(-1.5, -0.5, 0.5, 1.5),
            mean=mean,
            effect=0.4,
            items=20,
            replicates=500,
        ).rows[0]
        for mean in (0.0, 2.0)
    )
    assert (middle.raters, middle.ratings, middle.engine) == (6, 240, "monte_carlo")
    assert end.effect == middle.effect


def test_what_no_number_of_items_finds_is_refused_at_once() -> None:
    """Steps tell no more than the ratings that were cut: five raters who differ so much leave power below a half, however many items."""
    with pytest.raises(UsageError, match=r"5 raters reach at most 43\.1 % power, whatever the items"):
        plan(Ordinal.examples[0], power=0.8)
    study = Study(Ordinal.examples[0], "mixed_model(df=cochran)", 2_000)
    assert power(study, replicates=400).power == pytest.approx(0.431, abs=0.08)
