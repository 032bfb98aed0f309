"""Laws that every test and interval of ratings obeys, and wrong ones that each law catches."""

from typing import Any

import numpy as np
import pytest
from tests.laws import wrong_rater_methods as wrong
from tests.laws.law import Law, Laws, fails, spoiled
from tests.laws.rater_setting import RaterSetting, moved, rater_settings, shuffled
from tests.laws.setting import settings, variants

from tellapart.data.rater_pairs import RatedPair
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS, Outcome
from tellapart.methods.significance.margins import Equivalence
from tellapart.metrics.mean import Mean

DRAWS = 500
"""Simulated evaluations behind a size: its standard error is 0.01 at 5 %."""

PLUG_INS = variants(TESTS)
SETTINGS, INTERVAL_SETTINGS = rater_settings(PLUG_INS), rater_settings(variants(INTERVALS))
LAWS, INTERVAL_LAWS = Laws(), Laws()


def agree(one: Outcome, other: Outcome) -> bool:
    return float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-6, abs=1e-9)


def of_numbers(setting: RaterSetting) -> bool:
    return not setting.of_votes


def in_pairs(setting: RaterSetting) -> bool:
    return not setting.of_votes and setting.kind != "single"


def quickly_fitted(setting: RaterSetting) -> bool:
    return setting.kind not in {"single", "votes in both orders"}


@LAWS.law(wrong.Doubled())
def p_lies_in_its_range(setting: RaterSetting) -> None:
    """A p-value is above 0 and at most 1, whatever the alternative."""
    for alternative in ("two-sided", "less", "greater"):
        outcome = setting.found(setting.sample(effect=0.0), alternative=alternative)
        assert 0.0 < float(outcome.pvalue) <= 1.0
        assert np.isfinite(outcome.statistic)
        assert outcome.method


@LAWS.law(wrong.MindsOrder())
def order_of_rows_changes_nothing(setting: RaterSetting) -> None:
    """Ratings, raters and items have no order."""
    sample = setting.sample()
    assert agree(setting.found(sample), setting.found(shuffled(sample)))


@LAWS.law(wrong.OneSided(), wrong.NoDirection())
def swapping_systems_keeps_p(setting: RaterSetting) -> None:
    """Calling A what was B turns the direction and leaves the two-sided p-value."""
    sample = setting.sample()
    one, other = setting.found(sample), setting.found(sample.swapped)
    assert agree(one, other)
    assert float(other.direction) == -float(one.direction) != 0.0


@LAWS.law(wrong.OneSided())
def sides_share_what_there_is(setting: RaterSetting) -> None:
    """B above A is A below B; the side that ratings lean to has half the two-sided p or less."""
    sample = setting.sample(effect=0.4)
    above = setting.found(sample, alternative="greater")
    assert agree(above, setting.found(sample.swapped, alternative="less"))
    assert float(above.pvalue) <= 0.5 * float(setting.found(sample).pvalue) * (1.0 + 1e-9)
    assert float(setting.found(sample, alternative="less").pvalue) > 0.5


