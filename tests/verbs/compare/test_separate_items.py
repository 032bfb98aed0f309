"""Right or wrong answers on items of each system's own: what two_proportion_z finds is enumerated, not taken from a t test."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare, plan
from tellapart.answers.comparison import Comparison, Detectable
from tellapart.data.summaries import Proportion, SeparateCounts
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS

Z = "two_proportion_z"


def apart(right_a: int, of_a: int, right_b: int, of_b: int, factor: float = 1.0) -> Scores:
    values = np.full((2, of_a + of_b), np.nan)
    values[0, :of_a] = np.arange(of_a) < right_a
    values[1, of_a:] = np.arange(of_b) < right_b
    return Scores.from_arrays({"a": factor * values[0], "b": factor * values[1]})


def power(of_a: int, of_b: int, p_a: float, p_b: float) -> float:
    """Of a pooled z test at 0.05, over all pairs of counts, on the side of the effect."""
    x, y = np.arange(of_a + 1)[:, np.newaxis], np.arange(of_b + 1)
    pooled = (x + y) / (of_a + of_b)
    error = np.sqrt(pooled * (1 - pooled) * (1 / of_a + 1 / of_b))
    gap = y / of_b - x / of_a
    z = np.divide(gap, error, out=np.zeros_like(gap), where=error > 0)
    chance = stats.binom.pmf(x, of_a, p_a) * stats.binom.pmf(y, of_b, p_b)
    return float(chance[z * np.sign(p_b - p_a) >= stats.norm.ppf(0.975)].sum())


def detected(answer: Comparison) -> Detectable:
    assert answer.detectable is not None
    return answer.detectable


@pytest.mark.parametrize("factor", [1.0, 100.0])
def test_as_many_items_of_each_detect_what_plan_says(factor: float) -> None:
    said = detected(compare(apart(124, 150, 132, 150, factor), test=Z))
    assert (said.at, said.engine) == ("accuracy", "exact")
    effect = said.effect / factor
    lower = 256 / 300 - effect / 2
    assert power(150, 150, lower, lower + effect) == pytest.approx(0.8, abs=1e-6)
    planned = plan(f"proportions(accuracy={lower!r})", items=150, power=0.8).rows[0]
    assert effect == pytest.approx(planned.effect, rel=1e-4, abs=0.0)


def test_uneven_numbers_of_items_detect_less_on_one_side() -> None:
    """38 of 40 against 360 of 400: the effect that Welch's error promised at 80 % is found half of the time."""
    answer = compare(apart(38, 40, 360, 400), test=Z)
    effect, right = detected(answer).effect, 398 / 440
    note = next(note for note in answer.notes if note.code == "detectable_by_side")
    for name, side in (("b_higher", 1.0), ("b_lower", -1.0)):
        size = float(note.values[name])
        p_a, p_b = right - side * size * 400 / 440, right + side * size * 40 / 440
        assert power(40, 400, p_a, p_b) == pytest.approx(0.8, abs=1e-6)
    assert effect == max(note.values["b_higher"], note.values["b_lower"])
    assert power(40, 400, right - 0.107 * 400 / 440, right + 0.107 * 40 / 440) < 0.6
    swapped = compare(apart(360, 400, 38, 40), test=Z)
    assert detected(swapped).effect == pytest.approx(effect, rel=1e-9, abs=0.0)


def test_items_that_an_effect_takes_are_both_systems_together() -> None:
    answer = compare(apart(124, 150, 132, 150), test=Z, effect=0.1)
    assert answer.needed is not None
    each = answer.needed.items // 2
    lower = 256 / 300 - 0.05
    assert power(each + 1, each + 1, lower, lower + 0.1) >= 0.8 > power(each - 2, each - 2, lower, lower + 0.1)
    planned = plan(f"proportions(accuracy={lower!r}, effect=0.1)", power=0.8).rows[0]
    assert answer.needed.items == pytest.approx(2 * planned.items, rel=0.02, abs=0.0)


def test_a_margin_is_shown_as_often_as_is_said() -> None:
    answer = compare(apart(124, 150, 132, 150), test=f"equivalence(test={Z}, margin=0.1)")
    assert answer.needed is not None
    each, right = answer.needed.items // 2, 256 / 300
    right_a, right_b = np.random.default_rng(0).binomial(each, right, (2, 20_000))
    every = np.full_like(right_a, each)
    counts = SeparateCounts(Proportion(right_a, every), Proportion(right_b, every))
    shown = TESTS.parse(f"equivalence(test={Z}, margin=0.1)").apply(counts, stream(0)).pvalue <= 0.05
    assert shown.mean() == pytest.approx(0.8, abs=0.02)


def test_very_many_items_go_by_the_normal_law() -> None:
    few, many = (detected(compare(apart(2_000, n, 1_900, n), test=Z)) for n in (2_500, 2_501))
    assert (few.engine, many.engine) == ("exact", "formula")
    assert many.effect == pytest.approx(few.effect, rel=5e-3, abs=0.0)
