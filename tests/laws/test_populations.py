"""Laws that every population obeys; a new one is tried on them by being registered, and wrong ones that each law catches."""

import pickle
from typing import Any

import numpy as np
import pytest
from scipy import special, stats
from tests.laws.law import Law, Laws, fails
from tests.laws.population_cases import ITEMS, design_for, effects, neighbours, noise_for, pilots, spelled
from tests.laws.wrong_populations import (
    Apart,
    Defaulting,
    Doubled,
    Elsewhere,
    FastAndWrong,
    Flat,
    Forgetful,
    InFours,
    InPlace,
    Jumping,
    LessCorrelated,
    Louder,
    MoreAlike,
    Narrower,
    OwnChance,
    SevenPercentShort,
    Shifted,
    Travelling,
    Wider,
    Wrong,
    WrongCounts,
)

from tellapart.data.summaries import Differences, Discordance, Independent, Parts, contributions
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.foundation.spelling import options
from tellapart.methods.significance import TESTS
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.noise import Noise
from tellapart.populations.pilot import Pilot

SIZE = 4000
SPELLED = spelled()
ALL = SPELLED + pilots()
LAWS = Laws()


@LAWS.law(Travelling())
def travels(population: Population) -> None:
    """A population that was pickled is the same one and draws the same scores."""
    travelled = pickle.loads(pickle.dumps(population.with_effect(0.01)))  # noqa: S301  (our own bytes)
    assert population.with_effect(0.01) == travelled
    assert hash(population.with_effect(0.01)) == hash(travelled)
    assert np.array_equal(effects(population.with_effect(0.01), 10), effects(travelled, 10))


@LAWS.law(OwnChance())
def same_seed_same_scores(population: Population) -> None:
    """Scores depend on the generator's seed and on nothing else."""
    assert np.array_equal(effects(population, 10), effects(population, 10))
    assert not np.array_equal(effects(population, 10), effects(population, 10, seed=6))


@LAWS.law(Flat())
def shapes(population: Population) -> None:
    """Draws are float64 `(size, item, run, part)`, clusters one code per item."""
    design, parts = design_for(population), len(population.metric.parts())
    pair = population.draw(design, 3, stream(1))
    assert {(3, design.items)} == {x.shape[:2] for x in (pair.a, pair.b)}
    assert {(4, parts, np.dtype(np.float64))} == {(x.ndim, x.shape[-1], x.dtype) for x in (pair.a, pair.b)}
    assert pair.clusters is None or pair.clusters.shape == (design.items,)


@LAWS.law(Shifted(), SevenPercentShort())
def mean_of_draws_is_the_effect(population: Population) -> None:
    """The simulated differences average to the effect, whatever it is, up to near the ends of its range."""
    low, high = (float(np.clip(end, -0.5, 0.5)) for end in population.effect_range)
    shares = [population.known_effect * share for share in (0.0, 0.5, 1.0, -0.7)]
    for effect in (*shares, 0.95 * low, 0.95 * high):
        found = effects(population.with_effect(effect), SIZE if population.metric.linear else 300)
        assert abs(found.mean() - effect) <= 4.0 * found.std() / len(found) ** 0.5 + 1e-12


def _differences(population: Population) -> FloatArray:
    """Item differences of simulated evaluations, `(evaluation, item)`."""
    pair = population.draw(design_for(population), SIZE if population.metric.linear else 300, stream(7))
    a, b = (contributions(x, population.metric) for x in (pair.a, pair.b))
    return np.asarray(b - a)


def _unclipped(population: Population) -> bool:
    return getattr(population, "clip", None) is None


@LAWS.law(Wider(), LessCorrelated(), applies=lambda p: p.sd_difference is not None and _unclipped(p))
def spread_is_that_of_draws(population: Population) -> None:
    """`sd_difference` is the standard deviation of the differences drawn; what clipping takes off it leaves aside."""
    squares = ((_differences(population) - population.known_effect) ** 2).mean(axis=-1)
    error = 4.0 * squares.std() / len(squares) ** 0.5 + (0.0 if population.metric.linear else 0.01 * squares.mean())
    assert abs(squares.mean() - (population.sd_difference or 0.0) ** 2) <= error + 1e-15


SAID_OF_A: dict[str, Any] = {"mean": np.mean, "accuracy": np.mean, "sd": np.std}


