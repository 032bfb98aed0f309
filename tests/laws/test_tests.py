"""Laws that every significance test obeys, asked for by what it declares, and wrong tests that each law catches."""

import pickle
from typing import Any

import numpy as np
import pytest
from tests.exhaustive import of_all
from tests.laws.law import Law, Laws, fails, spoiled
from tests.laws.setting import CLUSTER, RESAMPLES, Setting, copied, entry, reordered, settings, variants
from tests.laws.wrong_tests import (
    AnswersWithoutClusters,
    BoldWithFew,
    ClaimsClusters,
    ClaimsSigns,
    Doubled,
    DropsLargest,
    EitherSide,
    Halved,
    HidesClusters,
    IgnoresMetric,
    MarginInShares,
    MindsOrder,
    MindsUnits,
    Modest,
    MovesAlone,
    NeverCertain,
    NoDirection,
    OfRoots,
    OneDegreeTooMany,
    OneSided,
    OwnChance,
    PoolsBatch,
    Restless,
    Rounded,
    StrangeInterval,
    TakesNoiseForSpread,
    TiesForB,
    Timid,
    TwoSided,
    Wrong,
)

from tellapart.data.pair import Pair
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS, Outcome, Procedure
from tellapart.methods.significance.margins import Equivalence

DRAWS = 500
"""Simulated evaluations behind a size: its standard error is 0.01 at 5 %."""

EXACT_DRAWS = 6000
"""Simulated evaluations behind an exact level: its standard error is 0.003 at 5 %."""

SETTINGS = settings(variants(TESTS))
LAWS = Laws()


def found(setting: Setting, pair: Pair, **changes: Any) -> Outcome:
    outcome: Outcome = setting.plug_in.replace(**changes).apply(setting.summary(pair), stream(0))
    return outcome


def tolerance(*outcomes: Outcome) -> float:
    """What two computations of one p-value may differ by: rounding, and five of their own stated errors."""
    return 1e-9 + 5.0 * sum(float(np.max(o.error)) for o in outcomes)


def agree(one: Outcome, other: Outcome) -> bool:
    return float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-7, abs=tolerance(one, other))


def of_difference(setting: Setting) -> bool:
    """Margin tests ask another question: they are made of tests of a difference, and have laws of their own."""
    claim: str = setting.plug_in.claim
    return claim == "difference"


def looks_once(setting: Setting) -> bool:
    """Bets hold at every moment: either side keeps the best it ever had, in the order of the items, and claims more rarely at the end."""
    return not setting.ordered


def of_numbers(setting: Setting) -> bool:
    return of_difference(setting) and setting.numbers


def independent(setting: Setting) -> bool:
    """Whether the test allows for all the dependence there is."""
    sees: bool = setting.plug_in.sees_clusters(setting.metric)
    return of_difference(setting) and (sees or not setting.clustered)


@LAWS.law(Doubled())
def p_lies_in_its_range(setting: Setting) -> None:
    """A p-value is above 0 and at most 1, and its error is not negative, whatever the alternative."""
    for alternative in ("two-sided", "less", "greater"):
        outcome = found(setting, setting.pair(), alternative=alternative)
        assert 0.0 < float(outcome.pvalue) <= 1.0
        assert float(outcome.error) >= 0.0
        assert np.isfinite(outcome.statistic)
        assert outcome.method


@LAWS.law(MindsOrder(), applies=looks_once)
def order_of_items_changes_nothing(setting: Setting) -> None:
    """Items have no order."""
    pair = setting.pair()
    order = np.random.default_rng(3).permutation(pair.a.shape[-3])
    assert agree(found(setting, pair), found(setting, reordered(pair, order)))


@LAWS.law(OneSided(), NoDirection(), applies=of_difference)
def swapping_systems_keeps_p(setting: Setting) -> None:
    """Calling A what was B turns the direction and leaves the two-sided p-value."""
    pair = setting.pair()
    one, other = found(setting, pair), found(setting, pair.swapped)
    assert agree(one, other)
    assert float(other.direction) == -float(one.direction)


