"""Changes of a mean since a first group: against the tests they become where groups share all units or none."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from tellapart.boards.contrast_laws import adjusted_contrasts, normal_law, permutation_law
from tellapart.boards.group_contrasts import GroupContrast, UnitTotals
from tellapart.foundation.seeds import stream

Values = list[NDArray[np.float64]]


def apart(values: Values) -> UnitTotals:
    """Groups that share no unit."""
    ends = np.cumsum([len(mine) for mine in values])
    return UnitTotals.of(values, [np.arange(end - len(mine), end) for end, mine in zip(ends, values, strict=True)])


def together(values: Values) -> UnitTotals:
    """Groups of the same units."""
    return UnitTotals.of(values, [np.arange(len(mine)) for mine in values])


def drawn(*shapes: tuple[int, float], seed: int = 0) -> Values:
    rng = np.random.default_rng(seed)
    return [rng.normal(0.2, spread, items) for items, spread in shapes]


def test_without_shared_units_it_is_welchs() -> None:
    """Statistic, degrees of freedom and interval of every change alone."""
    values = drawn((12, 1.0), (30, 3.0), (9, 0.5))
    found = apart(values).contrasts
    low, high = found.bounds(0.9)
    for place, later in enumerate(values[1:]):
        peer = stats.ttest_ind(later, values[0], equal_var=False)
        bounds = peer.confidence_interval(0.9)
        assert found.pvalue[place] == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)
        assert found.df[place] == pytest.approx(peer.df, rel=1e-9, abs=0.0)
        assert (low[place], high[place]) == pytest.approx(tuple(bounds), rel=1e-9, abs=0.0)


def test_with_all_units_shared_it_is_the_paired_t_of_differences_of_differences() -> None:
    """What a unit adds to both groups cancels."""
    values = drawn((15, 1.0), (15, 0.3), (15, 2.0))
    values = [mine + 5.0 * drawn((15, 1.0), seed=9)[0] for mine in values]
    found = together(values).contrasts
    for place, later in enumerate(values[1:]):
        peer = stats.ttest_rel(later, values[0])
        assert found.pvalue[place] == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)
        assert found.df[place] == pytest.approx(14.0, rel=1e-9, abs=0.0)


def test_clusters_of_one_size_are_their_means() -> None:
    """Welch's t of cluster means, where clusters of different groups are different ones."""
    values = drawn((24, 1.0), (40, 2.0))
    found = UnitTotals.of(values, [np.repeat(np.arange(6), 4), 6 + np.repeat(np.arange(10), 4)]).contrasts
    means = [mine.reshape(-1, 4).mean(axis=1) for mine in values]
    peer = stats.ttest_ind(means[1], means[0], equal_var=False)
    assert found.pvalue[0] == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)
    assert found.df[0] == pytest.approx(peer.df, rel=1e-9, abs=0.0)


def test_units_shared_in_part_use_their_covariance() -> None:
    """Over many samples the error is that of the change, and its p-values are uniform."""
    rng, changes, errors, pvalues = np.random.default_rng(3), [], [], []
    for _ in range(2000):
        common = rng.normal(0, 1, 40)
        values = [common[:30] + rng.normal(0, 0.3, 30), common[10:] + rng.normal(0, 0.3, 30)]
        found = UnitTotals.of(values, [np.arange(30), np.arange(10, 40)]).contrasts
        changes.append(found.estimate[0])
        errors.append(found.error[0])
        pvalues.append(found.pvalue[0])
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(changes), rel=0.05, abs=0.0)
    assert np.mean(np.array(pvalues) <= 0.05) == pytest.approx(0.05, abs=0.015)


