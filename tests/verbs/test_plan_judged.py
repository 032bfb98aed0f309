"""`plan judged`: labels beside a judge, against reference plans and budgets, simulation, and a pilot."""

import csv
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.numerics.frontier import rows

from tellapart import compare, plan_judged
from tellapart.answers.parts import codes
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.numerics.judge_planning import simulated_judged_power
from tellapart.numerics.judge_regression import regression
from tellapart.numerics.null_laws.tails import t_quantile


def test_standard_error_power_and_worth_agree_with_the_reference() -> None:
    for row in rows("judge_plan"):
        names = ("sd_difference", "judge_correlation", "effect")
        answer = plan_judged(
            **{name: float(row[name]) for name in names}, labels=int(row["labels"]), items=int(row["judged"])
        )
        (found,) = answer.rows
        assert found.standard_error == pytest.approx(float(row["standard_error"]), rel=1e-6, abs=1e-12)
        assert found.half_width == pytest.approx(float(row["half_width_95"]), rel=1e-6, abs=1e-12)
        assert found.worth == pytest.approx(float(row["labels_worth"]), rel=1e-5, abs=1e-12)
        assert found.labels_alone_power == pytest.approx(float(row["power_labels_alone"]), abs=1e-6)
        if row["power"] != "nan":
            assert found.power == pytest.approx(float(row["power"]), abs=1e-6)


def test_best_mix_of_a_budget_agrees_with_the_reference() -> None:
    for row in rows("judge_cost"):
        prices = {name: float(row[name]) for name in ("judge_correlation", "budget", "cost_label", "cost_judgement")}
        (found,) = plan_judged(sd_difference=1.0, **prices).rows
        assert (found.labels, found.items) == (int(row["labels"]), int(row["judged"]))
        assert found.worth / (prices["budget"] / prices["cost_label"]) == pytest.approx(
            float(row["gain"]), rel=1e-5, abs=1e-12
        )


def test_what_is_solved_reaches_the_power() -> None:
    given = {"sd_difference": 0.45, "judge_correlation": 0.7}
    (labels,) = plan_judged(**given, effect=0.1, power=0.8, items=5000).rows
    (one_less,) = plan_judged(**given, effect=0.1, labels=labels.labels - 1, items=5000).rows
    assert one_less.power is not None
    assert labels.power is not None
    assert one_less.power < 0.8 <= labels.power
    (effect,) = plan_judged(**given, labels=100, items=1000).rows
    assert effect.power == pytest.approx(0.8, abs=1e-9)
    (items,) = plan_judged(**given, labels=100, effect=0.1, power=0.83).rows
    (fewer,) = plan_judged(**given, labels=100, effect=0.1, items=items.items - 1).rows
    assert fewer.power is not None
    assert fewer.power < 0.83


def test_power_by_formula_is_that_of_simulated_evaluations() -> None:
    """Normal differences, whose judge sees them with noise: within .03."""
    spread, correlation, labels, items, effect = 0.45, 0.7, 60, 600, 0.1
    (row,) = plan_judged(
        sd_difference=spread, judge_correlation=correlation, labels=labels, items=items, effect=effect
    ).rows
    rng = np.random.default_rng(3)
    everyone = effect + spread * rng.normal(size=(4_000, items))
    judge = everyone + spread * math.sqrt(1.0 / correlation**2 - 1.0) * rng.normal(size=everyone.shape)
    found = regression(everyone[:, :labels], judge[:, :labels], judge)
    rejected = np.abs(found.effect) >= t_quantile(0.975, labels - 2.0) * found.error
    assert row.power == pytest.approx(float(rejected.mean()), abs=0.03)


def test_few_differing_labels_are_simulated() -> None:
    """The moments that are drawn give what whole evaluations give."""
    (row,) = plan_judged(discordance=0.1, judge_correlation=0.7, labels=100, items=400, effect=0.05).rows
    assert row.engine == "monte_carlo"
    rng = np.random.default_rng(8)
    shares = (0.025, 0.9, 0.075)
    human, other = (rng.choice([-1.0, 0.0, 1.0], (4_000, 400), p=shares) for _ in "ab")
    judge = np.where(rng.random(human.shape) < 0.7, human, other)
    said = human[:, :100]
    added = np.where((said != 0.0).sum(axis=1) < 10, 1.0, 0.0)
    found = regression(said, judge[:, :100], judge, added)
    rejected = np.abs(found.effect) >= t_quantile(0.975, 98.0) * found.error
    assert row.power == pytest.approx(float(rejected.mean()), abs=0.03)
    again = simulated_judged_power(0.1, 0.05, 0.7, 100, 400, 0.05, 10_000, stream(5))
    assert again == pytest.approx(row.power, abs=0.03)


