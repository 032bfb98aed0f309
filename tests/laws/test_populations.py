"""Laws that every population obeys; a new one is tried on them by being registered."""

import pickle

import numpy as np
import pytest

from tellapart.arrays import FloatArray
from tellapart.errors import UsageError
from tellapart.metrics.mean import Mean
from tellapart.populations import POPULATIONS, Gaussian, Pilot, Population
from tellapart.populations.design import Design
from tellapart.populations.noise import Noise
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.spelling import options
from tellapart.summaries import Differences, Discordance, Independent, Parts

ITEMS, SIZE = 37, 4000
DESIGN = Design(ITEMS)


def _pilots() -> list[Population]:
    rng = stream(11, 1)
    levels = rng.normal(0.5, 0.2, (60, 1, 1))
    runs = [levels + rng.normal(0.0, 0.1, (60, 2, 1)) for _ in "ab"]
    runs[0][3, 1] = np.nan
    right = [(levels + rng.normal(0.1, 0.3, (60, 1, 1)) > 0.5).astype(np.float64) for _ in "ab"]
    uneven = np.repeat(np.arange(20), [1, 2, 3, 4, 5] * 4)
    return [
        Pilot.from_pair(Pair(runs[0], runs[1]), 0.02),
        Pilot.from_pair(Pair(right[0], right[1]), -0.05),
        Pilot.from_pair(Pair(runs[0], runs[1], uneven), 0.02),
    ]


SPELLED = [POPULATIONS.parse(example) for name in POPULATIONS for example in POPULATIONS[name].examples]
ALL = SPELLED + _pilots()
every = pytest.mark.parametrize("population", ALL, ids=str)


def _effects(population: Population, size: int = SIZE, seed: int = 5) -> FloatArray:
    """The estimated effect of each simulated evaluation."""
    pair = population.draw(ITEMS, size, stream(seed))
    return np.asarray(
        np.nanmean(pair.b, axis=-2).mean(axis=(-2, -1)) - np.nanmean(pair.a, axis=-2).mean(axis=(-2, -1))
    )


def _agree(x: FloatArray, y: FloatArray) -> bool:
    """Whether two independent samples have the same mean and spread, within four standard errors."""
    means = abs(x.mean() - y.mean()) <= 4.0 * np.hypot(x.std() / len(x) ** 0.5, y.std() / len(y) ** 0.5)
    squares = [(v - v.mean()) ** 2 for v in (x, y)]
    error = np.hypot(*(s.std() / len(s) ** 0.5 for s in squares))
    return bool(means and abs(squares[0].mean() - squares[1].mean()) <= 4.0 * error)


def test_every_population_shows_an_example() -> None:
    """What can be spelled has an example, so that no population escapes the laws."""
    assert all(POPULATIONS[name].examples or not POPULATIONS[name].from_spelling for name in POPULATIONS)


@pytest.mark.parametrize("name", sorted(POPULATIONS))
def test_every_population_says_when_it_is_the_wrong_choice(name: str) -> None:
    """Assumptions and their limits stand in the docstring, and every option has a word of help."""
    assert "The wrong choice" in " ".join((POPULATIONS[name].__doc__ or "").split())
    assert all(option.help for option in options(POPULATIONS[name]))


@pytest.mark.parametrize("population", SPELLED, ids=str)
def test_spelling_round_trips(population: Population) -> None:
    """`parse(str(x)) == x`, with the effect open too."""
    assert population == POPULATIONS.parse(str(population))
    assert population.with_effect(None) == POPULATIONS.parse(str(population.with_effect(None)))


@every
def test_pickles(population: Population) -> None:
    """A population that travelled is the same one and draws the same scores."""
    travelled = pickle.loads(pickle.dumps(population))  # noqa: S301  (our own bytes)
    assert population == travelled
    assert hash(population) == hash(travelled)
    assert np.array_equal(_effects(population, 10), _effects(travelled, 10))


@every
def test_same_seed_same_scores(population: Population) -> None:
    """Scores depend on the generator's seed and on nothing else."""
    assert np.array_equal(_effects(population, 10), _effects(population, 10))
    assert not np.array_equal(_effects(population, 10), _effects(population, 10, seed=6))


