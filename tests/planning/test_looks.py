"""Power of tests that may stop at planned looks, against simulations of another program."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy import optimize, stats
from tests.exhaustive import of_all
from tests.numerics.frontier import rows

from tellapart.answers.plan.file import Spending
from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.planning.look_schedule import LookSchedule, look_boundaries
from tellapart.planning.looks import most_items, power_with_looks
from tellapart.planning.study import Study

SPENDINGS: dict[str, Spending] = {"asOF": "obf", "asP": "pocock"}


def schedule(row: dict[str, str]) -> LookSchedule:
    return LookSchedule.equal(int(row["looks"]), SPENDINGS[row["boundary"]])


def published(table: str) -> list[dict[str, str]]:
    return [row for row in rows(table) if row["boundary"] in SPENDINGS]


def paired_binary(row: dict[str, str]) -> str:
    return f"paired_binary(accuracy=0.5, discordance={row['discordance']}, effect={row['true_effect']})"


@pytest.mark.parametrize("row", published("gs_plan_mcnemar"), ids=str)
def test_mcnemar(row: dict[str, str]) -> None:
    study = Study(paired_binary(row), "mcnemar", int(row["max_items"]))
    found = power_with_looks(study, schedule(row), 1, 0)
    assert list(found.items) == [int(items) for items in row["items_at_looks"].split()]
    assert found.found.power == pytest.approx(float(row["power"]), abs=0.003)
    assert found.expected_items == pytest.approx(float(row["expected_items"]), rel=0.005, abs=0.0)


@pytest.mark.parametrize("row", published("gs_non_inferiority"), ids=str)
def test_non_inferiority(row: dict[str, str]) -> None:
    test = f"non_inferiority(test=mcnemar, margin={row['margin']})"
    found = power_with_looks(Study(paired_binary(row), test, int(row["max_items"])), schedule(row), 1, 0)
    assert found.found.power == pytest.approx(float(row["passes"]), abs=0.003)
    assert found.expected_items == pytest.approx(float(row["expected_items"]), rel=0.005, abs=0.0)


@pytest.mark.parametrize("row", [r for r in published("gs_type_one") if "mid-p" in r["test"]], ids=str)
def test_false_alarms_of_mcnemar(row: dict[str, str]) -> None:
    share = row["scores"].split()[1]
    study = Study(f"paired_binary(accuracy=0.5, discordance={share}, effect=0)", "mcnemar", int(row["items"]))
    found = power_with_looks(study, schedule(row), 1, 0)
    assert found.found.power == pytest.approx(float(row["false_alarms"]), abs=0.003)


@pytest.mark.parametrize("row", [r for r in published("gs_type_one") if r["items"] == "20" and r["test"] == "paired t"])
def test_false_alarms_of_paired_t(row: dict[str, str]) -> None:
    study = Study("gaussian(sd=1, correlation=0, effect=0)", "paired_t", int(row["items"]))
    found = power_with_looks(study, schedule(row), 20_000, 1)
    assert found.found.power == pytest.approx(float(row["false_alarms"]), abs=0.003 + 3.0 * 0.0016)


ODD: list[tuple[tuple[float, ...], Spending]] = [
    ((0.13, 0.2, 0.77, 1.0), "obf"),
    ((0.5, 1.0), "obf"),
    ((0.37, 0.41, 0.45, 0.9, 1.0), "pocock"),
]
"""Looks at odd moments."""


@pytest.mark.parametrize("discordance", [0.01, 0.02, 0.1])
@pytest.mark.parametrize("items", [100, 500, 2000])
@pytest.mark.parametrize(("shares", "spending"), ODD, ids=str)
def test_false_alarms_where_systems_rarely_differ(
    discordance: float, items: int, shares: tuple[float, ...], spending: Spending
) -> None:
    """All paths summed: mid-p keeps its level on average over counts, so that 0.0501 is the most there is."""
    study = Study(f"paired_binary(accuracy=0.6, discordance={discordance}, effect=0)", "mcnemar", items)
    found = power_with_looks(study, LookSchedule(shares, spending), 1, 0)
    assert found.found.engine == "exact"
    assert found.found.power <= 0.0502


Pairs = Callable[[np.random.Generator, int], Pair]


def scores_with_zeros(rng: np.random.Generator, draws: int) -> Pair:
    """Of 200 items in [0, 1], of which 60 % score 0."""
    a, b = rng.random((2, draws, 200)) ** 3 * (rng.random((2, draws, 200)) < 0.4)
    return Pair(a[..., np.newaxis, np.newaxis], b[..., np.newaxis, np.newaxis])


def in_clusters(rng: np.random.Generator, draws: int) -> Pair:
    """Right or wrong on 25 clusters of 5 items, each of which moves both systems in its own way."""
    of = np.repeat(np.arange(25), 5)
    hard, *own = rng.normal(size=(3, draws, 25))[..., of]
    a, b = ((0.8 * hard + 0.7 * shift + rng.normal(size=hard.shape) > 0.0) * 1.0 for shift in own)
    return Pair(a[..., np.newaxis, np.newaxis], b[..., np.newaxis, np.newaxis], of)


def hits_and_misses(rng: np.random.Generator, draws: int) -> Pair:
    """Hits, false alarms and misses on 60 items."""
    hard = 0.5 * rng.normal(size=(draws, 60))

    def system() -> FloatArray:
        own = 0.15 * rng.normal(size=hard.shape)
        counts = [
            rng.poisson(rate) for rate in (2.0 * np.exp(hard + own), np.full(hard.shape, 0.8), 0.8 * np.exp(-own))
        ]
        return np.stack(counts, axis=-1)[:, :, np.newaxis, :].astype(float)

    return Pair(system(), system())


@pytest.mark.parametrize("spending", ["obf", "pocock"])
@pytest.mark.parametrize(
    ("pairs", "test", "metric", "draws"),
    [
        (scores_with_zeros, "paired_t", "mean", 6000),
        (in_clusters, "cluster_t(variance=cr2)", "mean", 6000),
        (hits_and_misses, "paired_t", "f1", 6000),
        (hits_and_misses, "permutation", "f1", 1500),
    ],
)
def test_false_alarms_of_means_clusters_and_f1(
    pairs: Pairs, test: str, metric: str, draws: int, spending: Spending
) -> None:
    """Equal systems, five looks: each test's own p at the level of its look, items or clusters as units."""
    method, kind, rng = TESTS.parse(test), METRICS.parse(metric), np.random.default_rng(11)
    draws, alarms = of_all(draws // 5, draws), 0
    for block in range(0, draws, 300):
        pair = pairs(rng, 300)
        schedule = LookSchedule.equal(5, spending)
        items = schedule.items(pair.a.shape[1], 1 if pair.clusters is None else 5)
        stopped = np.zeros(300, dtype=np.bool_)
        for seen, level in zip(items, look_boundaries(items, spending, 0.05, 2).nominal, strict=True):
            some = Pair(pair.a[:, :seen], pair.b[:, :seen], None if pair.clusters is None else pair.clusters[:seen])
            stopped |= method.apply(method.needs.of(some, kind), stream(5, block, seen)).pvalue <= level
        alarms += int(stopped.sum())
    assert 0.02 <= alarms / draws <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / draws)


