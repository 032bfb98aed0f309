"""What a two-sided test detects is so whichever system is better, and whichever is called A."""

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.answers.parts import codes


def leaning(items: int = 33) -> Scores:
    """Differences of mean zero or so, most of them a little below and some far above."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=items)
    return Scores.from_arrays({"a": a, "b": a + rng.exponential(size=items) - 1.0})


@pytest.mark.parametrize("test", ["paired_t", "both", "bootstrap"])
def test_the_number_is_the_same_whichever_system_is_called_a(test: str) -> None:
    one, other = (compare(leaning(), a=a, b=b, test=test).detectable for a, b in ("ab", "ba"))
    assert one is not None
    assert other is not None
    assert one.effect == pytest.approx(other.effect, rel=1e-6, abs=0.0)


def test_both_sides_are_said_where_they_differ() -> None:
    """A long tail above: resamples that are lucky vary more, so that a gain is found sooner than a loss."""
    answer, swapped = (compare(leaning(), a=a, b=b, test="both") for a, b in ("ab", "ba"))
    note, mirrored = (
        next(note for note in one.notes if note.code == "detectable_by_side") for one in (answer, swapped)
    )
    assert note.values["b_lower"] > 1.1 * note.values["b_higher"]
    assert note.values["b_higher"] == pytest.approx(mirrored.values["b_lower"], rel=1e-6, abs=0.0)
    assert answer.detectable is not None
    assert answer.detectable.effect == note.values["b_lower"]
    assert "detectable_by_side" not in codes(compare(leaning(), test="paired_t").notes)


def test_signs_of_right_or_wrong_scores_are_counted_as_mcnemar_counts_them() -> None:
    """At the discordance seen: with four of six items that differ nothing is detected, and that is all that is said."""
    rng = np.random.default_rng(45)
    a = (rng.random(45) < 0.6).astype(float)
    scores = Scores.from_arrays({"a": a, "b": np.where(rng.random(45) < 0.3, 1.0 - a, a)})
    assert compare(scores, test="sign").detectable == compare(scores, test="mcnemar(variant=exact)").detectable
    six = compare(Scores.from_arrays({"a": [1, 1, 1, 0, 0, 0.0], "b": [1, 1, 0, 1, 1, 1.0]}), test="sign", effect=0.5)
    assert six.detectable is None
    assert "too_few_items_differ" in codes(six.notes)
    # The largest effect at that discordance is found when all six differ and are won.
    assert (4 / 6) ** 6 < 0.1
    assert six.needed is not None
    assert six.needed.items > 6
