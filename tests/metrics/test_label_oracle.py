"""Metrics of labels against scikit-learn's values, jackknife and influence standard errors, and exact permutations."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tellapart import Scores, compare, read
from tellapart.data.summaries import Parts, contributions
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

pytestmark = pytest.mark.shared

Row = dict[str, str]


@pytest.fixture(scope="module")
def rows(oracle: Path) -> list[Row]:
    with (oracle / "label_metrics.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def scores(shared: Path) -> "Counting":
    return Counting(shared / "corpus")


class Counting:
    """Scores of each file by each metric, counted once."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.made = folder, dict[tuple[str, str], Scores]()

    def of(self, file: str, metric: str) -> Scores:
        spelled = f"{metric}(positive=yes)" if metric in {"f1", "precision", "recall"} else metric
        key = file, metric
        if key not in self.made:
            self.made[key] = read(self.folder / f"{file}.csv", metric=spelled)
        return self.made[key]


def asked(rows: list[Row], quantity: str) -> Iterator[tuple[str, str, str, float, float]]:
    """File, system or pair, metric, value and tolerance of the rows of one quantity."""
    for row in rows:
        file, _, who = row["case"].partition("|")
        found = re.fullmatch(rf"{quantity} ?([a-z_0-9]+(?:\([a-z=]+\))?)", row["quantity"])
        if found is not None and found[1].partition("(")[0] in METRICS:
            yield file, who, found[1], float(row["value"]), float(row["tolerance"])


def test_values_are_those_of_scikit_learn(rows: list[Row], scores: Counting) -> None:
    """To the last digits, with classes that are rare, and predictions that are no label."""
    tried = list(asked(rows, ""))
    assert len(tried) > 30
    for file, who, metric, value, tolerance in tried:
        table = scores.of(file, metric)
        parts = table.values[table.system(who), :, 0]
        found = METRICS.parse(metric).value(parts.mean(axis=0), len(parts))
        assert float(found) == pytest.approx(value, abs=tolerance), (file, who, metric)


def test_standard_errors_are_those_of_a_numeric_gradient(rows: list[Row], scores: Counting) -> None:
    """Of single systems and of differences, by influence."""
    tried = list(asked(rows, "se_influence"))
    assert len(tried) > 30
    for file, who, metric, value, tolerance in tried:
        table, aggregation = scores.of(file, metric), METRICS.parse(metric)
        each = [contributions(table.values[table.system(name)], aggregation) for name in who.split(" -> ")]
        spread = each[0] if len(each) == 1 else each[1] - each[0]
        found = spread.std(ddof=1) / np.sqrt(len(spread))
        assert found == pytest.approx(value, abs=tolerance, rel=1e-6), (file, who, metric)


def test_effects_and_p_values_by_influence(rows: list[Row], scores: Counting) -> None:
    """The effect is that of scikit-learn's values; t on influence is that of an independent program."""
    for quantity, field in (("effect", "effect"), ("pvalue_paired_t_on_influence", "pvalue")):
        tried = list(asked(rows, quantity))
        assert len(tried) > 15
        for file, who, metric, value, tolerance in tried:
            a, b = who.split(" -> ")
            answer = compare(scores.of(file, metric), a, b, test="paired_t")
            assert getattr(answer, field) == pytest.approx(value, abs=tolerance), (file, who, metric)


def test_with_two_classes_the_permutation_is_exact(rows: list[Row], scores: Counting) -> None:
    """All swaps are listed by two binomials: no chance is left in the p-value."""
    tried = list(asked(rows, "pvalue_randomisation_exact"))
    assert len(tried) == 10
    for file, who, metric, value, tolerance in tried:
        found = swapped(scores.of(file, metric), who, metric)
        assert float(found.pvalue) == pytest.approx(value, abs=tolerance), metric
        assert float(found.error) < 1e-12


def test_with_more_classes_it_is_within_its_noise(rows: list[Row], scores: Counting) -> None:
    """Of a million swaps by an independent program, within four standard errors of both."""
    tried = list(asked(rows, "pvalue_randomisation"))
    assert len(tried) > 15
    for file, who, metric, value, tolerance in tried:
        found = swapped(scores.of(file, metric), who, metric)
        assert float(found.pvalue) == pytest.approx(value, abs=tolerance + 4 * float(found.error)), (
            file,
            metric,
        )


def swapped(table: Scores, who: str, metric: str):  # type: ignore[no-untyped-def]  # noqa: ANN201  (an outcome)
    a, b = who.split(" -> ")
    return TESTS.parse("permutation").apply(Parts.of(table.pair(a, b), METRICS.parse(metric)), stream(0))


def test_classes_and_strays_are_counted(rows: list[Row], scores: Counting) -> None:
    """How many classes the labels have, and how many predictions are none of them, with scikit-learn's own average."""
    table = scores.of("labels_rare_and_unknown", "f1(average=macro)")
    assert table.counted is not None
    assert len(table.counted.classes) == 4
    (remark,) = (one for one in table.remarks if one.code == "predictions_outside")
    assert (remark.code, remark.system, remark.values["predictions"]) == ("predictions_outside", "old", 15)
    (default,) = (float(row["value"]) for row in rows if "scikit-learn default" in row["quantity"])
    assert remark.values["scikit_learn"] == pytest.approx(default, abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("f1(average=macro)", ("rarer", 1, 2)),
        ("balanced_accuracy", ("rarer", 1, 2)),
        ("f1(average=weighted)", None),
        ("f1(average=micro)", None),
        ("mcc", None),
        ("accuracy", None),
    ],
)
def test_classes_of_few_labels_are_named(tmp_path: Path, metric: str, expected: tuple[str, int, int] | None) -> None:
    """Where every class decides, the rarest is named with its labels; where frequent ones do, nothing is."""
    labels = ["common"] * 30 + ["rare"] * 3 + ["rarer"]
    rows = [f"{system},{i},{label},common" for system in "ab" for i, label in enumerate(labels)]
    file = tmp_path / "labels.csv"
    file.write_text("\n".join(["system,item,label,prediction", *rows]) + "\n", encoding="utf-8")
    scores = read(file, metric=metric)
    found = [one.values for one in scores.remarks if one.code == "few_labels"]
    told = [(one["name"], one["labels"], one["classes"]) for one in found]
    assert told == ([] if expected is None else [expected])