def test_the_family_is_dunnetts() -> None:
    """Equal spreads and many items: every later group against the first, as scipy has it."""
    values = drawn(*[(200, 1.0)] * 5, seed=4)
    values[3] = values[3] + 0.25
    peer = stats.dunnett(*values[1:], control=values[0], rng=np.random.default_rng(0))
    found = adjusted_contrasts(apart(values), 0.05, stream(0))
    assert found.adjusted == pytest.approx(peer.pvalue, abs=0.02)
    bounds = peer.confidence_interval(0.95)
    assert found.low == pytest.approx(bounds.low, abs=0.01)
    assert found.high == pytest.approx(bounds.high, abs=0.01)


@pytest.mark.parametrize("seed", range(12))
def test_bounds_exclude_zero_exactly_where_a_change_is_told(seed: int) -> None:
    """One decision: the simultaneous interval and the adjusted p-value."""
    values = drawn((15, 1.0), (40, 2.0), (10, 1.0), seed=seed)[: 2 + seed % 2]
    values[1] = values[1] + 0.25 * seed
    found = adjusted_contrasts(apart(values), 0.05, stream(seed))
    assert ((found.low > 0.0) | (found.high < 0.0)).tolist() == (found.adjusted <= 0.05).tolist()
    assert (found.adjusted >= apart(values).contrasts.pvalue).all()


def test_a_large_change_in_one_group_hides_no_other() -> None:
    """Residuals are about each group's own mean: a shift elsewhere widens nothing."""
    values = drawn((30, 1.0), (30, 1.0), (30, 1.0), seed=2)
    shifted = [values[0], values[1], values[2] + 1000.0]
    alone, beside = (adjusted_contrasts(apart(one), 0.05, stream(1)) for one in (values, shifted))
    assert beside.adjusted[0] == pytest.approx(alone.adjusted[0], abs=0.02)
    assert beside.adjusted[1] == pytest.approx(0.0001)


def test_rare_wins_in_groups_of_unlike_size() -> None:
    """A small group that happens to have none does not vary: that is no certainty, and Welch alone takes it for one."""
    rng, naive, told = np.random.default_rng(8), 0, 0
    for _ in range(150):
        values = [(rng.random(items) < 0.06).astype(float) for items in (200, 10)]
        totals = apart(values)
        pvalue = totals.contrasts.pvalue
        told += (
            max(
                normal_law(totals, rng).adjusted(pvalue)[0],
                permutation_law(totals, rng, 199).adjusted(pvalue)[0],
            )
            <= 0.05
        )
        naive += values[1].sum() == 0 and stats.ttest_ind(*values, equal_var=False).pvalue <= 0.05
    assert naive > 60
    assert told <= 12


def test_units_that_never_vary() -> None:
    """No change is certain because nothing was seen to vary, and equal groups have none."""
    same = adjusted_contrasts(apart([np.zeros(20), np.zeros(20)]), 0.05, stream(0))
    assert same.adjusted.tolist() == [1.0]
    few = adjusted_contrasts(apart([np.zeros(3), np.ones(3)]), 0.05, stream(0))
    assert few.adjusted[0] > 0.05
    many = adjusted_contrasts(apart([np.zeros(50), np.ones(50)]), 0.05, stream(0))
    assert many.adjusted[0] <= 0.05


SIZES = [np.array([0, 0, 1, 2, 3, 3, 3]), np.array([0, 1, 1, 2, 4]), np.array([2, 5, 5, 6]), np.array([7, 8])]
"""The unit of every item: some in several groups, with other numbers of items there; the last group shares none."""


def clustered(seed: int = 0) -> UnitTotals:
    rng = np.random.default_rng(seed)
    return UnitTotals.of([rng.normal(size=len(units)) for units in SIZES], SIZES)


