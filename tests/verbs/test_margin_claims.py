"""Claims about a margin where nothing varies, where a metric cannot be moved, and where resamples decide."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from tellapart import Scores, compare
from tellapart.answers.parts import codes
from tellapart.render import render
from tellapart.verbs.gate import GateQuestion, gated

SPREAD_NEEDED = ["paired_t", "bootstrap(kind=studentised)", "bootstrap(kind=bca)"]
"""Tests that measure a difference in its spread."""


def unchanged(units: int, clusters: int | None = None) -> Scores:
    """A candidate whose scores are those of its baseline."""
    values = np.random.default_rng(units).normal(size=units)
    together = None if clusters is None else np.arange(units) % clusters
    return Scores.from_arrays({"old": values, "new": values.copy()}, clusters=together)


def agreeing(scores: Scores, margin: float, **asked: Any) -> float:
    """The p-value of a loss smaller than the margin, which page, JSON, verdict and gate tell alike."""
    answer, passed = (
        compare(scores, margin=margin, **asked),
        gated(scores, GateQuestion(margin=margin, **asked)),
    )
    claim = answer.shown.not_worse
    assert claim is not None
    assert claim.holds == (claim.pvalue <= answer.alpha) == answer.shown.holds("equivalent")
    assert (answer.verdict == "equivalent", passed.verdict == "pass") == (claim.holds, claim.holds)
    assert passed.checks[0].not_worse_pvalue == claim.pvalue
    assert answer.to_dict()["shown"]["not_worse"] == {"holds": claim.holds, "pvalue": claim.pvalue}
    for style in ("text", "markdown", "html", "latex"):
        assert all(render(one, style) for one in (answer, passed))
    return claim.pvalue


@pytest.mark.parametrize("test", [None, "permutation", "wilcoxon", *SPREAD_NEEDED])
def test_an_unchanged_candidate_passes_by_the_signs_of_items(test: str | None) -> None:
    """However it is tested: each of 60 items lies above a loss of the margin, which of 2^60 ways is one."""
    assert agreeing(unchanged(60), 0.05, test=test) == pytest.approx(0.5**60, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("clusters", [3, 5, 6, 20, 60])
def test_an_unchanged_candidate_in_clusters(clusters: int) -> None:
    """The gate ended in an internal error, and compare contradicted itself; now the p-value goes on from few clusters to many."""
    assert agreeing(unchanged(120, clusters), 0.05) == pytest.approx(0.5**clusters, rel=1e-9, abs=0.0)


def test_clusters_that_all_differ_by_the_same() -> None:
    """Items vary, and the mean of no cluster does."""
    a = np.tile([0.0, 1.0], 30)
    scores = Scores.from_arrays({"old": a, "new": 1.0 - a}, clusters=np.arange(60) // 2)
    assert agreeing(scores, 0.05) == pytest.approx(0.5**30, rel=1e-9, abs=0.0)


def test_signs_that_decide_are_told() -> None:
    answer = compare(unchanged(120, 20), margin=0.05)
    (note,) = [note for note in answer.notes if note.code == "nothing_varies_at_margin"]
    assert note.values == {"instead": "cluster_sign_flip"}
    assert not {"equivalence_by_interval", "margin_interval_disagrees"} & set(codes(answer.notes))
    few = compare(unchanged(120, 20), margin=0.05, alpha=1e-9)
    assert few.verdict == "undetermined"
    assert "margin_interval_disagrees" in codes(few.notes)


def test_without_pairs_nothing_is_claimed_where_nothing_varies() -> None:
    """Signs are of pairs: the claims are open, and a note says why."""
    home = ["x"] * 10 + ["y"] * 10
    rows = {"system": home, "item": [f"q{i}" for i in range(20)], "score": [0.5] * 20}
    answer = compare(pl.DataFrame(rows), "x", "y", test="welch_t", margin=0.1)
    claim = answer.shown.equivalent
    assert claim is not None
    assert (claim.holds, claim.pvalue, answer.verdict) == (False, 1.0, "undetermined")
    (note,) = [note for note in answer.notes if note.code == "nothing_varies_at_margin"]
    assert note.values == {"instead": None}
    assert "margin_interval_disagrees" not in codes(answer.notes)


@pytest.mark.parametrize(("metric", "parts"), [("f1", ("tp", "fp", "fn")), ("recall", ("tp", "fn"))])
def test_claims_about_a_margin_are_those_of_the_interval(metric: str, parts: tuple[str, ...]) -> None:
    """Of a metric that is no mean too, by t on its influence and by resamples of the metric itself."""
    tests = set()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        gold = rng.random(30) < 0.3
        said = [np.where(rng.random(30) < right, gold, ~gold) for right in (0.8, 0.85)]
        counts = [{"tp": gold & s, "fp": ~gold & s, "fn": gold & ~s} for s in said]
        a, b = (np.stack([one[part] for part in parts], axis=-1).astype(float) for one in counts)
        scores = Scores.from_arrays({"a": a, "b": b}, parts=parts)
        answer, wide = (compare(scores, metric=metric, margin=0.2, alpha=alpha) for alpha in (0.05, 0.1))
        inside = (wide.interval.low >= -0.2, wide.interval.high <= 0.2)
        assert inside == (answer.shown.holds("not_worse"), answer.shown.holds("not_better"))
        tests.add(answer.test)
    assert len(tests) == 2


@pytest.mark.parametrize(
    "test",
    ["equivalence(test=bootstrap)", "non_inferiority(test=bootstrap)", "non_inferiority(test=both)"],
)
def test_a_margin_test_that_resamples_has_one_pvalue(test: str) -> None:
    """The sentence had that of one stream, and the claim that of another, on both sides of alpha."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a = rng.normal(size=20)
        scores = Scores.from_arrays({"a": a, "b": a + 0.15 + 0.5 * (rng.exponential(1.0, 20) - 1.0)})
        answer = compare(scores, margin=0.35, test=test, lower_is_better=True)
        claim = answer.shown.equivalent if answer.tested.claim == "equivalence" else answer.shown.not_worse
        assert claim is not None
        assert (claim.pvalue, claim.holds) == (answer.pvalue, answer.tested.rejected)
