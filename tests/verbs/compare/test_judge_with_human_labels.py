"""`compare` and `gate` on a judge's scores with a few human labels: columns, corrected difference, report on the judge, refusals."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.numerics.frontier import rows

from tellapart import compare, gate, read
from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import codes
from tellapart.foundation.errors import (
    DataError,
    Degenerate,
    ItemMismatch,
    OpenScore,
    ReadError,
    TellapartError,
    TooFew,
    UsageError,
)

Row = dict[str, Any]
SCORED = {1.0: (0, 1), 0.0: (1, 1), -1.0: (1, 0)}
"""Right or wrong of both systems, by their difference."""


def reference(data: str) -> Iterator[Row]:
    """A data set of the reference as scores: right or wrong, else A scores 10 and B by the difference more."""
    right_wrong = data.startswith("right_wrong")

    def scores(text: str) -> tuple[float, float] | tuple[str, str]:
        if not text:
            return "", ""
        return SCORED[float(text)] if right_wrong else (10.0, 10.0 + float(text))

    for row in rows("data/judge"):
        if row["data"] == data:
            judge, human = scores(row["judge_difference"]), scores(row["human_difference"])
            for system, j, h in zip(("base", "new"), judge, human, strict=True):
                yield {"system": system, "item": row["item"], "judge": j, "human": h, "cluster": row["cluster"]}


def drawn(items: int = 200, labels: int = 40, *, seed: int = 1, wrong: float = 0.1) -> list[Row]:
    """Right or wrong answers, of which new gives more right ones, and a judge who errs on some."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(items):
        for system, share in (("base", 0.5), ("new", 0.65)):
            human = int(rng.random() < share)
            judge = human if rng.random() > wrong else 1 - human
            found.append({"system": system, "item": f"q{i}", "judge": judge, "human": human if i < labels else ""})
    return found


def written(path: Path, table: list[Row], *columns: str) -> str:
    names = columns or tuple(table[0])
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(table)
    return str(path)


def without_clusters(table: list[Row]) -> list[Row]:
    return [{name: cell for name, cell in row.items() if name != "cluster"} for row in table]


@pytest.fixture
def judged(tmp_path: Path) -> str:
    return written(tmp_path / "judged.csv", drawn())


REFERENCE = rows("judge_intervals")


@pytest.mark.parametrize("row", REFERENCE, ids=[row["data"] for row in REFERENCE])
def test_corrected_difference_of_a_file(row: Row, tmp_path: Path) -> None:
    """Estimate, interval and p-value; labels alone and the judge alone beside them."""
    path = written(tmp_path / "judged.csv", without_clusters(list(reference(row["data"]))))
    answer = compare(path, human="human", judge="judge")
    found, judged = answer.interval, answer.judged
    assert judged is not None
    assert judged.labels_alone is not None
    assert (judged.labels, judged.judged) == (int(row["labels"]), int(row["judged"]))
    expected = [float(row[f"default_{name}"]) for name in ("estimate", "low", "high", "pvalue")]
    assert [answer.effect, found.low, found.high, answer.pvalue] == pytest.approx(expected, abs=1e-7)
    alone = judged.labels_alone
    labels = [float(row[name]) for name in ("labels_mean", "labels_t_low", "labels_t_high")]
    assert [alone.effect, alone.interval.low, alone.interval.high] == pytest.approx(labels, abs=1e-7)
    assert judged.judge_alone == pytest.approx(float(row["judge_mean"]), abs=1e-7)
    assert judged.bias is not None
    assert judged.bias["difference"].value == pytest.approx(float(row["judge_bias_on_labels"]), abs=1e-7)
    assert ("few_differ" in codes(answer.notes)) == (row["default_plus_two"] == "yes")


def test_clusters_of_a_file(tmp_path: Path) -> None:
    """Where enough labels differ; the reference sums influences by cluster."""
    for row in REFERENCE:
        if int(row["labels_that_differ"]) < 10:
            continue
        path = written(tmp_path / "judged.csv", list(reference(row["data"])))
        answer = compare(path, human="human", judge="judge")
        expected = [float(row[f"cluster_{name}"]) for name in ("standard_error", "low", "high")]
        found = [answer.standard_error, answer.interval.low, answer.interval.high]
        assert found == pytest.approx(expected, abs=1e-7)


