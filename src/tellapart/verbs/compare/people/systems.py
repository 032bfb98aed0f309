"""Each system by itself: its average rating, and how far other raters and items would move it."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.components.fitted import Fitted
from tellapart.components.of_sample import fit_sample
from tellapart.components.reference_law import critical_value
from tellapart.intervals import INTERVALS
from tellapart.ratings import RatedPair
from tellapart.results.comparison import SystemResult
from tellapart.results.interval import IntervalResult
from tellapart.seeds import stream
from tellapart.significance.mixed_model import MixedModel
from tellapart.summaries.crossed import Crossed, of_one_system
from tellapart.verbs.compare.people.analysis import RaterAnalysis
from tellapart.votes import VotePair

Systems = tuple[SystemResult, SystemResult]


def averages(pair: RatedPair) -> tuple[float, float]:
    """The plain average rating of A and of B."""
    return float(pair.values[~pair.of_b].mean()), float(pair.values[pair.of_b].mean())


def systems(pair: RatedPair | VotePair, names: tuple[str, str], analysis: RaterAnalysis) -> Systems:
    """Both systems, with average ratings or shares of votes."""
    if isinstance(pair, VotePair):
        return shares_of_votes(names, analysis.effect, analysis.interval_result)
    return _rated_systems(pair, names, analysis)


def _rated_systems(pair: RatedPair, names: tuple[str, str], analysis: RaterAnalysis) -> Systems:
    """Average ratings with intervals by the law of the test."""
    level, plain = 1.0 - analysis.alpha, averages(pair)
    samples = [of_one_system(pair, which) for which in (~pair.of_b, pair.of_b)]
    a, b = (
        _system(name, sample, mean, level, analysis)
        for name, sample, mean in zip(names, samples, plain, strict=True)
    )
    return a, b


def _system(name: str, sample: Crossed, mean: float, level: float, analysis: RaterAnalysis) -> SystemResult:
    if not isinstance(analysis.inner, MixedModel):
        by_raters = INTERVALS.parse("rater_t")
        low, high = (float(x) for x in by_raters.interval(sample, level, stream(0)))
        bounds = IntervalResult(low, high, level, str(by_raters), "mean", by_raters.label)
        return SystemResult(name, 0.5 * (low + high), bounds)
    law = analysis.inner.replace(alternative="two-sided")
    fitted = fit_sample(sample)
    half_width = float(critical_value(fitted, level, law.df)) * _error_of_average(fitted, sample)
    bounds = IntervalResult(mean - half_width, mean + half_width, level, str(law), "mean", law.label)
    return SystemResult(name, mean, bounds)


def _error_of_average(fitted: Fitted, sample: Crossed) -> float:
    """The standard error of the plain average, which weighs each rating alike: a rater counts by the square of their share."""
    counts, total = sample.rated, float(sample.rated.sum())
    weights: dict[str, FloatArray] = {
        "rater_effect": counts.sum(axis=-1) / total,
        "item_effect": counts.sum(axis=-2) / total,
        "residual": np.full(int(total), 1.0 / total),
    }
    variances = dict(zip(fitted.terms, fitted.variances.tolist(), strict=True))
    return float(np.sqrt(sum(variances[term] * float((w**2).sum()) for term, w in weights.items())))


def shares_of_votes(names: tuple[str, str], effect: float, bounds: IntervalResult) -> Systems:
    """How many of the votes each gets, a tie counting half: (1 ± effect) / 2, with the interval of the effect."""
    low, high = (1.0 + bounds.low) / 2.0, (1.0 + bounds.high) / 2.0
    of_b = IntervalResult(low, high, bounds.level, bounds.method, "mean", bounds.label)
    of_a = IntervalResult(1.0 - high, 1.0 - low, bounds.level, bounds.method, "mean", bounds.label)
    return SystemResult(names[0], (1.0 - effect) / 2.0, of_a), SystemResult(
        names[1], (1.0 + effect) / 2.0, of_b
    )
