"""Plans of repeated runs and of trainings: items, budgets and ceilings, from numbers and from a log."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.numerics.frontier import FOLDER, rows, runs

from tellapart import Scores, compare, plan
from tellapart.answers.plan import PlanRow
from tellapart.cli import main
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.numerics.k_samples import RunSummary
from tellapart.numerics.run_variance import cross_disagreement
from tellapart.numerics.solve_rates import SolveRates
from tellapart.populations import POPULATIONS
from tellapart.populations.evidence import Overlap
from tellapart.populations.from_evidence import RunsFromEvidence
from tellapart.populations.pilot import measured_runs
from tellapart.populations.runs import RepeatedRuns

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
    """As many runs as an independent program takes, and the variance for that cost beside one run's."""
    item, run, cost_item, cost_run = (
        float(row[name]) for name in ("item_variance", "run_variance", "cost_item", "cost_run_both")
    )
    spreads = {"effect": 0.02, "item_sd": math.sqrt(item), "run_sd": math.sqrt(0.5 * run)}
    costs = {"budget": 1e7, "cost_item": cost_item, "cost_run": cost_run}
    found = plan("runs", **spreads, **costs).rows[0]
    assert found.options["runs"] == int(row["runs_whole"])
    one = plan("runs", **spreads, **costs, runs=1).rows[0]
    relative = (_sd(found) / _sd(one)) ** 2 * one.items / found.items
    assert relative == pytest.approx(float(row["variance_relative_to_one_run"]), rel=1e-5, abs=0.0)


def _sd(row: PlanRow) -> float:
    return POPULATIONS.parse(row.population).sd_difference or 0.0


def test_best_runs_at_the_ends() -> None:
    """Free items: one run; free runs, or items that do not differ: as many runs as there may be."""
    spreads = {"effect": 0.02, "item_sd": 0.3, "run_sd": 0.3, "budget": 5000.0}
    assert plan("runs", **spreads, cost_item=0.0, cost_run=1.0).rows[0].options["runs"] == 1
    assert plan("runs", **spreads, cost_item=1.0, cost_run=0.0, most_runs=30).rows[0].options["runs"] == 30
    alike = {**spreads, "item_sd": 0.0}
    assert plan("runs", **alike, cost_item=1.0, cost_run=0.001, most_runs=40).rows[0].options["runs"] == 40


def test_a_budget_is_split_exactly() -> None:
    """Of small budgets no other number of runs, with the whole items that are left, finds the effect as often."""
    costs = {"budget": 23.0, "cost_item": 1.0, "cost_run": 0.1}
    best = plan("runs", **RATES, **costs).rows[0]
    others = plan("runs", **RATES, **costs, runs=range(1, 40)).rows
    assert min(_sd(row) ** 2 / row.items for row in others) == pytest.approx(
        _sd(best) ** 2 / best.items, rel=1e-12, abs=0.0
    )
    assert all((row.cost or 0.0) <= 23.0 for row in (best, *others))


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
        {"discordance": 0.3, "icc": 0.5, "accuracy": 0.6, "runs": 4, "runs_as": "pass@5"},
        {"discordance": 0.3, "icc": 0.5, "accuracy": 0.6, "runs": 4, "runs_as": "best@2"},
        {"discordance": 0.3, "disagreement": 0.2, "runs": 4, "runs_as": "pass@2"},
        {"discordance": 0.3, "icc": 0.5, "accuracy": 0.6, "samples": 4},
        {"discordance": 0.3, "icc": 0.5, "accuracy": 0.6, "samples": 4, "runs": 4, "runs_as": "pass@2"},
        {"discordance": 0.05, "icc": 0.5, "accuracy": 0.6, "samples": 4, "runs_as": "pass@2"},
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