@LAWS.law(TiesForB(), applies=of_difference)
def ties_belong_to_neither_system(setting: Setting) -> None:
    """Swapping keeps the two-sided p-value where many items are tied, too."""
    pair = setting.pair(effect=0.1)
    tied = (np.arange(pair.a.shape[-3]) % 3 > 0)[:, np.newaxis, np.newaxis]
    pair = Pair(pair.a, np.where(tied, pair.a, pair.b), pair.clusters)
    if setting.needs.paired:
        assert agree(found(setting, pair), found(setting, pair.swapped))


@LAWS.law(OneSided(), applies=of_difference)
def sides_swap_with_the_systems(setting: Setting) -> None:
    """B above A is A below B."""
    pair = setting.pair()
    one, other = (
        found(setting, pair, alternative="greater"),
        found(setting, pair.swapped, alternative="less"),
    )
    assert agree(one, other)


@LAWS.law(TwoSided(), OneSided(), applies=of_difference)
def sides_share_what_there_is(setting: Setting) -> None:
    """The side that the scores lean to has the smaller p, below the two-sided one, and the two sides add up to one or more.

    Not of bets, where each side's p is that of its own best moment.
    """
    pair = setting.pair(effect=0.3)
    both, less, greater = (found(setting, pair, alternative=side) for side in ("two-sided", "less", "greater"))
    near, far = (greater, less) if float(both.direction) > 0.0 else (less, greater)
    slack = tolerance(both, near, far)
    assert float(near.pvalue) < float(both.pvalue) + slack
    assert float(near.pvalue) < float(far.pvalue) + slack
    if not looks_once(setting):
        return
    assert float(far.pvalue) > 0.5 - slack
    # Mid-p counts the observed table half on either side: there the sides add up to exactly one.
    assert float(near.pvalue) + float(far.pvalue) >= 1.0 - slack


@LAWS.law(NeverCertain(), applies=of_difference)
def a_system_is_like_itself(setting: Setting) -> None:
    """A system compared with itself gives p = 1 and no direction."""
    pair = setting.pair()
    outcome = found(setting, Pair(pair.a, pair.a, pair.clusters))
    assert float(outcome.pvalue) == 1.0
    assert float(outcome.direction) == 0.0


@LAWS.law(PoolsBatch())
def batch_equals_loop(setting: Setting) -> None:
    """Simulated evaluations get the p-values and directions that each would get alone."""
    pair = setting.pair(batch=(5,), items=52)
    together = found(setting, pair)
    assert together.pvalue.shape == together.direction.shape == together.statistic.shape == (5,)
    for i in range(5):
        alone = found(setting, entry(pair, i))
        slack = tolerance(together, alone)
        assert float(together.pvalue[i]) == pytest.approx(float(alone.pvalue), rel=1e-9, abs=slack)
        assert float(together.direction[i]) == float(alone.direction)


@LAWS.law(OwnChance())
def chance_comes_from_the_generator(setting: Setting) -> None:
    """The same seed gives the same p-value, bit by bit."""
    pair = setting.pair()
    assert found(setting, pair).pvalue == found(setting, pair).pvalue


@LAWS.law(Restless(), Modest())
def it_says_how_far_chance_takes_it(setting: Setting) -> None:
    """Other seeds give p-values within its stated error, which is none without resamples and that of their number with them."""
    sample = setting.summary(setting.pair())
    seen = [setting.plug_in.apply(sample, stream(seed)) for seed in range(4)]
    for other in seen[1:]:
        assert agree(seen[0], other)
    assert max(float(one.error) for one in seen) <= (2.0 / RESAMPLES**0.5 if setting.chance else 1e-6)


