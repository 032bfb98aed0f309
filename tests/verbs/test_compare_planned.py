"""What `compare` says that items could have shown, and how many would: about the very test that was run."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare, plan
from tellapart.answers.comparison import Comparison, Detectable
from tellapart.answers.parts import codes
from tellapart.foundation.arrays import FloatArray

SIMULATED = 4_000


def normal(items: int, spread: float = 1.0) -> Scores:
    rng = np.random.default_rng(items)
    a = rng.normal(size=items)
    return Scores.from_arrays({"a": a, "b": a + rng.normal(0.1, spread, size=items)})


def right_or_wrong(items: int = 40) -> Scores:
    rng = np.random.default_rng(items)
    a = (rng.random(items) < 0.6).astype(float)
    return Scores.from_arrays({"a": a, "b": np.where(rng.random(items) < 0.4, 1.0 - a, a)})


def differences(scores: Scores) -> FloatArray:
    return np.asarray(scores.values[1, :, 0, 0] - scores.values[0, :, 0, 0])


def found(answer: Comparison) -> Detectable:
    assert answer.detectable is not None
    return answer.detectable


def exponential_power(effect: float, items: int) -> float:
    """Of the larger p-value of t and studentised bootstrap, by a loop of its own: 400 evaluations whose long tail is to the right."""
    rng = np.random.default_rng(5)
    found = 0
    for _ in range(400):
        values = rng.exponential(1.0, items) - 1.0 + effect
        resampled = values[rng.integers(0, items, (599, items))]
        error = values.std(ddof=1) / np.sqrt(items)
        ratios = (resampled.mean(axis=1) - values.mean()) / (resampled.std(axis=1, ddof=1) / np.sqrt(items))
        # What finds an effect above zero is beyond the large ratios, one below it beyond the small ones.
        beyond = np.sum(np.sign(effect) * ratios >= abs(values.mean()) / error)
        pvalue = max(stats.ttest_1samp(values, 0.0).pvalue, 2.0 * (1 + beyond) / 600.0)
        found += int(pvalue <= 0.05 and values.mean() * effect > 0.0)
    return found / 400.0


def test_what_resamples_say_is_found_is_found() -> None:
    """Skewed scores, on either side: the middle of what twenty evaluations say is found some four times in five."""
    said = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=40)
        answer = compare(Scores.from_arrays({"a": a, "b": a + rng.exponential(1.0, 40) - 1.0}), test="both")
        note = next(note for note in answer.notes if note.code == "detectable_by_side")
        assert found(answer).engine == "bootstrap"
        assert found(answer).effect == max(note.values["b_higher"], note.values["b_lower"])
        said.append((note.values["b_higher"], -note.values["b_lower"]))
    for effect in np.median(said, axis=0):
        assert exponential_power(float(effect), 40) == pytest.approx(0.8, abs=0.08)


def test_items_that_resamples_ask_for_find_the_effect() -> None:
    """The middle of what evaluations of 40 items ask for finds the effect at least four times in five, and not always."""
    asked = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=40)
        scores = Scores.from_arrays({"a": a, "b": a + rng.exponential(1.0, 40) - 1.0})
        needed = compare(scores, test="both", effect=0.3).needed
        assert needed is not None
        asked.append(needed.items)
    assert 0.76 <= exponential_power(-0.3, int(np.median(asked))) <= 0.97


@pytest.mark.parametrize("variant", ["mid_p", "exact", "asymptotic", "corrected", "unconditional"])
@pytest.mark.parametrize("factor", [1.0, 100.0])
def test_mcnemar_finds_what_plan_says(variant: str, factor: float) -> None:
    """In the units of the file, by the variant that was run."""
    scores = right_or_wrong()
    scaled = Scores.from_arrays({name: factor * scores.values[i, :, 0, 0] for i, name in enumerate("ab")})
    test = f"mcnemar(variant={variant})"
    said, share = found(compare(scaled, test=test)), float(np.mean(differences(scores) != 0.0))
    planned = plan(f"paired_binary(discordance={share!r})", items=40, power=0.8, test=test).rows[0]
    assert said.effect == pytest.approx(factor * planned.effect, rel=1e-9, abs=0.0)
    assert planned.power == pytest.approx(0.8, abs=1e-6)


def test_items_for_an_effect_are_those_of_plan() -> None:
    scores = right_or_wrong()
    share = float(np.mean(differences(scores) != 0.0))
    answer = compare(scores, effect=0.1, test="mcnemar(variant=exact)")
    planned = plan(f"paired_binary(discordance={share!r}, effect=0.1)", power=0.8, test="mcnemar(variant=exact)").rows[
        0
    ]
    assert answer.needed is not None
    assert answer.needed.items == planned.items


@pytest.mark.parametrize("claim", ["equivalence", "non_inferiority"])
def test_items_for_a_margin_are_those_of_plan(claim: str) -> None:
    """Two one-sided t tests with few degrees of freedom need more than the normal quantiles say: 11 and not 9."""
    scores = normal(60)
    scores = Scores.from_arrays({"a": scores.values[1, :, 0, 0], "b": scores.values[0, :, 0, 0]})
    spread = float(np.std(differences(scores), ddof=1))
    test = f"{claim}(test=paired_t, margin={spread!r})"
    answer = compare(scores, test=f"{claim}(test=paired_t, margin={0.01 * spread!r})")
    planned = plan(
        f"gaussian(sd={spread / 2.0**0.5!r}, correlation=0, effect=0)",
        power=0.8,
        test=test.replace(f"margin={spread!r}", f"margin={0.01 * spread!r}"),
    ).rows[0]
    assert answer.needed is not None
    assert answer.needed.items == planned.items
    small = plan(f"gaussian(sd={spread / 2.0**0.5!r}, correlation=0, effect=0)", power=0.8, test=test).rows[0]
    assert small.items == {"equivalence": 11, "non_inferiority": 8}[claim]


def test_right_or_wrong_margins_are_those_of_plan() -> None:
    scores = right_or_wrong()
    share = float(np.mean(differences(scores) != 0.0))
    answer = compare(scores, margin=0.1)
    test = "equivalence(test=mcnemar(variant=mid_p), margin=0.1)"
    planned = plan(f"paired_binary(discordance={share!r}, effect=0)", power=0.8, test=test).rows[0]
    assert answer.needed is not None
    assert answer.needed.items == planned.items


@pytest.mark.parametrize("test", ["permutation", "wilcoxon", "sign"])
def test_what_only_a_simulation_tells_is_said_once_with_a_test_that_tells_it(test: str) -> None:
    """Nothing else stands in its place, and the test that is named answers."""
    answer = compare(normal(40), effect=0.05, test=test)
    assert (answer.needed, answer.detectable, answer.to_settle) == (None, None, "")
    (note,) = [one for one in answer.notes if one.code == "untold_by_test"]
    instead = compare(normal(40), effect=0.05, test=note.values["instead"])
    assert instead.needed is not None
    assert instead.detectable is not None


def test_where_not_even_the_largest_effect_is_found_often_enough_it_is_said() -> None:
    """Five of seven items differ: won alike they would be shown (mid-p 0.031), but in one such evaluation of three fewer differ."""
    a, b = np.array([0, 0, 0, 0, 1, 1, 0.0]), np.array([1, 1, 1, 1, 0, 1, 0.0])
    answer = compare(Scores.from_arrays({"a": a, "b": b}))
    assert answer.detectable is None
    assert stats.binom.sf(4, 7, 5 / 7) < 0.8
    (note,) = [note for note in answer.notes if note.code == "none_detectable"]
    assert note.values["effect"] == pytest.approx(5 / 7)


def test_what_too_few_items_differ_for_is_said_once() -> None:
    a, b = np.zeros(40), np.zeros(40)
    b[:3] = 1.0
    noted = codes(compare(Scores.from_arrays({"a": a, "b": b})).notes)
    assert "too_few_items_differ" in noted
    assert "none_detectable" not in noted


def test_the_largest_effect_is_in_the_units_of_the_scores() -> None:
    """Right and wrong written as 100 and 0: effects are a hundred times as large."""
    a, b = np.array([0, 0, 0, 0, 1, 1, 0.0]), np.array([1, 1, 1, 1, 0, 1, 0.0])
    answer = compare(Scores.from_arrays({"a": 100.0 * a, "b": 100.0 * b}))
    (note,) = [note for note in answer.notes if note.code == "none_detectable"]
    assert note.values["effect"] == pytest.approx(500 / 7)
