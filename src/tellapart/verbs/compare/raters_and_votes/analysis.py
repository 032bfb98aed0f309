"""The numbers behind a comparison by raters: effect, standard error and variance components."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tellapart.answers.comparison import SystemResult
from tellapart.answers.comparison.parts import RatingsResult
from tellapart.answers.parts import IntervalResult
from tellapart.data.rater_pairs import RatedPair, VotePair
from tellapart.data.summaries.rater_samples import ByRaters, Crossed, one_system_ratings, rater_means
from tellapart.foundation.arrays import FloatArray, mean_and_variance
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.mixed_model import MixedModel
from tellapart.numerics.mixed_models.fit_samples import fit_sample
from tellapart.numerics.mixed_models.model_fit import MixedModelFit
from tellapart.verbs.compare.analysis import Analysis, difference_test


@dataclass(frozen=True, eq=False)
class RaterAnalysis(Analysis):
    """Ratings of two systems, or votes between them, with the test and interval they are judged by."""

    pair: Any

    @cached_property
    def judged(self) -> ByRaters:
        """The summary that the methods use."""
        found: ByRaters = self.summary(ByRaters)
        return found

    @property
    def crossed(self) -> bool:
        """Whether there are differences, and not single ratings."""
        return isinstance(self.judged, Crossed)

    @property
    def paired(self) -> bool:
        return True

    @property
    def clusters(self) -> None:
        return None

    @property
    def items(self) -> int:
        return int(self.judged.items)

    @property
    def inner(self) -> Procedure:
        """The test of a difference that everything is judged by."""
        return difference_test(self.test)

    @cached_property
    def fitted(self) -> MixedModelFit:
        return fit_sample(self.judged, self.inner.fit if isinstance(self.inner, MixedModel) else "reml")

    @cached_property
    def _over_raters(self) -> tuple[float, float, float]:
        """Mean of the raters' means, its error and degrees of freedom."""
        means: FloatArray = rater_means(self.judged, self.inner.name)
        mean, variance = mean_and_variance(means)
        return float(mean), float(np.sqrt(variance / means.shape[-1])), means.shape[-1] - 1.0

    @property
    def effect(self) -> float:
        return float(self.fitted.effect) if isinstance(self.inner, MixedModel) else self._over_raters[0]

    @property
    def standard_error(self) -> float:
        if isinstance(self.inner, MixedModel):
            return float(self.fitted.standard_error(self.inner.df))
        return self._over_raters[1]

    @property
    def df(self) -> float | None:
        """Degrees of freedom of the error, where its law has them."""
        if not isinstance(self.inner, MixedModel):
            return self._over_raters[2]
        found = float(self.fitted.degrees_of_freedom(self.inner.df))
        return found if np.isfinite(found) else None

    @cached_property
    def interval_result(self) -> IntervalResult:
        """Of votes no further than all of them for one system: what a law of spreads would allow beyond cannot be."""
        found = super().interval_result
        if not isinstance(self.pair, VotePair):
            return found
        return replace(found, low=max(found.low, -1.0), high=min(found.high, 1.0))

    @property
    def margin_stand_in(self) -> Procedure:
        return self.inner

    @property
    def signs(self) -> Procedure | None:
        """Of raters, where they alone are the sample; signs of raters and items at once are no test."""
        over_raters = self.crossed and not isinstance(self.inner, MixedModel)
        return TESTS.parse("rater_sign_flip") if over_raters else None

    def _why_none(self) -> str:
        way_out = f"Use {option('test', self.test.advice)}" if self.crossed else "Check the ratings"
        alike = "ratings differ by the same everywhere" if isinstance(self.pair, RatedPair) else "all votes fall alike"
        return f"{alike}, so there is no spread to measure it by. {way_out}"


# Each system by itself: its average rating, and how far other raters and items would move it.

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
    samples = [one_system_ratings(pair, which) for which in (~pair.of_b, pair.of_b)]
    a, b = (
        _system(name, sample, mean, level, analysis) for name, sample, mean in zip(names, samples, plain, strict=True)
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
    half_width = float(fitted.critical_value(level, law.df)) * _error_of_average(fitted, sample)
    bounds = IntervalResult(mean - half_width, mean + half_width, level, str(law), "mean", law.label)
    return SystemResult(name, mean, bounds)


def _error_of_average(fitted: MixedModelFit, sample: Crossed) -> float:
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
    return SystemResult(names[0], (1.0 - effect) / 2.0, of_a), SystemResult(names[1], (1.0 + effect) / 2.0, of_b)


# Where the uncertainty of a comparison by raters comes from.


def ratings_result(analysis: RaterAnalysis, pair: RatedPair | VotePair) -> RatingsResult:
    """Raters, items and ratings, and what the model found."""
    fitted = analysis.fitted
    # A vote is a difference as it is: its residual is not shared by two ratings.
    of_one = {"residual_sd": 2.0**0.5} if isinstance(pair, VotePair) else {}
    sds = {name: float(sd) * of_one.get(name, 1.0) for name, sd in fitted.sds.items()}
    singular = dict(zip(sds, fitted.singular.tolist(), strict=True))
    dropped = dict(zip(sds, fitted.dropped.tolist(), strict=True))
    return RatingsResult(
        raters=analysis.judged.raters,
        items=analysis.items,
        ratings=int(pair.values.shape[-1]),
        pairs=_pairs(pair),
        mode="paired" if analysis.crossed else "single",
        sds={name: sd for name, sd in sds.items() if not dropped[name]},
        shares={
            "raters": float(fitted.rater_share),
            "items": float(fitted.item_share),
            "rest": float(fitted.rest_share),
        },
        se=float(fitted.se),
        se_adjusted=_defined(float(fitted.se_adjusted)),
        df=analysis.df,
        singular=tuple(name for name in sds if singular[name] and not dropped[name]),
        plain_difference=_plain_difference(pair),
        dropped_terms=tuple(name.removesuffix("_sd") for name in sds if dropped[name]),
    )


def averaged_away(pair: RatedPair | VotePair) -> RatingsResult:
    """The result for raters who were averaged: no model was fitted."""
    return RatingsResult(
        raters=int(pair.rater.max()) + 1,
        items=int(pair.item.max()) + 1,
        ratings=int(pair.values.shape[-1]),
        pairs=_pairs(pair),
        mode="fixed",
        sds={},
        shares={},
        se=None,
        se_adjusted=None,
        df=None,
        singular=(),
        plain_difference=_plain_difference(pair),
        dropped_terms=(),
    )


def _pairs(pair: RatedPair | VotePair) -> int:
    """Differences: cells in which both systems were rated, or votes."""
    return int(pair.values.shape[-1]) if isinstance(pair, VotePair) else int(pair.complete[pair.of_b].sum())


def _plain_difference(pair: RatedPair | VotePair) -> float:
    if isinstance(pair, VotePair):
        return float(pair.values.mean())
    a, b = averages(pair)
    return b - a


def _defined(value: float) -> float | None:
    return value if np.isfinite(value) else None
