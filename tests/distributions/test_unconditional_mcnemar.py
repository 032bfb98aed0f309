"""McNemar's statistic at its worst, against a dense grid of shares and its own tables."""

from collections.abc import Callable
from typing import Any, get_args

import numpy as np
import pytest
from scipy import optimize, stats

from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import Unsuitable
from tellapart.numerics.null_laws import unconditional_mcnemar as room
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.numerics.null_laws.unconditional_mcnemar import (
    MOST_ITEMS,
    _at_most,
    _attainable_statistics,
    _conditional_tails,
    _critical_gap,
    _first_enough,
    _mixtures,
    _on_grid,
    _peaks,
    _refined_maximum,
    critical_square,
    unconditional_critical_counts,
    unconditional_pvalue,
    worst_case,
)

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
    assert lower.min() == -1
    assert (upper <= m + 1).all()
    for count in m:
        wins = np.arange(count + 1)
        p = unconditional_pvalue(wins, count - wins, np.full_like(wins, items), alternative)
        np.testing.assert_array_equal((wins <= lower[count]) | (wins >= upper[count]), rejects(p, alpha))


def test_unconditional_critical_values(reference: Reference) -> None:
    """Critical statistic and attained size are the reference's at every tabulated number of items."""
    rows = {int(row["n"]): row for row in reference("power_mcnemar.csv")}
    for items, row in rows.items():
        square = critical_square(items, 0.05)
        assert square**0.5 == pytest.approx(float(row["ss_critical_z"]), rel=1e-11, abs=0.0)
        assert float(worst_case(np.array([square]), items)[0]) == pytest.approx(
            float(row["ss_attained_size"]), rel=1e-10, abs=0.0
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
    with pytest.raises(Unsuitable, match="mid_p"):
        critical_square(MOST_ITEMS + 1, 0.05)


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


def tables(items: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Wins less losses, and both together, of every table with wins ahead."""
    wins, losses = (x.ravel() for x in np.indices((items + 1, items + 1)))
    keep = (wins + losses <= items) & (wins > losses)
    return (wins - losses)[keep], (wins + losses)[keep]


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_the_side_that_is_not_asked_for_never_rejects(alternative: Alternative) -> None:
    """−1 below and one more than differ above; at levels that nothing reaches on both sides."""
    m = np.arange(31)
    lower, upper = unconditional_critical_counts(m, 30, 0.05, alternative)
    asked = upper if alternative == "greater" else lower
    assert (lower == -1).all() == (alternative == "greater")
    assert (upper == m + 1).all() == (alternative == "less")
    assert len(np.unique(asked)) > 5


def test_squares_that_tables_have() -> None:
    """Every one between two bounds, the bounds among them, in rising order."""
    gap, m = tables(12)
    every = np.unique(gap**2 / m)
    for low, high in ((1.0, 4.0), (0.5, 3.0), (11.5, 12.0), (2.25, 2.25)):
        expected = every[(every >= low) & (every <= high)]
        assert _attainable_statistics(12, low, high).tolist() == expected.tolist()
    assert _attainable_statistics(12, 13.0, 14.0).tolist() == []


@pytest.mark.parametrize("items", [6, 7, 11, 16, 24, 33])
@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_critical_squares_by_trying_all(items: int, alpha: float) -> None:
    """The smallest square that any table has and whose worst case is at most alpha."""
    gap, m = tables(items)
    every = np.unique(gap**2 / m)
    enough = every[worst_case(every, items) <= alpha]
    assert critical_square(items, alpha) == (enough[0] if len(enough) else np.inf)


def test_any_bracket_finds_the_same_square(monkeypatch: pytest.MonkeyPatch) -> None:
    """All squares there are searched, from very small levels to large ones: the usual bracket holds the critical square."""
    levels = [(n, alpha) for n in (3, 8, 21, 50) for alpha in (0.9, 0.5, 0.1, 0.01, 1e-4, 1e-6)]
    usual = [critical_square(*level) for level in levels]
    critical_square.cache_clear()
    monkeypatch.setattr(room, "_critical_bracket", lambda _: (0.0, np.inf))
    assert [critical_square(*level) for level in levels] == usual
    critical_square.cache_clear()


def test_the_first_square_that_is_enough() -> None:
    """From the first place to behind the last one, as the worst cases have it."""
    gap, m = tables(12)
    squares = np.unique(gap**2 / m)
    worst = worst_case(squares, 12)
    for place in range(len(squares)):
        assert _first_enough(squares, 12, float(worst[place])) == np.flatnonzero(worst <= worst[place])[0]
        assert _first_enough(squares[place:], 12, float(worst[place])) == 0
    assert _first_enough(squares, 12, float(worst[-1]) / 2.0) == len(squares)
    assert _first_enough(squares[:0], 12, 0.05) == 0


def test_a_search_asks_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifteen squares at a time, of which each round leaves a sixteenth: thousands are searched in four rounds."""
    asked: list[int] = []
    real = _at_most

    def counting(squares: Any, items: int, alpha: float) -> Any:
        asked.append(len(squares))
        return real(squares, items, alpha)

    monkeypatch.setattr(room, "_at_most", counting)
    critical_square.cache_clear()
    many = len(_attainable_statistics(150, *room._critical_bracket(0.05)))
    critical_square(150, 0.05)
    assert 16**2 < many < 16**4
    assert len(asked) <= 4
    assert max(asked) <= 15


def test_tails_given_how_many_differ() -> None:
    """P((wins − losses)² / m ≥ square) for each m by counting, 0 where no table of m reaches it and where m is 0."""
    squares = np.array([0.3, 1.0, 3.6, 12.5])
    found = _conditional_tails(squares, 12)
    assert found.shape == (4, 13)
    for m in range(13):
        wins = np.arange(m + 1)
        reached = (2 * wins - m) ** 2 >= squares[:, np.newaxis] * m
        expected = (stats.binom.pmf(wins, m, 0.5) * reached).sum(axis=1) if m else np.zeros(4)
        np.testing.assert_allclose(found[:, m], expected, rtol=1e-12, atol=0.0)


@pytest.mark.parametrize("items", [1, 5, 60, 900, 9_000])
def test_mixtures_are_means_over_a_binomial(items: int) -> None:
    """Over how many items differ, when each does with probability sin² of the angle: ends, small shares and halves."""
    angles = np.array([0.0, 1e-4, 0.02, 0.3, np.pi / 4.0, 1.2, np.pi / 2.0 - 1e-3, np.pi / 2.0])
    rng = np.random.default_rng(items)
    tails = np.stack([rng.random(items + 1), np.ones(items + 1)])
    weights = stats.binom.pmf(np.arange(items + 1), items, np.sin(angles)[:, np.newaxis] ** 2)
    np.testing.assert_allclose(_mixtures(angles, tails, items), tails @ weights.T, rtol=3e-11)


@pytest.mark.parametrize("items", [1, 30, 400])
def test_the_grid_of_shares(items: int) -> None:
    """From no item to all, sixteen angles to 1/√items, in blocks that leave no trace."""
    squares = np.array([2.0, 5.0])
    values, angles, tails = _on_grid(squares, items)
    assert (angles[0], angles[-1]) == (0.0, np.pi / 2.0)
    assert len(angles) == int(8.0 * np.pi * np.sqrt(items)) + 2
    np.testing.assert_allclose(tails, _conditional_tails(squares, items))
    np.testing.assert_allclose(values, _mixtures(angles, tails, items), rtol=1e-12)


def test_the_three_highest_peaks() -> None:
    """Local maxima from the highest down, ends and both sides of a plateau among them."""
    values = np.array([0.6, 0.1, 0.5, 0.3, 0.9, 0.2, 0.4, 0.1, 0.7])
    assert _peaks(values, np.arange(9.0)).tolist() == [4.0, 8.0, 0.0]
    flat = np.array([0.1, 0.8, 0.8, 0.2, 0.5, 0.3, 0.4, 0.2, 0.3])
    assert sorted(_peaks(flat, np.arange(9.0)).tolist()) == [1.0, 2.0, 4.0]
    slope = np.array([0.1, 0.2, 0.3, 0.4, 0.9, 0.8, 0.7, 0.75, 0.6, 0.65])
    assert _peaks(slope, np.arange(10.0)).tolist() == [4.0, 7.0, 9.0]


@pytest.mark.parametrize("items", [8, 25, 60])
def test_a_peak_is_found_to_its_last_digits(items: int) -> None:
    """The worst case against a bounded search of scipy beside every grid point."""
    squares = np.array([1.7, 3.9])
    values, angles, tails = _on_grid(squares, items)
    for row, tail in zip(values, tails, strict=True):
        best = 0.0
        for at in range(1, len(angles) - 1):
            found = optimize.minimize_scalar(
                lambda x, tail=tail: -_mixtures(np.array([x]), tail[np.newaxis], items)[0, 0],
                bounds=(angles[at - 1], angles[at + 1]),
                method="bounded",
                options={"xatol": 1e-9},
            )
            best = max(best, -float(found.fun), *row[[0, -1]])
        assert _refined_maximum(_peaks(row, angles), angles[1], tail, items) == pytest.approx(best, rel=1e-12, abs=0.0)


def test_a_peak_beside_the_ends_of_all_shares() -> None:
    """Shares end at none and at all: what is looked at beyond them is what they have."""
    tail = np.arange(11.0) / 10.0
    assert _refined_maximum(np.array([np.pi / 2.0]), 0.1, tail, 10) == pytest.approx(1.0, rel=1e-13, abs=0.0)
    assert _refined_maximum(np.array([0.0]), 0.1, tail[::-1], 10) == pytest.approx(1.0, rel=1e-13, abs=0.0)


def test_a_grid_misses_less_than_its_doubt() -> None:
    """Half a hundredth at most, of every worst case at every square that up to 60 items have: what is doubted is looked at again."""
    for items in range(6, 61, 6):
        gap, m = tables(items)
        squares = np.unique(gap**2 / m)
        rough, _, _ = _on_grid(squares, items)
        assert (rough.max(axis=1) >= worst_case(squares, items) * (1.0 - 0.005)).all()


def test_ties_of_wins_and_losses_say_nothing() -> None:
    """Nothing differs, or as much either way: p = 1 whichever side is asked for, in batches of any shape."""
    wins = np.array([[0, 3, 5], [2, 0, 1]])
    losses = np.array([[0, 3, 1], [2, 4, 1]])
    items = np.array([[4, 9, 9], [7, 9, 2]])
    both, up, down = (unconditional_pvalue(wins, losses, items, side) for side in ALTERNATIVES)
    assert both.shape == up.shape == (2, 3)
    equal = wins == losses
    for found in (both, up, down):
        assert (found[equal] == 1.0).all()
        assert (found[~equal] > 0.0).all()
    sided = {"greater": wins > losses, "less": wins < losses}
    for side, towards in sided.items():
        found = unconditional_pvalue(wins, losses, items, side)  # type: ignore[arg-type]
        np.testing.assert_allclose(found[towards], both[towards] / 2.0, rtol=1e-14)
        assert (found[~towards] == 1.0).all()


def test_the_most_items_are_answered() -> None:
    """The limit itself is not refused."""
    room._refuse_many_items(MOST_ITEMS)
    assert worst_case(np.zeros(0), 5).tolist() == []


@pytest.mark.parametrize("items", [6, 17, 40])
def test_looking_twice_as_far_around_a_peak_finds_the_same(items: int) -> None:
    """One step of the grid holds the peak between its points, and two steps hold it too."""
    gap, m = tables(items)
    squares = np.unique(gap**2 / m)
    values, angles, tails = _on_grid(squares, items)
    for row, tail in zip(values, tails, strict=True):
        near, far = (_refined_maximum(_peaks(row, angles), step * angles[1], tail, items) for step in (1.0, 2.0))
        assert near == pytest.approx(far, rel=1e-10, abs=0.0)
