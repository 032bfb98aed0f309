"""Laws that every effect size obeys, asked for by what it declares, and wrong ones that each law catches."""

import pickle
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest
from tests.laws.law import Law, Laws, fails, spoiled
from tests.laws.setting import Setting, entry, reordered, settings, variants

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Parts, Summary
from tellapart.foundation.arrays import FloatArray, mean_and_variance
from tellapart.methods.effects import EFFECTS, Effect
from tellapart.methods.effects.effect import ratio

SETTINGS = settings(variants(EFFECTS))
LAWS = Laws()


def size(setting: Setting, pair: Pair) -> float:
    return float(setting.plug_in.value(setting.summary(pair)))


@dataclass(frozen=True)
class Wrong(Effect):
    """The standardised mean difference, spoiled in one way by whoever inherits it."""

    name = "wrong"
    needs: ClassVar[type[Summary]] = Differences
    label = "wrong"

    def value(self, sample: Any) -> FloatArray:
        mean, variance = mean_and_variance(sample.values)
        return ratio(mean, np.sqrt(variance))


class Unsigned(Wrong):
    def value(self, sample: Any) -> FloatArray:
        return np.abs(super().value(sample))


class Backwards(Wrong):
    """A relative to B."""

    def value(self, sample: Any) -> FloatArray:
        return -super().value(sample)


class ClaimsRatio(Wrong):
    """Says that swapping inverts it, and is mirrored."""

    neutral = 1.0
    inverts = True


class HasUnits(Wrong):
    """The difference itself, in points."""

    def value(self, sample: Any) -> FloatArray:
        return np.asarray(sample.effect)


class SignAlone(Wrong):
    """Says who is ahead, and by half a standard deviation whoever it is."""

    def value(self, sample: Any) -> FloatArray:
        return 0.5 * np.sign(np.where(sample.values.any(axis=-1), super().value(sample), np.nan))


class RootMeanSquare(Wrong):
    """Divides by the root mean square of the differences in place of their standard deviation."""

    def value(self, sample: Any) -> FloatArray:
        return ratio(sample.effect, np.sqrt((sample.values**2).mean(axis=-1)))


class GrowsWithItems(Wrong):
    """The t statistic, which is no size of an effect."""

    def value(self, sample: Any) -> FloatArray:
        return np.asarray(super().value(sample) * np.sqrt(sample.items))


