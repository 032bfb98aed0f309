"""Plans of ratings by several raters: rows, refusals, evidence and budgets, through the doors that users have."""

import json
import re
from typing import Any

import pytest

from tellapart import plan
from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.foundation.errors import UsageError

HIGH: dict[str, Any] = {"rater_effect_sd": 0.22, "item_effect_sd": 0.28, "residual_sd": 0.26}
FLAGS = ("--rater-effect-sd", "0.22", "--item-effect-sd", "0.28", "--residual-sd", "0.26")


def shown(capsys: pytest.CaptureFixture[str], *typed: str) -> str:
    with pytest.raises(SystemExit):
        main(["plan", "ratings", *typed])
    out, err = capsys.readouterr()
    return out + err


def test_rows_of_raters() -> None:
    """Raters, ratings, degrees of freedom, and what endless items and raters would reach."""
    few, many = plan("ratings", raters=[3, 10], items=100, effect=0.2, **HIGH).rows
    assert (few.test, many.test) == ("mixed_model(df=cochran)", "mixed_model(df=kenward_roger)")
    assert (many.raters, many.ratings, many.cost) == (10, 2000, None)
    assert many.df == pytest.approx(12.0226, abs=5e-5)
    assert many.power == pytest.approx(0.67774, abs=1e-5)
    assert few.ceiling_items == pytest.approx(0.15816, abs=1e-5)
    assert many.ceiling_raters == pytest.approx(0.99999984, abs=1e-7)
    assert few.power < (few.ceiling_items or 0.0) < many.power


def test_cost_of_a_named_design() -> None:
    """Prices cost out a design that was given, too."""
    (row,) = plan(
        "ratings",
        raters=4,
        items=30,
        per_item=2,
        effect=0.3,
        cost_rating=0.5,
        cost_rater=7,
        **HIGH,
        replicates=100,
    ).rows
    assert (row.ratings, row.cost) == (120, 0.5 * 120 + 7 * 4)


def test_items_and_effects_are_solved() -> None:
    """The fewest items that reach the power, by the rule that will be chosen there, and the smallest effect that is found."""
    (items,) = plan("ratings", raters=10, effect=0.3, power=0.8, **HIGH).rows
    for n, enough in ((items.items, True), (items.items - 1, False)):
        assert (plan("ratings", raters=10, effect=0.3, items=n, **HIGH).rows[0].power >= 0.8) is enough
    (effect,) = plan("ratings", raters=10, items=100, power=0.8, **HIGH).rows
    assert plan("ratings", raters=10, effect=effect.effect, items=100, **HIGH).rows[0].power == pytest.approx(
        0.8, abs=1e-6
    )


def test_raters_forbid_a_power() -> None:
    """No number of items makes up for too few raters: how far they reach, and how many could."""
    with pytest.raises(
        UsageError,
        match=re.escape("3 raters reach at most 41.4 % power, whatever the items; 5 could reach 80 %"),
    ):
        plan("ratings", raters=3, effect=0.4, power=0.8, **HIGH)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"residual_sd": -0.1}, "residual_sd=-0.1 should not be below 0"),
        ({"rater_effect_sd": 0, "item_effect_sd": 0, "residual_sd": 0}, "are all 0"),
        ({"per_item": 11}, "per_item=11 should be between 1 and the number of raters (10)"),
        ({"per_item": 2, "design": "raters_nested", "rater_sd": 0.1}, "per_item is for design=crossed"),
        ({"raters": 1}, "raters=1 should be 2 to 10,000"),
        ({"raters": 5, "design": "both_nested"}, "two halves of raters"),
        ({"design": "items_nested"}, "give item_sd="),
        ({"design": "raters_nested"}, "give rater_sd="),
    ],
)
def test_refusals(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        plan("ratings", **{"raters": 10, "items": 100, "effect": 0.2, **HIGH, **changes})


def test_spreads_that_nobody_gave_come_from_evidence() -> None:
    """What is expected, bounded by what the other settings say; a named setting is what is expected."""
    answer = plan("ratings", raters=10, items=100, effect=0.1, range=(0, 1))
    (row,) = answer.rows
    low = plan(
        "ratings",
        raters=10,
        items=100,
        effect=0.1,
        rater_effect_sd=0.08,
        item_effect_sd=0.26,
        residual_sd=0.16,
    ).rows[0]
    high = plan("ratings", raters=10, items=100, effect=0.1, **HIGH).rows[0]
    measured = plan(
        "ratings",
        raters=10,
        items=100,
        effect=0.1,
        rater_effect_sd=0.01,
        item_effect_sd=0.19,
        residual_sd=0.14,
    ).rows[0]
    assert (row.power, row.power_low, row.power_high) == (low.power, high.power, measured.power)
    assert {"ratings_from_evidence", "evidence_source"} <= {note.code for note in answer.notes}
    named = plan("ratings(range=0:1)", raters=10, items=100, effect=0.1, evidence="ratings(setting=pplm)").rows[0]
    assert named.power == measured.power
    with pytest.raises(UsageError, match="has its own spreads"):
        plan("ratings", raters=10, items=100, effect=0.1, evidence="ratings(setting=pplm)", **HIGH)
    with pytest.raises(UsageError, match="give all three, or none"):
        plan("ratings", raters=10, items=100, effect=0.1, residual_sd=0.2)


def test_spreads_of_evidence_grow_with_the_range() -> None:
    """Four times the range and four times the effect are the same study; without a range nothing is planned."""
    unit = plan("ratings", raters=10, items=100, effect=0.1, range=(0, 1))
    five = plan("ratings", raters=10, items=100, effect=0.4, range=(1, 5))
    assert five.rows[0].power == pytest.approx(unit.rows[0].power, rel=1e-12, abs=0.0)
    assert five.rows[0].options["residual_sd"] == pytest.approx(
        4 * unit.rows[0].options["residual_sd"], rel=1e-12, abs=0.0
    )
    with pytest.raises(UsageError, match="give yours, such as range"):
        plan("ratings", raters=10, items=100, effect=0.1)
    with pytest.raises(UsageError, match=r"5 raters reach at most 36\.2 % power"):
        plan("ratings", raters=5, effect=0.3, range=(1, 5))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"range": (5, 1)}, "lower end first"),
        ({"range": (0, 1), "effect": 1.5}, "effect=1.5 cannot be: of ratings from 0 to 1 it is 1 at most"),
        ({"range": (0, 0.5)}, "residual_sd=0.26 cannot be"),
    ],
)
def test_ranges_that_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        plan("ratings", **{"raters": 10, "items": 100, "effect": 0.2, **HIGH, **changes})