@LAWS.law(MindsUnits(), applies=of_numbers)
def units_do_not_matter(setting: Setting) -> None:
    """Points or percent: the p-value is the same."""
    pair = setting.pair()
    assert agree(found(setting, pair), found(setting, Pair(pair.a * 100.0, pair.b * 100.0, pair.clusters)))


@LAWS.law(MarginInShares(), applies=lambda s: of_numbers(s) or s.needs.binary)
def a_margin_is_in_the_unit_of_the_scores(setting: Setting) -> None:
    """A tenth of what a right answer scores is the same margin in points and in percent."""
    pair = setting.pair()
    percent = setting.summary(Pair(pair.a * 100.0, pair.b * 100.0, pair.clusters))
    plain = setting.plug_in.against(setting.summary(pair), 0.1, stream(0))
    assert agree(plain, setting.plug_in.against(percent, 10.0, stream(0)))


@LAWS.law(Timid(), NoDirection(), applies=of_difference)
def a_huge_effect_is_found(setting: Setting) -> None:
    """A test that never rejects, or that cannot say which system is better, is none."""
    for effect in (-3.0, 3.0):
        pair = setting.pair(effect=effect)
        outcome = found(setting, pair)
        assert float(outcome.pvalue) < 0.01
        assert float(outcome.direction) == np.sign(float(setting.summary(pair).effect))


@LAWS.law(IgnoresMetric(), applies=lambda s: of_difference(s) and not s.metric.linear)
def the_metric_decides(setting: Setting) -> None:
    """Where the first part rises and the metric falls, the test follows the metric."""
    pair = setting.pair(effect=1.0)
    more = np.ones(pair.b.shape[-1])
    # B finds more, and goes wrong far more often: any metric that rises with its first part falls with the others.
    more[1:3] = 20.0
    worse = Pair(pair.a, pair.b * more, pair.clusters)
    effect = float(setting.summary(worse).effect)
    assert effect < 0.0 < float((worse.b - worse.a)[..., 0].mean())
    assert float(found(setting, worse).direction) == -1.0


@LAWS.law(
    ClaimsClusters(),
    applies=lambda s: of_difference(s) and s.plug_in.sees_clusters(s.metric) and not s.clustered,
)
def copies_in_a_cluster_tell_nothing_new(setting: Setting) -> None:
    """Nine copies of every item, known to belong together, must not make the p-value smaller."""
    pair = setting.pair()
    one, nine = (found(setting, copied(pair, times)) for times in (1, 9))
    assert 1e-4 < float(one.pvalue) < 0.9
    assert float(nine.pvalue) >= float(one.pvalue) * (1.0 - 1e-7) - tolerance(one, nine)


@LAWS.law(HidesClusters(), applies=lambda s: not s.plug_in.sees_clusters(s.metric) and s.clustered)
def labels_that_are_not_seen_change_nothing(setting: Setting) -> None:
    """A test that does not say that it sees clusters gives the same p-value without them."""
    pair = setting.pair()
    assert agree(found(setting, pair), found(setting, Pair(pair.a, pair.b)))


@LAWS.law(TakesNoiseForSpread(), applies=lambda s: of_numbers(s) and s.needs.paired)
def rounding_is_no_evidence(setting: Setting) -> None:
    """0.1 more on every item, rounded: no test takes the rounding for spread and so for near-certainty."""
    pair = setting.pair()
    outcome = found(setting, Pair(pair.a, pair.a + 0.1, pair.clusters))
    units = pair.a.shape[-3]
    assert np.isnan(outcome.pvalue) or float(outcome.pvalue) >= 2.0**-units


@LAWS.law(MovesAlone(), applies=of_numbers)
def another_null_is_another_zero(setting: Setting) -> None:
    """Asking for a difference of 0.3 after adding 0.3 to B is asking for zero before."""
    pair = setting.pair()
    moved = setting.summary(Pair(pair.a, pair.b + 0.3, pair.clusters))
    assert agree(found(setting, pair), setting.plug_in.against(moved, 0.3, stream(0)))


