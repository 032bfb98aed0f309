"""Laws that every significance test obeys, run on every registered one."""

import pickle
from typing import Any

import numpy as np
import pytest

from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS, Equivalence


def reordered(pair: Pair, order: np.ndarray[Any, Any]) -> Pair:
    clusters = None if pair.clusters is None else pair.clusters[order]
    return Pair(pair.a[..., order, :, :], pair.b[..., order, :, :], clusters)


def tolerance(*outcomes: Any) -> float:
    """What two computations of one p-value may differ by: rounding, and five of their own stated errors."""
    return 1e-9 + 5.0 * sum(float(np.max(o.error)) for o in outcomes)


def test_spelling_round_trips(test: Any) -> None:
    """What is printed can be typed, and pickles."""
    assert TESTS.parse(str(test)) == test
    assert pickle.loads(pickle.dumps(test)) == test  # noqa: S301  (our own bytes)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_p_lies_in_its_range(test: Any, alternative: str, make_pair: Any, summarise: Any) -> None:
    """A p-value is above 0 and at most 1, and its error is not negative."""
    chosen = test.replace(alternative=alternative)
    outcome = chosen.apply(summarise(chosen, make_pair(chosen)), stream(0))
    assert 0.0 < float(outcome.pvalue) <= 1.0
    assert float(outcome.error) >= 0.0
    assert outcome.method


def test_item_order_changes_nothing(test: Any, make_pair: Any, summarise: Any) -> None:
    """Items have no order."""
    pair = make_pair(test)
    order = np.random.default_rng(3).permutation(pair.a.shape[-3])
    one, other = (test.apply(summarise(test, p), stream(0)) for p in (pair, reordered(pair, order)))
    assert float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-9, abs=tolerance(one, other))


def test_swapping_systems_keeps_p(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """Calling A what was B turns the direction and leaves the two-sided p-value."""
    pair = make_pair(difference_test)
    one, other = (
        difference_test.apply(summarise(difference_test, p), stream(0)) for p in (pair, pair.swapped)
    )
    assert float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-9, abs=tolerance(one, other))
    assert float(other.direction) == -float(one.direction)


def test_one_sided_alternatives_swap_with_the_systems(
    difference_test: Any, make_pair: Any, summarise: Any
) -> None:
    """B above A is A below B."""
    pair = make_pair(difference_test)
    less, greater = (difference_test.replace(alternative=side) for side in ("less", "greater"))
    one = greater.apply(summarise(greater, pair), stream(0))
    other = less.apply(summarise(less, pair.swapped), stream(0))
    assert float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-9, abs=tolerance(one, other))


def test_identical_systems_are_never_rejected(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """A system compared with itself gives p = 1."""
    pair = make_pair(difference_test)
    same = Pair(pair.a, pair.a, pair.clusters)
    outcome = difference_test.apply(summarise(difference_test, same), stream(0))
    assert float(outcome.pvalue) == 1.0
    assert float(outcome.direction) == 0.0


def test_batch_equals_loop(test: Any, make_pair: Any, summarise: Any) -> None:
    """Simulated evaluations get the p-values that each would get alone."""
    pair = make_pair(test, batch=(5,), items=52)
    together = test.apply(summarise(test, pair), stream(0))
    alone = [
        test.apply(summarise(test, Pair(pair.a[i], pair.b[i], pair.clusters)), stream(0)) for i in range(5)
    ]
    assert together.pvalue.shape == (5,)
    for i, outcome in enumerate(alone):
        assert float(together.pvalue[i]) == pytest.approx(
            float(outcome.pvalue), rel=1e-9, abs=tolerance(together, outcome)
        )


def test_same_seed_same_answer(test: Any, make_pair: Any, summarise: Any) -> None:
    """Chance comes from the generator alone."""
    sample = summarise(test, make_pair(test))
    assert test.apply(sample, stream(5)).pvalue == test.apply(sample, stream(5)).pvalue


def test_scale_does_not_matter(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """Points or percent: the p-value is the same."""
    if difference_test.needs.binary:
        pytest.skip("right-or-wrong scores have no scale")
    pair = make_pair(difference_test)
    scaled = Pair(pair.a * 100.0, pair.b * 100.0, pair.clusters)
    one, other = (difference_test.apply(summarise(difference_test, p), stream(0)) for p in (pair, scaled))
    assert float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-7, abs=tolerance(one, other))


def test_a_huge_effect_is_found(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """Negative control of the laws above: a test that never rejects would pass them all."""
    pair = make_pair(difference_test, effect=3.0)
    outcome = difference_test.apply(summarise(difference_test, pair), stream(0))
    assert float(outcome.pvalue) < 0.01
    assert float(outcome.direction) == 1.0


def test_every_test_names_its_interval(test: Any) -> None:
    """The interval printed beside a test exists, and takes scores of the same kind."""
    from tellapart.intervals import INTERVALS  # noqa: PLC0415

    interval = INTERVALS.parse(test.interval)
    assert interval.needs.paired == test.needs.paired


def test_rounding_is_no_evidence(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """0.1 more on every item, rounded: no test takes the rounding for spread and so for near-certainty."""
    if difference_test.needs.binary or not difference_test.needs.paired:
        pytest.skip("right-or-wrong scores cannot be moved, and scores on different items vary")
    pair = make_pair(difference_test)
    shifted = Pair(pair.a, pair.a + 0.1, pair.clusters)
    outcome = difference_test.apply(summarise(difference_test, shifted), stream(0))
    units = pair.a.shape[-3]
    assert np.isnan(outcome.pvalue) or float(outcome.pvalue) >= 2.0**-units


def test_another_null_is_another_zero(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """Asking for a difference of 0.3 after adding 0.3 to B is asking for zero before."""
    if difference_test.needs.binary:
        pytest.skip("right-or-wrong scores cannot be moved")
    pair = make_pair(difference_test)
    moved = Pair(pair.a, pair.b + 0.3, pair.clusters)
    one = difference_test.apply(summarise(difference_test, pair), stream(0))
    other = difference_test.against(summarise(difference_test, moved), 0.3, stream(0))
    assert float(other.pvalue) == pytest.approx(float(one.pvalue), rel=1e-7, abs=tolerance(one, other))


def test_p_is_never_zero(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """However overwhelming the difference, the p-value is a positive number."""
    pair = make_pair(difference_test, items=4000, effect=1e6)
    outcome = difference_test.apply(summarise(difference_test, pair), stream(0))
    assert 0.0 < float(outcome.pvalue) < 0.01


def test_a_wider_margin_is_easier(difference_test: Any, make_pair: Any, summarise: Any) -> None:
    """Equivalence within more is never harder to show, and certain within more than any difference there is."""
    pair = make_pair(difference_test)
    found = [
        float(equivalence.apply(summarise(equivalence, pair), stream(0)).pvalue)
        for margin in (0.05, 0.3, 50.0)
        for equivalence in [Equivalence(test=difference_test, margin=margin)]
    ]
    assert found[0] >= found[1] >= found[2]
    assert found[2] < 0.01
