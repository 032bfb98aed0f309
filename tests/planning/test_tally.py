"""What counts of simulated evaluations say of power, and when that is enough."""

import pytest
from scipy import stats

from tellapart.methods.significance.paired_t import PairedT
from tellapart.numerics.null_laws.proportions import anytime_bounds
from tellapart.planning.study import Study
from tellapart.planning.tally import Tally
from tellapart.populations.gaussian import Gaussian


def test_sums() -> None:
    """Every count of both."""
    assert Tally(10, 4, 1, 2.5) + Tally(5, 3, 2, 0.25) == Tally(15, 7, 3, 2.75)


def test_bounds_of_a_fixed_number() -> None:
    """Wilson's, by scipy."""
    wanted = stats.binomtest(30, 80).proportion_ci(0.95, method="wilson")
    assert Tally(80, 30).bounds(None) == pytest.approx((wanted.low, wanted.high), rel=1e-12, abs=0.0)


def test_bounds_that_were_waited_for_are_wider() -> None:
    """They hold at every look."""
    low, high = Tally(800, 300).bounds(0.05)
    assert (low, high) == anytime_bounds(300, 800, 0.95, 0.05)
    fixed = Tally(800, 300).bounds(None)
    assert low < fixed[0] < 300 / 800 < fixed[1] < high


def test_precise() -> None:
    """From the first number of replicates on whose bounds are no further from their middle than asked; never without replicates or a wish."""
    tallies = [Tally(n, n // 2) for n in range(0, 4000, 100)]
    known = [tally.precise(0.04) for tally in tallies]
    assert known == sorted(known)
    first = known.index(True)
    widths = [high - low for low, high in (tally.bounds(0.04) for tally in tallies[first - 1 : first + 1])]
    assert widths[0] > 0.08 >= widths[1] > 0.07
    assert not any(tally.precise(None) for tally in tallies)


@pytest.mark.parametrize(("effect", "said"), [(0.1, (0.25, 3.0)), (-0.1, (0.25, 3.0)), (0.0, (None, None))])
def test_wrong_signs_and_exaggeration(effect: float, said: tuple[float | None, float | None]) -> None:
    """Shares of the rejections, where there is an effect to have the wrong sign of."""
    study = Study(Gaussian(effect=effect, sd=1.0, correlation=0.5), PairedT(), 50, 0.05)
    found = Tally(100, 20, 5, 6.0).result(study)
    assert (found.power, found.replicates) == (0.2, 100)
    assert found.type_s == pytest.approx(said[0])
    assert found.type_m == pytest.approx(said[1])
    nothing = Tally(100).result(study)
    assert (nothing.power, nothing.type_s, nothing.type_m) == (0.0, None, None)