def test_strata_by_what_the_judge_sees(tmp_path: Path) -> None:
    row = next(row for row in REFERENCE if row["data"] == "right_wrong_biased_judge_2")
    path = written(tmp_path / "judged.csv", without_clusters(list(reference(row["data"]))))
    answer = compare(path, human="human", judge="judge", strata="judge")
    expected = [float(row[f"strata_by_judge_{name}"]) for name in ("estimate", "low", "high")]
    assert [answer.effect, answer.interval.low, answer.interval.high] == pytest.approx(expected, abs=1e-7)
    assert answer.judged is not None
    assert answer.judged.strata is not None
    assert sum(one.judged for one in answer.judged.strata) == 600
    assert sum(one.labels for one in answer.judged.strata) == 120


def test_strata_of_a_column(tmp_path: Path) -> None:
    table = [row | {"kind": "hard" if int(row["item"][1:]) % 3 else "easy"} for row in drawn()]
    answer = compare(written(tmp_path / "j.csv", table), human="human", judge="judge", strata="kind")
    assert answer.judged is not None
    assert {one.name for one in answer.judged.strata or ()} == {"hard", "easy"}


def same(found: Comparison, other: Comparison) -> bool:
    return (found.effect, found.interval, found.pvalue) == (other.effect, other.interval, other.pvalue)


def test_wide_columns_by_pattern_or_measure(judged: str, tmp_path: Path) -> None:
    by_item: dict[str, Row] = {}
    for row in drawn():
        cells = by_item.setdefault(row["item"], {"item": row["item"]})
        cells |= {f"{row['system']}_{name}": row[name] for name in ("judge", "human")}
    wide = written(tmp_path / "wide.csv", list(by_item.values()))
    long = compare(judged, human="human", judge="judge")
    assert same(compare(wide, human="*_human", judge="*_judge"), long)
    assert same(compare(wide, human="human", judge="judge"), long)


@pytest.mark.parametrize("name", ["judge", "judge_score", "model_graded", "score"])
def test_the_judge_is_found_by_its_name_or_as_the_only_other_score(name: str, tmp_path: Path) -> None:
    table = [
        {"system": row["system"], "item": row["item"], name: row["judge"], "expert": row["human"]} for row in drawn()
    ]
    answer = compare(written(tmp_path / "j.csv", table), human="expert")
    assert answer.judged is not None
    assert (answer.judged.human, answer.judged.labels) == ("expert", 40)


def test_a_file_per_system_and_a_gate(judged: str, tmp_path: Path) -> None:
    table = drawn()
    files = [
        written(tmp_path / f"{name}.csv", [row for row in table if row["system"] == name], "item", "judge", "human")
        for name in ("base", "new")
    ]
    whole, apart = compare(judged, human="human", judge="judge"), compare(files, human="human")
    assert same(whole, apart)
    passed = gate(*files, human="human", margin=0.2)
    assert passed.effect == pytest.approx(whole.effect)
    assert passed.items == 40
    assert passed.comparison.judged is not None
    of_one_file = gate(judged, judged, a="base", b="new", human="human", judge="judge", margin=0.2)
    assert (of_one_file.low, of_one_file.high) == (passed.low, passed.high)


def test_rows_in_any_order_and_swapped_systems(judged: str, tmp_path: Path) -> None:
    table = drawn()
    found = compare(judged, human="human", judge="judge")
    shuffled = [table[i] for i in np.random.default_rng(3).permutation(len(table))]
    again = compare(written(tmp_path / "s.csv", shuffled), a="base", b="new", human="human", judge="judge")
    assert same(found, again)
    mirrored = compare(judged, a="new", b="base", human="human", judge="judge")
    assert mirrored.effect == pytest.approx(-found.effect, abs=1e-12)
    assert (mirrored.interval.low, mirrored.interval.high) == pytest.approx((-found.interval.high, -found.interval.low))
    assert mirrored.pvalue == pytest.approx(found.pvalue, abs=1e-12)


