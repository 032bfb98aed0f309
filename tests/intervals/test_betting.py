"""The test and interval `betting` against published values of the same bets, and how often they are wrong however one looks."""

import numpy as np
import pytest
from tests.exhaustive import of_all
from tests.numerics.frontier import rows

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import Degenerate, Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.betting import Betting, OrderedDifferences
from tellapart.metrics import METRICS
from tellapart.numerics.betting import CERTAIN, capital_above

CASES = rows("betting_cs")


def differences(data: str) -> FloatArray:
    return np.array([float(row["difference"]) for row in rows("betting_data") if row["data"] == data])


def sample(values: FloatArray) -> OrderedDifferences:
    return OrderedDifferences(values)


@pytest.mark.parametrize("case", CASES, ids=lambda row: f"{row['data']}-{row['items_seen']}")
def test_reference_values(case: dict[str, str]) -> None:
    """Bounds, two-sided p and both one-sided p-values at margins, with and without a benchmark that runs out."""
    seen = sample(differences(case["data"])[: int(case["items_seen"])])
    benchmark = int(case["benchmark_items"]) if case["benchmark_items"] else None
    test = Betting(benchmark=benchmark)
    low, high = test.own_interval.interval(seen, 0.95, stream(0))
    assert (float(low), float(high)) == pytest.approx((float(case["low"]), float(case["high"])), abs=1e-6)
    assert float(test.apply(seen, stream(0)).pvalue) == pytest.approx(float(case["p_two_sided_at_0"]), abs=1e-6)
    above = test.replace(alternative="greater").against(seen, -0.05, stream(0))
    below = test.replace(alternative="less").against(seen, 0.05, stream(0))
    assert float(above.pvalue) == pytest.approx(float(case["p_greater_at_-0.05"]), abs=1e-6)
    assert float(below.pvalue) == pytest.approx(float(case["p_less_at_0.05"]), abs=1e-6)


def streams(items: int, draws: int, seed: int, kind: str) -> FloatArray:
    """Differences without an effect: rarely discordant, or scores in [0, 1] with many zeros."""
    rng = np.random.default_rng(seed)
    if kind == "rare":
        return rng.choice([-1.0, 0.0, 1.0], (draws, items), p=[0.01, 0.98, 0.01])
    a, b = rng.random((2, draws, items)) ** 3 * (rng.random((2, draws, items)) < 0.4)
    return np.asarray(b - a)


@pytest.mark.parametrize("kind", ["rare", "zeros"])
def test_looking_at_every_item_claims_too_often_in_at_most_alpha(kind: str) -> None:
    """P is the smallest over all moments, so p ≤ 0.05 at the end is a claim at any of them."""
    draws = of_all(1000, 4000)
    pvalue = TESTS.parse("betting").apply(sample(streams(1000, draws, 3, kind)), stream(0)).pvalue
    assert np.mean(pvalue <= 0.05) <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / draws)


@pytest.mark.parametrize("kind", ["often", "rare", "zeros"])
@pytest.mark.parametrize("items", [20, 200, 1000, 5000])
def test_a_benchmark_in_random_order_leaves_the_interval_rarely(items: int, kind: str) -> None:
    """The true mean of these items lies within the confidence sequence at every odd moment, all looks together."""
    draws, rng = of_all(300, 1000), np.random.default_rng(items)
    often = rng.choice([-1.0, 0.0, 1.0], items, p=[0.1, 0.75, 0.15])
    whole = often if kind == "often" else streams(items, 1, items, kind)[0]
    order = rng.permuted(np.tile(whole, (draws, 1)), axis=1)
    truth = float(whole.mean())
    above = Betting(benchmark=items).against(sample(order[:, :-1]), truth, stream(0))
    missed = np.mean(above.pvalue <= 0.05)
    assert missed <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / draws)


