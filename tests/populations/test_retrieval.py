"""Scores of queries with zeros and a Beta above them: simulated powers of another program, and what cannot be."""

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from tests.conftest import Rows

from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.planning.power import power
from tellapart.planning.study import Study
from tellapart.populations import Population


def _rows(reference: Callable[[str], Rows]) -> list[tuple[str, int, str, float, float]]:
    found = []
    for row in reference("retrieval_population.csv"):
        population, _, asked = row["case"].partition("|")
        items = re.search(r"items=(\d+)", asked)
        if population.startswith("retrieval(") and items is not None:
            found.append((population, int(items[1]), row["quantity"], float(row["value"]), float(row["tolerance"])))
    return found


def test_power(reference: Callable[[str], Rows]) -> None:
    """Of the paired t and of sign flips, with the exaggeration of what is found."""
    checked = 0
    for population, items, quantity, value, tolerance in _rows(reference):
        words = quantity.split()
        if words[0] not in {"power", "type_m"} or words[-1] not in {"paired_t", "permutation"} or items > 500:
            continue
        checked += 1
        found = power(Study(population, words[-1], items), replicates=2_000)
        if words[0] == "power":
            assert abs(found.power - value) <= tolerance + 4.0 * math.sqrt(0.25 / 2_000)
        else:
            assert found.type_m == pytest.approx(value, rel=0.1, abs=0.0)
    assert checked >= 8


def test_moments(reference: Callable[[str], Rows]) -> None:
    """Means of both systems and the spread of their difference."""
    for population, _, quantity, value, tolerance in _rows(reference):
        pair = Population.parse(population).draw(1000, 300, stream(2))
        a, b = (x[..., 0, 0] for x in (pair.a, pair.b))
        found = {"mean of A": a.mean(), "mean of B": b.mean(), "sd_difference": (b - a).std()}
        if quantity in found:
            assert abs(float(found[quantity]) - value) <= tolerance + 0.003


def test_zeros_and_the_law_above_them() -> None:
    """Both systems have the share of zeros, A its mean and sd, and scores above 0 are Beta."""
    population = Population.parse("retrieval(mean=0.3, sd=0.32, zero_share=0.35, correlation=0.7, effect=0.05)")
    pair = population.draw(1000, 60, stream(4))
    a, b = (x.reshape(-1) for x in (pair.a, pair.b))
    assert [float(np.mean(x == 0.0)) for x in (a, b)] == pytest.approx([0.35, 0.35], abs=0.01)
    assert (float(a.mean()), float(a.std())) == pytest.approx((0.3, 0.32), abs=0.005)
    sd = math.sqrt((0.32**2 + 0.3**2) / 0.65 - (0.3 / 0.65) ** 2)
    for x, mean in ((a, 0.3 / 0.65), (b, 0.35 / 0.65)):
        size = mean * (1.0 - mean) / sd**2 - 1.0
        assert stats.kstest(x[x > 0.0], stats.beta(mean * size, (1.0 - mean) * size).cdf).pvalue > 1e-4


def test_zeros_come_together() -> None:
    """Queries that A fails on are those that B fails on, the more so the more the systems correlate."""
    shared = []
    for correlation in (0.2, 0.9):
        pair = Population.parse(
            f"retrieval(mean=0.4, sd=0.35, zero_share=0.2, correlation={correlation}, effect=0)"
        ).draw(1000, 40, stream(1))
        shared.append(float(np.mean((pair.a == 0.0) & (pair.b == 0.0))))
    assert shared[0] < 0.08
    assert shared[1] > 0.12


def test_clusters_of_datasets() -> None:
    """An average over datasets: the documented spelling has power, and less of it than independent queries."""
    inner = "retrieval(mean=0.45, sd=0.3, zero_share=0.1, correlation=0.8)"
    clustered = f"clustered(population={inner}, size=50, icc=0.1, effect=0.02)"
    alone = power(
        Study("retrieval(mean=0.45, sd=0.3, zero_share=0.1, correlation=0.8, effect=0.02)", "paired_t", 1000),
        replicates=500,
    )
    together = power(Study(clustered, "cluster_t", 1000), replicates=500)
    assert 0.1 < together.power < alone.power


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("mean=0.45, sd=0.1, zero_share=0.3", "have an sd between 0.2946 and 0.4975"),
        ("mean=0.45, sd=0.6, zero_share=0.1", "have an sd between"),
        ("mean=0.8, sd=0.35, zero_share=0.3", "mean=0.8 cannot be: with zero_share=0.3 it is below 0.7"),
        ("mean=0, sd=0.1, zero_share=0.3", "every score would be 0"),
        ("mean=0.4, sd=0.3, zero_share=30", "30 % is 0.3"),
        ("mean=0.45, sd=0.3, zero_share=0.1, effect=0.5", "effect=0.5 cannot be"),
    ],
)
def test_what_cannot_be(options: str, said: str) -> None:
    """Each refusal says what could be."""
    with pytest.raises(UsageError) as caught:
        Population.parse(f"retrieval(correlation=0.5, {options})")
    assert said in str(caught.value)
