"""Changes of a mean since a first group: against the tests they become where groups share all units or none."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tellapart.multiplicity.change_laws import dealt_law, judged_changes, normal_law
from tellapart.multiplicity.changes import Lifts
from tellapart.seeds import stream

Values = list[NDArray[np.float64]]


def apart(values: Values) -> Lifts:
    """Groups that share no unit."""
    ends = np.cumsum([len(mine) for mine in values])
    return Lifts.of(values, [np.arange(end - len(mine), end) for end, mine in zip(ends, values, strict=True)])


def together(values: Values) -> Lifts:
    """Groups of the same units."""
    return Lifts.of(values, [np.arange(len(mine)) for mine in values])


def drawn(*shapes: tuple[int, float], seed: int = 0) -> Values:
    rng = np.random.default_rng(seed)
    return [rng.normal(0.2, spread, items) for items, spread in shapes]


def test_without_shared_units_it_is_welchs() -> None:
    """Statistic, degrees of freedom and interval of every change alone."""
    values = drawn((12, 1.0), (30, 3.0), (9, 0.5))
    found = apart(values).change
    low, high = found.bounds(0.9)
    for place, later in enumerate(values[1:]):
        peer = stats.ttest_ind(later, values[0], equal_var=False)
        bounds = peer.confidence_interval(0.9)
        assert found.pvalue[place] == pytest.approx(peer.pvalue, rel=1e-9)
        assert found.df[place] == pytest.approx(peer.df, rel=1e-9)
        assert (low[place], high[place]) == pytest.approx(tuple(bounds), rel=1e-9)


def test_with_all_units_shared_it_is_the_paired_t_of_differences_of_differences() -> None:
    """What a unit adds to both groups cancels."""
    values = drawn((15, 1.0), (15, 0.3), (15, 2.0))
    values = [mine + 5.0 * drawn((15, 1.0), seed=9)[0] for mine in values]
    found = together(values).change
    for place, later in enumerate(values[1:]):
        peer = stats.ttest_rel(later, values[0])
        assert found.pvalue[place] == pytest.approx(peer.pvalue, rel=1e-9)
        assert found.df[place] == pytest.approx(14.0, rel=1e-9)


def test_clusters_of_one_size_are_their_means() -> None:
    """Welch's t of cluster means, where clusters of different groups are different ones."""
    values = drawn((24, 1.0), (40, 2.0))
    found = Lifts.of(values, [np.repeat(np.arange(6), 4), 6 + np.repeat(np.arange(10), 4)]).change
    means = [mine.reshape(-1, 4).mean(axis=1) for mine in values]
    peer = stats.ttest_ind(means[1], means[0], equal_var=False)
    assert found.pvalue[0] == pytest.approx(peer.pvalue, rel=1e-9)
    assert found.df[0] == pytest.approx(peer.df, rel=1e-9)


def test_units_shared_in_part_use_their_covariance() -> None:
    """Over many samples the error is that of the change, and its p-values are uniform."""
    rng, changes, errors, pvalues = np.random.default_rng(3), [], [], []
    for _ in range(2000):
        common = rng.normal(0, 1, 40)
        values = [common[:30] + rng.normal(0, 0.3, 30), common[10:] + rng.normal(0, 0.3, 30)]
        found = Lifts.of(values, [np.arange(30), np.arange(10, 40)]).change
        changes.append(found.change[0])
        errors.append(found.error[0])
        pvalues.append(found.pvalue[0])
    assert np.sqrt(np.mean(np.square(errors))) == pytest.approx(np.std(changes), rel=0.05)
    assert np.mean(np.array(pvalues) <= 0.05) == pytest.approx(0.05, abs=0.015)


def test_the_family_is_dunnetts() -> None:
    """Equal spreads and many items: every later group against the first, as scipy has it."""
    values = drawn(*[(200, 1.0)] * 5, seed=4)
    values[3] = values[3] + 0.25
    peer = stats.dunnett(*values[1:], control=values[0], rng=np.random.default_rng(0))
    found = judged_changes(apart(values), 0.05, stream(0))
    assert found.adjusted == pytest.approx(peer.pvalue, abs=0.02)
    bounds = peer.confidence_interval(0.95)
    assert found.low == pytest.approx(bounds.low, abs=0.01)
    assert found.high == pytest.approx(bounds.high, abs=0.01)


@pytest.mark.parametrize("seed", range(12))
def test_bounds_exclude_zero_exactly_where_a_change_is_told(seed: int) -> None:
    """One decision: the simultaneous interval and the adjusted p-value."""
    values = drawn((15, 1.0), (40, 2.0), (10, 1.0), seed=seed)[: 2 + seed % 2]
    values[1] = values[1] + 0.25 * seed
    found = judged_changes(apart(values), 0.05, stream(seed))
    assert ((found.low > 0.0) | (found.high < 0.0)).tolist() == (found.adjusted <= 0.05).tolist()
    assert (found.adjusted >= apart(values).change.pvalue).all()


def test_a_large_change_in_one_group_hides_no_other() -> None:
    """Residuals are about each group's own mean: a shift elsewhere widens nothing."""
    values = drawn((30, 1.0), (30, 1.0), (30, 1.0), seed=2)
    shifted = [values[0], values[1], values[2] + 1000.0]
    alone, beside = (judged_changes(apart(one), 0.05, stream(1)) for one in (values, shifted))
    assert beside.adjusted[0] == pytest.approx(alone.adjusted[0], abs=0.02)
    assert beside.adjusted[1] == pytest.approx(0.0001)


def test_rare_wins_in_groups_of_unlike_size() -> None:
    """A small group that happens to have none does not vary: that is no certainty, and Welch alone takes it for one."""
    rng, naive, told = np.random.default_rng(8), 0, 0
    for _ in range(150):
        values = [(rng.random(items) < 0.06).astype(float) for items in (200, 10)]
        lifts = apart(values)
        pvalue = lifts.change.pvalue
        told += (
            max(normal_law(lifts, rng).adjusted(pvalue)[0], dealt_law(lifts, rng, 199).adjusted(pvalue)[0])
            <= 0.05
        )
        naive += values[1].sum() == 0 and stats.ttest_ind(*values, equal_var=False).pvalue <= 0.05
    assert naive > 60
    assert told <= 12


def test_units_that_never_vary() -> None:
    """No change is certain because nothing was seen to vary, and equal groups have none."""
    same = judged_changes(apart([np.zeros(20), np.zeros(20)]), 0.05, stream(0))
    assert same.adjusted.tolist() == [1.0]
    few = judged_changes(apart([np.zeros(3), np.ones(3)]), 0.05, stream(0))
    assert few.adjusted[0] > 0.05
    many = judged_changes(apart([np.zeros(50), np.ones(50)]), 0.05, stream(0))
    assert many.adjusted[0] <= 0.05