@LAWS.law(Rounded(), applies=of_difference)
def p_is_never_zero(setting: Setting) -> None:
    """However overwhelming the difference, the p-value is a positive number."""
    pair = setting.pair(items=2000, effect=5.0 if not setting.metric.linear else 1e6)
    assert 0.0 < float(found(setting, pair).pvalue) < 0.01


@LAWS.law(Halved(), Timid(), applies=independent)
def equal_systems_are_rejected_as_often_as_promised(setting: Setting) -> None:
    """Of equal systems, about 5 % get p ≤ 0.05 and about half p ≤ 0.5; discrete tests may get fewer, and bets, which hold at all moments."""
    items = 40 * CLUSTER if setting.clustered else 100
    draws = of_all(250, DRAWS) if setting.chance and not setting.metric.linear else DRAWS
    pvalue = found(setting, setting.pair(items=items, batch=(draws,), effect=0.0)).pvalue
    assert np.mean(rejects(pvalue, 0.05)) <= 0.08
    assert np.mean(rejects(pvalue, 0.5)) <= 0.58
    assert np.mean(rejects(pvalue, 0.5)) >= 0.25 or not looks_once(setting)


@LAWS.law(OneDegreeTooMany(), applies=lambda s: independent(s) and s.metric.linear and not s.chance)
def its_level_is_exact(setting: Setting) -> None:
    """Six equal normal items, or clusters of them, are rejected no more often than alpha at 1, 5 and 20 %, but for simulation error.

    A test that says that it is approximate has four hundred items.
    """
    items = (400 if setting.plug_in.approximate else 6) * (CLUSTER if setting.clustered else 1)
    pvalue = found(setting, setting.pair(items=items, batch=(EXACT_DRAWS,), effect=0.0, seed=3)).pvalue
    for alpha in (0.01, 0.05, 0.2):
        error = np.sqrt(alpha * (1.0 - alpha) / EXACT_DRAWS)
        # Cluster-robust variances of six clusters are exact in their mean only.
        assert np.mean(rejects(pvalue, alpha)) <= alpha + 4.0 * error + 0.1 * alpha * setting.clustered


@LAWS.law(BoldWithFew(), applies=independent)
def few_items_are_no_licence(setting: Setting) -> None:
    """Equal systems on twelve items, or clusters of them: found different at most two and a half times as often as promised, or refused."""
    items = 12 * CLUSTER if setting.clustered else 12
    draws = of_all(250, DRAWS) if setting.chance else DRAWS
    pair = setting.pair(items=items, batch=(draws,), effect=0.0, seed=3)
    try:
        pvalue = found(setting, pair).pvalue
    except Unsuitable:
        return
    assert np.mean(rejects(pvalue, 0.05)) <= 0.125


def of_the_mean(setting: Setting) -> bool:
    """Whether the mean is what the test, by its interval, is about; one that counts signs asks which system wins more items."""
    about = INTERVALS.parse(setting.plug_in.interval).target
    return of_numbers(setting) and about == "mean difference" and not setting.plug_in.counts_signs


@LAWS.law(OfRoots(), DropsLargest(), applies=of_the_mean)
def the_mean_decides(setting: Setting) -> None:
    """Where most items lose a little, few win much and the means are equal, a test of the mean finds hardly more than it promises."""
    pair = setting.pair(items=200, batch=(100,), effect=0.0)
    leaning = np.random.default_rng(5).exponential(size=pair.a.shape) - 1.0
    skewed = Pair(pair.a, leaning + (pair.a if setting.needs.paired else 0.0), pair.clusters)
    assert np.mean(rejects(found(setting, skewed).pvalue, 0.05)) <= 0.15


