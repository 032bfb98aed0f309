"""Wilcoxon's signed-rank test in all variants, against R (base, coin, exactRankTests) and scipy."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS, Outcome


def apply(spelling: str, values: FloatArray) -> Outcome:
    return TESTS.parse(spelling).apply(Differences(values), stream(0))


def spelled(quantity: str) -> str:
    """The test that a quantity of the reference table is about."""
    method = "exact" if "_exact_" in quantity else "corrected" if "_cc_" in quantity else "asymptotic"
    side = next((s for s in ("less", "greater") if f"_p_{s}" in quantity), "two-sided")
    return f"wilcoxon(method={method}, zeros={'pratt' if 'pratt' in quantity else 'drop'}, alternative={side})"


@pytest.fixture(scope="module")
def datasets(reference: Any) -> dict[str, Differences]:
    """The reference scores: theirs are about A − B, so their B stands first here."""
    rows = reference("datasets.csv")
    scores: dict[str, tuple[list[float], list[float]]] = {}
    for row in rows:
        a, b = scores.setdefault(row["dataset"], ([], []))
        a.append(float(row["score_a"]))
        b.append(float(row["score_b"]))
    return {name: Differences.between(np.array(b), np.array(a)) for name, (a, b) in scores.items()}


def test_reference_numbers(reference: Any, datasets: dict[str, Differences]) -> None:
    """Statistics and p-values of every variant on every data set agree with the program that made them."""
    rows = [
        r
        for r in reference("tests_on_data.csv")
        if r["quantity"].startswith("wilcoxon") and "zsplit" not in r["quantity"]
    ]
    assert len(rows) == 548
    for row in rows:
        outcome = TESTS.parse(spelled(row["quantity"])).apply(datasets[row["dataset"]], stream(0))
        found = outcome.statistic if "_V_" in row["quantity"] else outcome.pvalue
        assert float(found) == pytest.approx(float(row["value"]), rel=1e-9, abs=0.0), (
            row["dataset"],
            row["quantity"],
        )


@pytest.mark.parametrize("zeros", ["drop", "pratt"])
@pytest.mark.parametrize("method", ["asymptotic", "corrected"])
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_batches_agree_with_scipy(zeros: str, method: str, decimals: int) -> None:
    """A batch with ties and zeros has, row by row, the p-values scipy gives each row."""
    values = np.round(np.random.default_rng(decimals).normal(0.1, 1.0, size=(25, 40)), decimals)
    outcome = apply(f"wilcoxon(method={method}, zeros={zeros})", values)
    for i, row in enumerate(values):
        options: Any = {"zero_method": "wilcox" if zeros == "drop" else "pratt", "method": "asymptotic"}
        peer = stats.wilcoxon(row, correction=method == "corrected", **options)
        assert float(outcome.pvalue[i]) == pytest.approx(float(peer.pvalue), rel=1e-10, abs=0.0)


def test_untied_batches_agree_with_scipy_exactly() -> None:
    """Rows without ties share a table, and it is scipy's exact law."""
    values = np.random.default_rng(0).normal(0.2, 1.0, size=(4, 10, 35))
    outcome = apply("wilcoxon(alternative=greater)", values)
    assert outcome.pvalue.shape == (4, 10)
    for place in np.ndindex(4, 10):
        peer = stats.wilcoxon(values[place], alternative="greater", method="exact")
        assert float(outcome.pvalue[place]) == pytest.approx(float(peer.pvalue), rel=1e-11, abs=0.0)
        assert float(outcome.statistic[place]) == float(peer.statistic)


@pytest.mark.parametrize("method", ["exact", "asymptotic", "corrected"])
@pytest.mark.parametrize("zeros", ["drop", "pratt"])
def test_nothing_differs(method: str, zeros: str) -> None:
    """Two equal systems give p = 1, with no direction."""
    outcome = apply(f"wilcoxon(method={method}, zeros={zeros})", np.zeros((3, 8)))
    assert outcome.pvalue.tolist() == [1.0] * 3
    assert outcome.direction.tolist() == [0.0] * 3


@pytest.mark.parametrize("items", [5, 40, 300])
def test_all_of_one_sign(items: int) -> None:
    """If every difference points one way, p is 2^(1 − n)."""
    outcome = apply("wilcoxon", np.random.default_rng(items).random(items) + 0.1)
    assert float(outcome.pvalue) == pytest.approx(2.0 ** (1 - items), rel=1e-12, abs=0.0)
    assert float(outcome.direction) == 1.0


def test_tied_rows_of_a_batch_agree_with_a_loop() -> None:
    """Ratings have ties in every row: each row's law is its own, and a batch finds it as a single row does."""
    values = np.rint(np.random.default_rng(8).normal(0.2, 1.3, size=(200, 60)))
    together = apply("wilcoxon", values)
    for i in range(0, 200, 25):
        alone = apply("wilcoxon", values[i])
        assert float(together.pvalue[i]) == pytest.approx(float(alone.pvalue), rel=1e-9, abs=0.0)


@pytest.mark.parametrize(("method", "expected"), [("asymptotic", 2.0 * stats.norm.sf(1.0)), ("corrected", 1.0)])
def test_a_single_difference(method: str, expected: float) -> None:
    """V = 1 with mean 1/2 and standard deviation 1/2: one deviation beyond, or none after the correction."""
    test = TESTS.parse(f"wilcoxon(method={method})")
    assert float(test.apply(Differences(np.array([0.4])), stream(0)).pvalue) == pytest.approx(
        expected, rel=1e-12, abs=0.0
    )


@pytest.mark.parametrize("side", ["less", "greater"])
@pytest.mark.parametrize("method", ["exact", "asymptotic", "corrected"])
def test_nothing_differs_on_either_side(method: str, side: str) -> None:
    """Where no difference is left there is no evidence for either side: p is 1, not the half that a normal law has."""
    assert TESTS.parse("wilcoxon").counts_signs
    test = TESTS.parse(f"wilcoxon(method={method}, alternative={side})")
    assert float(test.apply(Differences(np.zeros(7)), stream(0)).pvalue) == 1.0