def test_a_budget_is_spent_best() -> None:
    """The best design, and the best full crossing, with their costs."""
    answer = plan("ratings", effect=0.2, budget=400, cost_rating=0.1, most_raters=60, **HIGH)
    best, crossed = answer.rows
    assert answer.searched is not None
    assert (answer.searched.budget, answer.searched.most_raters) == (400, 60)
    chosen = [(row.cost, row.raters, row.items, row.power) for row in answer.rows]
    assert set(chosen) <= {(one.cost, one.raters, one.items, one.power) for one in answer.searched.for_costs}
    assert best.options["per_item"] == 1
    assert (crossed.raters, crossed.items, crossed.options["per_item"]) == (37, 54, None)
    assert crossed.cost == pytest.approx(399.6)
    assert crossed.power == pytest.approx(0.960521, abs=2e-4)
    assert best.power > crossed.power


def test_a_power_at_the_lowest_cost() -> None:
    """With a power instead of a budget: what costs least, and the cheapest full crossing."""
    best, crossed = plan("ratings", effect=0.2, power=0.8, cost_rating=0.1, cost_rater=10, **HIGH).rows
    assert best.power >= 0.8
    assert crossed.power >= 0.8
    assert (best.cost or 0.0) < (crossed.cost or 0.0)


@pytest.mark.parametrize("asked", [{"power": 0.8}, {"budget": 400}])
def test_prices_that_nobody_named_are_told(asked: dict[str, Any]) -> None:
    """Ratings are counted then, and a note says so; nothing is for nothing."""
    answer = plan("ratings", effect=0.2, most_raters=40, **asked, **HIGH)
    (note,) = [note for note in answer.notes if note.code == "prices_assumed"]
    assert note.values == {"rating": 1.0, "item": 0.0, "rater": 0.0, "budget": asked.get("budget")}
    if "power" in asked:
        assert answer.rows[0].cost is None
        assert f"{answer.rows[0].ratings} ratings" in answer.headline
        assert "nothing)" not in answer.sentence
    named = plan("ratings", effect=0.2, most_raters=40, cost_rating=1, **asked, **HIGH)
    assert "prices_assumed" not in codes(named.notes)
    assert [row.ratings for row in named.rows] == [row.ratings for row in answer.rows]


def test_designs_between_are_called_searched_about() -> None:
    """Where items are dear and raters are not cheap, some raters per item win; their power is simulated, and the search said to be rough."""
    answer = plan("ratings", effect=0.3, power=0.8, cost_rating=1, cost_item=10, cost_rater=5, most_raters=12, **HIGH)
    best, crossed = answer.rows
    assert best.options["per_item"] not in {None, 1}
    assert (best.engine, crossed.engine) == ("monte_carlo", "exact")
    assert "searched_about" in codes(answer.notes)
    # A thousand replicates of a power that is said to be .8 or more.
    assert best.power > 0.76


