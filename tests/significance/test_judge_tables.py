"""Coverage, width and power of a judge with human labels against tables that other code simulated (tests/reference/README.md).

`judge_rule` compares when to add two labels, `judge_fresh` holds cases that had no part in the choice, `judge_strata` draws labels by what the
judge sees, `judge_more` has clusters, `judge_plan_check` the power of plans.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from tests.numerics.frontier import rows

from tellapart import plan_judged
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.judge_regression import (
    FEW_DIFFER,
    JudgeEstimate,
    clustered_regression,
    regression,
    regression_by_moments,
    stratified,
)
from tellapart.numerics.null_laws.tails import t_quantile

REPLICATES = 2_000
MOST_ERRORS = 4.0
"""Standard errors by which two simulations may differ: of some two hundred comparisons the largest difference is near three."""
Correctness = tuple[float, float]
"""How often the judge calls right what is right, and wrong what is wrong."""


class Law(NamedTuple):
    """Right or wrong answers of two systems, and a judge of each."""

    differ: float
    effect: float
    of_a: Correctness
    of_b: Correctness
    accuracy: float = 0.7

    @property
    def cells(self) -> FloatArray:
        """Shares of people's difference, by row, and the judge's, by column: −1, 0 and 1."""
        only_a, only_b = (self.differ - self.effect) / 2.0, (self.differ + self.effect) / 2.0
        shares = {(1, 0): only_a, (0, 1): only_b, (1, 1): self.accuracy - only_a}
        shares[0, 0] = 1.0 - sum(shares.values())
        found = np.zeros((3, 3))
        for (a, b), share in shares.items():
            for seen_a, chance_a in _seen(a, self.of_a):
                for seen_b, chance_b in _seen(b, self.of_b):
                    found[b - a + 1, seen_b - seen_a + 1] += share * chance_a * chance_b
        return found


def _seen(truth: int, judge: Correctness) -> Iterator[tuple[int, float]]:
    right = judge[0] if truth else 1.0 - judge[1]
    yield from ((1, right), (0, 1.0 - right))


def law_of(case: str) -> Law | None:
    """As a case spells it; None of graded scores."""
    found = re.match(r"(?:binary )?psi[ =]([-.\d]+) delta[ =]([-.\d]+)(?:, acc ([.\d]+))?", case)
    if found is None:
        return None
    judges = [(float(one), float(other)) for one, other in re.findall(r"([.\d]+)/([.\d]+)", case)]
    return Law(float(found[1]), float(found[2]), judges[0], judges[-1], float(found[3] or 0.7))


class Labels(NamedTuple):
    """Differences of labelled items, and mean, variance and number of the judge's on all."""

    human: FloatArray
    judge: FloatArray
    everywhere: tuple[FloatArray, FloatArray, int]

    def estimate(self, fewest: float) -> JudgeEstimate:
        """With two labels added where fewer than so many differ."""
        added = np.where((self.human != 0.0).sum(axis=1) < fewest, 1.0, 0.0)
        return regression_by_moments(self.human, self.judge, self.everywhere, added)


def drawn(law: Law, labels: int, items: int, rng: Generator, replicates: int = REPLICATES) -> Labels:
    cells = law.cells
    human, judge = _differences(rng.choice(9, size=(replicates, labels), p=cells.ravel()))
    low, _, high = rng.multinomial(items - labels, cells.sum(axis=0), replicates).T
    mean = (judge.sum(axis=1) + high - low) / items
    squares = (judge**2).sum(axis=1) + high + low
    return Labels(human, judge, (mean, (squares - items * mean**2) / (items - 1.0), items))


