"""The audit of two means with their spread: every correlation of the two systems that may lie behind them."""

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from tellapart.distributions.noncentral_t import t_shift
from tellapart.distributions.student import t_quantile, t_tails
from tellapart.distributions.tails import sided
from tellapart.errors import UsageError
from tellapart.evidence import BenchmarkCorrelation
from tellapart.planning.error_rates import error_rates
from tellapart.results.audit import Supposed
from tellapart.verbs.audit_claim import Claim, context, decimals_of, items_of, needed, positive_number
from tellapart.verbs.audit_findings import NOTHING_EXPECTED, Expectation, Findings, PValues, Question
from tellapart.verbs.audit_numbers import Reported
from tellapart.verbs.audit_overlap import KnownOverlap, correlation_range, reported_range
from tellapart.wording import significant

SLACK = 1e-9
"""Part of a number by which rounding of floats may move it."""
ANY = KnownOverlap("correlation", -1.0, 1.0, -1.0, 1.0)

Deviation = tuple[float, float, float]
"""A standard deviation as reported, and the smallest and largest that rounds to it."""


@dataclass(frozen=True)
class Spread:
    """The standard deviations of both systems' item scores, each with its rounding."""

    a: Deviation
    b: Deviation

    def at(self, correlation: float) -> float:
        """The standard deviation of an item's difference at the reported values."""
        return _of_difference(self.a[0], self.b[0], correlation)

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Its smallest and largest value over correlations low to high and over what rounding allows."""
        sds_a, sds_b = self.a[1:], self.b[1:]
        corners = list(product(sds_a, sds_b))
        # The smallest may lie on an edge of the box, where one spread is the regression of the other.
        edges = [(min(max(high * b, sds_a[0]), sds_a[1]), b) for b in sds_b]
        edges += [(a, min(max(high * a, sds_b[0]), sds_b[1])) for a in sds_a]
        smallest = min(_of_difference(a, b, high) for a, b in corners + edges)
        return smallest, max(_of_difference(a, b, low) for a, b in corners)


def _of_difference(a: float, b: float, correlation: float) -> float:
    scale = max(a, b)
    if scale == 0.0:
        return 0.0
    # Squares of very small numbers would vanish.
    a, b = a / scale, b / scale
    return scale * math.sqrt(max((a - b) ** 2 + 2.0 * (1.0 - correlation) * a * b, 0.0))


@dataclass(frozen=True)
class Differences:
    """The standard deviation of an item's difference: expected, over every correlation, and over their rounding too."""

    expected: float
    reported: tuple[float, float]
    rounded: tuple[float, float]


def audit_means(claim: Claim, question: Question) -> Findings:
    """What two means on the same items can support, by the paired t test."""
    said, items, decimals = context(claim, None), items_of(claim), decimals_of(claim)
    a, b = (needed(claim, name).with_decimals(decimals) for name in ("a", "b"))
    if a.percent != b.percent:
        raise UsageError(f"{a.text} and {b.text}: only one has a percent sign; print both the same way")
    spread, known = _spread(claim, items), _correlation(claim)
    direct = _with_rounding(positive_number(claim, "se_difference"), math.sqrt(items))
    if spread is None and direct is None:
        raise UsageError("give sd or se for both systems (sd, or sd_a and sd_b), or se_difference")
    supposed, remarks = _supposed(direct is not None, known, question)
    differences = _differences(spread, known or ANY, direct, supposed.expected)
    impossible = _impossible(spread, known or ANY, direct)
    sd = differences.expected
    return Findings(
        claim, said, question, items, float(a.value), float(b.value), float(b.value - a.value),
        None if impossible else _pvalues(a, b, items, differences), impossible, supposed,
        detectable_mean(sd, items, question), _expectation(said.effect, sd, items, question), remarks, sd=sd,
    )  # fmt: skip


def _spread(claim: Claim, items: int) -> Spread | None:
    a, b = (_side(claim, side, math.sqrt(items)) for side in ("a", "b"))
    return None if a is None or b is None else Spread(a, b)


def _side(claim: Claim, side: str, root: float) -> Deviation | None:
    """The first that is given; what is given besides must be the same number as rounded."""
    scales = {f"sd_{side}": 1.0, "sd": 1.0, f"se_{side}": root, "se": root}
    given = {name: _with_rounding(positive_number(claim, name), scale) for name, scale in scales.items()}
    told = [(name, sd) for name, sd in given.items() if sd is not None]
    for name, (_, low, high) in told[1:]:
        first, (_, least, most) = told[0]
        if low > most or high < least:
            raise UsageError(
                f"{first} is {getattr(claim, first)} and {name} is {getattr(claim, name)}: these cannot both be, as an se is an sd over "
                "the root of the items; give one of them"
            )
    return told[0][1] if told else None


