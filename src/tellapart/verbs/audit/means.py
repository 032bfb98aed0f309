"""Audit of two reported means with their spreads, over every plausible correlation of the two systems."""

import math
from collections.abc import Iterator
from typing import Any

from tellapart.answers.audit import Supposed
from tellapart.answers.parts import Note
from tellapart.claims.claim import Claim, Context, context
from tellapart.claims.interval_pvalues import interval_pvalues, other_reading
from tellapart.claims.intervals import ReportedInterval, Values, interval_level
from tellapart.claims.means import DifferenceSpread, MeanPair, mean_pvalues, means
from tellapart.claims.tables import PValues
from tellapart.populations.evidence import BenchmarkCorrelation, Spread
from tellapart.populations.evidence.evidence import possible_discordance
from tellapart.verbs.audit.evaluations import Evaluation, MeanEvaluation, UnknownSpreadEvaluation
from tellapart.verbs.audit.findings import Expectation, Findings
from tellapart.verbs.audit.question import AuditQuestion, Criterion

# Intervals that were reported beside two means: what they imply, and whether they are of these at all.


def another_interval(pair: MeanPair) -> Note | None:
    """Which interval does not hold the number that it is reported for, rounding allowed for; None where all do."""
    numbers = {"ci_a": (pair.a.low, pair.a.high), "ci_b": (pair.b.low, pair.b.high)}
    for role, interval in {"ci": pair.interval, "ci_a": pair.sides[0], "ci_b": pair.sides[1]}.items():
        values = numbers.get(role, pair.printed_effects)
        if interval is not None and not interval.holds(values):
            said = {"role": role, "interval": interval.text}
            return Note("interval_without_its_number", {**said, **_read_otherwise(interval, values, role)})
    return None


def _read_otherwise(interval: ReportedInterval, values: Values, role: str) -> dict[str, Any]:
    other = other_reading(interval, values, of_difference=role == "ci")
    return {"reading": other and other.kind, "instead": other and other.text}


def said_by_interval(claim: Claim, pair: MeanPair) -> Iterator[Note]:
    """The implications of a reported interval of the difference, and whether it lies around this difference."""
    interval, direct = pair.interval, pair.of_difference
    if interval is None or direct is None:
        return
    sd = direct[0]
    spread = {"se": sd / math.sqrt(pair.items), "sd": sd, "correlation": pair.implied_correlation}
    said = {"interval": interval.text, "level": interval_level(claim), **spread}
    yield Note("interval_implies", {**said, "discordance": _implied_discordance(pair, sd)})
    if interval.ends is not None and not interval.centred_on(pair.printed_effects):
        low, high = interval.ends
        where = {"middle": float(low.value + high.value) / 2.0, "excludes_zero": low.low > 0 or high.high < 0}
        other = _read_otherwise(interval, pair.printed_effects, "ci")
        yield Note("interval_elsewhere", {"interval": interval.text, **where, **other})


def _implied_discordance(pair: MeanPair, sd: float) -> float | None:
    """The share of items on which right-or-wrong answers would have to differ; None where the scores can be none."""
    scale = 100.0 if pair.a.percent or max(pair.a.value, pair.b.value) > 1 else 1.0
    a, b = (float(side.value) / scale for side in (pair.a, pair.b))
    share = (sd / scale) ** 2 * (pair.items - 1.0) / pair.items + (b - a) ** 2
    if pair.spread is not None or not (min(a, b) >= 0.0 and max(a, b) <= 1.0):
        return None
    least, most = possible_discordance(a, b)
    return share if least <= share <= most else None


def audit_means(claim: Claim, question: AuditQuestion) -> Findings:
    """The audit of two means on the same items, by the paired t test."""
    said, pair, criterion = context(claim, None), means(claim), question.criterion
    speaks = _speaking(question)
    supposed = _supposed(pair, speaks)
    evidence = speaks if supposed.basis == "evidence" else None
    differences = pair.differences(supposed.expected, supposed.high)
    elsewhere = another_interval(pair)
    impossible = elsewhere or _impossible(pair)
    evaluation = UnknownSpreadEvaluation(pair.items) if elsewhere else MeanEvaluation(pair.items, differences.expected)
    return Findings(
        claim=claim,
        context=said,
        criterion=criterion,
        evaluation=evaluation,
        a=float(pair.a.value),
        b=float(pair.b.value),
        effect=pair.effect,
        pvalues=None if impossible else _pvalues(claim, pair, differences),
        impossible=impossible,
        supposed=supposed,
        overlap=evidence,
        expectation=_expectation(said, evaluation, criterion),
        remarks=(*_remarks(evidence, question), *([] if elsewhere else said_by_interval(claim, pair))),
    )


def _speaking(question: AuditQuestion) -> BenchmarkCorrelation | Spread:
    """The evidence on correlations: what was named, where it is on correlations."""
    named = question.priors.named_overlap
    return named if isinstance(named, BenchmarkCorrelation) else question.priors.correlation_source


def _supposed(pair: MeanPair, evidence: BenchmarkCorrelation | Spread) -> Supposed:
    """The correlation that was reported, else that of past pairs; what is reported of the difference needs neither."""
    known, band = pair.correlation, evidence.correlation
    assert band is not None, "evidence that speaks for a correlation says one"
    if pair.of_difference is not None:
        return Supposed("correlation", band.expected, band.low, band.high, "not needed", "not needed", "")
    if known is not None:
        return Supposed("correlation", known.middle, known.low, known.high, "reported", "reported", "")
    numbers = ("correlation", band.expected, band.low, band.high)
    return Supposed(*numbers, "evidence", str(evidence), evidence.among, evidence.measured)


def _impossible(pair: MeanPair) -> Note | None:
    """Why a standard error of the difference cannot stand beside the two spreads; None where it can."""
    if pair.allowed is None or pair.of_difference is None:
        return None
    least, most = pair.allowed
    return Note(
        "no_correlation_gives_this_spread", {"sd_difference": pair.of_difference[0], "least_sd": least, "most_sd": most}
    )


def _pvalues(claim: Claim, pair: MeanPair, differences: DifferenceSpread) -> PValues:
    """By the standard error of the difference where it was reported, else by the interval's own ends where these were."""
    if pair.interval is None or pair.interval.ends is None or claim.se_difference is not None:
        return mean_pvalues(pair, differences)
    return interval_pvalues(pair, interval_level(claim))


def _expectation(said: Context, evaluation: Evaluation, criterion: Criterion) -> Expectation:
    if said.effect is None:
        return Expectation()
    return Expectation(said.effect, "given", None, evaluation.rates(said.effect, criterion))


def _remarks(evidence: BenchmarkCorrelation | Spread | None, question: AuditQuestion) -> tuple[Note, ...]:
    """Notes on named evidence that has no correlation of such scores."""
    named = question.priors.named_overlap
    if evidence is None or named is None or named == evidence:
        return ()
    return (Note("evidence_not_about_means", {"evidence": named.name, "instead": str(evidence)}),)
