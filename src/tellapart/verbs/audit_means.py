"""The audit of two means with their spread: every correlation of the two systems that may lie behind them."""

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from tellapart.distributions.noncentral_t import t_shift
from tellapart.distributions.student import t_quantile, t_tails
from tellapart.distributions.tails import sided
from tellapart.errors import UsageError
from tellapart.evidence import BenchmarkCorrelation
from tellapart.planning.error_rates import error_rates
from tellapart.results.audit import Supposed
from tellapart.verbs.audit_claim import Claim, context, items_of, needed, positive_number, whole_number
from tellapart.verbs.audit_findings import NOTHING_EXPECTED, Expectation, Findings, PValues, Question
from tellapart.verbs.audit_numbers import Reported
from tellapart.verbs.audit_overlap import KnownOverlap, correlation_range, reported_range

ANY = KnownOverlap("correlation", -1.0, 1.0, -1.0, 1.0)


@dataclass(frozen=True)
class Spread:
    """The standard deviations of both systems' item scores, or that of their differences, each with its rounding."""

    a: tuple[float, float, float]
    b: tuple[float, float, float]
    difference: tuple[float, float, float] | None

    def at(self, correlation: float) -> float:
        """The standard deviation of an item's difference at the reported values."""
        if self.difference is not None:
            return self.difference[0]
        return _of_difference(self.a[0], self.b[0], correlation)

    def bounds(self, low: float, high: float) -> tuple[float, float]:
        """Its smallest and largest value over correlations low to high and over what rounding allows."""
        if self.difference is not None:
            return self.difference[1:]
        sds_a, sds_b = self.a[1:], self.b[1:]
        corners = list(product(sds_a, sds_b))
        # The smallest may lie on an edge of the box, where one spread is the regression of the other.
        edges = [(min(max(high * b, sds_a[0]), sds_a[1]), b) for b in sds_b]
        edges += [(a, min(max(high * a, sds_b[0]), sds_b[1])) for a in sds_a]
        smallest = min(_of_difference(a, b, high) for a, b in corners + edges)
        return smallest, max(_of_difference(a, b, low) for a, b in corners)


def _of_difference(a: float, b: float, correlation: float) -> float:
    return math.sqrt(max((a - b) ** 2 + 2.0 * (1.0 - correlation) * a * b, 0.0))


def audit_means(claim: Claim, question: Question) -> Findings:
    """What two means on the same items can support, by the paired t test."""
    said, items = context(claim, None), items_of(claim)
    decimals = whole_number(claim, "decimals", least=0)
    a, b = (needed(claim, name).with_decimals(decimals) for name in ("a", "b"))
    spread, known = _spread(claim, items), _correlation(claim)
    supposed = _supposed(spread, known)
    sd = spread.at(supposed.expected)
    return Findings(
        claim, said, question, items, float(a.value), float(b.value), float(b.value - a.value),
        _pvalues(a, b, items, (spread, known or ANY, sd)), "", supposed,
        detectable_mean(sd, items, question), _expectation(said.effect, sd, items, question), sd=sd,
    )  # fmt: skip


def _spread(claim: Claim, items: int) -> Spread:
    root = math.sqrt(items)
    difference = _with_rounding(positive_number(claim, "se_difference"), root)
    sides = [_side(claim, side, root) for side in ("a", "b")]
    if difference is None and None in sides:
        raise UsageError("give sd or se for both systems (sd, or sd_a and sd_b), or se_difference")
    nothing = (0.0, 0.0, 0.0)
    return Spread(sides[0] or nothing, sides[1] or nothing, difference)


def _side(claim: Claim, side: str, root: float) -> tuple[float, float, float] | None:
    for name, scale in ((f"sd_{side}", 1.0), ("sd", 1.0), (f"se_{side}", root), ("se", root)):
        found = _with_rounding(positive_number(claim, name), scale)
        if found is not None:
            return found
    return None


def _with_rounding(value: Reported | None, scale: float) -> tuple[float, float, float] | None:
    if value is None:
        return None
    return float(value.value) * scale, max(float(value.low), 0.0) * scale, float(value.high) * scale


def _correlation(claim: Claim) -> KnownOverlap | None:
    if claim.discordance is not None or claim.agreement is not None:
        raise UsageError(
            "discordance and agreement are for right-or-wrong scores; for means give a correlation"
        )
    if claim.correlation is None:
        return None
    return correlation_range(reported_range("correlation", claim.correlation))


def _supposed(spread: Spread, known: KnownOverlap | None) -> Supposed:
    if known is not None:
        return Supposed("correlation", 0.5 * (known.low + known.high), known.low, known.high, "reported")
    typical = BenchmarkCorrelation()
    band = typical.correlation
    source = "not needed" if spread.difference is not None else str(typical)
    return Supposed("correlation", band.expected, band.low, band.high, source)


def _pvalues(a: Reported, b: Reported, items: int, spreads: tuple[Spread, KnownOverlap, float]) -> PValues:
    spread, known, sd = spreads
    effect, half = abs(float(b.value - a.value)), float(a.half + b.half)
    low, high = spread.at(known.high), spread.at(known.low)
    smallest, largest = spread.bounds(known.low_rounded, known.high_rounded)
    return PValues(
        pvalue(effect, low, items),
        pvalue(effect, high, items),
        pvalue(effect + half, smallest, items),
        pvalue(max(effect - half, 0.0), largest, items),
        pvalue(effect, sd, items),
    )


def pvalue(effect: float, sd: float, items: int) -> float:
    """The paired t test's p-value for a mean difference and the standard deviation of the differences.

    Without spread every difference is beyond chance, and none is none.
    """
    if effect == 0.0:
        return 1.0
    ratio = effect * math.sqrt(items) / sd if sd > 0.0 else math.inf
    return float(sided(*t_tails(np.asarray(ratio), items - 1.0), "two-sided"))


def detectable_mean(sd: float, items: int, question: Question) -> float | None:
    """The smallest effect that so many items find with the wanted power."""
    if not sd > 0.0:
        return None
    return float(t_shift(question.power, items - 1.0, question.alpha, "two-sided")) * sd / math.sqrt(items)


def smallest_mean(sd: float, items: int, alpha: float) -> float:
    """The smallest observed difference of means that is significant."""
    return float(t_quantile(1.0 - alpha / 2.0, items - 1.0)) * sd / math.sqrt(items)


def _expectation(effect: float | None, sd: float, items: int, question: Question) -> Expectation:
    if effect is None or not sd > 0.0:
        return NOTHING_EXPECTED
    rates = error_rates(effect, sd / math.sqrt(items), df=items - 1.0, alpha=question.alpha)
    return Expectation(effect, "given", rates.power, rates.type_s, rates.type_m)