def test_a_pilot_whose_items_differ_no_more_than_its_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Answered in one command, of answers and of scores, with runs that are given and runs that are looked for."""
    file = str(FOLDER / "data" / "noisy3.csv")
    asked = [["--runs", "1,10"], ["--most-items", "500"], ["--budget", "1000", "--cost-item", "1", "--cost-run", "0.1"]]
    for words in asked:
        with pytest.raises(SystemExit) as left:
            main(["plan", "runs", file, "--effect", "0.02", *words])
        assert left.value.code == 0
    rng = np.random.default_rng(4)
    pair = Scores.from_arrays({name: rng.normal(size=(40, 3)) for name in "ab"}).pair("a", "b")
    found = measured_runs(pair, [0.02])
    assert plan("runs", effect=0.2, runs=3, power=0.8, **found).rows[0].items > 2
    capsys.readouterr()


def test_evidence_says_how_often_single_runs_disagree() -> None:
    """As `paired_binary` at the same accuracies, with the same band."""
    runs_of = plan("runs", effect=0.02, accuracy=0.7, icc=0.95, runs=1, power=0.8).rows[0]
    pair = plan("paired_binary", effect=0.02, accuracy=0.7, power=0.8).rows[0]
    assert runs_of.options["discordance"] == pytest.approx(pair.options["discordance"], rel=1e-12, abs=0.0)
    assert runs_of.options["evidence"] == pair.options["evidence"]
    bounds = runs_of.solved_low, runs_of.items, runs_of.solved_high
    assert bounds == pytest.approx((pair.solved_low, pair.items, pair.solved_high), rel=0.02, abs=0.0)
    named = plan("runs", effect=0.02, accuracy=0.7, icc=0.6, runs=3, power=0.8, evidence="gsm8k_pairs")
    assert named.rows[0].options["evidence"] == "gsm8k_pairs"
    assert {"overlap_from_evidence", "evidence_source"} <= {note.code for note in named.notes}


SAMPLED = {"effect": 0.05, "accuracy": 0.4, "icc": 0.4, "discordance": 0.35}


@pytest.mark.parametrize("runs_as", ["pass@3", "pass^3", "majority@3"])
def test_a_plan_of_samples_is_what_compare_sees(runs_as: str) -> None:
    """Evaluations drawn with Beta solve rates and compared: their spread, and how often they find the effect, are the planned ones."""
    population = POPULATIONS.parse(
        f"runs(effect=0.05, accuracy=0.4, icc=0.4, discordance=0.35, runs=6, runs_as={runs_as})"
    )
    assert isinstance(population, RepeatedRuns)
    pair = population.solved
    rng = np.random.default_rng(3)
    normals = rng.normal(size=(2, 20_000))
    normals[1] = pair.correlation * normals[0] + math.sqrt(1.0 - pair.correlation**2) * normals[1]
    rates = [
        stats.beta.ppf(
            stats.norm.cdf(z), one.accuracy * (1.0 / one.icc - 1.0), (1.0 - one.accuracy) * (1.0 / one.icc - 1.0)
        )
        for z, one in zip(normals, (pair.a, pair.b), strict=True)
    ]
    drawn = {
        name: (rng.random((20_000, 6)) < one[:, None]).astype(float) for name, one in zip("ab", rates, strict=True)
    }
    answer = compare(Scores.from_arrays(drawn), runs_as=runs_as)
    assert (answer.standard_error or 0.0) * math.sqrt(20_000) == pytest.approx(
        population.sd_difference, rel=0.02, abs=0.0
    )
    assert answer.effect == pytest.approx(0.05, abs=0.02)
    assert cross_disagreement(*(one.mean(axis=1) for one in drawn.values())) == pytest.approx(0.35, abs=0.01)


def test_pass_at_1_is_the_mean_of_runs() -> None:
    """The same power as of plain runs with the same rates, of any number of samples."""
    disagreement = 2.0 * 0.4 * 0.6 * (1.0 - 0.4)
    for samples in (1, 4, 20):
        sampled = plan("runs", **SAMPLED, runs_as="pass@1", samples=samples, items=500).rows[0]
        other = 0.45 * 0.55 * 2.0 * 0.6
        plain = {"discordance": 0.35, "accuracy": 0.4, "disagreement": disagreement, "disagreement_b": other}
        assert sampled.power == pytest.approx(
            plan("runs", effect=0.05, runs=samples, items=500, **plain).rows[0].power, abs=1e-3
        )


def test_samples_of_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    """The log's own rates, and as many samples as it has where none are named."""
    file = str(FOLDER / "data" / "even5.csv")
    printed = []
    for words in ([], ["--samples", "5"]):
        with pytest.raises(SystemExit) as left:
            main(["plan", "runs", file, "--effect", "0.05", "--runs-as", "pass@3", *words, "--format", "csv"])
        assert left.value.code == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    "row",
    [r for r in rows("seeds_plan") if r["items"] != "endless"],
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