def test_where_units_stand() -> None:
    """One place per unit and group; which of them are in the first group too, and how many units each part weighs as."""
    totals = clustered()
    cells = totals.cells
    assert cells.unit.tolist() == [0, 1, 2, 3, 0, 1, 2, 4, 2, 5, 6, 7, 8]
    assert cells.group.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3]
    assert cells.size.tolist() == [2, 1, 1, 3, 1, 2, 1, 1, 1, 2, 1, 1, 1]
    assert cells.group_starts.tolist() == [0, 4, 8, 11]
    others, firsts = cells.shared
    assert (others.tolist(), firsts.tolist()) == ([4, 5, 6, 8], [0, 1, 2, 2])
    # In both groups sizes are those of the later one; a single unit counts as two, and what is not met never varies.
    both, later, first = cells.degrees_of_freedom
    np.testing.assert_allclose(both, [16.0 / 6.0 - 1.0, 1.0, np.inf])
    np.testing.assert_allclose(later, [1.0, 1.0, 1.0])
    np.testing.assert_allclose(first, [1.0, 36.0 / 14.0 - 1.0, 49.0 / 15.0 - 1.0])


def by_definition(totals: UnitTotals, group: int, sums: NDArray[np.float64]) -> tuple[float, float, float]:
    """GroupContrast, standard error and degrees of freedom, unit by unit."""
    where = {(u, g): k for k, (u, g) in enumerate(zip(totals.cells.unit, totals.cells.group, strict=True))}
    sizes = totals.cells.size
    total, mean, adds = {}, {}, {}
    for g in (0, group):
        mine = [k for (_, at), k in where.items() if at == g]
        total[g] = sizes[mine].sum()
        mean[g] = sums[mine].sum() / total[g]
        for k in mine:
            left = sums[k] - sizes[k] * mean[g]
            adds[k] = left / total[g] / np.sqrt(1.0 - sizes[k] / total[g])
    parts: dict[str, float] = {"both": 0.0, "later": 0.0, "first": 0.0}
    for unit in set(totals.cells.unit.tolist()):
        first, later = where.get((unit, 0)), where.get((unit, group))
        if first is not None and later is not None:
            parts["both"] += (adds[later] - adds[first]) ** 2
        elif later is not None:
            parts["later"] += adds[later] ** 2
        elif first is not None:
            parts["first"] += adds[first] ** 2
    freedom = dict(zip(parts, totals.cells.degrees_of_freedom[:, group - 1], strict=True))
    whole = sum(parts.values())
    df = whole**2 / sum(parts[name] ** 2 / freedom[name] for name in parts)
    return mean[group] - mean[0], np.sqrt(whole), df


@pytest.mark.parametrize("seed", range(3))
def test_uneven_units_shared_in_part_by_definition(seed: int) -> None:
    """Clusters of unlike size, some in two groups, some in one: CR2 and Satterthwaite, written out unit by unit."""
    totals = clustered(seed)
    for group in (1, 2, 3):
        found = [float(part[group - 1]) for part in totals.contrasts]
        assert found == pytest.approx(by_definition(totals, group, totals.sums), rel=1e-9, abs=0.0)


def test_many_arrangements_are_judged_as_one() -> None:
    """A batch of sums and sizes at the places is one arrangement after another."""
    totals = clustered()
    order = np.random.default_rng(1).permuted(np.tile(np.arange(13), (6, 1)), axis=1).reshape(2, 3, 13)
    batch = totals.contrasts_of(totals.sums[order], totals.cells.size[order])
    for one in np.ndindex(2, 3):
        alone = totals.contrasts_of(totals.sums[order[one]], totals.cells.size[order[one]])
        for part, expected in zip(batch, alone, strict=True):
            np.testing.assert_allclose(part[one], expected, rtol=1e-13)


def test_means_residuals_and_reach() -> None:
    """Sums about the mean of their group; the furthest that two units' means lie apart."""
    totals = UnitTotals.of([np.array([1.0, 2.0, 6.0]), np.array([4.0, 8.0])], [np.array([0, 0, 1]), np.array([0, 1])])
    assert totals.sums.tolist() == [3.0, 6.0, 4.0, 8.0]
    assert totals.means.tolist() == [3.0, 6.0]
    assert totals.residuals.tolist() == [-3.0, 3.0, -2.0, 2.0]
    assert totals.range_of_unit_means == 8.0 - 1.5
    np.testing.assert_allclose(
        totals.added, [-1.0 * np.sqrt(3.0), np.sqrt(1.5), -np.sqrt(2.0), np.sqrt(2.0)], rtol=1e-12
    )


