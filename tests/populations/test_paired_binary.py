import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.populations import POPULATIONS
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.proportions import Proportions, _binomial_counts

share = st.floats(0.01, 0.99)


@example(accuracy=0.11289781079832954, place=1.0, overlap=0.0, kind=2)  # B is always right
@example(accuracy=0.5, place=0.0, overlap=1.0868e-09, kind=2)  # an accuracy of 1e-18, rounded to 0
@given(accuracy=share, place=st.floats(0.0, 1.0), overlap=st.floats(-0.99, 0.99), kind=st.sampled_from(range(3)))
def test_probabilities(accuracy: float, place: float, overlap: float, kind: int) -> None:
    """Anywhere in the stated range of effects, four probabilities sum to 1 and mean what was asked for."""
    options = [{"discordance": abs(overlap)}, {"agreement": abs(overlap)}, {"correlation": overlap}][kind]
    population = PairedBinary(accuracy=accuracy, **options)
    low, high = population.effect_range
    assume(high - low > 1e-9)
    population = population.with_effect(low + place * (high - low))
    both, win, loss, neither = population.probabilities()
    assert min(both, win, loss, neither) >= 0.0
    assert both + win + loss + neither == pytest.approx(1.0, abs=1e-12)
    assert both + loss == pytest.approx(accuracy, abs=1e-9)
    assert win - loss == pytest.approx(population.known_effect, abs=1e-9)
    assert (win, loss) == population.discordant_probabilities()
    right_b = both + win
    spread = math.sqrt(accuracy * (1.0 - accuracy) * right_b * (1.0 - right_b))
    # Where one system is always right, its correlation with anything is 0 / 0.
    covariance = both - accuracy * right_b
    found = {"discordance": win + loss, "agreement": both + neither, "correlation": covariance}
    for name, wanted in options.items():
        scaled = wanted * spread if name == "correlation" else wanted
        assert found[name] == pytest.approx(scaled, abs=1e-9)


@pytest.mark.parametrize(("effect", "most"), [(0.02, 0.9526), (0.05, 0.8819)])
def test_highest_correlation(effect: float, most: float) -> None:
    """Accuracies 0.70 and 0.72 allow a correlation up to 0.953, 0.70 and 0.75 up to 0.882, and say so."""
    assert PairedBinary(accuracy=0.7, effect=effect, correlation=most - 1e-4).effect == effect
    with pytest.raises(UsageError, match=f"and {most}"):
        PairedBinary(accuracy=0.7, effect=effect, correlation=most + 1e-3)


@pytest.mark.parametrize("effect", [0.02, -0.02, 0.1, -0.3, 0.3])
def test_discordance_may_equal_the_effect(effect: float) -> None:
    """When one system is right wherever the other is, the discordance is the effect."""
    win, loss = PairedBinary(accuracy=0.7, effect=effect, discordance=abs(effect)).discordant_probabilities()
    assert (win, loss) == pytest.approx((max(effect, 0.0), max(-effect, 0.0)), abs=1e-15)


def test_accuracy_is_not_needed_for_discordance() -> None:
    """Without accuracy the agreeing items are split evenly; the discordant ones are what was asked for."""
    both, win, loss, neither = PairedBinary(effect=0.03, discordance=0.15).probabilities()
    assert (both, win, loss, neither) == pytest.approx((0.425, 0.09, 0.06, 0.425))


def test_overlap_keeps_its_meaning() -> None:
    """A discordance stays fixed along a curve of effects; under a fixed correlation it moves."""
    fixed, moving = PairedBinary(accuracy=0.6, discordance=0.3), PairedBinary(accuracy=0.6, correlation=0.4)
    shares = [[sum(p.with_effect(e).discordant_probabilities()) for e in (0.0, 0.1)] for p in (fixed, moving)]
    assert shares[0] == pytest.approx([0.3, 0.3])
    assert shares[1][0] != pytest.approx(shares[1][1])


def test_drawn_correlation() -> None:
    """Item scores have the correlation asked for."""
    pair = PairedBinary(accuracy=0.6, effect=0.05, correlation=0.5).draw(500, 200, stream(1))
    assert np.corrcoef(pair.a.ravel(), pair.b.ravel())[0, 1] == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("paired_binary(accuracy=71.4, discordance=0.1)", "71.4 % is 0.714"),
        ("paired_binary(accuracy=0.7, discordance=10)", "10 % is 0.1"),
        ("paired_binary(accuracy=0.7, discordance=0.1, effect=2)", "2 % is 0.02"),
        ("paired_binary(effect=0.02)", "exactly one of discordance, agreement, correlation, and got none"),
        ("paired_binary(accuracy=0.7, discordance=0.1, agreement=0.9)", "got discordance and agreement"),
        ("paired_binary(accuracy=0.7, discordance=0.01, effect=0.05)", "between 0.05 and 0.55"),
        ("paired_binary(accuracy=0.7, agreement=0.1, effect=0.05)", "between 0.45 and 0.95"),
        ("paired_binary(accuracy=0.7, discordance=0.5, effect=0.4)", "between -0.7 and 0.3"),
        ("paired_binary(correlation=0.5, effect=0.1)", "give accuracy"),
        ("paired_binary(accuracy=1, correlation=0.5)", "has no correlation"),
        ("paired_binary(accuracy=0.7, correlation=0.5, effect=0.3)", "leave it between 0 and 0"),
        ("proportions(accuracy=0.7, effect=0.4)", "between -0.7 and 0.3"),
        ("proportions(accuracy=70)", "70 % is 0.7"),
    ],
)
def test_refusals(spelling: str, message: str) -> None:
    """What cannot be is refused by name with the feasible range."""
    with pytest.raises(UsageError, match=message):
        POPULATIONS.parse(spelling)


def test_an_open_overlap_is_no_population_yet() -> None:
    """With accuracy alone the overlap is left to evidence: the object exists, but nothing can be drawn from it."""
    population = PairedBinary(accuracy=0.7, effect=0.02)
    for ask in (population.probabilities, lambda: population.effect_range, lambda: population.sd_difference):
        with pytest.raises(UsageError, match="got none"):
            ask()


def test_proportions_reach_their_ends() -> None:
    """An accuracy of exactly 1 is reached in spite of 1 − 0.9 being a little less than 0.1."""
    population = Proportions(accuracy=0.9, effect=0.1)
    assert population.accuracies == (0.9, 1.0)
    assert population.draw(20, 10, stream(0)).b.all()


@pytest.mark.parametrize(("items", "accuracy"), [(7, 0.3), (50, 0.97), (1000, 0.5), (12, 0.0), (12, 1.0)])
def test_counts_are_binomial(items: int, accuracy: float) -> None:
    """Counts by inversion of an even grid of probabilities have the binomial mean and variance."""
    grid = (np.arange(200_000) + 0.5) / 200_000
    counts = _binomial_counts(grid, items, accuracy)
    assert counts.mean() == pytest.approx(items * accuracy, rel=1e-5, abs=0.0)
    assert counts.var() == pytest.approx(items * accuracy * (1.0 - accuracy), rel=2e-4, abs=1e-12)
    assert (np.diff(counts) >= 0).all()