def test_simulation_agrees_with_all_paths() -> None:
    """A test of the same decisions that is simulated, because it looks at differences: the sign test."""
    effect = "paired_binary(accuracy=0.5, discordance=0.3, effect=0.1)"
    plan = LookSchedule((0.3, 0.6, 1.0), "pocock")
    exact, drawn = (power_with_looks(Study(effect, test, 240), plan, 20_000, 3) for test in ("mcnemar", "sign"))
    assert exact.found.engine == "exact"
    assert drawn.found.engine == "monte_carlo"
    exact_p = power_with_looks(Study(effect, "mcnemar(variant=exact)", 240), plan, 1, 0)
    assert drawn.found.power == pytest.approx(exact_p.found.power, abs=0.012)
    assert drawn.expected_items == pytest.approx(exact_p.expected_items, rel=0.02, abs=0.0)
    assert drawn.found.type_m == pytest.approx(exact_p.found.type_m, rel=0.02, abs=0.0)


def test_the_first_number_that_has_the_power() -> None:
    study = Study("paired_binary(accuracy=0.7, discordance=0.1, effect=0.02)", "mcnemar", 1949)
    found = most_items(study, LookSchedule.equal(3, "obf"), 0.8, (1, 0))
    assert found.items == (658, 1316, 1974)
    assert found.nominal == pytest.approx((0.000207, 0.012024, 0.046256), abs=1e-6)
    assert found.found.power == pytest.approx(0.8007, abs=5e-5)
    # Normal theory alone comes to 0.789 of 0.80 here.
    lax = Study(
        "paired_binary(accuracy=0.7, discordance=0.06, effect=0)", "non_inferiority(test=mcnemar, margin=0.03)", 440
    )
    found = most_items(lax, LookSchedule.equal(5, "obf"), 0.8, (1, 0))
    assert found.items[-1] > 456
    assert found.found.power >= 0.8