def test_a_change_without_error_is_sure() -> None:
    """Where nothing can vary a change has the smallest p-value there is, and no change has p = 1."""
    found = GroupContrast(np.array([1.0, 0.0, -2.0]), np.zeros(3), np.full(3, 5.0)).pvalue
    assert 0.0 < found[0] < 1e-300
    assert found[1] == 1.0
    assert found[2] == found[0]


def test_bounds_of_a_change() -> None:
    """Student's quantile at half of what is left out."""
    change = GroupContrast(np.array([1.0, -1.0]), np.array([0.5, 2.0]), np.array([3.0, 40.5]))
    low, high = change.bounds(0.98)
    half = special.stdtrit([3.0, 40.5], 0.99) * change.error
    np.testing.assert_allclose(low, change.estimate - half, rtol=1e-12)
    np.testing.assert_allclose(high, change.estimate + half, rtol=1e-12)


def test_what_never_varied_counts_as_one_unit_that_did() -> None:
    """One unit as far off as any, over the items of its group; of units in both groups over the fewer."""
    found = apart([np.zeros(3), np.ones(4)]).contrasts
    squares = np.array([1.0 / 16.0, 1.0 / 9.0])
    assert found.error[0] == pytest.approx(np.sqrt(squares.sum()), rel=1e-12, abs=0.0)
    assert found.df[0] == pytest.approx(squares.sum() ** 2 / (squares**2 / [3.0, 2.0]).sum(), rel=1e-12, abs=0.0)
    sizes = [np.array([0, 0, 1, 1, 1]), np.array([0, 1])]
    both = UnitTotals.of([np.zeros(5), np.full(2, 3.0)], sizes).contrasts
    assert both.error[0] == pytest.approx(3.0 / 2.0, rel=1e-12, abs=0.0)
    assert both.df[0] == pytest.approx(1.0, rel=1e-12, abs=0.0)


def test_rounding_is_no_spread() -> None:
    """A group whose scores differ in the last digit has not varied; one that differs in the tenth has."""
    rounded = apart([np.array([0.3, 0.1 + 0.2, 0.3]), np.ones(4)]).contrasts
    exact = apart([np.full(3, 0.3), np.ones(4)]).contrasts
    assert rounded.error[0] == pytest.approx(exact.error[0], rel=1e-9, abs=0.0)
    varied = apart([np.array([0.3, 0.3 + 1e-10, 0.3]), np.array([1.0, 1.0 + 1e-10, 1.0, 1.0])]).contrasts
    assert varied.error[0] < 1e-9


def test_a_spread_of_twelve_digits_below_a_step_is_rounding() -> None:
    """Squares a little below 1e-24 of one unit that reaches furthest are replaced by it, a little above they are kept."""
    values = [np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.5, 3.5])]
    totals = UnitTotals.of(values, [np.arange(4), np.arange(4, 8)])
    one_unit = (3.5 / 4.0) ** 2
    found = totals._floored_squares(one_unit * np.array([[0.0], [0.9e-24], [1.1e-24]]), np.array([4.0, 4.0]))
    assert found.ravel().tolist() == pytest.approx([0.0, one_unit, 1.1e-24 * one_unit], rel=1e-12, abs=0.0)


def test_bounds_go_no_farther_than_any_change_can() -> None:
    """Where few degrees of freedom leave open more than there is; what is within stays as it is."""
    found = apart(drawn((2, 1.0), (40, 1.0), (30, 2.0))).contrasts
    low, high = found.bounds(0.99)
    assert (low.min() < -0.6) & (high.max() > 0.6)
    clipped = found.bounds(0.99, most=0.6)
    assert clipped[0] == pytest.approx(np.maximum(low, -0.6))
    assert clipped[1] == pytest.approx(np.minimum(high, 0.6))
