"""Confusion tables of two classifiers: closed forms over eight cells, and simulated powers of another program."""

import math
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.conftest import Rows

from tellapart.data.summaries import Parts
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.planning.formula import formula
from tellapart.planning.power import power
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.confusion import Confusion

BASE = "prevalence=0.15, recall=0.62, specificity=0.95, correlation=0.6"


def _rows(reference: Callable[[str], Rows]) -> list[tuple[Confusion, int, str, float, float]]:
    found = []
    for row in reference("confusion_power.csv"):
        spelled, _, asked = row["case"].partition("|")
        population, items = Population.parse(spelled), re.search(r"items=(\d+)", asked)
        assert isinstance(population, Confusion)
        assert items is not None
        found.append((population, int(items[1]), row["quantity"], float(row["value"]), float(row["tolerance"])))
    return found


def test_closed_forms(reference: Callable[[str], Rows]) -> None:
    """The metric, the effect, the spread of an item's contribution and the power that follows from it."""
    checked = 0
    for population, items, quantity, value, _ in _rows(reference):
        by_name = formula(Study(population, "paired_t", items), approximate=True)
        assert by_name is not None
        found = {
            "effect": population.known_effect,
            "metric of A": population.cells.values[0],
            "sd_difference (delta method)": population.sd_difference,
            "power_formula": by_name.power,
        }
        if quantity in found:
            checked += 1
            assert found[quantity] == pytest.approx(
                value, abs=1e-6 if "sd" in quantity or "power" in quantity else 1e-12
            )
    assert checked == 40


def test_simulated_power_of_the_t_test(reference: Callable[[str], Rows]) -> None:
    """On influence, as another program simulated it."""
    cases = [row for row in _rows(reference) if row[2] == "power paired_t on influence" and row[1] <= 500][:3]
    for population, items, _, value, tolerance in cases:
        found = power(Study(population, "paired_t", items), replicates=1_000)
        assert abs(found.power - value) <= tolerance + 4.0 * math.sqrt(0.25 / 1_000)


def test_simulated_power_of_swaps(reference: Callable[[str], Rows]) -> None:
    """By all swaps, as another program simulated them: F1, macro-F1, MCC and balanced accuracy; exaggerations too."""
    rows = _rows(reference)
    exaggerations = {row[0]: row[3] for row in rows if row[2] == "type_m permutation" and row[1] == 500}
    cases = [row for row in rows if row[2] == "power permutation" and row[1] in {300, 500}]
    assert len(cases) >= 5
    for population, items, _, value, tolerance in cases:
        found = power(Study(population, "permutation", items), replicates=500)
        assert abs(found.power - value) <= tolerance + 4.0 * math.sqrt(value * (1.0 - value) / 500)
        if population in exaggerations:
            assert found.type_m == pytest.approx(exaggerations[population], rel=0.1, abs=0.0)


def test_an_effect_is_one_step_of_both_log_odds() -> None:
    """And the formula is asked for by name: by default confusion tables are simulated."""
    population = Population.parse(f"confusion(metric=f1, {BASE}, effect=0.05)")
    assert isinstance(population, Confusion)
    cells = population.cells
    steps = [math.log(b / (1.0 - b)) - math.log(a / (1.0 - a)) for a, b in (cells.recalls, cells.specificities)]
    assert steps[0] == pytest.approx(steps[1], abs=1e-9)
    assert cells.effect == pytest.approx(0.05, abs=1e-12)
    assert formula(Study(population, "paired_t", 500)) is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (f"metric=mean, {BASE}", "is not of labels and predictions"),
        (f"{BASE}, recall_b=0.7", "recall_b is given alone"),
        (f"{BASE}, recall_b=0.7, specificity_b=0.96, effect=0.2", "B's rates have an effect of"),
        (f"{BASE}, effect=0.9", "effect=0.9 cannot be"),
        (BASE.replace("0.62", "62"), "62 % is 0.62"),
        (BASE.replace("recall=0.62", "recall=1"), "should lie between 0 and 1"),
    ],
)
def test_what_cannot_be(options: str, said: str) -> None:
    """Each refusal says why."""
    with pytest.raises(UsageError) as caught:
        Population.parse(f"confusion({options})")
    assert said in str(caught.value)


def test_evaluations_of_few_kinds_of_items_are_drawn_again_as_one_is() -> None:
    """Each with draws of its own: p-values of a batch are those of its evaluations, within the error of the resamples."""
    population = Population.parse(f"confusion(effect=0.05, metric=f1, {BASE})")
    drawn = population.draw(600, 12, stream(4))
    test = TESTS.parse("bootstrap(kind=studentised, resamples=1999)")
    together = test.apply(Parts.of(drawn, population.metric), stream(5)).pvalue
    for place, pvalue in enumerate(together):
        one = Parts.of(replace(drawn, a=drawn.a[place], b=drawn.b[place]), population.metric)
        alone = float(test.apply(one, stream(6, place)).pvalue)
        assert abs(pvalue - alone) <= 5.0 * math.sqrt(2.0 * max(alone, 0.01) / 1_999)
    assert len(set(together.tolist())) == 12
