"""The audit of two means with their spread: every correlation of the two systems that may lie behind them."""

import math
from collections.abc import Iterator

from tellapart.claims.claim import Claim
from tellapart.claims.context import Context, context
from tellapart.claims.intervals import interval_level
from tellapart.claims.means import MeanPair, mean_pvalues, means
from tellapart.evidence import BenchmarkCorrelation, Spread
from tellapart.evidence.overlap import possible_discordance
from tellapart.results.audit import Supposed
from tellapart.results.note import Note
from tellapart.verbs.audit.evaluations import OfMeans
from tellapart.verbs.audit.findings import Expectation, Findings
from tellapart.verbs.audit.question import AuditQuestion, Criterion


def audit_means(claim: Claim, question: AuditQuestion) -> Findings:
    """What two means on the same items can support, by the paired t test."""
    said, pair, criterion = context(claim, None), means(claim), question.criterion
    speaks = _speaking(question)
    supposed = _supposed(pair, speaks)
    evidence = speaks if supposed.basis == "evidence" else None
    differences = pair.differences(supposed.expected, supposed.high)
    impossible = _impossible(pair)
    evaluation = OfMeans(pair.items, differences.expected)
    return Findings(
        claim=claim,
        context=said,
        criterion=criterion,
        evaluation=evaluation,
        a=float(pair.a.value),
        b=float(pair.b.value),
        effect=pair.effect,
        pvalues=None if impossible else mean_pvalues(pair, differences),
        impossible=impossible,
        supposed=supposed,
        overlap=evidence,
        expectation=_expectation(said, evaluation, criterion),
        remarks=(*_remarks(evidence, question), *_interval(claim, pair)),
    )


def _speaking(question: AuditQuestion) -> BenchmarkCorrelation | Spread:
    """The evidence on correlations: what was named, where it is on correlations."""
    named = question.beliefs.named_overlap
    return named if isinstance(named, BenchmarkCorrelation) else question.beliefs.correlation_source


def _supposed(pair: MeanPair, evidence: BenchmarkCorrelation | Spread) -> Supposed:
    """The correlation that was reported, else that of past pairs; what is reported of the difference needs neither."""
    known, band = pair.correlation, evidence.correlation
    assert band is not None, "evidence that speaks for a correlation says one"
    if pair.of_difference is not None:
        return Supposed("correlation", band.expected, band.low, band.high, "not needed", "not needed", "")
    if known is not None:
        return Supposed("correlation", known.middle, known.low, known.high, "reported", "reported", "")
    numbers = ("correlation", band.expected, band.low, band.high)
    measured = not isinstance(evidence, Spread) or evidence.measured
    return Supposed(*numbers, "evidence", str(evidence), evidence.among, measured)


def _impossible(pair: MeanPair) -> Note | None:
    """Why a standard error of the difference cannot stand beside the two spreads; None where it can."""
    if pair.allowed is None or pair.of_difference is None:
        return None
    least, most = pair.allowed
    return Note(
        "no_correlation_gives_this_spread",
        {"sd_difference": pair.of_difference[0], "least_sd": least, "most_sd": most},
    )


def _expectation(said: Context, evaluation: OfMeans, criterion: Criterion) -> Expectation:
    if said.effect is None:
        return Expectation()
    return Expectation(said.effect, "given", None, evaluation.rates(said.effect, criterion))


def _interval(claim: Claim, pair: MeanPair) -> Iterator[Note]:
    """What a reported interval of the difference implies, and whether it is one of this difference."""
    interval, direct = pair.interval, pair.of_difference
    if interval is None or direct is None:
        return
    sd = direct[0]
    spread = {"se": sd / math.sqrt(pair.items), "sd": sd, "correlation": pair.implied_correlation}
    said = {"interval": interval.text, "level": interval_level(claim), **spread}
    yield Note("interval_implies", {**said, "discordance": _implied_discordance(pair, sd)})
    if pair.interval_elsewhere:
        yield Note("interval_elsewhere", {"interval": interval.text, "middle": interval.middle})


def _implied_discordance(pair: MeanPair, sd: float) -> float | None:
    """The share of items on which right-or-wrong answers would have to differ; None where the scores can be none."""
    scale = 100.0 if pair.a.percent or max(pair.a.value, pair.b.value) > 1 else 1.0
    a, b = (float(side.value) / scale for side in (pair.a, pair.b))
    share = (sd / scale) ** 2 * (pair.items - 1.0) / pair.items + (b - a) ** 2
    if pair.spread is not None or not (min(a, b) >= 0.0 and max(a, b) <= 1.0):
        return None
    least, most = possible_discordance(a, b)
    return share if least <= share <= most else None


def _remarks(evidence: BenchmarkCorrelation | Spread | None, question: AuditQuestion) -> tuple[Note, ...]:
    """What to say of evidence that was named and knows no correlation of such scores."""
    named = question.beliefs.named_overlap
    if evidence is None or named is None or named == evidence:
        return ()
    return (Note("evidence_not_about_means", {"evidence": named.name, "instead": str(evidence)}),)