def test_where_all_labelled_items_are_not_enough() -> None:
    with pytest.raises(UsageError, match="no number of labels is enough with 300 judged items") as refused:
        plan_judged(sd_difference=0.45, judge_correlation=0.7, effect=0.05, items=300)
    needed = int(str(refused.value).split("at least ")[1].split(" items")[0].replace(",", ""))
    assert plan_judged(sd_difference=0.45, judge_correlation=0.7, effect=0.05, items=needed).rows[0].labels <= needed


def test_a_judge_that_does_not_pay() -> None:
    answer = plan_judged(sd_difference=0.45, judge_correlation=0.5, budget=1000, cost_label=2, cost_judgement=1)
    assert (answer.rows[0].labels, answer.rows[0].items) == (500, 0)


def test_a_pilot_says_spread_and_correlation(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "pilot.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "old_judge", "new_judge", "old_human", "new_human"])
        for i in range(400):
            a, b = rng.normal(size=2)
            said = [f"{a:.3f}", f"{b:.3f}"] if i < 80 else ["", ""]
            writer.writerow([i, f"{a + 0.5 * rng.normal():.3f}", f"{b + 0.5 * rng.normal():.3f}", *said])
    answer = plan_judged(str(path), human="*_human", judge="*_judge", effect=0.3)
    assert answer.pilot is not None
    assert (answer.pilot.labels, answer.pilot.items) == (80, 400)
    assert answer.sd_difference == pytest.approx(math.sqrt(2.0), rel=0.15, abs=1e-12)
    assert answer.judge_correlation == pytest.approx(1.0 / math.sqrt(1.25), abs=0.06)
    assert "judge_of_pilot" in codes(answer.notes)
    with pytest.raises(UsageError, match="leave judge_correlation"):
        plan_judged(str(path), human="*_human", judge="*_judge", effect=0.3, judge_correlation=0.5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"labels": 100}, "correlate"),
        ({"judge_correlation": 0.5}, "labels"),
        ({"judge_correlation": 0.5, "labels": 100, "items": 500}, "spread"),
        ({"judge_correlation": 0.5, "sd_difference": 1.0, "labels": 100, "items": 50}, "raise items"),
        ({"judge_correlation": 0.5, "sd_difference": 1.0, "labels": 100}, "how many items"),
        ({"judge_correlation": 0.5, "sd_difference": 1.0, "discordance": 0.2, "labels": 100}, "same spread"),
        (
            {"judge_correlation": 0.5, "discordance": 0.1, "labels": 100, "items": 500, "effect": 0.2},
            "takes a discordance of at least that",
        ),
        ({"judge_correlation": 0.5, "sd_difference": 1.0, "budget": 10}, "both prices"),
        ({"human": "human", "labels": 100}, "about a pilot"),
    ],
)
def test_what_is_refused(given: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        plan_judged(**given)


def test_clusters_of_a_pilot_are_told_and_can_be_planned_for(tmp_path: Path) -> None:
    """The factor is that of the standard errors that `compare` gives with and without clusters; the options that are named plan with it."""
    rng = np.random.default_rng(5)
    path = tmp_path / "pilot.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "cluster", "old_judge", "new_judge", "old_human", "new_human"])
        for cluster, shared in enumerate(rng.normal(size=60)):
            for i in range(5):
                a, b = 0.5 * rng.normal(), shared + 0.5 * rng.normal()
                said = [f"{a:.3f}", f"{b:.3f}"] if cluster < 24 else ["", ""]
                seen = [f"{one + 0.4 * rng.normal():.3f}" for one in (a, b)]
                writer.writerow([f"q{cluster}-{i}", f"c{cluster}", *seen, *said])
    columns: dict[str, Any] = {"human": "*_human", "judge": "*_judge"}
    answer = plan_judged(str(path), effect=0.45, **columns)
    assert answer.pilot is not None
    table = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    apart = tmp_path / "apart.csv"
    apart.write_text("".join(",".join([row[0], *row[2:]]) + "\n" for row in table), encoding="utf-8")
    with_clusters, without = compare(str(path), **columns), compare(str(apart), **columns)
    assert with_clusters.standard_error is not None
    assert without.standard_error is not None
    factor = with_clusters.standard_error / without.standard_error
    assert answer.pilot.clusters == 24
    assert answer.pilot.cluster_factor == pytest.approx(factor)
    (note,) = [one.text for one in answer.notes if one.code == "pilot_clusters"]
    told = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", note)}
    assert told["sd_difference"] == pytest.approx(factor * answer.sd_difference, rel=0.01, abs=1e-12)
    (found,) = plan_judged(effect=0.45, **{**told, "items": int(told["items"])}).rows
    assert found.labels > answer.rows[0].labels