def test_where_every_item_is_labelled_people_answer(tmp_path: Path) -> None:
    path = written(tmp_path / "j.csv", drawn(items=60, labels=60))
    answer = compare(path, human="human", judge="judge")
    assert "judge_not_needed" in codes(answer.notes)
    assert answer.test == "mcnemar(variant=mid_p)"
    assert answer.judged is not None
    assert (answer.judged.labels, answer.judged.judged) == (60, 60)


def test_people_and_runs_are_averaged(tmp_path: Path) -> None:
    """Two people whose scores differ on some items are one score, their mean."""
    table = [row | {"rater": who} for row in drawn() for who in ("ann", "bob")]
    twice = compare(written(tmp_path / "j.csv", table), human="human", judge="judge")
    assert "people_averaged" in codes(twice.notes)
    assert twice.effect == pytest.approx(
        compare(written(tmp_path / "k.csv", drawn()), human="human", judge="judge").effect
    )


def test_items_labelled_for_one_system_or_not_judged(tmp_path: Path) -> None:
    table = drawn()
    table[0] = table[0] | {"human": ""}  # q0 of base
    with pytest.raises(ItemMismatch, match="labelled for one system alone: 'q0'"):
        compare(written(tmp_path / "a.csv", table), human="human", judge="judge")
    dropped = compare(str(tmp_path / "a.csv"), human="human", judge="judge", missing="drop")
    assert dropped.judged is not None
    assert (dropped.judged.labels, dropped.judged.judged) == (39, 200)
    table = drawn()
    table[2] = table[2] | {"judge": ""}  # q1 of base
    with pytest.raises(ItemMismatch, match="lacks 1 of 200"):
        compare(written(tmp_path / "b.csv", table), human="human", judge="judge")
    dropped = compare(str(tmp_path / "b.csv"), human="human", judge="judge", missing="drop")
    assert dropped.judged is not None
    assert (dropped.judged.labels, dropped.judged.judged) == (39, 199)
    assert {"labels_dropped", "items_dropped"} <= set(codes(dropped.notes))


def test_other_scales_are_corrected_and_have_no_bias(judged: str, tmp_path: Path) -> None:
    table = [row | {"judge": 1 + 4 * row["judge"]} for row in drawn()]
    found, plain = (
        compare(written(tmp_path / "j.csv", table), human="human", judge="judge"),
        compare(judged, human="human"),
    )
    assert found.effect == pytest.approx(plain.effect, abs=1e-12)
    assert found.judged is not None
    assert (found.judged.bias, found.judged.judge_alone) == (None, None)
    assert "other_scale" in codes(found.notes)


def test_a_judge_that_favours_a_system_is_named(tmp_path: Path) -> None:
    """It calls all right that new answers."""
    table = [row | {"judge": 1 if row["system"] == "new" else row["judge"]} for row in drawn(600, 120)]
    answer = compare(written(tmp_path / "j.csv", table), human="human", judge="judge")
    assert "judge_favours" in codes(answer.notes)
    assert answer.judged is not None
    assert answer.judged.bias is not None
    assert answer.judged.bias["b"].low > 0.0


def test_labels_that_are_no_random_sample_are_noted(tmp_path: Path) -> None:
    """People looked at items on which the judge puts new ahead."""
    table = drawn(400, 400)
    judged = {(row["system"], row["item"]): row["judge"] for row in table}
    ahead = {item for system, item in judged if judged["new", item] > judged["base", item]}
    chosen = set(sorted(ahead)[:50]) | {f"q{i}" for i in range(0, 400, 8)}
    table = [row if row["item"] in chosen else row | {"human": ""} for row in table]
    path = written(tmp_path / "j.csv", table)
    assert "labels_not_random" in codes(compare(path, human="human", judge="judge").notes)
    assert "labels_not_random" not in codes(compare(path, human="human", judge="judge", strata="judge").notes)


