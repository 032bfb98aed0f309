"""Where p meets alpha, and what may be said then."""

from typing import get_args

import numpy as np
import pytest

from tellapart.foundation.decision import (
    EstablishedClaims,
    GateVerdict,
    Verdict,
    gate_verdict,
    is_open,
    rejects,
    verdict,
)


@pytest.mark.parametrize(
    ("pvalue", "alpha", "expected"),
    [(0.05, 0.05, True), (np.nextafter(0.05, 1.0), 0.05, False), (0.01, 0.05, True), (1.0, 0.05, False), (np.nan, 0.05, False)],
)  # fmt: skip
def test_p_at_alpha_rejects(pvalue: float, alpha: float, expected: bool) -> None:
    """At p = alpha the null is rejected, just above it and without a p-value it is not."""
    assert bool(rejects(pvalue, alpha)) is expected


def test_every_entry_of_a_batch_is_decided() -> None:
    """Simulated p-values are decided one by one, in their shape."""
    decided = rejects(np.array([[0.01, 0.2], [np.nan, 0.05]]), 0.05)
    assert decided.tolist() == [[True, False], [False, True]]


def shown(**pvalues: float) -> EstablishedClaims:
    names = ("better", "worse", "not_worse", "not_better", "equivalent")
    return EstablishedClaims.at(0.05, *(pvalues.get(name) for name in names))


@pytest.mark.parametrize(
    ("pvalues", "said"),
    [
        ({}, "undetermined"),
        ({"better": 0.05, "worse": 1.0}, "b better"),
        ({"better": 1.0, "worse": 0.01}, "a better"),
        ({"better": 0.0501, "worse": 1.0}, "undetermined"),
        (
            {"better": 0.01, "worse": 1.0, "not_worse": 0.01, "not_better": 0.01, "equivalent": 0.01},
            "b better",
        ),
        (
            {"better": 0.3, "worse": 1.0, "not_worse": 0.01, "not_better": 0.01, "equivalent": 0.01},
            "equivalent",
        ),
        (
            {"better": 0.3, "worse": 1.0, "not_worse": 0.01, "not_better": 0.2, "equivalent": 0.2},
            "b not worse",
        ),
        (
            {"better": 1.0, "worse": 0.3, "not_worse": 0.2, "not_better": 0.01, "equivalent": 0.2},
            "b not better",
        ),
        ({"better": float("nan"), "worse": float("nan")}, "undetermined"),
    ],
)
def test_verdicts(pvalues: dict[str, float], said: Verdict) -> None:
    """The strongest claim that holds: better, equivalent, not worse or not better; at p = alpha a claim holds."""
    assert verdict(shown(**pvalues)) == said


@pytest.mark.parametrize("reached", get_args(Verdict))
def test_what_more_items_could_still_tell(reached: Verdict) -> None:
    """One side excluded is not all that was asked; a better system and equivalence are."""
    assert is_open(reached) == (reached not in {"b better", "a better", "equivalent"})


def test_a_claim_has_its_p_value_where_it_was_asked_about() -> None:
    """By its name in words or in code; None where nobody asked."""
    found = shown(better=0.2, worse=1.0, not_worse=0.01)
    assert found.pvalue("better") == 0.2
    assert found.pvalue("not-worse") == found.pvalue("not_worse") == 0.01
    assert found.pvalue("equivalent") is None
    assert found.holds("not-worse")
    assert not found.holds("better")
    assert not found.holds("equivalent")


@pytest.mark.parametrize(
    ("not_worse", "two_sided", "bounds", "said"),
    [
        (0.05, 0.5, (-0.02, 0.01), "pass"),
        (0.0501, 0.5, (-0.02, 0.01), "undetermined"),
        (0.01, 0.5, (-0.0201, 0.01), "undetermined"),
        (0.01, 0.01, (-0.019, -0.001), "pass"),
        (0.2, 0.1, (-0.05, -0.001), "fail"),
        (0.2, 0.1001, (-0.05, -0.001), "undetermined"),
        (0.2, 0.01, (-0.05, 0.0), "undetermined"),
        (0.01, 0.01, (-0.03, -0.001), "fail"),
        (float("nan"), float("nan"), (-0.01, 0.01), "undetermined"),
    ],
)
def test_gates(not_worse: float, two_sided: float, bounds: tuple[float, float], said: GateVerdict) -> None:
    """A pass needs test and bound, each at its limit; a fail that nothing passes, a bound below 0 and p at twice alpha."""
    assert gate_verdict(not_worse, two_sided, bounds, margin=0.02, alpha=0.05) == said