@every
def test_shapes(population: Population) -> None:
    """Draws are float64 `(size, item, run, part)`, clusters one code an item."""
    pair = population.draw(ITEMS, 3, stream(1))
    assert {(3, ITEMS)} == {x.shape[:2] for x in (pair.a, pair.b)}
    assert {(4, 1, np.dtype(np.float64))} == {(x.ndim, x.shape[-1], x.dtype) for x in (pair.a, pair.b)}
    assert pair.clusters is None or pair.clusters.shape == (ITEMS,)


@every
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0, -0.7])
def test_mean_of_draws_is_the_effect(population: Population, share: float) -> None:
    """The simulated differences average to the effect, whatever it is."""
    effect = population.known_effect * share
    found = _effects(population.with_effect(effect))
    assert abs(found.mean() - effect) <= 4.0 * found.std() / SIZE**0.5


class Shifted(Gaussian):
    """A population that does not have the effect it claims."""

    def scores(self, noise: Noise) -> Pair:
        pair = super().scores(noise)
        return Pair(pair.a, pair.b + 0.02)


def test_a_wrong_population_is_caught() -> None:
    """The law of the mean fails where a population is off by a sixth of a standard deviation."""
    with pytest.raises(AssertionError):
        test_mean_of_draws_is_the_effect(Shifted(sd=0.12, correlation=0.5, effect=0.05), 1.0)


@every
def test_smooth_in_the_effect(population: Population) -> None:
    """From the same random numbers a larger effect gives larger estimates, replicate by replicate."""
    if isinstance(population, Pilot) and population.pair.clusters is not None:
        pytest.skip("drawn clusters are cut to size, which moves single estimates")
    low, high = (_effects(population.with_effect(e), 200) for e in (0.01, 0.03))
    assert (high >= low - 1e-12).all()
    assert (high > low + 1e-12).any()


@every
def test_summaries_are_those_of_the_scores(population: Population) -> None:
    """A summary made without all the scores equals the one made from them."""
    noise = Noise.drawn(population.draws(DESIGN), 50, stream(3))
    pair = population.scores(noise)
    differences = population.summary(Differences, noise)
    assert np.allclose(Differences.of(pair, Mean()).values, differences.values, rtol=0.0, atol=1e-12)
    assert (differences.clusters is None) == (pair.clusters is None)
    assert np.array_equal(Parts.of(pair, Mean()).b, population.summary(Parts, noise).b)
    assert np.array_equal(Independent.of(pair, Mean()).a, population.summary(Independent, noise).a)


@every
@pytest.mark.parametrize("needs", [Differences, Discordance, Independent])
def test_direct_draw_agrees_with_the_slow_one(population: Population, needs: type) -> None:
    """A summary drawn directly has the law of one drawn item by item."""
    fast = population.draw_summary(needs, DESIGN, SIZE, stream(8))
    if fast is None:
        assert population.width(needs, DESIGN) >= ITEMS
        return
    slow = population.summary(needs, Noise.drawn(population.draws(DESIGN), SIZE, stream(9)))
    assert _agree(fast.effect, slow.effect)
    if isinstance(fast, Discordance):
        assert (fast.items == ITEMS).all()
        assert _agree(fast.share, slow.share)
        assert _agree(fast.both / ITEMS, slow.both / ITEMS)


@every
def test_open_effect(population: Population) -> None:
    """A population without effect can be built and passed on, and says what is missing when drawn from."""
    still_open = population.with_effect(None)
    assert population == still_open.with_effect(population.known_effect)
    with pytest.raises(UsageError, match="has no effect"):
        still_open.draw(10, 2, stream(0))


@every
def test_effects_out_of_range_are_refused(population: Population) -> None:
    """No effect beyond the stated range, and every effect within it."""
    low, high = (float(np.clip(bound, -10.0, 10.0)) for bound in population.effect_range)
    for within in (low + 1e-6 * (high - low), 0.5 * (low + high), high - 1e-6 * (high - low)):
        assert within == population.with_effect(within).known_effect
    for beyond in (low - 1e-6, high + 1e-6):
        if abs(beyond) < 10.0:
            with pytest.raises(UsageError):
                population.with_effect(beyond)


@every
@pytest.mark.parametrize("effect", [float("nan"), float("inf"), "0.1", True])
def test_effects_that_are_no_numbers_are_refused(population: Population, effect: float) -> None:
    """An effect is a finite number."""
    with pytest.raises(UsageError, match="effect="):
        population.with_effect(effect)