def test_rare_failures_that_labels_may_miss_are_noted(tmp_path: Path) -> None:
    """New loses much on few items, of which none is labelled."""
    rng = np.random.default_rng(4)
    table: list[Row] = []
    for i in range(400):
        lost = 12.0 if i >= 380 else 0.0
        human = rng.normal(), rng.normal() - lost
        for system, score in zip(("base", "new"), human, strict=True):
            judge = f"{score + 0.2 * rng.normal():.4f}"
            table.append({"system": system, "item": f"q{i}", "judge": judge, "human": f"{score:.4f}" if i < 40 else ""})
    answer = compare(written(tmp_path / "j.csv", table), human="human", judge="judge")
    assert "labels_miss_tails" in codes(answer.notes)


def test_a_judge_of_noise_adds_little(tmp_path: Path) -> None:
    answer = compare(written(tmp_path / "j.csv", drawn(400, 100, wrong=0.5)), human="human", judge="judge")
    assert "judge_adds_little" in codes(answer.notes)
    assert answer.judged is not None
    assert 0.9 * 100 < answer.judged.worth < 1.05 * 100


@pytest.mark.parametrize(
    ("labels", "changes", "error", "said"),
    [
        (17, {}, TooFew, "17 labels"),
        (0, {}, TooFew, "0 labels"),
        (40, {"judge": "human"}, UsageError, "both name 'human'"),
        (40, {"human": None, "judge": "judge"}, UsageError, "is about a judge"),
        (40, {"by": "item"}, UsageError, "leave it out"),
        (40, {"anytime": True}, UsageError, "leave it out"),
        (40, {"slices": ("item",)}, UsageError, "leave it out"),
        (40, {"effect": 0.1}, UsageError, "the labels needed"),
        (40, {"metric": "f1"}, UsageError, "as means"),
        (40, {"test": "paired_t"}, UsageError, "tested by judge_regression"),
        (40, {"human": "*_human"}, UsageError, "a column per system"),
        (40, {"human": "*_human", "judge": "*_judge"}, ReadError, "a column per system"),
        (40, {"human": "people"}, ReadError, "no column of scores is called 'people'"),
    ],
)
def test_what_is_refused(labels: int, changes: Row, error: type[TellapartError], said: str, tmp_path: Path) -> None:
    path = written(tmp_path / "j.csv", drawn(labels=labels))
    asked: Row = {"human": "human"} | changes
    with pytest.raises(error, match=said.replace("*", r"\*")):
        compare(path, **asked)


def test_a_judge_that_sees_nothing_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "j.csv", [row | {"judge": 1} for row in drawn()])
    with pytest.raises(Degenerate, match="sees no difference anywhere"):
        compare(path, human="human", judge="judge")


def test_few_clusters_are_refused(tmp_path: Path) -> None:
    table = [row | {"cluster": f"c{int(row['item'][1:]) // 10}"} for row in drawn()]
    with pytest.raises(TooFew, match="4 clusters"):
        compare(written(tmp_path / "j.csv", table), human="human", judge="judge")


def test_a_thin_stratum_is_refused(tmp_path: Path) -> None:
    table = [row | {"kind": "rare" if int(row["item"][1:]) > 195 else "often"} for row in drawn()]
    with pytest.raises(TooFew, match="stratum 'rare' has 0 labels"):
        compare(written(tmp_path / "j.csv", table), human="human", judge="judge", strata="kind")


def test_a_numeric_judge_beside_another_score_is_asked_back(judged: str) -> None:
    """It is neither taken for raters nor for a system; every way out that is named answers."""
    with pytest.raises(OpenScore, match="scores of a judge, or who judged"):
        compare(judged)
    for measure in ("human", "judge"):
        found = read(judged, measure=measure)
        assert (type(found).__name__, found.measure) == ("Scores", measure)
    assert compare(judged, human="human", judge="judge").judged is not None
    with pytest.raises(DataError):
        compare(judged, human="judge", judge="human")  # people labelled everything, and the judge did not


def test_numbered_raters_stay_raters(tmp_path: Path) -> None:
    """Judges 1 to 3 who each rated every item of both systems come twice by item."""
    rng = np.random.default_rng(5)
    table = [
        {"system": system, "item": f"q{i}", "judge": who, "rating": int(rng.integers(1, 6))}
        for i in range(12)
        for system in ("base", "new")
        for who in (1, 2, 3)
    ]
    answer = compare(written(tmp_path / "r.csv", table))
    assert answer.ratings is not None
    assert answer.ratings.raters == 3
