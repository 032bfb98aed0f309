"""What a gate says of a test that is not about means, and of one that had no answer at the margin."""

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.answers.gate import Gate
from tellapart.answers.texts import add_text
from tellapart.verbs.gate import GateQuestion, gated


def winning_often_and_losing_much(test: str | None) -> Gate:
    a = np.random.default_rng(5).normal(size=60).round(3)
    scores = Scores.from_arrays({"old": a, "new": a + np.repeat([0.01, -1.0], [48, 12])})
    return add_text(gated(scores, GateQuestion(margin=0.05, test=test)))


def test_a_pass_that_is_not_about_means_says_so() -> None:
    """Beside an effect of −0.19 it said pass, and nothing of what had passed."""
    answer = winning_often_and_losing_much("wilcoxon")
    judged = "judged by the pseudo-median of the differences"
    assert answer.headline == f"pass: new is not worse than old by more than 0.05, {judged}"
    assert "; the pseudo-median of the differences is above +0.01" in answer.sentence
    assert "judged by" not in winning_often_and_losing_much(None).headline


def test_a_test_that_excludes_what_the_bound_does_not() -> None:
    """The sentence said of a p-value below alpha that nothing was excluded."""
    answer = winning_often_and_losing_much("sign")
    excluded = "The test excludes a loss of 0.05 or more (p < 0.0001, one-sided, judged by the share of items won)"
    assert f"{excluded}, and the lower bound does not." in answer.sentence
    assert "judged by" not in answer.headline


@pytest.mark.parametrize(("clusters", "unit"), [(None, "item"), (20, "cluster")])
def test_signs_that_decide_at_the_margin(clusters: int | None, unit: str) -> None:
    values = np.random.default_rng(1).normal(size=100)
    together = None if clusters is None else np.arange(100) % clusters
    scores = Scores.from_arrays({"old": values, "new": values.copy()}, clusters=together)
    test = "paired_t" if clusters is None else None
    (note,) = [
        note for note in compare(scores, margin=0.05, test=test).notes if note.code == "nothing_varies_at_margin"
    ]
    assert note.text.endswith(f" decides, by the side of it on which each {unit} lies")


def test_without_pairs_nothing_decides() -> None:
    unscored = [np.nan] * 10
    scores = Scores.from_arrays({"x": [0.5] * 10 + unscored, "y": unscored + [0.5] * 10})
    answer = compare(scores, test="welch_t", margin=0.1)
    (note,) = [note for note in answer.notes if note.code == "nothing_varies_at_margin"]
    assert note.text.endswith("so nothing is claimed about it")
