"""Claims about means: spreads that contradict each other, no spread at all, and what evidence says of correlations."""

import math
from typing import Any

import pytest
from scipy import stats

from tellapart import Claim, audit
from tellapart.answers.audit import AuditedClaim


def one(evidence: str | None = None, **printed: Any) -> AuditedClaim:
    return audit(Claim(**{"a": "0.41", "b": "0.45", "items": 200, **printed}), evidence=evidence).claims[0]


def test_an_sd_beside_its_se() -> None:
    """Both may be given where the one is the other over the root of the items."""
    assert one(sd="0.30", se="0.021").p_expected == one(sd="0.30").p_expected


def test_a_standard_error_of_the_difference_needs_no_correlation() -> None:
    """It speaks alone; beside spreads it must be one that some correlation gives."""
    alone = one(se_difference="0.010")
    beside = one(se_difference="0.010", correlation="0.5")
    assert (alone.p_low, alone.p_high_rounded) == (beside.p_low, beside.p_high_rounded)
    assert (beside.supposed.basis, beside.supposed.source) == ("not needed", "not needed")
    fits = one(se_difference="0.020", sd="0.30")
    assert fits.p_low == pytest.approx(float(2 * stats.t.sf(2.0, 199)), rel=1e-9, abs=0.0)
    for printed in (
        {"se_difference": "0.050", "sd": "0.30"},
        {"se_difference": "0.020", "sd": "0.300", "correlation": "0.00"},
    ):
        found = one(**printed)
        assert (found.verdict, found.p_low, found.p_high_rounded) == ("impossible", None, None)
        assert found.impossible is not None
        assert found.impossible.code == "no_correlation_gives_this_spread"
        assert found.impossible.values["sd_difference"] not in (
            found.impossible.values["least_sd"],
            found.impossible.values["most_sd"],
        )


def test_named_evidence_on_correlation_speaks() -> None:
    """A benchmark's correlation, named, is the one that is supposed; other evidence is told to say nothing here."""
    found = one("benchmark_correlation(benchmark=mmlu)", sd="0.3")
    ratio = 0.04 * math.sqrt(200) / (0.3 * math.sqrt(2.0 * (1.0 - 0.62)))
    assert found.p_expected == pytest.approx(float(2.0 * stats.t.sf(ratio, 199)), rel=1e-9, abs=0.0)
    assert found.supposed.source == "benchmark_correlation(benchmark=mmlu)"
    other = one("squad2_pairs", sd="0.3")
    assert other.supposed.source == "trec_runs(measure=ndcg)"
    (note,) = (note for note in other.notes if note.code == "evidence_not_about_means")
    assert note.values == {"evidence": "squad2_pairs", "instead": "trec_runs(measure=ndcg)"}


def test_without_spread_everything_is_found() -> None:
    """Two systems that differ by the same amount on every item: no difference is too small, whatever the items."""
    found = one(sd="0.3", correlation="1", effect="0.01")
    assert (found.detectable, found.power, found.type_s, found.type_m) == (0.0, 1.0, 0.0, 1.0)
    assert (found.ratio, found.size) == (None, "above")
    assert one(a="0.41", b="0.41", sd="0.3", correlation="1").size == "below"


def test_scores_of_any_size() -> None:
    """Units do not matter: scores a thousand million times smaller have the same p-values."""
    usual = one(a="0.41", b="0.45", sd="0.30")
    small = one(a="0.41e-200", b="0.45e-200", sd="0.30e-200")
    for name in ("p_expected", "p_high", "p_high_rounded"):
        assert getattr(small, name) == pytest.approx(getattr(usual, name), rel=1e-9, abs=0.0)
