from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from tellapart.data.summaries import Differences
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.populations import POPULATIONS
from tellapart.populations.gaussian import Gaussian, clipped_mean, unclipped_mean
from tellapart.populations.noise import Noise
from tellapart.populations.population import Design


@pytest.mark.parametrize(("mean", "sd", "low", "high"), [(0.65, 0.12, 0, 1), (0.98, 0.3, 0, 1), (-2.0, 0.5, -1, 3)])
def test_clipped_mean_is_its_integral(mean: float, sd: float, low: float, high: float) -> None:
    """The closed form equals numerical integration of the clipped score."""
    law = stats.norm(mean, sd)
    inside, _ = integrate.quad(lambda x: x * law.pdf(x), low, high, epsabs=1e-13)
    assert low * law.cdf(low) + inside + high * law.sf(high) == pytest.approx(
        clipped_mean(mean, sd, (low, high)), abs=1e-12
    )


@given(
    place=st.floats(1e-6, 1.0 - 1e-6),
    sd=st.floats(0.01, 10.0),
    low=st.floats(-5.0, 5.0),
    width=st.floats(0.1, 10.0),
)
def test_unclipped_mean_undoes_clipping(place: float, sd: float, low: float, width: float) -> None:
    """Every mean inside the range is reached, to rounding."""
    clip = (low, low + width)
    target = low + place * width
    assert clipped_mean(unclipped_mean(target, sd, clip), sd, clip) == pytest.approx(
        target, abs=1e-12 * (abs(low) + width + sd)
    )


def test_document_000_shift() -> None:
    """A shift of 0.10 before clipping is an effect of 0.0992 after it, and that effect is that shift."""
    population = Gaussian(mean=0.65, sd=0.12, correlation=0.8, clip=(0, 1))
    effect = population.effect_of_shift(0.10)
    assert effect == pytest.approx(0.0992, abs=5e-5)
    assert population.with_effect(effect).mean_b == pytest.approx(0.75, abs=1e-14)


@pytest.mark.parametrize("correlation", [-1.0, -0.3, 0.0, 0.8, 1.0])
def test_draws_have_the_promised_spreads_and_correlation(correlation: float) -> None:
    """Standard deviations, correlation and the sd of differences are those asked for."""
    population = Gaussian(mean=3.0, sd=0.5, sd_b=2.0, correlation=correlation, effect=0.1)
    pair = population.draw(400, 500, stream(2))
    a, b = pair.a.ravel(), pair.b.ravel()
    assert a.std() == pytest.approx(0.5, rel=0.01, abs=0.0)
    assert b.std() == pytest.approx(2.0, rel=0.01, abs=0.0)
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(correlation, abs=0.01)
    assert (b - a).std() == pytest.approx(population.sd_difference, rel=0.01, abs=0.0)


def test_clipped_scores_stay_in_range() -> None:
    """No score leaves the range, and the ends are used."""
    pair = Gaussian(mean=0.9, sd=0.3, correlation=0.2, clip=(0, 1), effect=0.05).draw(200, 50, stream(3))
    assert (pair.b.min(), pair.b.max()) == (0.0, 1.0)


def test_constant_differences_are_constant() -> None:
    """Systems that differ by a constant do so to the last bit, so that a test can see it."""
    population = Gaussian(mean=0.65, sd=0.12, correlation=1.0, effect=0.01)
    values = population.summary(Differences, Noise.drawn(population.draws(Design(50)), 20, stream(4))).values
    assert (values == 0.01).all()
    assert population.sd_difference == 0.0


def test_numbers_become_plain() -> None:
    """NumPy numbers and integers are accepted and spelled as numbers."""
    clip: Any = (np.int64(0), 1)
    mean: Any = np.float32(0.5)
    population = Gaussian(sd=np.float64(0.1), correlation=0, clip=clip, mean=mean, effect=0)
    assert str(population) == "gaussian(effect=0, sd=0.1, correlation=0, mean=0.5, clip=0:1)"


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("gaussian(sd=-1, correlation=0)", "sd=-1 should be above 0"),
        ("gaussian(sd=0, correlation=0)", "sd=0 should be above 0"),
        ("gaussian(sd=1, sd_b=-2, correlation=0)", "sd_b=-2 should be above 0"),
        ("gaussian(sd=1, correlation=1.5)", "correlation=1.5 should be between -1 and 1"),
        ("gaussian(sd=1, correlation=80)", "80 % is 0.8"),
        ("gaussian(sd=1, corelation=0)", "did you mean 'correlation'"),
        ("gaussian(sd=1, correlation=0, clip=1:0)", "lower end first"),
        ("gaussian(sd=1, correlation=0, clip=0)", "low:high"),
        ("gaussian(sd=0.1, correlation=0, mean=65, clip=0:1)", "same units"),
        ("gaussian(sd=0.12, correlation=0, mean=0.65, clip=0:1, effect=0.4)", "less than 0.3501"),
        ("gaussian(sd=1, correlation=0, effect=nan)", "effect=nan"),
    ],
)
def test_refusals(spelling: str, message: str) -> None:
    """What cannot be is refused with what can."""
    with pytest.raises(UsageError, match=message):
        POPULATIONS.parse(spelling)