def _said_of_a(population: Population) -> dict[str, float]:
    """What a population says of A's scores themselves, by options of these names."""
    if population.by_raters or not (population.metric.linear and _unclipped(population)):
        return {}
    own = {option.name for option in options(type(population))} & set(SAID_OF_A)
    if getattr(population, "runs_as", None) is not None:
        own -= {"accuracy"}  # that of a run, where what is drawn is pass@k of several
    return {name: value for name in sorted(own) if (value := getattr(population, name)) is not None}


@LAWS.law(Elsewhere(), Louder(), applies=lambda p: bool(_said_of_a(p)))
def scores_of_a_are_as_said(population: Population) -> None:
    """The mean, or accuracy, and the spread of A's scores are those of its draws."""
    a = population.draw(2000, 20, stream(12)).a.reshape(20, -1)
    for name, value in _said_of_a(population).items():
        found = SAID_OF_A[name](a, axis=-1)
        assert abs(found.mean() - value) <= 4.0 * found.std() / len(found) ** 0.5 + 1e-3 * abs(value)


@LAWS.law(InFours(), applies=lambda p: not p.by_raters)
def items_come_in_its_units(population: Population) -> None:
    """Where items come several at a time they are drawn in clusters of so many; others are on their own, or of many sizes."""
    clusters = population.draw(12 * population.unit, 2, stream(1)).clusters
    sizes = {1} if clusters is None else {int(n) for n in np.bincount(clusters)}
    assert sizes == {population.unit} or (population.unit == 1 and len(sizes) > 1)


@LAWS.law(Apart())
def systems_share_items_where_it_says_so(population: Population) -> None:
    """Its usual test takes such scores, and systems with items of their own do not vary together."""
    assert TESTS.parse(population.test).needs.paired == population.paired
    if not population.paired:
        pair = population.draw(2000, 2, stream(13))
        assert abs(np.corrcoef(pair.a.ravel(), pair.b.ravel())[0, 1]) < 0.08


def _correlated(population: Population) -> bool:
    own = {option.name for option in options(type(population))}
    said = "correlation" in own and getattr(population, "correlation") is not None  # noqa: B009
    # Of a metric that is no mean, scores are counts, and the correlation is of something else.
    return said and population.metric.linear and _unclipped(population)


@LAWS.law(LessCorrelated(), applies=_correlated)
def correlation_is_that_of_draws(population: Population) -> None:
    """Of right-or-wrong scores themselves, of others through the normals they are made of."""
    pair = population.draw(2000, 20, stream(4))
    a, b = (x.reshape(-1) for x in (pair.a, pair.b))
    if len(np.unique(a)) > 2:
        a, b = (special.ndtri(stats.rankdata(x) / (len(x) + 1.0)) for x in (a, b))
    assert float(np.corrcoef(a, b)[0, 1]) == pytest.approx(getattr(population, "correlation"), abs=0.025)  # noqa: B009


@LAWS.law(MoreAlike(), applies=lambda p: p.discordant_probabilities() is not None)
def discordance_is_that_of_draws(population: Population) -> None:
    """An item is won and lost as often as the population says."""
    differences = _differences(population)
    for probability, found in zip(
        population.discordant_probabilities() or (), (differences > 0.5, differences < -0.5), strict=True
    ):
        error = (probability * (1.0 - probability) / found.size) ** 0.5
        assert abs(found.mean() - probability) <= 4.0 * error


def _moves_smoothly(population: Population) -> bool:
    """Drawn clusters are cut to size, and a metric that is no mean bends: either moves single estimates."""
    clusters = isinstance(population, Pilot) and population.pair.clusters is not None
    return population.metric.linear and not clusters


@LAWS.law(Jumping(), applies=_moves_smoothly)
def smooth_in_the_effect(population: Population) -> None:
    """From the same random numbers a larger effect gives larger estimates, replicate by replicate."""
    low, high = (effects(population.with_effect(e), 200) for e in (0.01, 0.03))
    assert (high >= low - 1e-12).all()
    assert (high > low + 1e-12).any()


@LAWS.law(Doubled())
def summaries_are_those_of_the_scores(population: Population) -> None:
    """A summary made without all the scores equals the one made from them."""
    noise = noise_for(population, 50, seed=3)
    pair, metric = population.scores(noise), population.metric
    differences = population.summary(Differences, noise)
    assert np.allclose(Differences.of(pair, metric).values, differences.values, rtol=0.0, atol=1e-12)
    assert (differences.clusters is None) == (pair.clusters is None)
    assert np.array_equal(Parts.of(pair, metric).b, population.summary(Parts, noise).b)
    assert np.array_equal(Independent.of(pair, metric).a, population.summary(Independent, noise).a)


