"""Range of paired t test p-values for two reported means with spreads, over every compatible correlation.

The paired t test needs the standard deviation of the items' differences, which papers do not print. It follows from those of
the two systems and their correlation: sd² = sd_a² + sd_b² − 2 · correlation · sd_a · sd_b. Where the standard error of the
difference or its interval is printed, it speaks for itself.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from tellapart.claims.accuracies import ReportedOverlap, correlation_range, reported_range
from tellapart.claims.claim import Claim
from tellapart.claims.intervals import ReportedInterval, Values, interval_level, reported_interval
from tellapart.claims.reported import Reported
from tellapart.claims.tables import PValues
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.numerics.null_laws.tails import sided, t_quantile, t_tails

# The standard deviation of an item's difference, as far as printed numbers tell it.

RoundedDeviation = tuple[float, float, float]
"""A standard deviation as reported, and the smallest and largest that rounds to it."""


@dataclass(frozen=True)
class PrintedSpreads:
    """The standard deviations of both systems' item scores, each with its rounding."""

    a: RoundedDeviation
    b: RoundedDeviation

    def at(self, correlation: float) -> float:
        """The standard deviation of an item's difference at the reported values."""
        return _sd_of_difference(self.a[0], self.b[0], correlation)

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Its smallest and largest value over correlations low to high and over what rounding allows."""
        sds_a, sds_b = self.a[1:], self.b[1:]
        corners = list(product(sds_a, sds_b))
        # The smallest may lie on an edge of the box, where one spread is the regression of the other.
        edges = [(min(max(high * b, sds_a[0]), sds_a[1]), b) for b in sds_b]
        edges += [(a, min(max(high * a, sds_b[0]), sds_b[1])) for a in sds_a]
        smallest = min(_sd_of_difference(a, b, high) for a, b in corners + edges)
        return smallest, max(_sd_of_difference(a, b, low) for a, b in corners)


def _sd_of_difference(a: float, b: float, correlation: float) -> float:
    scale = max(a, b)
    if scale == 0.0:
        return 0.0
    # Squares of very small numbers would vanish.
    a, b = a / scale, b / scale
    return scale * math.sqrt(max((a - b) ** 2 + 2.0 * (1.0 - correlation) * a * b, 0.0))


@dataclass(frozen=True)
class DifferenceSpread:
    """The standard deviation of an item's difference: expected, over every correlation, and over their rounding too.

    `usual_least` is the smallest at any correlation that is usual, rounding included.
    """

    expected: float
    reported: tuple[float, float]
    rounded: tuple[float, float]
    usual_least: float


SLACK = 1e-9
"""Part of a number by which rounding of floats may move it."""
ANY = ReportedOverlap("correlation", -1.0, 1.0, -1.0, 1.0)


@dataclass(frozen=True)
class MeanPair:
    """Two means, and what is known of their spread: each system's, that of the difference, or both.

    `of_difference` comes from the standard error of the difference or its `interval`; `correlation` is None where none was
    reported; `sides` are the intervals of each mean.
    """

    items: int
    a: Reported
    b: Reported
    spread: PrintedSpreads | None
    of_difference: RoundedDeviation | None
    correlation: ReportedOverlap | None
    interval: ReportedInterval | None = None
    sides: tuple[ReportedInterval | None, ReportedInterval | None] = (None, None)

    @property
    def effect(self) -> float:
        return float(self.b.value - self.a.value)

    @property
    def printed_effects(self) -> Values:
        """The lowest and the highest difference that the two means leave as rounded."""
        effect, half = self.b.value - self.a.value, self.a.half + self.b.half
        return effect - half, effect + half

    @property
    def effects(self) -> Values:
        """The range cut to possible middles of the reported interval, where that is centred on the difference."""
        low, high = self.printed_effects
        if self.interval is None or self.interval.middles is None or not self.interval.centred_on((low, high)):
            return low, high
        least, most = self.interval.middles
        return max(low, least), min(high, most)

    @property
    def implied_correlation(self) -> float | None:
        """The correlation that makes the two spreads that of the difference; None where one of them is not known."""
        if self.spread is None or self.of_difference is None:
            return None
        a, b = self.spread.a[0], self.spread.b[0]
        return (a * a + b * b - self.of_difference[0] ** 2) / (2.0 * a * b)

    def differences(self, correlation: float, usual_most: float) -> DifferenceSpread:
        """Computed from the reported spread of the difference, else from both spreads, their correlation and the largest usual correlation."""
        direct, known = self.of_difference, self.correlation or ANY
        if direct is not None:
            return DifferenceSpread(direct[0], (direct[0], direct[0]), direct[1:], direct[1])
        assert self.spread is not None, "means without any spread are refused when they are read"
        return DifferenceSpread(
            self.spread.at(correlation),
            (self.spread.at(known.high), self.spread.at(known.low)),
            self.spread.bounds(known.low_rounded, known.high_rounded),
            self.spread.bounds(usual_most, usual_most)[0],
        )

    @property
    def allowed(self) -> tuple[float, float] | None:
        """The standard deviations of a difference that the two spreads leave, where that of the difference is none of them."""
        if self.spread is None or self.of_difference is None:
            return None
        _, low, high = self.of_difference
        known = self.correlation or ANY
        smallest, largest = self.spread.bounds(known.low_rounded, known.high_rounded)
        fits = high >= smallest * (1.0 - SLACK) and low <= largest * (1.0 + SLACK)
        return None if fits else (smallest, largest)


def means(claim: Claim) -> MeanPair:
    """The two means of a claim with everything it says of their spread."""
    items, decimals = claim.number_of_items, claim.number_of_decimals
    a, b = (claim.number(name).with_decimals(decimals) for name in ("a", "b"))
    if a.percent != b.percent:
        raise UsageError(f"{a.text} and {b.text}: only one has a percent sign; print both the same way")
    if claim.runs is not None:
        raise UsageError("runs is for accuracies; means with their sd, se or interval are taken as they are")
    spread, known, interval = (_reported_spreads(claim, items), _correlation(claim), _difference_interval(claim, a))
    direct = _of_difference_reported(claim, interval, items)
    if spread is None and direct is None:
        raise UsageError(
            "give sd, se or an interval for both systems (sd, or sd_a and sd_b), or se_difference or ci of the difference"
        )
    sides = reported_interval(claim, "ci_a"), reported_interval(claim, "ci_b")
    return MeanPair(items, a, b, spread, direct, known, interval, sides)


def _difference_interval(claim: Claim, a: Reported) -> ReportedInterval | None:
    """The interval of the difference, in the unit of the means."""
    if claim.ci is not None and ("%" in str(claim.ci)) != a.percent:
        raise UsageError(f"ci is {claim.ci} beside {a.text}: only one has a percent sign; print both the same way")
    return reported_interval(claim, "ci")


def _of_difference_reported(claim: Claim, interval: ReportedInterval | None, items: int) -> RoundedDeviation | None:
    """The standard deviation of an item's difference, from what is said of the difference itself."""
    error = _with_rounding(claim.positive_number("se_difference"), math.sqrt(items))
    if interval is None:
        return error
    level = interval_level(claim)
    told = {"se_difference": error, "ci": interval.deviations(level, items)}
    return _agreeing_deviation(claim, told, f"an se is half of a {level:g} interval over its quantile of Student's t")