def test_a_price_of_0_is_a_price() -> None:
    """And not the absence of one."""
    answer = plan("ratings", effect=0.2, budget=100, cost_rating=0, cost_item=2, most_raters=10, **HIGH)
    assert answer.searched is not None
    assert answer.searched.cost_rating == 0.0
    with pytest.raises(UsageError, match="cost nothing"):
        plan("ratings", effect=0.2, budget=100, cost_rating=0, **HIGH)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"budget": 7}, "does not pay for 2 raters on 2 items, which cost 8"),
        ({"budget": 400, "power": 0.8}, "not both"),
        ({"budget": 400, "items": 10}, "items are searched for"),
        ({"budget": 400, "cost_rating": 0, "cost_rater": 1}, "cost nothing"),
        ({"budget": 400, "effect": None}, "needs one effect"),
        ({"power": 0.8, "most_raters": 4, "effect": 0.1}, "no design of up to 4 raters reaches"),
    ],
)
def test_budgets_that_cannot_be(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        plan("ratings", **{"effect": 0.2, **HIGH, **changes})


def test_a_named_test_decides_which_designs_are_searched() -> None:
    """Mixed models where raters share items, t over raters where they do not; a test of averages has no designs."""
    (mixed,) = plan("ratings", effect=0.2, budget=200, test="mixed_model", most_raters=6, **HIGH, replicates=100).rows[
        :1
    ]
    assert mixed.options["per_item"] != 1
    (alone,) = plan("ratings", effect=0.2, budget=200, test="rater_t", most_raters=6, **HIGH).rows
    assert alone.options["per_item"] == 1
    with pytest.raises(UsageError, match="tests of raters and items"):
        plan("ratings", effect=0.2, budget=200, test="paired_t", **HIGH)


def test_a_budget_without_end() -> None:
    """No more items than anybody rates, and nothing is simulated for it."""
    row = plan("ratings", effect=0.01, budget=1e12, **HIGH).rows[0]
    assert row.items <= 10**6
    assert row.engine in {"exact", "formula"}


def test_a_budget_is_for_ratings() -> None:
    with pytest.raises(UsageError, match="is for ratings"):
        plan("gaussian", sd=0.1, correlation=0.5, effect=0.1, budget=100)


def test_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Raters have columns; what does not count in the design is left out."""
    said = shown(capsys, "--raters", "3,10", "--items", "100", "--effect", "0.2", *FLAGS)
    assert "raters" in said
    assert "rater_sd" not in said
    best = shown(capsys, "--budget", "400", "--cost-rating", "0.1", "--cost-rater", "10", "--effect", "0.2", *FLAGS)
    assert best.startswith("best design for 400: 31 raters, 434 items, 1 rater per item")
    told = json.loads(shown(capsys, "--raters", "10", "--items", "100", "--effect", "0.2", *FLAGS, "--format", "json"))
    assert {"raters", "ratings", "df", "ceiling_items", "ceiling_raters"} <= set(told["rows"][0])
    assert "cost" not in told["rows"][0]


def test_a_test_that_averages_raters_is_told_apart() -> None:
    """Its power is real, and so is how often it calls equal systems different."""
    answer = plan("ratings", raters=10, items=100, effect=0.2, test="paired_t", **HIGH)
    (note,) = (note for note in answer.notes if note.code == "averages_raters")
    assert note.values["size"] == pytest.approx(0.425, abs=0.04)
    assert "compare_chooses" not in {note.code for note in answer.notes}
    assert answer.rows[0].ceiling_items is None
    named = plan("ratings", raters=10, items=100, effect=0.2, test="mixed_model(df=cochran)", **HIGH)
    assert {note.code for note in named.notes} == {"compare_chooses"}


def test_one_rater_per_item_is_solved_in_whole_loads() -> None:
    """Every rater rates as many items, and power is a formula's."""
    (row,) = plan("ratings", raters=20, per_item=1, effect=0.2, power=0.8, **HIGH).rows
    assert (row.items % 20, row.engine, row.test) == (0, "formula", "rater_t")


def test_items_without_raters() -> None:
    with pytest.raises(UsageError, match="both raters and items are searched for"):
        plan("ratings", effect=0.2, items=100, **HIGH)


def test_raters_per_item_of_nested_designs(capsys: pytest.CaptureFixture[str]) -> None:
    """Where both raters and items have one system each, half of the raters rate an item."""
    levels = ("--design", "both_nested", "--rater-sd", "0.1", "--item-sd", "0.1")
    said = shown(capsys, "--raters", "10", "--items", "100", "--effect", "0.2", *FLAGS, *levels)
    assert re.search(r"10 +5 +100 ", said)


def test_designs_of_many_raters_are_simulated_less() -> None:
    """Some of 97 raters per item: a fit takes long, so fewer evaluations are simulated, and the interval says what that leaves."""
    answer = plan(
        "ratings",
        effect=0.1,
        rater_effect_sd=0.22,
        item_effect_sd=0.28,
        residual_sd=0.26,
        budget=1000,
        cost_rating=0.2,
        cost_rater=5,
        cost_item=1,
    )
    best = answer.rows[0]
    assert 1 < best.options["per_item"] < best.options["raters"]
    assert best.replicates == max(300, 1000 * 30 // best.options["raters"])
    assert best.power_low < best.power < best.power_high
    assert f"replicates={best.replicates}" in answer.signature