@LAWS.law(Forgetful(), InPlace())
def a_grid_equals_its_rows(population: Population) -> None:
    """Whoever shares random numbers with whom, and in which order: no bit of any sample changes."""
    grid = list(neighbours(population))
    alone = [_sample(one, noise_for(one, 5, seed=2)) for one in grid]
    for order in (range(len(grid)), reversed(range(len(grid)))):
        shared: dict[Any, Noise] = {}
        for place in order:
            draws = grid[place].draws(design_for(population))
            noise = shared.setdefault(draws, noise_for(grid[place], 5, seed=2))
            for found, expected in zip(_sample(grid[place], noise), alone[place], strict=True):
                np.testing.assert_array_equal(found, expected)


def _sample(population: Population, noise: Noise) -> list[FloatArray]:
    differences = population.summary(Differences, noise).values.copy()
    pair = population.scores(noise)
    return [differences, pair.a.copy(), pair.b.copy()]


def _agree(x: FloatArray, y: FloatArray) -> bool:
    """Whether two independent samples have the same mean and spread, within four standard errors."""
    means = abs(x.mean() - y.mean()) <= 4.0 * np.hypot(x.std() / len(x) ** 0.5, y.std() / len(y) ** 0.5)
    squares = [(v - v.mean()) ** 2 for v in (x, y)]
    error = np.hypot(*(s.std() / len(s) ** 0.5 for s in squares))
    return bool(means and abs(squares[0].mean() - squares[1].mean()) <= 4.0 * error)


@LAWS.law(FastAndWrong())
def direct_draws_agree_with_slow_ones(population: Population) -> None:
    """A summary drawn directly has the law of one drawn item by item."""
    for needs in (Differences, Discordance, Independent):
        fast = population.draw_summary(needs, design_for(population), SIZE, stream(8))
        if fast is None:
            assert population.width(needs, design_for(population)) >= ITEMS
            continue
        slow = population.summary(needs, noise_for(population, SIZE, seed=9))
        assert _agree(fast.effect, slow.effect)
        if isinstance(fast, Discordance):
            assert (fast.items == ITEMS).all()
            assert _agree(fast.share, slow.share)
            assert _agree(fast.both / ITEMS, slow.both / ITEMS)


@LAWS.law(Defaulting())
def open_effects_are_said(population: Population) -> None:
    """A population without effect can be built and passed on, and says what is missing when drawn from."""
    still_open = population.with_effect(None)
    assert population == still_open.with_effect(population.known_effect)
    with pytest.raises(UsageError, match="has no effect"):
        still_open.draw(10, 2, stream(0))


@LAWS.law(Narrower())
def effects_out_of_range_are_refused(population: Population) -> None:
    """No effect beyond the stated range, and every effect within it."""
    low, high = (float(np.clip(bound, -10.0, 10.0)) for bound in population.effect_range)
    for within in (low + 1e-6 * (high - low), 0.5 * (low + high), high - 1e-6 * (high - low)):
        assert within == population.with_effect(within).known_effect
    for beyond in (low - 1e-6, high + 1e-6):
        if abs(beyond) < 10.0:
            with pytest.raises(UsageError):
                population.with_effect(beyond)


@pytest.mark.parametrize(("law", "population"), LAWS.tried_in(ALL), ids=str)
def test_law(law: Law, population: Population) -> None:
    """Every population obeys every law that applies to what it says of itself."""
    law.check(population)


@pytest.mark.parametrize(("law", "wrong"), LAWS.controls, ids=lambda part: getattr(part, "check", type(part)).__name__)
def test_a_wrong_population_is_caught(law: Law, wrong: Population) -> None:
    """Negative control: the law fails on the population that was made to break it."""
    assert fails(law, [wrong])


@pytest.mark.parametrize("right", [Wrong(), WrongCounts()], ids=["normal", "counts"])
def test_the_unspoiled_ones_pass(right: Population) -> None:
    """What the wrong populations are made of obeys all laws, so each fails for what was done to it."""
    assert [str(law) for law in LAWS if fails(law, [right])] == []


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


@pytest.mark.parametrize("population", ALL, ids=str)
@pytest.mark.parametrize("effect", [float("nan"), float("inf"), "0.1", True])
def test_effects_that_are_no_numbers_are_refused(population: Population, effect: float) -> None:
    """An effect is a finite number."""
    with pytest.raises(UsageError, match="effect="):
        population.with_effect(effect)