def test_too_few_seeds_are_told_how_many_would_do() -> None:
    """Below the ceiling no number of items is looked for: the number of seeds that is named does, and one fewer does not."""
    spreads = {"effect": 0.02, "seed_sd": 0.01, "item_sd": 0.4, "seed_item_sd": 0.3}
    with pytest.raises(UsageError) as refused:
        plan("seeds", **spreads, seeds=3, power=0.8)
    enough = next(n for n in range(4, 20) if f"{option('seeds', str(n))} can" in refused.value.message)
    assert plan("seeds", **spreads, seeds=enough, power=0.8).rows[0].power >= 0.8
    with pytest.raises(UsageError):
        plan("seeds", **spreads, seeds=enough - 1, power=0.8)
    noted = plan("seeds", **spreads, seeds=3, items=1000)
    (note,) = [note for note in noted.notes if note.code == "more_seeds"]
    assert note.values["enough"] == enough


@pytest.mark.parametrize(
    "options",
    [
        {"runs": 1},
        {"runs": 5},
        {"runs": 4, "runs_b": 2, "disagreement_b": 0.2},
        {"runs": 3, "effect": -0.06, "accuracy": 0.9, "disagreement": 0.1},
        {"runs": 6, "runs_as": "pass@3"},
        {"runs": 5, "runs_as": "majority@3", "effect": 0.05},
    ],
    ids=str,
)
def test_drawn_answers_have_the_spread_of_the_formula(options: dict[str, Any]) -> None:
    """By Monte Carlo answers are drawn, from Beta solve rates: means, spread and one run's discordance as the plan has them."""
    planned = RepeatedRuns(**{**RATES, "discordance": 0.25, **options})
    pair = planned.simulated.draw(40_000, 1, stream(3))
    a, b = pair.a.ravel(), pair.b.ravel()
    tolerance = 4.0 * planned.sd_difference / math.sqrt(len(a))
    assert np.mean(b - a) == pytest.approx(planned.known_effect, rel=0.0, abs=tolerance)
    assert np.std(b - a) == pytest.approx(planned.sd_difference, rel=0.03, abs=0.0)
    summary = RunSummary.parse(planned.runs_as or "pass@1")
    expected = SolveRates.disagreeing(planned.accuracy or 0.0, planned.disagreement or 0.0).moments(
        summary, planned.runs
    )
    assert np.mean(a) == pytest.approx(expected[0], abs=4.0 * math.sqrt(expected[1] / len(a)), rel=0.0)
    assert set(np.unique(b * (planned.runs_b or planned.runs))) <= set(range(7)) or planned.runs_as


def test_simulated_answers_have_nearly_the_power_of_the_formula() -> None:
    asked = {**RATES, "effect": 0.05, "runs": 2, "items": 300}
    by_formula, simulated = (plan("runs", engine=engine, **asked).rows[0] for engine in ("formula", "monte_carlo"))
    assert simulated.engine == "monte_carlo"
    assert simulated.power == pytest.approx(by_formula.power, rel=0.0, abs=0.03)
    assert simulated.power != by_formula.power


def test_drawn_answers_of_evidence_are_those_of_its_number() -> None:
    rates: dict[str, Any] = {"effect": 0.05, "accuracy": 0.7, "disagreement": 0.12, "runs": 2}
    supposed = RunsFromEvidence(**rates, evidence=Overlap.parse("squad2_pairs"))
    assert supposed.simulated == supposed.settled.simulated


@pytest.mark.parametrize("accuracy", [{}, {"accuracy": 0.5, "effect": 0.2, "discordance": 0.16}], ids=str)
def test_where_no_solve_rates_are_known_averages_are_drawn(accuracy: dict[str, Any]) -> None:
    """Rates alone do not say how items' solve rates are spread, and not every three rates are those of Beta ones."""
    planned = RepeatedRuns(**{"effect": 0.02, "discordance": 0.2, "disagreement": 0.12, "runs": 2, **accuracy})
    assert planned.simulated is planned
