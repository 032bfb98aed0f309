"""Plans of repeated runs and of trainings: items, budgets and ceilings, from numbers and from a log."""

import math

import pytest
from tests.numerics.frontier import FOLDER, rows, runs

from tellapart import Scores, plan
from tellapart.cli import main
from tellapart.foundation.errors import UsageError
from tellapart.numerics.run_variance import best_runs
from tellapart.populations import POPULATIONS
from tellapart.populations.runs import measured_runs

RATES = {"effect": 0.02, "accuracy": 0.7, "discordance": 0.2, "disagreement": 0.12}


@pytest.mark.parametrize("row", rows("runs_plan"), ids=lambda r: f"{r['discordance']}-{r['effect']}-{r['runs']}")
def test_items_for_right_or_wrong_answers(row: dict[str, str]) -> None:
    """Items exactly, and the spread, as an independent program has them; endless runs as the row says beside one run."""
    numbers = {name: float(row[name]) for name in ("accuracy", "discordance", "disagreement", "effect")}
    endless = row["runs"] == "endless"
    found = plan("runs", runs=1 if endless else int(row["runs"]), power=0.8, **numbers).rows[0]
    items = found.items_endless_runs if endless else found.items
    assert items == int(row["items_t80"])
    if not endless:
        sd = POPULATIONS.parse(found.population).sd_difference
        assert sd == pytest.approx(float(row["sd_difference"]), rel=1e-9, abs=0.0)


@pytest.mark.parametrize(("runs_of_each", "normal"), [(1, 3876), (2, 2423), (4, 1696), (10, 1260)])
def test_items_of_millers_example(runs_of_each: int, normal: int) -> None:
    """Miller (2024): ω² 1/9, σ² 1/6 of each system, effect .03; by Student's t one or two items more than by the normal law."""
    asked = plan("runs", effect=0.03, item_sd=1.0 / 3.0, run_sd=math.sqrt(1.0 / 6.0), runs=runs_of_each, power=0.8)
    assert normal <= asked.rows[0].items <= normal + 3
    endless = asked.rows[0].items_endless_runs
    assert endless is not None
    assert 969 <= endless <= 972


def test_one_run_is_a_pair_of_right_or_wrong_systems() -> None:
    one = POPULATIONS.parse("runs(effect=0.02, accuracy=0.7, discordance=0.2, disagreement=0.12, runs=1)")
    pair = POPULATIONS.parse("paired_binary(effect=0.02, accuracy=0.7, discordance=0.2)")
    assert one.sd_difference == pytest.approx(pair.sd_difference, rel=1e-12, abs=0.0)


def test_ways_to_say_how_runs_agree() -> None:
    disagreement = 2.0 * 0.7 * 0.3 * (1.0 - 0.6)
    said = [{"disagreement": disagreement}, {"consistency": 1.0 - disagreement}, {"icc": 0.6}]
    items = {
        plan("runs", effect=0.02, accuracy=0.7, discordance=0.2, runs=3, power=0.8, **one).rows[0].items for one in said
    }
    assert len(items) == 1


@pytest.mark.parametrize("row", rows("runs_budget"), ids=lambda r: f"{r['cost_item']}-{r['cost_run_both']}")
def test_best_runs_for_a_price(row: dict[str, str]) -> None:
    item, run, cost_item, cost_run = (
        float(row[name]) for name in ("item_variance", "run_variance", "cost_item", "cost_run_both")
    )
    optimum, whole = best_runs(item, run, cost_item, cost_run, 100)
    assert optimum == pytest.approx(float(row["runs_optimum"]), rel=1e-9, abs=0.0)
    assert whole == int(row["runs_whole"])


def test_best_runs_at_the_ends() -> None:
    assert best_runs(0.1, 0.2, 0.0, 1.0, 100) == (1.0, 1)
    assert best_runs(0.0, 0.2, 1.0, 1.0, 40)[1] == 40
    assert best_runs(0.1, 0.2, 1.0, 0.0, 30)[1] == 30


def test_a_budget_is_split_between_items_and_runs() -> None:
    row = plan("runs", **RATES, budget=1000.0, cost_item=1.0, cost_run=0.1).rows[0]
    assert (row.options["runs"], row.items) == (4, 714)
    assert row.cost == pytest.approx(714 * 1.4, rel=1e-12, abs=0.0)
    others = plan("runs", **RATES, runs=(1, 2, 3, 5, 6), budget=1000.0, cost_item=1.0, cost_run=0.1).rows
    assert all(other.power <= row.power + 1e-3 for other in others)