def _reported_spreads(claim: Claim, items: int) -> PrintedSpreads | None:
    a, b = (_reported_deviation(claim, side, math.sqrt(items)) for side in ("a", "b"))
    return None if a is None or b is None else PrintedSpreads(a, b)


def _reported_deviation(claim: Claim, side: str, root: float) -> RoundedDeviation | None:
    """The first that is given; what is given besides must be the same number as rounded."""
    scales = {f"sd_{side}": 1.0, "sd": 1.0, f"se_{side}": root, "se": root}
    given = {name: _with_rounding(claim.positive_number(name), scale) for name, scale in scales.items()}
    interval = reported_interval(claim, f"ci_{side}")
    if interval is not None:
        given[f"ci_{side}"] = interval.deviations(interval_level(claim), round(root**2))
    return _agreeing_deviation(claim, given, "an se is an sd over the root of the items")


def _agreeing_deviation(claim: Claim, given: dict[str, RoundedDeviation | None], why: str) -> RoundedDeviation | None:
    """The first that was said; whatever else was said must be the same number as rounded."""
    told = [(name, sd) for name, sd in given.items() if sd is not None]
    for name, (_, low, high) in told[1:]:
        first, (_, least, most) = told[0]
        if low > most or high < least:
            raise UsageError(
                f"{first} is {getattr(claim, first)} and {name} is {getattr(claim, name)}: these contradict each "
                f"other, as {why}; give one of them"
            )
    return told[0][1] if told else None


def _with_rounding(value: Reported | None, scale: float) -> RoundedDeviation | None:
    if value is None:
        return None
    return float(value.value) * scale, max(float(value.low), 0.0) * scale, float(value.high) * scale


def _correlation(claim: Claim) -> ReportedOverlap | None:
    if claim.discordance is not None or claim.agreement is not None:
        raise UsageError("discordance and agreement are for right-or-wrong scores; for means give a correlation")
    if claim.correlation is None:
        return None
    return correlation_range(reported_range("correlation", claim.correlation))


def mean_pvalues(pair: MeanPair, sds: DifferenceSpread) -> PValues:
    """The p-values of the paired t test over every spread of the differences, and over the rounding of the means too."""
    lowest, highest = pair.effects
    effect = abs(float(min(max(pair.b.value - pair.a.value, lowest), highest)))
    most = float(max(abs(lowest), abs(highest)))
    least = float(max(lowest, -highest, Fraction(0)))

    def p(effect: float, sd: float) -> float:
        return float(pvalues_of_means(np.asarray(effect), np.asarray(sd), pair.items))

    low, high = (p(effect, sd) for sd in sds.reported)
    # p falls with the difference and rises with its spread, so the outermost p-values lie at the outermost of both.
    outermost = p(most, sds.rounded[0]), p(least, sds.rounded[1])
    return PValues.nested((low, high), outermost, p(effect, sds.expected), p(most, sds.usual_least))


def pvalues_of_means(effects: FloatArray, sds: FloatArray, items: int) -> FloatArray:
    """The paired t test's p-values for mean differences and the standard deviations of the items' differences.

    Without spread every difference is beyond chance, and none is none.
    """
    sizes = np.abs(effects) * math.sqrt(items)
    ratios = np.divide(sizes, sds, out=np.full(np.broadcast(sizes, sds).shape, np.inf), where=sds > 0.0)
    found = sided(*t_tails(ratios, items - 1.0), "two-sided")
    return np.where(sizes == 0.0, 1.0, found)


def smallest_mean(sd: float, items: int, alpha: float) -> float:
    """The smallest observed difference of means that is significant: where the paired t test's p-value meets alpha."""
    return float(t_quantile(1.0 - alpha / 2.0, items - 1.0)) * sd / math.sqrt(items)


def smallest_mean_of_shares(squares: float, items: int, alpha: float) -> float:
    """The bound where the mean of the items' squared differences is known: a larger mean leaves less to scatter."""
    quantile = float(t_quantile(1.0 - alpha / 2.0, items - 1.0))
    return quantile * math.sqrt(squares / (items - 1.0 + quantile**2))
