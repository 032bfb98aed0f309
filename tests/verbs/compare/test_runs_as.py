"""Runs of an item as one score: pass@k, pass^k and majority@k in compare, gate and rank."""

from pathlib import Path

import numpy as np
import pytest
from tests.numerics.frontier import FOLDER, rows, runs

from tellapart import Scores, compare, gate, rank, read
from tellapart.foundation.errors import DataError, UsageError

SPELLED = {"pass@k": "pass@{}", "pass^k": "pass^{}", "majority@k": "majority@{}"}


@pytest.mark.parametrize("row", rows("pass_at_k_compare"), ids=lambda r: f"{r['data']}-{r['estimator']}-{r['k']}")
def test_reference_comparisons(row: dict[str, str]) -> None:
    runs_as = SPELLED[row["estimator"]].format(row["k"])
    answer = compare(Scores.from_arrays(runs(row["data"])), runs_as=runs_as, test="paired_t")
    found = (answer.a.mean, answer.b.mean, answer.effect, answer.standard_error, answer.pvalue)
    expected = [float(row[name]) for name in ("a", "b", "effect", "standard_error", "paired_t_pvalue")]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_the_measure_says_how_it_was_counted() -> None:
    even, gaps = read(FOLDER / "data" / "even5.csv"), read(FOLDER / "data" / "gaps6.csv")
    assert compare(even, runs_as="pass@3").measure == "pass@3 of n = 5"
    assert compare(gaps, runs_as="pass^2").measure == "pass^2 of n = 3 to 6"
    assert rank(even, runs_as="majority@3").measure == "majority@3 of n = 5"
    assert compare(even, runs_as="pass@3").repeats is None


def test_all_samples_are_right_or_wrong_again() -> None:
    """Where k is all there are, an item is right or wrong, and McNemar's test judges it."""
    assert compare(read(FOLDER / "data" / "even5.csv"), runs_as="pass@5").test == "mcnemar(variant=mid_p)"


def test_percent_stay_percent() -> None:
    shares = runs("even5")
    answer = compare(Scores.from_arrays({name: 100.0 * one for name, one in shares.items()}), runs_as="pass@3")
    assert answer.effect == pytest.approx(3.75, rel=1e-9, abs=0.0)


def test_too_few_samples_are_refused_or_dropped() -> None:
    gaps = read(FOLDER / "data" / "gaps6.csv")
    with pytest.raises(DataError, match="leave such items out"):
        compare(gaps, runs_as="pass@5")
    dropped = compare(gaps, runs_as="pass@5", missing="drop")
    assert 2 <= dropped.items < 120
    with pytest.raises(DataError):
        compare(gaps, runs_as="pass@7", missing="drop")


def test_dropping_is_not_advised_where_no_item_would_be_left() -> None:
    with pytest.raises(DataError, match=r"pass@6 needs 6: runs_as=.pass@5.$"):
        compare(read(FOLDER / "data" / "even5.csv"), runs_as="pass@6")


@pytest.mark.parametrize("spelling", ["pass@0", "pass@x", "pass@-1", "pass", "best@3", "pass@1.5", ""])
def test_what_is_no_such_score(spelling: str) -> None:
    with pytest.raises(UsageError):
        compare(read(FOLDER / "data" / "even5.csv"), runs_as=spelling)


def test_scores_that_are_not_right_or_wrong_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(DataError):
        compare(Scores.from_arrays({name: rng.random((20, 3)) for name in "ab"}), runs_as="pass@2")


def test_samples_of_every_training() -> None:
    """With seeds, the runs of a seed are its samples."""
    rng = np.random.default_rng(1)
    values = {name: (rng.random((80, 3, 4)) < 0.6).astype(float).reshape(80, 12) for name in "ab"}
    answer = compare(Scores.from_arrays(values, seed_runs=4), runs_as="pass@2")
    assert answer.test == "seeds_t(df=satterthwaite)"
    assert answer.measure == "pass@2 of n = 4"


def test_a_gate_of_samples(tmp_path: Path) -> None:
    text = (FOLDER / "data" / "even5.csv").read_text(encoding="utf-8").splitlines()
    for system in "ab":
        chosen = [text[0], *(line for line in text[1:] if line.startswith(f"{system},"))]
        (tmp_path / f"{system}.csv").write_text("\n".join(chosen), encoding="utf-8")
    answer = gate(tmp_path / "a.csv", tmp_path / "b.csv", margin=0.05, runs_as="pass@3")
    assert answer.comparison.effect == pytest.approx(0.0375, rel=1e-9, abs=0.0)