@LAWS.law(wrong.NeverCertain())
def a_system_is_like_itself(setting: RaterSetting) -> None:
    """Where nobody sees a difference p is 1, and there is no direction."""
    sample = setting.sample()
    alike = 0.0 * sample.values
    if in_pairs(setting):
        alike = np.tile(sample.values[: len(sample.of_b) // 2], 2)
    outcome = setting.found(moved(sample, alike))
    assert float(outcome.pvalue) == 1.0
    assert float(outcome.direction) == 0.0


@LAWS.law(wrong.PoolsBatch())
def batch_equals_loop(setting: RaterSetting) -> None:
    """Simulated evaluations get the p-values and directions that each would get alone."""
    sample = setting.sample(batch=(4,))
    together = setting.found(sample)
    assert together.pvalue.shape == together.direction.shape == together.statistic.shape == (4,)
    for i in range(4):
        alone = setting.found(moved(sample, sample.values[i]))
        assert float(together.pvalue[i]) == pytest.approx(float(alone.pvalue), rel=1e-6, abs=1e-9)
        assert float(together.direction[i]) == float(alone.direction)


@LAWS.law(wrong.MindsUnits(), applies=of_numbers)
def units_do_not_matter(setting: RaterSetting) -> None:
    """Points or percent: the p-value is the same."""
    sample = setting.sample()
    assert agree(setting.found(sample), setting.found(moved(sample, 100.0 * sample.values)))


@LAWS.law(wrong.MindsLevels(), applies=in_pairs)
def strict_raters_and_hard_items_change_nothing(setting: RaterSetting) -> None:
    """What is added to all ratings of a rater, or of an item, says nothing of B beside A."""
    sample = setting.sample()
    assert isinstance(sample, RatedPair)
    harsh = sample.values - 3.0 * (sample.rater == 2) + 5.0 * (sample.item == 7)
    assert agree(setting.found(sample), setting.found(moved(sample, harsh)))


@LAWS.law(wrong.Timid(), wrong.NoDirection())
def a_huge_effect_is_found(setting: RaterSetting) -> None:
    """A test that never rejects, or that cannot say which system is better, is none."""
    for effect in (-5.0, 5.0):
        outcome = setting.found(setting.sample(effect=effect) if not setting.of_votes else _landslide(setting, effect))
        assert float(outcome.pvalue) < 0.02
        assert float(outcome.direction) == np.sign(effect)


def _landslide(setting: RaterSetting, effect: float) -> Any:
    """All votes but a few for one system."""
    sample = setting.sample()
    votes = np.full_like(sample.values, np.sign(effect))
    votes[::11] = 0.0
    return moved(sample, votes)


@LAWS.law(wrong.StaysAtZero(), applies=of_numbers)
def another_null_is_another_zero(setting: RaterSetting) -> None:
    """Asking for a difference of 0.3 after adding 0.3 to B is asking for zero before."""
    sample = setting.sample()
    more = setting.summary(moved(sample, sample.values + 0.3 * sample.of_b))
    assert agree(setting.found(sample), setting.plug_in.against(more, 0.3, stream(0)))


@LAWS.law(wrong.Halved(), wrong.Timid(), wrong.Averages(), applies=quickly_fitted)
def equal_systems_are_rejected_as_often_as_promised(setting: RaterSetting) -> None:
    """Of equal systems about 5 % get p ≤ 0.05; the normal law and maximum likelihood know that they claim more."""
    pvalue = setting.found(setting.sample(effect=0.0, batch=(DRAWS,), raters=12)).pvalue
    known = 0.04 * (getattr(setting.plug_in, "df", "") == "normal") + 0.04 * (
        getattr(setting.plug_in, "fit", "") == "ml"
    )
    assert np.mean(rejects(pvalue, 0.05)) <= 0.08 + known
    assert 0.25 <= np.mean(rejects(pvalue, 0.5)) <= 0.6


@LAWS.law(wrong.StaysAtZero())
def a_wider_margin_is_easier(setting: RaterSetting) -> None:
    """Equivalence within more is never harder to show, and certain within more than any difference there is."""
    sample = setting.sample()
    within = [
        float(RaterSetting(Equivalence(test=setting.plug_in, margin=margin), setting.kind).found(sample).pvalue)
        for margin in (0.05, 0.3, 50.0)
    ]
    assert within[0] >= within[1] >= within[2]
    assert within[2] < 0.01


@LAWS.law(wrong.StrangeInterval())
def its_interval_suits(setting: RaterSetting) -> None:
    """The interval printed beside a test takes ratings, and its advice is a test of ratings."""
    assert issubclass(INTERVALS.parse(setting.plug_in.interval).needs, ByRaters)
    assert TESTS.parse(setting.plug_in.advice).needs.paired


def bounds(setting: RaterSetting, sample: Any, level: float = 0.95) -> tuple[Any, Any]:
    low, high = setting.plug_in.interval(setting.summary(sample), level, stream(0))
    return low, high


@INTERVAL_LAWS.law(wrong.UpsideDown())
def low_is_below_high(setting: RaterSetting) -> None:
    low, high = bounds(setting, setting.sample())
    assert float(low) < float(high)


@INTERVAL_LAWS.law(wrong.Lopsided())
def swapping_systems_mirrors_it(setting: RaterSetting) -> None:
    sample = setting.sample()
    low, high = bounds(setting, sample)
    mirrored = bounds(setting, sample.swapped)
    assert (float(mirrored[0]), float(mirrored[1])) == pytest.approx((-float(high), -float(low)), rel=1e-6, abs=0.0)


@INTERVAL_LAWS.law(wrong.OneLevel())
def more_certainty_is_wider(setting: RaterSetting) -> None:
    sample = setting.sample()
    widths = [float(high - low) for low, high in (bounds(setting, sample, level) for level in (0.5, 0.9, 0.99))]
    assert widths[0] < widths[1] < widths[2]


@INTERVAL_LAWS.law(wrong.InPercent(), applies=of_numbers)
def it_grows_with_the_unit(setting: RaterSetting) -> None:
    sample = setting.sample()
    one, hundred = bounds(setting, sample), bounds(setting, moved(sample, 100.0 * sample.values))
    assert [float(x) for x in hundred] == pytest.approx([100.0 * float(x) for x in one], rel=1e-5, abs=0.0)


@INTERVAL_LAWS.law(wrong.Narrow(), wrong.InPercent())
def it_holds_what_its_test_does_not_reject(setting: RaterSetting) -> None:
    """At each bound the test of the same name is exactly at its level."""
    summary = setting.summary(setting.sample())
    test = TESTS.parse(setting.plug_in.inverse)
    assert test is not None
    for bound in setting.plug_in.interval(summary, 0.9, stream(0)):
        outcome = test.against(summary, float(bound), stream(0))
        assert float(outcome.pvalue) == pytest.approx(0.1, rel=1e-5, abs=0.0)


@INTERVAL_LAWS.law(wrong.Narrow(), applies=quickly_fitted)
def it_holds_the_effect_as_often_as_promised(setting: RaterSetting) -> None:
    """Of normal ratings; the normal law and maximum likelihood know that they promise too much."""
    if setting.of_votes:
        effect, true = 0.0, 0.0
    else:
        effect = true = 0.2
    low, high = bounds(setting, setting.sample(effect=effect, batch=(DRAWS,), raters=12), 0.95)
    known = 0.04 * (getattr(setting.plug_in, "df", "") == "normal") + 0.04 * (
        getattr(setting.plug_in, "fit", "") == "ml"
    )
    assert np.mean((low <= true) & (true <= high)) >= 0.92 - known


def test_no_method_is_without_laws() -> None:
    """What needs ratings is tried here, all else on scores; a judge's regression, whose sample no other takes, in `test_judge_regression`."""
    for registry, here in ((TESTS, SETTINGS), (INTERVALS, INTERVAL_SETTINGS)):
        every = variants(registry)
        tried = {setting.plug_in for setting in here} | {setting.plug_in for setting in settings(every)}
        assert tried == {plug_in for plug_in in every if plug_in.name != "judge_regression"}


def test_one_fit_serves_test_and_interval() -> None:
    """The model is fitted once per method, and moves with the null instead of being fitted again."""
    setting = SETTINGS[0]
    summary = setting.summary(setting.sample())
    TESTS.parse("mixed_model").apply(summary, stream(0))
    fit = summary.fits["reml"]
    INTERVALS.parse("mixed_model").interval(summary, 0.95, stream(0))
    assert summary.fits["reml"] is fit
    assert summary.shifted(0.3).fits["reml"].effect == pytest.approx(fit.effect + 0.3)
    assert ByRaters.of(summary, Mean()) is summary


@pytest.mark.parametrize(("law", "setting"), LAWS.tried_in(SETTINGS), ids=str)
def test_law(law: Law, setting: RaterSetting) -> None:
    """Every test of ratings obeys every law that applies to what it declares."""
    law.check(setting)


@pytest.mark.parametrize(("law", "setting"), INTERVAL_LAWS.tried_in(INTERVAL_SETTINGS), ids=str)
def test_interval_law(law: Law, setting: RaterSetting) -> None:
    """So does every interval."""
    law.check(setting)


@pytest.mark.parametrize(("law", "plug_in"), [*LAWS.controls, *INTERVAL_LAWS.controls], ids=spoiled)
def test_a_wrong_one_is_caught(law: Law, plug_in: Any) -> None:
    """Negative control: the law fails on the plug-in that was made to break it."""
    assert fails(law, rater_settings([plug_in]))


def test_the_unspoiled_ones_are_the_registered_ones() -> None:
    """The wrong ones inherit from methods that obey all laws above and change nothing by themselves, so each fails for what was done to it."""
    sample = SETTINGS[0].summary(SETTINGS[0].sample(effect=0.3))
    mine, theirs = (test.apply(sample, stream(0)) for test in (wrong.Wrong(), TESTS.parse("mixed_model")))
    assert (mine.pvalue, mine.direction) == (theirs.pvalue, theirs.direction)
    known = INTERVALS.parse("mixed_model")
    assert wrong.WrongInterval().interval(sample, 0.95, stream(0)) == known.interval(sample, 0.95, stream(0))
