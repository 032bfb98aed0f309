"""Where p meets alpha, and what may be said then."""

import numpy as np
import pytest

from tellapart.decision import Verdict, rejects, verdict


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


@pytest.mark.parametrize(
    ("direction", "pvalue", "within_margin", "lower_is_better", "said"),
    [
        (1.0, 0.01, False, False, "b better"),
        (-1.0, 0.01, False, False, "a better"),
        (1.0, 0.01, False, True, "a better"),
        (-1.0, 0.01, False, True, "b better"),
        (1.0, 0.01, True, False, "b better"),
        (1.0, 0.2, True, False, "equivalent"),
        (1.0, 0.2, False, False, "undetermined"),
        (0.0, 0.01, False, False, "undetermined"),
        (0.0, 0.01, True, True, "equivalent"),
        (1.0, float("nan"), False, False, "undetermined"),
    ],
)
def test_verdicts(
    direction: float, pvalue: float, within_margin: bool, lower_is_better: bool, said: Verdict
) -> None:
    """A significant difference names the better system, whichever way scores point; else a met margin says equivalent."""
    found = verdict(direction, pvalue, 0.05, within_margin=within_margin, lower_is_better=lower_is_better)
    assert found == said