def power_by_every_item(items: int, looks: int, win: float, loss: float) -> float:
    """By another program: the walk of wins and losses item by item, McNemar's mid-p by binomials, boundaries by the trapezoid."""
    at = [int(items * look / looks + 0.5) for look in range(1, looks + 1)]
    times = np.array(at) / items
    spent = 2.0 * stats.norm.sf(stats.norm.isf(0.0125) / np.sqrt(times))
    won, lost = np.meshgrid(np.arange(240), np.arange(240), indexing="ij")
    fewer, decided = np.minimum(won, lost), won + lost
    pvalue = np.minimum(2.0 * stats.binom.cdf(fewer, decided, 0.5) - stats.binom.pmf(fewer, decided, 0.5), 1.0)
    chance, density, grid, claimed = np.zeros((240, 240)), np.ones(1), np.zeros(1), 0.0
    chance[0, 0] = 1.0
    for look, share in enumerate(np.diff(spent, prepend=0.0)):
        step = times[look] - (times[look - 1] if look else 0.0)

        def surplus(edge: float) -> float:
            tail = density * stats.norm.sf((edge - grid) / np.sqrt(step))  # noqa: B023  (solved before the next look)
            return float(tail.sum() if look == 0 else np.trapezoid(tail, grid)) - float(share)  # noqa: B023

        edge = optimize.brentq(surplus, 0.1, 12.0, xtol=1e-13)
        inside = np.linspace(-edge, edge, 2001)
        steps = density * stats.norm.pdf((inside[:, np.newaxis] - grid) / np.sqrt(step)) / np.sqrt(step)
        density, grid = steps[:, 0] if look == 0 else np.trapezoid(steps, grid, axis=1), inside
        for _ in range(at[look] - (at[look - 1] if look else 0)):
            after = chance * (1.0 - win - loss)
            after[1:] += win * chance[:-1]
            after[:, 1:] += loss * chance[:, :-1]
            chance = after
        stop = pvalue <= 2.0 * stats.norm.sf(edge / np.sqrt(times[look]))
        claimed += float(chance[stop].sum())
        chance = np.where(stop, 0.0, chance)
    return float(claimed)


def test_the_first_number_by_another_program() -> None:
    """Five looks at 0.02 of 0.1 take 1,999 items. 1,998 have 0.79988: a simulation of 200,000, which showed 0.8011 ± 0.0009, let them pass."""
    study = Study("paired_binary(accuracy=0.7, discordance=0.1, effect=0.02)", "mcnemar", 1949)
    assert most_items(study, LookSchedule.equal(5, "obf"), 0.8, (1, 0)).items[-1] == 1999
    for items, expected in ((1998, 0.799877176), (1999, 0.800077149)):
        found = power_with_looks(study.resized(items=items), LookSchedule.equal(5, "obf"), 1, 0).found.power
        assert found == pytest.approx(expected, abs=1e-8)
        assert found == pytest.approx(power_by_every_item(items, 5, 0.06, 0.04), abs=1e-8)


def test_clusters_stay_whole() -> None:
    study = Study("clustered(population=gaussian(sd=1, correlation=0, effect=0.2), size=5, icc=0.3)", "cluster_t", 400)
    found = power_with_looks(study, LookSchedule.equal(3, "obf"), 200, 0)
    assert all(items % 5 == 0 for items in found.items)


def test_too_few_items_for_the_looks() -> None:
    with pytest.raises(UsageError, match="too few"):
        LookSchedule.equal(20, "obf").items(12)
