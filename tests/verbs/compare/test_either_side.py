"""What a two-sided test detects is so whichever system is better, and whichever is called A."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare
from tellapart.results.note import codes


def leaning(items: int = 33) -> Scores:
    """Differences of mean zero or so, most of them a little below and some far above."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=items)
    return Scores.from_arrays({"a": a, "b": a + rng.exponential(size=items) - 1.0})


@pytest.mark.parametrize("test", ["sign", "paired_t", "both", "bootstrap"])
def test_the_number_is_the_same_whichever_system_is_called_a(test: str) -> None:
    one, other = (compare(leaning(), a=a, b=b, test=test).detectable for a, b in ("ab", "ba"))
    assert one is not None
    assert other is not None
    assert one.effect == pytest.approx(other.effect, rel=1e-6, abs=0.0)


def test_both_sides_are_said_where_they_differ() -> None:
    """Most of such items are lost where means are equal: a gain must be large to win most of them, a loss need not be."""
    answer, swapped = (compare(leaning(), a=a, b=b, test="sign") for a, b in ("ab", "ba"))
    note, mirrored = (
        next(note for note in one.notes if note.code == "detectable_by_side") for one in (answer, swapped)
    )
    assert note.values["b_higher"] > 1.1 * note.values["b_lower"]
    assert note.values["b_higher"] == mirrored.values["b_lower"]
    assert answer.detectable is not None
    assert answer.detectable.effect == note.values["b_higher"]
    assert "detectable_by_side" not in codes(compare(leaning(), test="paired_t").notes)


def test_claims_that_the_worse_system_wins_find_no_effect() -> None:
    """Ninety such items of equal means are told apart by their signs: that is no effect of 0 that was found."""
    rng = np.random.default_rng(2)
    a = rng.normal(size=90)
    found = compare(
        Scores.from_arrays({"a": a, "b": a + rng.lognormal(sigma=1.2, size=90) - 2.1}), test="sign"
    )
    assert found.detectable is not None
    assert found.detectable.effect > 0.2


def test_signs_of_right_or_wrong_scores_are_counted_as_mcnemar_counts_them() -> None:
    """At the discordance seen: with four of six items that differ nothing is detected, and that is all that is said."""
    rng = np.random.default_rng(45)
    a = (rng.random(45) < 0.6).astype(float)
    scores = Scores.from_arrays({"a": a, "b": np.where(rng.random(45) < 0.3, 1.0 - a, a)})
    assert (
        compare(scores, test="sign").detectable == compare(scores, test="mcnemar(variant=exact)").detectable
    )
    six = compare(
        Scores.from_arrays({"a": [1, 1, 1, 0, 0, 0.0], "b": [1, 1, 0, 1, 1, 1.0]}), test="sign", effect=0.5
    )
    assert six.detectable is None
    assert "too_few_items_differ" in codes(six.notes)
    # The largest effect at that discordance is found when all six differ and are won.
    assert (4 / 6) ** 6 < 0.1
    assert six.needed is not None
    assert six.needed.items > 6


def test_ties_among_few_items_say_one_thing() -> None:
    a = np.arange(6.0)
    answer = compare(
        Scores.from_arrays({"a": a, "b": a + np.array([0.0, 0.0, 0.1, 0.3, -0.2, 0.5])}), test="sign"
    )
    assert stats.binomtest(4, 4).pvalue > 0.05
    assert answer.detectable is None
    assert "too_few_items_differ" in codes(answer.notes)