def _with_rounding(value: Reported | None, scale: float) -> Deviation | None:
    if value is None:
        return None
    return float(value.value) * scale, max(float(value.low), 0.0) * scale, float(value.high) * scale


def _differences(
    spread: Spread | None, known: KnownOverlap, direct: Deviation | None, correlation: float
) -> Differences:
    """From the standard error of the difference where it is reported, else from both spreads and their correlation."""
    if direct is not None:
        return Differences(direct[0], (direct[0], direct[0]), direct[1:])
    assert spread is not None
    return Differences(
        spread.at(correlation),
        (spread.at(known.high), spread.at(known.low)),
        spread.bounds(known.low_rounded, known.high_rounded),
    )


def _impossible(spread: Spread | None, known: KnownOverlap, direct: Deviation | None) -> str:
    """Why a standard error of the difference cannot stand beside the two spreads; empty where it can."""
    if spread is None or direct is None:
        return ""
    smallest, largest = spread.bounds(known.low_rounded, known.high_rounded)
    if direct[2] >= smallest * (1.0 - SLACK) and direct[1] <= largest * (1.0 + SLACK):
        return ""
    return (
        f"no correlation that is left gives differences an sd of {significant(direct[0], 3)} (from se_difference) beside the sds of the "
        f"two systems, which leave {significant(smallest, 3)} to {significant(largest, 3)}"
    )


def _correlation(claim: Claim) -> KnownOverlap | None:
    if claim.discordance is not None or claim.agreement is not None:
        raise UsageError(
            "discordance and agreement are for right-or-wrong scores; for means give a correlation"
        )
    if claim.correlation is None:
        return None
    return correlation_range(reported_range("correlation", claim.correlation))


def _supposed(
    direct: bool, known: KnownOverlap | None, question: Question
) -> tuple[Supposed, tuple[str, ...]]:
    """The correlation that was reported, else that of past pairs; and what to say of evidence that knows none."""
    named = question.beliefs.named_overlap
    speaks = named if isinstance(named, BenchmarkCorrelation) else BenchmarkCorrelation()
    band = speaks.correlation
    if direct:
        return Supposed("correlation", band.expected, band.low, band.high, "not needed"), ()
    if known is not None:
        middle = 0.5 * (known.low + known.high)
        return Supposed("correlation", middle, known.low, known.high, "reported"), ()
    unheard = f"{named.name} is about right and wrong answers; for means {speaks} speaks" if named else ""
    remarks = (unheard,) if unheard and named != speaks else ()
    return Supposed("correlation", band.expected, band.low, band.high, str(speaks)), remarks


def _pvalues(a: Reported, b: Reported, items: int, sds: Differences) -> PValues:
    exact = a.value - b.value
    effect, half = abs(float(exact)), float(a.half + b.half)
    least = float(max(abs(exact) - a.half - b.half, Fraction(0)))
    low, high = (pvalue(effect, sd, items) for sd in sds.reported)
    lowest, highest = pvalue(effect + half, sds.rounded[0], items), pvalue(least, sds.rounded[1], items)
    return PValues.nested((low, high), (lowest, highest), pvalue(effect, sds.expected, items))


def pvalue(effect: float, sd: float, items: int) -> float:
    """The paired t test's p-value for a mean difference and the standard deviation of the differences.

    Without spread every difference is beyond chance, and none is none.
    """
    if effect == 0.0:
        return 1.0
    ratio = effect * math.sqrt(items) / sd if sd > 0.0 else math.inf
    return float(sided(*t_tails(np.asarray(ratio), items - 1.0), "two-sided"))


def detectable_mean(sd: float, items: int, question: Question) -> float:
    """The smallest effect that so many items find with the wanted power; without spread, any."""
    return float(t_shift(question.power, items - 1.0, question.alpha, "two-sided")) * sd / math.sqrt(items)


def smallest_mean(sd: float, items: int, alpha: float) -> float:
    """The smallest observed difference of means that is significant."""
    return float(t_quantile(1.0 - alpha / 2.0, items - 1.0)) * sd / math.sqrt(items)


def _expectation(effect: float | None, sd: float, items: int, question: Question) -> Expectation:
    if effect is None:
        return NOTHING_EXPECTED
    if sd == 0.0:
        return Expectation(effect, "given", 1.0, 0.0, 1.0)
    rates = error_rates(effect, sd / math.sqrt(items), df=items - 1.0, alpha=question.alpha)
    return Expectation(effect, "given", rates.power, rates.type_s, rates.type_m)
