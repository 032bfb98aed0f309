"""Evidence fitted to a table of your own past results, with a spelling to reuse it."""

import math
from dataclasses import dataclass, field

import numpy as np

from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.foundation.errors import DataError, SpellingError, TooFew
from tellapart.foundation.spelling import spell
from tellapart.numerics.linearity import LeastSquares, least_squares
from tellapart.populations.evidence.evidence import EVIDENCE, AgreementLine, Band, Evidence, Gain, LinearOverlap
from tellapart.populations.evidence.spread import Spread

FEWEST = 6
"""Results below which leave-one-out says nothing about a line."""

_RANGE = {"help": "accuracies it was seen at, low:high"}


class FittedEvidence(Evidence):
    """Base of evidence fitted to a table of one's own: its error is that of predicting each result from the others."""

    # Declared here and made fields by each kind: a base's fields would come first in its spelling.
    error: float
    seen: tuple[float, float]

    source = "fitted to a table of your own"
    published = False

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = self.seen
        if self.error < 0.0 or not 0.0 <= low <= high <= 1.0:
            raise SpellingError(
                f"{self.name}: error={self.error:g} should not be negative, and seen={spell(self.seen)} lie within 0:1"
            )

    @property
    def accuracies(self) -> tuple[float, float]:
        return self.seen


@EVIDENCE.add("fitted_overlap")
@dataclass(frozen=True, kw_only=True)
class FittedOverlap(FittedEvidence, LinearOverlap):
    """How far your own past systems overlapped.

    Assumes that the next pair is like the ones it was fitted to.
    """

    intercept: float
    accuracy: float = field(metadata={"help": "slope of the worse accuracy"})
    gap: float = field(metadata={"help": "slope of the gap"})
    error: float = field(metadata={"help": "leave-one-out prediction error"})
    seen: tuple[float, float] = field(default=(0.0, 1.0), metadata=_RANGE)

    about = "agreement of two systems from the worse accuracy and the gap"
    seen_on = "your own past systems"
    band = "80 % of pairs"
    uncertainty = "80 % of pairs, by the leave-one-out prediction error"
    examples = (
        "fitted_overlap(intercept=0.45, accuracy=0.53, gap=-0.6, error=0.02)",
        "fitted_overlap(intercept=0.45, accuracy=0.53, gap=-0.6, error=0.02, seen=0.6:0.95)",
    )
    among = "your own past systems"

    @property
    def line(self) -> AgreementLine:
        return AgreementLine(self.intercept, self.accuracy, self.gap, self.error)


@EVIDENCE.add("fitted_gain")
@dataclass(frozen=True, kw_only=True)
class FittedGain(FittedEvidence, Gain):
    """By how much your own past systems beat their baselines.

    Assumes that the next gain is like the ones it was fitted to, those that failed included.
    """

    intercept: float
    baseline: float = field(metadata={"help": "slope of the baseline's accuracy"})
    error: float = field(metadata={"help": "leave-one-out prediction error"})
    seen: tuple[float, float] = field(default=(0.0, 1.0), metadata=_RANGE)

    about = "gain over the accuracy of a baseline"
    seen_on = "your own past systems"
    band = "80 % of gains"
    uncertainty = "80 % of gains, by the leave-one-out prediction error"
    examples = ("fitted_gain(intercept=0.1, baseline=-0.1, error=0.01, seen=0.6:0.95)",)

    @property
    def coefficients(self) -> dict[str, float]:
        return {"intercept": self.intercept, "baseline": self.baseline}

    def past(self, baseline: float) -> Band:
        return Band.around(self.intercept + self.baseline * baseline, self.error)


def fit_overlap(
    a: FloatArray, b: FloatArray, agreement: FloatArray, systems: tuple[IntArray, IntArray] | None = None
) -> tuple[FittedOverlap, LeastSquares]:
    """Agreement from the worse accuracy and the gap, by least squares.

    Where `systems` says which two systems each pair is of, the error is that of predicting the pairs of a system left out:
    pairs that share a system tell of each other.
    """
    _refuse_too_few_results(agreement, "pairs with their overlap")
    worse, gap = np.minimum(a, b), np.abs(b - a)
    design = np.column_stack([np.ones_like(worse), worse, gap])
    fit = least_squares(design, agreement)
    intercept, accuracy, slope = map(_rounded_coefficient, fit.coefficients)
    seen = _rounded_coefficient(worse.min()), _rounded_coefficient(np.maximum(a, b).max())
    error = _rounded_coefficient(
        fit.prediction_error if systems is None else _error_of_new_systems(design, agreement, *systems)
    )
    return FittedOverlap(intercept=intercept, accuracy=accuracy, gap=slope, error=error, seen=seen), fit


