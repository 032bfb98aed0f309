"""Beta solve rates of items: the spread of pass@k and its kin over items, and between two systems."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.numerics.k_samples import RunSummary

NODES, ORDERS = 160, 80
"""Of the quadrature over the normal behind a solve rate, and of the polynomials: standard deviations come out to three digits."""
EXTREME = 1e-4
"""How near to 0 and 1 the likeness of runs may come before Beta quantiles are lost to rounding."""

TOLERANCE = 1e-3
"""How far beyond its ends a discordance may lie that was rounded, or measured."""

PLACES = np.linspace(-8.5, 8.5, 1 << 13)
"""Of the normals behind drawn solve rates, between which lines are straight enough."""


@dataclass(frozen=True)
class SolveRates:
    """Items with Beta solve rates: `accuracy` is their mean, `icc` how alike two runs of an item are."""

    accuracy: float
    icc: float

    @classmethod
    def disagreeing(cls, accuracy: float, disagreement: float) -> "SolveRates":
        """Two runs disagree with chance 2p(1 − p) of independent ones, less what runs of an item have in common."""
        apart = 2.0 * accuracy * (1.0 - accuracy)
        return cls(accuracy, 1.0 - disagreement / apart if apart > 0.0 else 0.0)

    @property
    def _parameters(self) -> tuple[float, float]:
        icc = min(max(self.icc, EXTREME), 1.0 - EXTREME)
        size = (1.0 - icc) / icc
        return max(self.accuracy * size, 1e-12), max((1.0 - self.accuracy) * size, 1e-12)

    def at(self, normals: FloatArray) -> FloatArray:
        """The solve rates of items with these normals behind them, off by less than 1e-5 on average."""
        return np.interp(normals, PLACES, _rates_at_places(self))

    def moments(self, summary: RunSummary, samples: int) -> tuple[float, float]:
        """Mean and variance over items of a score from so many samples: the exact beta-binomial sum."""
        alpha, beta = self._parameters
        right = np.arange(samples + 1)
        log_ways = special.gammaln(samples + 1) - special.gammaln(right + 1) - special.gammaln(samples - right + 1)
        chances = np.exp(log_ways + special.betaln(alpha + right, beta + samples - right) - special.betaln(alpha, beta))
        scores = summary.shares(right, np.full_like(right, samples))
        mean = float(chances @ scores)
        return mean, float(chances @ (scores - mean) ** 2)

    def with_score(self, summary: RunSummary, mean: float) -> "SolveRates":
        """As alike runs at the accuracy under which the score has this mean."""
        low, high = 0.0, 1.0
        while high - low > 1e-10:
            middle = 0.5 * (low + high)
            found = SolveRates(middle, self.icc).moments(summary, summary.k)[0]
            low, high = (middle, high) if found < mean else (low, middle)
        return SolveRates(0.5 * (low + high), self.icc)

    def better_by(self, effect: float, disagreement: float | None, summary: RunSummary) -> "SolveRates":
        """Those of a system whose score is larger by this; its runs are as alike, unless their own disagreement is given."""
        alike = self if disagreement is None else SolveRates.disagreeing(self.accuracy, disagreement)
        return alike.with_score(summary, self.moments(summary, summary.k)[0] + effect)

    @cached_property
    def at_nodes(self) -> FloatArray:
        """The solve rates at the nodes of the normal behind them."""
        return self.exactly_at(_nodes()[0])

    def exactly_at(self, normals: FloatArray) -> FloatArray:
        return np.asarray(special.betaincinv(*self._parameters, special.ndtr(normals)))


@lru_cache(64)
def _rates_at_places(rates: SolveRates) -> FloatArray:
    return rates.exactly_at(PLACES)


def expected_score(summary: RunSummary, rates: FloatArray) -> FloatArray:
    """The score of an item with this solve rate, averaged over its samples."""
    right = np.arange(summary.k + 1)
    scores = summary.shares(right, np.full_like(right, summary.k))
    ways = special.binom(summary.k, right)
    chances = ways * rates[..., np.newaxis] ** right * (1.0 - rates[..., np.newaxis]) ** (summary.k - right)
    return np.asarray(chances @ scores)


@dataclass(frozen=True)
class SampledPair:
    """Solve rates of two systems on the same items, tied by a Gaussian copula, and a score of their samples. Sklar (1959)."""

    a: SolveRates
    b: SolveRates
    correlation: float
    """Of the normals behind the rates."""
    summary: RunSummary

    @cached_property
    def _covariance(self) -> float:
        """Of both scores of an item, whatever the number of samples."""
        a, b = (_hermite(expected_score(self.summary, one.at_nodes)) for one in (self.a, self.b))
        return _covariance(a * b, self.correlation)

    def sd_difference(self, samples: int) -> float:
        """The standard deviation of an item's difference of scores from so many samples each."""
        own = sum(one.moments(self.summary, samples)[1] for one in (self.a, self.b))
        return float(np.sqrt(max(own - 2.0 * self._covariance, 0.0)))

    @property
    def endless_variance(self) -> float:
        """The variance of an item's difference that endless samples would leave."""
        shares = [expected_score(self.summary, one.at_nodes) for one in (self.a, self.b)]
        own = sum(float(_hermite(one)[1:] @ _hermite(one)[1:]) for one in shares)
        return max(own - 2.0 * self._covariance, 0.0)


