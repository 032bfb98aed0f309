"""Laws that every interval obeys, asked for by what it declares, and wrong intervals that each law catches."""

import pickle
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from scipy import special
from tests.exhaustive import of_all
from tests.laws.law import Law, Laws, fails, spoiled
from tests.laws.setting import CLUSTER, Setting, copied, entry, reordered, settings, variants
from tests.laws.wrong_intervals import (
    AboutOneSystem,
    Absolute,
    AnswersWithoutClusters,
    ClaimsClusters,
    DrawnToZero,
    ForgetsItems,
    HidesClusters,
    IgnoresLevel,
    IgnoresMetric,
    IgnoresPairing,
    MindsOrder,
    OwnChance,
    PoolsBatch,
    Reversed,
    RightAtOneLevel,
    SevenPercentShort,
    ShrinksTheGap,
    Stretched,
    TakesNoiseForSpread,
    TooWide,
    Unitless,
    Wrong,
)

from tellapart.data.pair import Pair
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.intervals.interval import Target

RESAMPLED = 0.25
"""Bounds from a few hundred resamples move by less than this share of the width when the draws are others."""

DRAWS = 500
"""Simulated evaluations behind a coverage: its standard error is 0.01 at 95 %."""

SETTINGS = settings(variants(INTERVALS))
LAWS = Laws()


def of_any_number(setting: Setting) -> bool:
    """Whether it takes as many clusters as there may be: subsets are listed of a few."""
    return str(setting.plug_in.name) != "cluster_sign_flip"


def looks_once(setting: Setting) -> bool:
    """Bets hold at every moment, which takes the order of items, and makes each interval wider."""
    return not setting.ordered


def bounds(setting: Setting, pair: Pair, level: float = 0.95) -> tuple[float, float]:
    low, high = setting.plug_in.interval(setting.summary(pair), level, stream(0))
    return float(low), float(high)


def slack(setting: Setting, width: float) -> float:
    return RESAMPLED * width if setting.chance else 1e-9


def agree(setting: Setting, found: tuple[float, float], expected: tuple[float, float]) -> bool:
    margin = slack(setting, expected[1] - expected[0])
    return found == pytest.approx(expected, rel=1e-9, abs=margin)


@LAWS.law(Reversed())
def bounds_are_ordered(setting: Setting) -> None:
    """The lower bound is the lower one, and both are numbers."""
    low, high = bounds(setting, setting.pair())
    assert np.isfinite([low, high]).all()
    assert low < high


@LAWS.law(IgnoresMetric(), applies=lambda s: s.plug_in.target != "pseudo-median of the differences")
def the_estimate_lies_within(setting: Setting) -> None:
    """The metric's own difference, or the system's own share, lies between the bounds."""
    for seed, effect in ((1, 0.2), (2, -0.4), (3, 1.0)):
        pair = setting.pair(seed=seed, effect=effect)
        low, high = bounds(setting, pair)
        assert low < float(setting.summary(pair).effect) < high


@LAWS.law(IgnoresLevel())
def more_confidence_is_wider(setting: Setting) -> None:
    """Intervals of rising level lie inside each other."""
    pair = setting.pair()
    found = [bounds(setting, pair, level) for level in (0.5, 0.8, 0.95, 0.99)]
    for (low, high), (lower, higher) in pairwise(found):
        assert lower <= low < high <= higher
    assert found[0][0] > found[-1][0]
    assert found[0][1] < found[-1][1]


@LAWS.law(IgnoresPairing(), applies=lambda s: s.needs.systems == 2)
def swapping_systems_mirrors(setting: Setting) -> None:
    """A − B has the mirrored bounds of B − A."""
    pair = setting.pair()
    low, high = bounds(setting, pair)
    assert agree(setting, bounds(setting, pair.swapped), (-high, -low))


@LAWS.law(Absolute(), Unitless(), applies=lambda s: s.metric.linear and s.needs.systems == 2)
def units_are_those_of_the_scores(setting: Setting) -> None:
    """Percent instead of shares, right or wrong ones too: both bounds are a hundred times as large. Bets are told the range of scores."""
    pair = setting.pair()
    low, high = bounds(setting, pair)
    scaled = Pair(100.0 * pair.a, 100.0 * pair.b, pair.clusters)
    in_percent = setting if looks_once(setting) else setting.of(setting.plug_in.replace(width=100.0))
    assert agree(setting, bounds(in_percent, scaled), (100.0 * low, 100.0 * high))


