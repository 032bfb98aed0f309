"""What is better is not worse, also where many systems are judged together."""

import numpy as np
import pytest

from tellapart import Scores, rank
from tellapart.foundation.decision import EstablishedClaims


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_a_system_that_is_better_is_not_worse(lower_is_better: bool) -> None:
    """Twelve alike systems are told from the baseline together, where Holm at the margin takes them for twelve."""
    rng = np.random.default_rng(3)
    base, change = rng.normal(size=100), rng.normal(0.22, 1.0, 100)
    change += 0.22 - change.mean()
    board = {"base": base} | {f"s{k}": base + change + rng.normal(0.0, 0.03, 100) for k in range(12)}
    answer = rank(Scores.from_arrays(board), baseline="base", margin=0.01, lower_is_better=lower_is_better)
    side, implied = ("worse", "not_better") if lower_is_better else ("better", "not_worse")
    shown = [pair.shown for pair in answer.pairs if pair.shown is not None]
    assert any(one.holds(side) for one in shown)
    assert all(one.holds(implied) for one in shown if one.holds(side))
    if not lower_is_better:
        answer.require("not-worse")


def test_a_claim_has_the_smaller_pvalue_of_what_implies_it() -> None:
    found = EstablishedClaims.at(0.05, 0.03, 1.0, 0.2, 0.9, 0.9)
    assert [found.pvalue(name) for name in ("better", "not_worse", "not_better", "equivalent")] == [
        0.03,
        0.03,
        0.9,
        0.9,
    ]
    assert EstablishedClaims.at(0.05, 0.03, 1.0, None, None, None).not_worse is None
    assert EstablishedClaims.at(0.05, None, 0.01, 0.2, 0.9, 0.9).pvalue("not_better") == 0.01