@lru_cache(64)
def sampled_pair(a: SolveRates, b: SolveRates, discordance: float, summary: RunSummary) -> SampledPair:
    """The pair whose single runs disagree on this share of items; refused where no correlation gives it."""
    apart = a.accuracy + b.accuracy - 2.0 * a.accuracy * b.accuracy
    terms = _hermite(a.at_nodes) * _hermite(b.at_nodes)
    if not _possible(a, b, discordance):
        least, most = _discordances(a, b)
        raise UsageError(
            f"runs: with these disagreements, runs of systems of which {a.accuracy:.3g} and {b.accuracy:.3g} are right disagree on {least:.3g} to "
            f"{most:.3g} of items; {discordance:.4g} was given"
        )
    low, high = -1.0, 1.0
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if apart - 2.0 * _covariance(terms, middle) > discordance else (low, middle)
    return SampledPair(a, b, 0.5 * (low + high), summary)


@lru_cache(64)
def range_of_scores(
    a: SolveRates, disagreement_b: float | None, discordance: float | None, summary: RunSummary
) -> tuple[float, float]:
    """The differences of scores at which single runs can disagree on this share of items: the farther apart, the more they must."""
    own = a.moments(summary, summary.k)[0]

    def possible(effect: float) -> bool:
        return discordance is None or _possible(a, a.better_by(effect, disagreement_b, summary), discordance)

    if not possible(0.0):
        return -own, 1.0 - own
    return _farthest(possible, -own), _farthest(possible, 1.0 - own)


def _farthest(possible: Callable[[float], bool], end: float) -> float:
    """The farthest possible effect from 0 towards this end."""
    if possible(end):
        return end
    here, beyond = 0.0, end
    while abs(beyond - here) > 1e-9:
        middle = 0.5 * (here + beyond)
        here, beyond = (middle, beyond) if possible(middle) else (here, middle)
    return here


def _possible(a: SolveRates, b: SolveRates, discordance: float) -> bool:
    least, most = _discordances(a, b)
    return least - TOLERANCE <= discordance <= most + TOLERANCE


def _discordances(a: SolveRates, b: SolveRates) -> tuple[float, float]:
    """The smallest and the largest share of items on which single runs of both can disagree."""
    apart = a.accuracy + b.accuracy - 2.0 * a.accuracy * b.accuracy
    terms = _hermite(a.at_nodes) * _hermite(b.at_nodes)
    return apart - 2.0 * _covariance(terms, 1.0), apart - 2.0 * _covariance(terms, -1.0)


def _covariance(terms: FloatArray, correlation: float) -> float:
    """Mehler's sum over the products of Hermite coefficients, from the first power of the correlation on."""
    return float(terms[1:] @ correlation ** np.arange(1, len(terms)))


def _hermite(values: FloatArray) -> FloatArray:
    """The coefficients of a function of a normal, given at the nodes, by orthonormal Hermite polynomials."""
    nodes, weights = _nodes()
    before, here = np.zeros_like(nodes), np.ones_like(nodes)
    found = []
    for order in range(ORDERS):
        found.append(float((weights * values) @ here))
        before, here = here, (nodes * here - np.sqrt(order) * before) / np.sqrt(order + 1.0)
    return np.array(found)


@lru_cache(1)
def _nodes() -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    return np.asarray(nodes), np.asarray(weights / weights.sum())