def _differences(cell: IntArray) -> tuple[FloatArray, FloatArray]:
    """People's and the judge's, of a place among nine cells."""
    return (cell // 3).astype(np.float64) - 1.0, (cell % 3).astype(np.float64) - 1.0


def reach(found: JudgeEstimate) -> FloatArray:
    return np.asarray(t_quantile(0.975, found.df) * found.error)


def agree(share: float, expected: float, replicates: int) -> bool:
    """Whether two simulated shares differ by chance."""
    middle = np.clip((share + expected) / 2.0, 1.0 / replicates, 1.0 - 1.0 / replicates)
    error = math.sqrt(middle * (1.0 - middle) * (1.0 / replicates + 1.0 / REPLICATES))
    return abs(share - expected) <= MOST_ERRORS * error


def tables(table: str) -> dict[tuple[str, int, int], list[dict[str, str]]]:
    """The rows of a table by case, labels and judged items."""
    found: dict[tuple[str, int, int], list[dict[str, str]]] = {}
    for row in rows(table):
        found.setdefault((row["case"], int(row["labels"]), int(row["judged"])), []).append(row)
    return found


RULES = {"never": 0.0, "below 5": 5.0, "below 10": FEW_DIFFER, "below 15": 15.0, "always": math.inf}


def test_rules_for_adding_two_labels() -> None:
    """Coverage, width, and how often zero is rejected, of five rules; where no label differs an interval of no width rejects nothing."""
    compared = 0
    for (case, labels, items), of_case in tables("judge_rule").items():
        law = law_of(case)
        assert law is not None
        sample = drawn(law, labels, items, np.random.default_rng([labels, len(case)]))
        for row in of_case:
            if row["plus_two"] not in RULES:
                continue
            found = sample.estimate(RULES[row["plus_two"]])
            half, told = reach(found), int(row["replicates"])
            assert agree(float((np.abs(found.effect - law.effect) <= half).mean()), float(row["coverage"]), told), row
            assert agree(float((np.abs(found.effect) > half).mean()), float(row["rejects_zero"]), told), row
            assert 2.0 * half.mean() == pytest.approx(float(row["mean_width"]), rel=0.02 + 1.0 / labels, abs=1e-12), row
            compared += 1
    assert compared == 115


def test_cases_that_had_no_part_in_the_choice() -> None:
    compared = 0
    for (case, labels, items), of_case in tables("judge_fresh").items():
        if (law := law_of(case)) is None:
            continue
        sample = drawn(law, labels, items, np.random.default_rng([labels, items, len(case)]))
        (row,) = [row for row in of_case if row["method"] == "default"]
        found, told = sample.estimate(FEW_DIFFER), int(row["replicates"])
        covered = float((np.abs(found.effect - law.effect) <= reach(found)).mean())
        assert agree(covered, float(row["coverage"]), told), row
        assert 2.0 * reach(found).mean() == pytest.approx(float(row["mean_width"]), rel=0.03, abs=1e-12), row
        added = float(((sample.human != 0.0).sum(axis=1) < FEW_DIFFER).mean())
        assert agree(added, float(row["share_plus_two"]), told), row
        compared += 1
    assert compared == 20


def by_strata(
    law: Law, labels: int, items: int, rng: Generator, *, half: bool, replicates: int = 500
) -> tuple[float, float, float]:
    """Coverage, width and root mean square error of labels drawn by what the judge sees, in proportion or half where it sees a difference."""
    covered, widths, errors = [], [], []
    for _ in range(replicates):
        human, judge = _differences(rng.choice(9, size=items, p=law.cells.ravel()))
        chosen = _half_differing(judge, labels) if half else _in_proportion(judge, labels)
        found = stratified(human[chosen], np.unique(judge, return_inverse=True)[1], chosen)
        error, wide = float(found.effect) - law.effect, float(reach(found))
        covered.append(abs(error) <= wide)
        widths.append(2.0 * wide)
        errors.append(error**2)
    return float(np.mean(covered)), float(np.mean(widths)), math.sqrt(float(np.mean(errors)))


def _half_differing(judge: FloatArray, labels: int) -> IntArray:
    sees, rest = np.flatnonzero(judge != 0.0), np.flatnonzero(judge == 0.0)
    few = min(labels // 2, len(sees))
    return np.concatenate([sees[:few], rest[: labels - few]])


def _in_proportion(judge: FloatArray, labels: int) -> IntArray:
    places = [np.flatnonzero(judge == sign) for sign in (-1.0, 0.0, 1.0)]
    return np.concatenate([one[: max(2, round(labels * len(one) / len(judge)))] for one in places])


def test_labels_drawn_by_what_the_judge_sees() -> None:
    """The gain with a good judge and rare differences, and none with a poor one."""
    compared = 0
    for (case, labels, items), of_case in tables("judge_strata").items():
        law = law_of(case)
        assert law is not None
        for row in of_case:
            if row["method"] != "stratified" or labels < 50:
                continue
            rng = np.random.default_rng([labels, len(case), compared])
            covered, width, error = by_strata(law, labels, items, rng, half=row["labels_drawn"].startswith("half"))
            assert covered == pytest.approx(float(row["coverage"]), abs=MOST_ERRORS * 0.0112), row
            assert width == pytest.approx(float(row["mean_width"]), rel=0.06, abs=1e-12), row
            assert error == pytest.approx(float(row["rmse"]), rel=0.14, abs=1e-12), row
            compared += 1
    assert compared == 8


@pytest.mark.parametrize("labelled", [10, 20])
def test_labels_in_clusters(labelled: int) -> None:
    """Items in clusters of five with intraclass correlation .4, as their judge's errors; ignoring clusters covers far too seldom."""
    clusters, items, rng = 10 * labelled, 50 * labelled, np.random.default_rng(labelled)

    def together() -> FloatArray:
        shared, own = rng.normal(size=(REPLICATES, clusters, 1)), rng.normal(size=(REPLICATES, clusters, 5))
        return (math.sqrt(0.4) * shared + math.sqrt(0.6) * own).reshape(REPLICATES, items)

    human = together()
    judge = 0.7 * human + math.sqrt(0.51) * together()
    place = np.arange(5 * labelled)
    with_clusters = clustered_regression(
        human[:, place], judge[:, place], judge, place, np.repeat(np.arange(clusters), 5)
    )
    ignored = regression(human[:, place], judge[:, place], judge)
    named = {row["method"]: row for row in rows("judge_more") if row["part"] == "clusters"}
    for found, method in ((with_clusters, "regression, clusters, t(g-2)"), (ignored, "regression, clusters ignored")):
        row = named[f"{method}, g={labelled}"]
        covered = float((np.abs(found.effect) <= reach(found)).mean())
        assert agree(covered, float(row["coverage_or_bias"]), int(row["replicates"])), row
        assert 2.0 * reach(found).mean() == pytest.approx(float(row["width_or_rmse"]), rel=0.03, abs=1e-12), row


PLANS = rows("judge_plan_check")


@pytest.mark.parametrize("row", PLANS, ids=[f"{row['case']}, {row['labels']} of {row['judged']}" for row in PLANS])
def test_planned_power_is_that_of_simulated_evaluations(row: dict[str, str]) -> None:
    """Power of plans within .03 of the simulated HC3 test; where few labels differ that of the test that adds two."""
    labels, items = int(row["labels"]), int(row["judged"])
    design: dict[str, float] = {"judge_correlation": float(row["judge_correlation"]), "labels": labels, "items": items}
    law = law_of(row["case"])
    if law is None:
        design |= {"sd_difference": 0.45, "effect": 0.1}
    else:
        design |= {"discordance": law.differ, "effect": law.effect}
    (planned,) = plan_judged(**design).rows
    assert planned.standard_error == pytest.approx(float(row["se_formula"]), abs=1e-5)
    assert planned.standard_error == pytest.approx(float(row["se_simulated"]), rel=0.03, abs=1e-12)
    assert planned.power == pytest.approx(float(row["power_HC3"]), abs=0.03)
    if law is not None:
        sample = drawn(law, labels, items, np.random.default_rng(labels), 20_000).estimate(FEW_DIFFER)
        assert planned.power == pytest.approx(float((np.abs(sample.effect) > reach(sample)).mean()), abs=0.03)