@LAWS.law(MovesAlone(), applies=of_difference)
def a_wider_margin_is_easier(setting: Setting) -> None:
    """Equivalence within more is never harder to show, and certain within more than any difference there is."""
    pair = setting.pair()
    try:
        within = [
            float(found(setting.of(Equivalence(test=setting.plug_in, margin=margin)), pair).pvalue)
            for margin in (0.05, 0.3, 50.0)
        ]
    except Unsuitable:
        # Swapping items tells nothing of a margin of a metric that is no mean, and the test says so.
        assert setting.needs.holds_parts
        assert not setting.metric.linear
        return
    assert within[0] >= within[1] >= within[2]
    assert within[2] < 0.01


@LAWS.law(EitherSide(margin=0.1), applies=lambda s: not of_difference(s) and s.numbers)
def what_lies_beyond_the_margin_is_not_shown(setting: Setting) -> None:
    """Far worse is neither equivalent nor good enough; far better is good enough and not equivalent."""
    worse, better = (found(setting, setting.pair(effect=effect)) for effect in (-5.0, 5.0))
    assert float(worse.pvalue) > 0.5
    assert (float(better.pvalue) > 0.5) == (setting.plug_in.claim == "equivalence")


@LAWS.law(ClaimsSigns(), applies=lambda s: of_difference(s) and s.plug_in.counts_signs and s.metric.linear)
def nothing_beats_winning_every_item(setting: Setting) -> None:
    """Where a test says that it counts signs, no scores get a smaller p than one system ahead on all that differs."""
    won = np.ones((12, 1, 1))
    clusters = np.arange(12) // 2 if setting.clustered else None
    floor = found(setting, Pair(np.zeros_like(won), won, clusters))
    nearly = won if setting.needs.binary else won + np.linspace(0.0, 0.01, 12).reshape(won.shape)
    outcome = found(setting, Pair(np.zeros_like(won), nearly, clusters))
    assert float(outcome.pvalue) >= float(floor.pvalue) * (1.0 - 1e-9)


@LAWS.law(AnswersWithoutClusters(), applies=lambda s: s.plug_in.needs_clusters)
def what_needs_clusters_asks_for_them(setting: Setting) -> None:
    """Without clusters there is an error and no answer."""
    pair = setting.pair()
    with pytest.raises(Unsuitable, match=r"needs clusters|belong together"):
        found(setting, Pair(pair.a, pair.b))


@LAWS.law(StrangeInterval())
def its_interval_suits(setting: Setting) -> None:
    """The interval printed beside a test takes scores of the same kind, and sees clusters where the test does."""
    interval = INTERVALS.parse(setting.plug_in.interval)
    assert interval.needs.paired == setting.needs.paired
    assert interval.sees_clusters(setting.metric) or not setting.plug_in.sees_clusters(setting.metric)
    assert TESTS.parse(setting.plug_in.advice).needs.paired == setting.needs.paired


@pytest.mark.parametrize("test", variants(TESTS), ids=str)
def test_spelling_round_trips(test: Procedure) -> None:
    """What is printed can be typed, and pickles."""
    assert TESTS.parse(str(test)) == test
    assert pickle.loads(pickle.dumps(test)) == test  # noqa: S301  (our own bytes)


@pytest.mark.parametrize(("law", "setting"), LAWS.cases(SETTINGS), ids=str)
def test_law(law: Law, setting: Setting) -> None:
    """Every test obeys every law that applies to what it declares."""
    law.check(setting)


@pytest.mark.parametrize(("law", "wrong"), LAWS.controls, ids=spoiled)
def test_a_wrong_test_is_caught(law: Law, wrong: Procedure) -> None:
    """Negative control: the law fails on the test that was made to break it."""
    assert fails(law, settings([wrong]))


def test_the_unspoiled_one_passes() -> None:
    """What the wrong tests are made of obeys all laws, so each fails for what was done to it."""
    assert not any(fails(law, settings([Wrong()])) for law in LAWS)