class MindsOrder(Wrong):
    def value(self, sample: Any) -> FloatArray:
        return super().value(Differences(sample.values[..., : sample.items // 2]))


class PoolsBatch(Wrong):
    def value(self, sample: Any) -> FloatArray:
        found = super().value(sample)
        return np.full_like(found, found.mean())


class Unbounded(Wrong):
    """Infinite where it is undefined."""

    def value(self, sample: Any) -> FloatArray:
        found = super().value(sample)
        return np.where(np.isnan(found), np.inf, found)


class IgnoresMetric(Wrong):
    needs = Parts

    def value(self, sample: Any) -> FloatArray:
        return super().value(Differences(sample.b[..., 0] - sample.a[..., 0]))


def swapped(setting: Setting, value: float) -> float:
    """What a size becomes when the systems change places, as its plug-in declares."""
    return 1.0 / value if setting.plug_in.inverts else 2.0 * setting.plug_in.neutral - value


@LAWS.law(Unsigned(), ClaimsRatio())
def swapping_systems_turns_it(setting: Setting) -> None:
    """With B called A the size is mirrored at its neutral value, or inverted where it is a ratio."""
    for seed in (1, 2, 3):
        pair = setting.pair(seed=seed, effect=0.5)
        assert size(setting, pair.swapped) == pytest.approx(swapped(setting, size(setting, pair)), rel=1e-9, abs=0.0)


@LAWS.law(Backwards())
def above_neutral_means_that_b_is_ahead(setting: Setting) -> None:
    """A clearly better B has a size above the neutral one, a clearly worse B one below."""
    assert size(setting, setting.pair(effect=1.5)) > setting.plug_in.neutral
    assert size(setting, setting.pair(effect=-1.5)) < setting.plug_in.neutral


@LAWS.law(SignAlone())
def a_larger_lead_is_a_larger_effect(setting: Setting) -> None:
    """Of the same items: the further B is ahead, the larger the size."""
    sizes = [size(setting, setting.pair(items=400, effect=effect)) for effect in (-0.8, -0.3, 0.3, 0.8)]
    assert sizes == sorted(set(sizes))


@LAWS.law(IgnoresMetric(), applies=lambda s: not s.metric.linear)
def the_metric_decides(setting: Setting) -> None:
    """Where the first part rises and the metric falls, the size follows the metric."""
    pair = setting.pair(effect=1.0)
    more = np.ones(pair.b.shape[-1])
    more[1:3] = 20.0
    assert size(setting, Pair(pair.a, pair.b * more)) < setting.plug_in.neutral


@LAWS.law(HasUnits(), applies=lambda s: s.numbers)
def units_do_not_matter(setting: Setting) -> None:
    """Percent instead of shares, or another zero of the scale: the same size."""
    pair = setting.pair()
    for moved in (Pair(100.0 * pair.a, 100.0 * pair.b), Pair(pair.a + 3.0, pair.b + 3.0)):
        assert size(setting, moved) == pytest.approx(size(setting, pair), rel=1e-9, abs=0.0)


@LAWS.law(RootMeanSquare(), applies=lambda s: s.numbers)
def a_lead_is_measured_or_counted(setting: Setting) -> None:
    """Where B wins every item: twice the lead is twice the size, or the size counts items and is at its end already."""
    pair = setting.pair()
    sizes = [size(setting, Pair(pair.a, pair.b + lead)) for lead in (20.0, 40.0, 60.0)]
    first, second = np.diff(sizes)
    assert second == pytest.approx(first, rel=1e-9, abs=1e-12)


@LAWS.law(GrowsWithItems())
def more_of_the_same_is_no_larger_effect(setting: Setting) -> None:
    """Every item sixteen times over: the size is the same, up to what a few items take off."""
    pair = setting.pair(effect=0.5)
    a, b = (np.repeat(x, 16, axis=-3) for x in (pair.a, pair.b))
    assert size(setting, Pair(a, b)) == pytest.approx(size(setting, pair), rel=0.03, abs=0.0)


@LAWS.law(MindsOrder())
def order_of_items_changes_nothing(setting: Setting) -> None:
    """Items have no order."""
    pair = setting.pair()
    order = np.random.default_rng(3).permutation(pair.a.shape[-3])
    assert size(setting, reordered(pair, order)) == pytest.approx(size(setting, pair), rel=1e-9, abs=0.0)


@LAWS.law(PoolsBatch())
def batch_equals_loop(setting: Setting) -> None:
    """Simulated evaluations get the sizes that each would get alone."""
    pair = setting.pair(batch=(4,))
    together = setting.plug_in.value(setting.summary(pair))
    assert together.shape == (4,)
    np.testing.assert_allclose(together, [size(setting, entry(pair, i)) for i in range(4)], rtol=1e-9)


@LAWS.law(Unbounded())
def undefined_is_nan(setting: Setting) -> None:
    """Equal systems have the neutral size or none, and no scores have an infinite one."""
    pair = setting.pair()
    same = size(setting, Pair(pair.a, pair.a))
    assert np.isnan(same) or same == setting.plug_in.neutral
    zero, one = np.zeros_like(pair.a), np.ones_like(pair.a)
    for a, b in ((zero, one), (one, zero), (zero, zero)):
        assert not np.isinf(size(setting, Pair(a, b)))


@pytest.mark.parametrize("effect_size", variants(EFFECTS), ids=str)
def test_spelling_round_trips(effect_size: Effect) -> None:
    """What is printed can be typed, and pickles."""
    assert EFFECTS.parse(str(effect_size)) == effect_size
    assert pickle.loads(pickle.dumps(effect_size)) == effect_size  # noqa: S301  (our own bytes)


@pytest.mark.parametrize(("law", "setting"), LAWS.tried_in(SETTINGS), ids=str)
def test_law(law: Law, setting: Setting) -> None:
    """Every effect size obeys every law that applies to what it declares."""
    law.check(setting)


@pytest.mark.parametrize(("law", "wrong"), LAWS.controls, ids=spoiled)
def test_a_wrong_effect_size_is_caught(law: Law, wrong: Effect) -> None:
    """Negative control: the law fails on the effect size that was made to break it."""
    assert fails(law, settings([wrong]))


def test_the_unspoiled_one_passes() -> None:
    """What the wrong sizes are made of obeys all laws, so each fails for what was done to it."""
    assert not any(fails(law, settings([Wrong()])) for law in LAWS)