def _error_of_new_systems(design: FloatArray, response: FloatArray, first: IntArray, second: IntArray) -> float:
    """The root mean square error of the pairs of each system, predicted from all pairs without it."""
    errors = []
    for system in np.union1d(first, second):
        own = (first == system) | (second == system)
        try:
            others = least_squares(design[~own], response[~own])
        except DataError:
            raise DataError(
                f"how well it predicts a system that was left out cannot be seen from {len(response)} pairs, as those without one "
                "system do not determine its coefficients; give more systems, and not all of the same accuracy"
            ) from None
        errors.append(response[own] - design[own] @ others.coefficients)
    return float(np.sqrt((np.concatenate(errors) ** 2).mean()))


@EVIDENCE.add("fitted_spread")
@dataclass(frozen=True, kw_only=True)
class FittedSpread(Spread):
    """How far scores of your own past systems varied, and how they correlated.

    Each is low:expected:high, the outer tenths and the median. Assumes that the next systems and items are like those.
    """

    sds: tuple[float, float, float] = field(metadata={"help": "standard deviations, low:expected:high"})
    correlations: tuple[float, float, float] = field(metadata={"help": "correlations, low:expected:high"})
    means: tuple[float, float, float] | None = field(
        default=None, metadata={"help": "means of scores between 0 and 1, low:expected:high"}
    )
    zero_shares: tuple[float, float, float] | None = field(
        default=None, metadata={"help": "shares of scores that are exactly 0, low:expected:high"}
    )

    source = "fitted to a table of your own"
    published = False
    about = "standard deviation of item scores, and correlation of two systems' scores"
    seen_on = "your own past systems"
    band = "80 % of systems and pairs"
    uncertainty = "80 % of the systems (sd, mean, zeros) and of the pairs (correlation): the 10 % and 90 % quantiles"
    among = "your own past systems"
    examples = ("fitted_spread(sds=0.2:0.25:0.3, correlations=0.5:0.7:0.9)",)

    def __post_init__(self) -> None:
        super().__post_init__()
        limits = {"sds": (0.0, math.inf), "correlations": (-1.0, 1.0), "means": (0.0, 1.0), "zero_shares": (0.0, 1.0)}
        for name, (least, most) in limits.items():
            if getattr(self, name) is None:
                continue
            low, expected, high = getattr(self, name)
            if not least <= low <= expected <= high <= most or (name == "sds" and low <= 0.0):
                raise SpellingError(
                    f"{self.name}: {name}={spell(getattr(self, name))} should be low:expected:high, within what is possible"
                )

    @property
    def sd(self) -> Band:
        return _sorted_band(self.sds)

    @property
    def correlation(self) -> Band:
        return _sorted_band(self.correlations)

    @property
    def mean(self) -> Band | None:
        return None if self.means is None else _sorted_band(self.means)

    @property
    def zero_share(self) -> Band | None:
        return None if self.zero_shares is None else _sorted_band(self.zero_shares)


def _sorted_band(said: tuple[float, float, float]) -> Band:
    low, expected, high = said
    return Band(expected, low, high)


def fit_spread(
    sds: FloatArray, correlations: FloatArray, means: FloatArray | None, zero_shares: FloatArray | None
) -> FittedSpread:
    """The median and the outer tenths of each; of means and zeros only where scores lie between 0 and 1."""
    if len(correlations) == 0 or not (sds > 0.0).any():
        raise DataError("all scores of a system are alike: there is no spread and no correlation to learn from")
    if len(correlations) < FEWEST:
        raise TooFew(
            f"found {len(correlations)} pair{'' if len(correlations) == 1 else 's'} of systems whose scores vary; the range of 80 % of pairs "
            f"needs at least {FEWEST}, as four systems have. For two systems plan from a pilot of the same file"
        )
    return FittedSpread(
        sds=tenths(sds[sds > 0.0]),
        correlations=tenths(correlations),
        means=None if means is None else tenths(means),
        zero_shares=None if zero_shares is None else tenths(zero_shares),
    )


def tenths(values: FloatArray) -> tuple[float, float, float]:
    """The outer tenths and the median, as spellings have them: low, expected, high."""
    low, middle, high = (_rounded_coefficient(x) for x in np.quantile(values, [0.1, 0.5, 0.9]))
    return low, middle, high


def fit_gain(baseline: FloatArray, gain: FloatArray) -> tuple[FittedGain, LeastSquares]:
    """The gain from the baseline's accuracy, by least squares."""
    _refuse_too_few_results(gain, "gains")
    fit = least_squares(np.column_stack([np.ones_like(baseline), baseline]), gain)
    intercept, slope = map(_rounded_coefficient, fit.coefficients)
    seen = _rounded_coefficient(baseline.min()), _rounded_coefficient(baseline.max())
    return FittedGain(
        intercept=intercept, baseline=slope, error=_rounded_coefficient(fit.prediction_error), seen=seen
    ), fit


def _rounded_coefficient(value: float) -> float:
    """Six digits: enough for a spelling that people copy, and nothing where floats only missed zero."""
    return float(f"{value:.6g}") if abs(value) > STATISTIC_NOISE else 0.0


def _refuse_too_few_results(values: FloatArray, what: str) -> None:
    if len(values) < FEWEST:
        raise TooFew(f"found {len(values)} {what}; a fit with leave-one-out errors needs at least {FEWEST}")