def test_the_order_counts_and_comes_from_the_rows() -> None:
    """Wins first and losses later is other evidence than the reverse; `arrival` says which it was."""
    b = np.repeat([1.0, 0.0], [12, 8])[:, np.newaxis, np.newaxis]
    a = 1.0 - b
    forward, back = Pair(a, b, arrival=np.arange(20)), Pair(a, b, arrival=np.arange(20)[::-1])
    metric = METRICS.parse("mean")
    found = [float(Betting().apply(OrderedDifferences.of(pair, metric), stream(0)).pvalue) for pair in (forward, back)]
    assert found[0] < 0.02 < found[1]


def test_the_last_item_settles_what_no_item_can_turn() -> None:
    """Eleven of twenty won: whatever the others show, B is ahead; ten alone leave a draw possible."""
    assert capital_above(np.ones(11), np.array(0.5), 20)[-1] == CERTAIN
    assert capital_above(np.ones(10), np.array(0.5), 20)[-1] < CERTAIN


def test_percent_is_the_same_evidence_with_its_width() -> None:
    values = streams(100, 1, 5, "zeros")[0]
    one, hundred = Betting(), Betting(width=100.0)
    low, high = one.bounds(sample(values), 0.9, stream(0))
    wide = hundred.bounds(sample(100.0 * values), 0.9, stream(0))
    assert (float(wide[0]), float(wide[1])) == pytest.approx(
        (100.0 * float(low), 100.0 * float(high)), rel=1e-9, abs=0.0
    )


def test_scores_beyond_the_width_are_refused() -> None:
    with pytest.raises(Unsuitable, match="a difference of 3 is beyond 1"):
        Betting().apply(sample(np.array([0.0, 3.0])), stream(0))


def test_more_items_than_the_benchmark_has_are_refused() -> None:
    with pytest.raises(Unsuitable, match="3 items were scored, but the benchmark is said to have 2"):
        Betting(benchmark=2).apply(sample(np.zeros(3)), stream(0))


def test_an_order_that_no_mean_fits_is_said() -> None:
    """All wins and then all losses of a benchmark: no random order looks like it."""
    values = np.repeat([1.0, -1.0], 200)
    with pytest.raises(Degenerate, match="no difference fits these scores in this order"):
        Betting(benchmark=400).bounds(sample(values), 0.95, stream(0))


@pytest.mark.parametrize(
    ("stake", "by_fixed", "items_for_80"), [(None, 0.509, 3_324), (0.02 / 0.1, 0.551, 3_094)], ids=["usual", "tuned"]
)
def test_items_that_bets_take(stake: float | None, by_fixed: float, items_for_80: int) -> None:
    """Discordance .1 and effect .02, as the specification of sequential tests has them; 1,949 items are those of a test that looks once."""
    rng, evaluations = np.random.default_rng(4), of_all(1_000, 4_000)
    when = []
    for _ in range(evaluations // 250):
        found = 2.0 * rng.choice([0.0, 0.5, 1.0], (250, 4_200), p=[0.04, 0.9, 0.06]) - 1.0
        sides = [capital_above(0.5 * (one + 1.0), np.full(250, 0.5), None, stake) for one in (found, -found)]
        rich = np.maximum(*sides) >= np.log(40.0)
        when += np.where(rich.any(axis=-1), rich.argmax(axis=-1) + 1, 10**9).tolist()
    error = np.sqrt(0.25 / evaluations)
    assert np.mean(np.array(when) <= 1_949) == pytest.approx(by_fixed, rel=0.0, abs=3.0 * error)
    assert np.quantile(when, 0.8) == pytest.approx(items_for_80, rel=0.0, abs=3.0 * error / 2.5e-4)


def test_tuned_bets_claim_too_often_in_at_most_alpha() -> None:
    """However the plan was wrong: a stake ten times too large, and one a tenth of it."""
    for stake in (0.02, 0.2, 1.0):
        test = Betting(stake=stake)
        claimed = test.apply(sample(streams(600, 1_000, 5, "rare")), stream(0)).pvalue <= 0.05
        assert claimed.mean() <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / 1_000)