@LAWS.law(AboutOneSystem(), ShrinksTheGap(), applies=lambda s: s.numbers)
def a_constant_moves_the_bounds_by_itself(setting: Setting) -> None:
    """What is added to every score of B moves both bounds by as much; added to both systems it moves nothing."""
    pair = setting.pair()
    low, high = bounds(setting, pair)
    moved = bounds(setting, Pair(pair.a, pair.b + 0.75, pair.clusters))
    assert agree(setting, moved, (low + 0.75, high + 0.75))
    assert agree(setting, bounds(setting, Pair(pair.a + 0.75, pair.b + 0.75, pair.clusters)), (low, high))


@LAWS.law(PoolsBatch())
def batch_equals_loop(setting: Setting) -> None:
    """Simulated evaluations get the bounds that each would get alone."""
    pair = setting.pair(batch=(4,), items=52)
    low, high = setting.plug_in.interval(setting.summary(pair), 0.95, stream(0))
    assert low.shape == high.shape == (4,)
    for i in range(4):
        assert agree(setting, (float(low[i]), float(high[i])), bounds(setting, entry(pair, i)))


@LAWS.law(MindsOrder(), applies=looks_once)
def order_of_items_changes_nothing(setting: Setting) -> None:
    """Items have no order."""
    pair = setting.pair()
    order = np.random.default_rng(3).permutation(pair.a.shape[-3])
    assert agree(setting, bounds(setting, reordered(pair, order)), bounds(setting, pair))


@LAWS.law(ClaimsClusters(), applies=lambda s: s.plug_in.sees_clusters(s.metric) and not s.clustered)
def copies_in_a_cluster_tell_nothing_new(setting: Setting) -> None:
    """Nine copies of every item, known to belong together, must not make the interval shorter."""
    pair = setting.pair()
    low, high = bounds(setting, copied(pair, 1))
    copies_low, copies_high = bounds(setting, copied(pair, 9))
    assert copies_high - copies_low >= (high - low) - slack(setting, high - low)


@LAWS.law(HidesClusters(), applies=lambda s: not s.plug_in.sees_clusters(s.metric) and s.clustered)
def labels_that_are_not_seen_change_nothing(setting: Setting) -> None:
    """An interval that does not say that it sees clusters gives the same bounds without them."""
    pair = setting.pair()
    assert agree(setting, bounds(setting, pair), bounds(setting, Pair(pair.a, pair.b)))


@LAWS.law(ForgetsItems(), applies=lambda s: of_any_number(s) and not s.seeded)
def more_items_are_narrower(setting: Setting) -> None:
    """Sixteen times the items give about a quarter of the width."""
    narrow, wide = (np.ptp(bounds(setting, setting.pair(items=n))) for n in (1920, 120))
    assert 0.15 * wide < narrow < 0.45 * wide


@LAWS.law(
    Stretched(),
    TooWide(),
    RightAtOneLevel(),
    applies=lambda s: s.plug_in.sees_clusters(s.metric) or not s.clustered,
)
def the_truth_is_held_as_often_as_promised(setting: Setting) -> None:
    """Of systems that are equal, 95 % intervals hold the truth 90 to 99.5 times in a hundred, and 80 % ones as often but for chance.

    Those of bets, which hold at all moments together, more often at the last.
    """
    draws = of_all(200, DRAWS) if setting.chance else DRAWS
    pair = setting.pair(items=_enough(setting), batch=(draws,), effect=0.0)
    most = 1.0 if looks_once(setting) else np.inf
    assert 0.90 <= _held(setting, pair, 0.95) <= 0.995 * most
    # Resamples take their time, and a second level needs no second answer to the digit.
    fewer = 100 if setting.chance else DRAWS
    error = (0.8 * 0.2 / fewer) ** 0.5
    some = Pair(pair.a[:fewer], pair.b[:fewer], pair.clusters)
    assert 0.8 - 4.0 * error <= _held(setting, some, 0.8) <= (0.85 + 4.0 * error) * most


