"""McNemar's statistic at its worst, against a dense grid of shares and its own tables."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from tellapart.decision import rejects
from tellapart.distributions.tails import Alternative
from tellapart.distributions.unconditional_mcnemar import (
    MOST_ITEMS,
    _at_most,
    _critical_gap,
    critical_square,
    unconditional_critical_counts,
    unconditional_pvalue,
    worst_case,
)
from tellapart.errors import Unsuitable

Rows = list[dict[str, str]]
Reference = Callable[[str], Rows]

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)


def test_unconditional_golden_value() -> None:
    """Twelve wins and four losses of a hundred items: the supremum is at items that all differ."""
    found = float(unconditional_pvalue(np.array(12), np.array(4), np.array(100), "two-sided"))
    assert found == pytest.approx(0.05689, abs=5e-6)
    assert float(unconditional_pvalue(np.array(12), np.array(4), np.array(100), "greater")) == found / 2.0
    assert float(unconditional_pvalue(np.array(12), np.array(4), np.array(100), "less")) == 1.0


@pytest.mark.parametrize("items", [1, 4, 9, 25])
def test_unconditional_by_brute_force(items: int) -> None:
    """Each table's p-value is the largest probability, over a dense grid of shares, of a statistic as extreme."""
    wins, losses = (x.ravel() for x in np.indices((items + 1, items + 1)))
    keep = (wins + losses <= items) & (wins >= losses)
    wins, losses = wins[keep], losses[keep]
    found = unconditional_pvalue(wins, losses, np.array(items), "two-sided")
    m = np.arange(items + 1)[:, np.newaxis]
    x = np.arange(items + 1)[np.newaxis]
    given_m = np.where(x <= m, stats.binom.pmf(x, m, 0.5), 0.0)
    weights = stats.binom.pmf(np.arange(items + 1), items, np.linspace(0.0, 1.0, 4001)[:, np.newaxis])
    for w, c, p in zip(wins, losses, found, strict=True):
        extreme = (2 * x - m) ** 2 * np.maximum(w + c, 1) >= (w - c) ** 2 * m
        dense = float((weights @ (given_m * (extreme & ((m > 0) | (w == c)))).sum(axis=1)).max())
        assert dense - 1e-12 <= float(p) <= dense + 1e-6


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("alpha", [0.05, 0.125])
def test_unconditional_region_is_where_it_rejects(alternative: Alternative, alpha: float) -> None:
    """The critical counts found once for all are those that the p-values of all tables give."""
    items = 30
    m = np.arange(items + 1)
    lower, upper = unconditional_critical_counts(m, items, alpha, alternative)
    for count in m:
        wins = np.arange(count + 1)
        p = unconditional_pvalue(wins, count - wins, np.full_like(wins, items), alternative)
        np.testing.assert_array_equal((wins <= lower[count]) | (wins >= upper[count]), rejects(p, alpha))


def test_unconditional_critical_values(reference: Reference) -> None:
    """Critical statistic and attained size are the reference's at every tabulated number of items."""
    rows = {int(row["n"]): row for row in reference("power_mcnemar.csv")}
    for items, row in rows.items():
        square = critical_square(items, 0.05)
        assert square**0.5 == pytest.approx(float(row["ss_critical_z"]), rel=1e-11)
        assert float(worst_case(np.array([square]), items)[0]) == pytest.approx(
            float(row["ss_attained_size"]), rel=1e-10
        )


def test_unconditional_never_rejects_too_few() -> None:
    """With five items no table is significant at 5 %: all-one-way has probability 2/32."""
    assert critical_square(5, 0.05) == np.inf
    lower, upper = unconditional_critical_counts(np.arange(6), 5, 0.05, "two-sided")
    assert (lower == -1).all()
    assert (upper == np.arange(6) + 1).all()


def test_unconditional_refuses_very_many_items() -> None:
    """Past its limit the search is refused, naming the variant to use."""
    with pytest.raises(Unsuitable, match="mid_p"):
        unconditional_pvalue(np.array(40), np.array(10), np.array(MOST_ITEMS + 1), "two-sided")


def test_critical_gaps_are_the_smallest_that_reach() -> None:
    """For every square that some table of up to 120 items has, and next to it: the first |wins − losses| of m's parity."""
    m = np.arange(1, 121)
    reached = np.unique(np.concatenate([np.arange(k % 2, k + 1, 2) ** 2 / k for k in m]))[1:]
    squares = np.concatenate([reached, np.nextafter(reached, np.inf), np.nextafter(reached, 0.0)])
    found = _critical_gap(squares, m)
    assert np.all((found - m) % 2 == 0)
    assert np.all(found * found / m >= squares[:, np.newaxis])
    before = found - 2
    assert np.all((before < 0) | (before * before / m < squares[:, np.newaxis]))


@pytest.mark.parametrize("items", [7, 20, 41, 90])
def test_a_square_is_enough_up_to_its_worst_case(items: int) -> None:
    """At a level of its worst case it is at most that level; at one a millionth below it is not, whatever a grid saw of it."""
    squares = np.array([2.0, 3.0, 4.5])
    worst = worst_case(squares, items)
    for square, most in zip(squares, worst, strict=True):
        assert _at_most(np.array([square]), items, float(most)).tolist() == [True]
        assert _at_most(np.array([square]), items, float(most) * (1.0 - 1e-6)).tolist() == [False]