def test_items_that_cannot_be_had_take_more_runs_or_are_too_few() -> None:
    row = plan("runs", **RATES, most_items=2000).rows[0]
    assert row.items == 2000
    assert row.power >= 0.799
    fewer = plan("runs", **RATES, runs=row.options["runs"] - 1, items=2000).rows[0]
    assert fewer.power < 0.8
    with pytest.raises(UsageError):
        plan("runs", **RATES, most_items=300)


@pytest.mark.parametrize(
    "options",
    [
        {"discordance": 0.2, "disagreement": 0.25, "runs": 2},
        {"discordance": 0.2, "disagreement": 0.12, "consistency": 0.88, "runs": 2},
        {"discordance": 0.2, "runs": 2},
        {"accuracy": 0.95, "discordance": 0.2, "disagreement": 0.12, "runs": 2},
        {"item_sd": 0.2, "runs": 2},
        {"item_sd": 0.2, "run_sd": 0.1, "accuracy": 0.5, "runs": 2},
        {"discordance": 0.2, "icc": 0.5, "runs": 2},
        {"discordance": 0.2, "disagreement": 0.12},
    ],
)
def test_what_cannot_be(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        plan("runs", effect=0.02, power=0.8, **options)


def test_items_that_differ_no_more_than_runs_are_noted() -> None:
    """Then any number of items would do with enough runs, which a small log cannot tell: 0.16 is disagreement and the effect squared."""
    asked = {"effect": 0.2, "power": 0.8, "runs": 50, "accuracy": 0.5, "disagreement": 0.12}
    noted, quiet = (plan("runs", discordance=discordance, **asked) for discordance in (0.12 + 0.04, 0.3))
    assert "runs_explain_items" in {note.code for note in noted.notes}
    assert "runs_explain_items" not in {note.code for note in quiet.notes}


def test_a_log_says_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    pair = Scores.from_arrays(runs("even5")).pair("a", "b")
    measured = measured_runs(pair, [0.02])
    assert measured == pytest.approx(
        {"discordance": 0.3322, "disagreement": 0.279, "disagreement_b": 0.264}, rel=1e-9, abs=1e-12
    )
    by_hand = plan("runs", effect=0.02, runs=(1, 5), power=0.8, **measured)
    file = str(FOLDER / "data" / "even5.csv")
    with pytest.raises(SystemExit):
        main(["plan", "runs", file, "--effect", "0.02", "--runs", "1,5", "--format", "csv"])
    printed = capsys.readouterr().out
    assert all(str(row.items) in printed for row in by_hand.rows)


@pytest.mark.parametrize(
    "row",
    [r for r in rows("seeds_plan") if r["items"] != "endless"][::3],
    ids=lambda r: r["seeds"] + r["items"],
)
def test_power_with_seeds(row: dict[str, str]) -> None:
    numbers = {name: float(row[name]) for name in ("effect", "seed_sd", "item_sd", "seed_item_sd")}
    found = plan("seeds", seeds=int(row["seeds"]), items=int(row["items"]), **numbers).rows[0]
    assert found.power == pytest.approx(float(row["power_simulated"]), rel=0.0, abs=0.006)
    assert found.test == "seeds_t(df=satterthwaite)"


def test_endless_items_reach_no_more_than_seeds_allow() -> None:
    row = plan("seeds", effect=0.02, seeds=3, seed_sd=0.01, item_sd=0.4, seed_item_sd=0.3, items=1000).rows[0]
    assert row.ceiling_items == pytest.approx(0.3683, rel=0.0, abs=0.006)
    assert row.power == pytest.approx(0.1903, rel=0.0, abs=0.006)


def test_simulated_seeds_agree() -> None:
    asked = {"effect": 0.02, "seeds": 3, "seed_sd": 0.01, "item_sd": 0.2, "seed_item_sd": 0.1, "items": 300}
    drawn = plan("seeds", **asked).rows[0]
    simulated = plan("seeds", **asked, engine="monte_carlo", replicates=4000).rows[0]
    assert simulated.power == pytest.approx(drawn.power, rel=0.0, abs=0.03)