@LAWS.law(
    SevenPercentShort(),
    applies=lambda s: of_any_number(s) and (s.plug_in.sees_clusters(s.metric) or not s.clustered) and not s.seeded,
)
def its_width_is_that_of_the_estimates(setting: Setting) -> None:
    """Of many items: as wide, on average, as the 95 % of a normal law with the spread of the estimates, to 4.5 %; wider of bets."""
    pair = setting.pair(items=400 * (2 if setting.clustered else 1), batch=(2000,), effect=0.0, seed=4)
    spread = np.std(setting.summary(pair).effect)
    some = Pair(pair.a[:40], pair.b[:40], pair.clusters)
    low, high = setting.plug_in.interval(setting.summary(some), 0.95, stream(0))
    # The pseudo-median of normal differences spreads by 2.3 % more than their mean.
    expected, width = 2.0 * special.ndtri(0.975) * spread, np.mean(high - low)
    assert width == pytest.approx(expected, rel=0.045, abs=0.0) if looks_once(setting) else width > expected


@LAWS.law(
    DrawnToZero(),
    applies=lambda s: s.plug_in.sees_clusters(s.metric) or not s.clustered,
)
def a_real_gap_is_held_as_often(setting: Setting) -> None:
    """Where B is better by half a standard deviation and more, too: what is drawn towards 0 holds only that."""
    draws = 100 if setting.chance else DRAWS
    pair = setting.pair(items=_enough(setting), batch=(draws,), effect=0.8)
    error = (0.95 * 0.05 / draws) ** 0.5
    assert 0.93 - 3.0 * error <= _held(setting, pair, 0.95, 0.8)


def _enough(setting: Setting) -> int:
    """A hundred items, or forty clusters; of subsets as many clusters as are listed quickly."""
    if not setting.clustered:
        return 100
    return CLUSTER * (40 if of_any_number(setting) else 10)


def _held(setting: Setting, pair: Pair, level: float, effect: float = 0.0) -> float:
    low, high = setting.plug_in.interval(setting.summary(pair), level, stream(0))
    truth = setting.truth(effect)
    return float(np.mean((low <= truth) & (truth <= high)))


@LAWS.law(TakesNoiseForSpread(), applies=lambda s: s.numbers and s.needs.paired and not s.seeded)
def rounding_is_no_spread(setting: Setting) -> None:
    """0.1 more on every item, rounded: the bounds are that number and not a rounding error to both sides of it."""
    pair = setting.pair()
    low, high = bounds(setting, Pair(pair.a, pair.a + 0.1, pair.clusters))
    assert low == high == pytest.approx(0.1, rel=1e-12, abs=0.0)


@LAWS.law(OwnChance())
def chance_comes_from_the_generator(setting: Setting) -> None:
    """The same seed gives the same bounds, bit by bit."""
    pair = setting.pair()
    assert bounds(setting, pair) == bounds(setting, pair)


@LAWS.law(AnswersWithoutClusters(), applies=lambda s: s.plug_in.needs_clusters)
def what_needs_clusters_asks_for_them(setting: Setting) -> None:
    """Without clusters there is an error and no answer."""
    pair = setting.pair()
    with pytest.raises(Unsuitable, match="belong together"):
        bounds(setting, Pair(pair.a, pair.b))


def test_spelling_round_trips() -> None:
    """What is printed can be typed, and pickles."""
    for interval in variants(INTERVALS):
        assert INTERVALS.parse(str(interval)) == interval
        assert pickle.loads(pickle.dumps(interval)) == interval  # noqa: S301  (our own bytes)
        assert interval.target in get_args(Target)


@pytest.mark.parametrize(("law", "setting"), LAWS.cases(SETTINGS), ids=str)
def test_law(law: Law, setting: Setting) -> None:
    """Every interval obeys every law that applies to what it declares."""
    law.check(setting)


@pytest.mark.parametrize(("law", "wrong"), LAWS.controls, ids=spoiled)
def test_a_wrong_interval_is_caught(law: Law, wrong: Interval) -> None:
    """Negative control: the law fails on the interval that was made to break it."""
    assert fails(law, settings([wrong]))


def test_the_unspoiled_one_passes() -> None:
    """What the wrong intervals are made of obeys all laws, so each fails for what was done to it."""
    assert not any(fails(law, settings([Wrong()])) for law in LAWS)
