"""The audit of two means with their spread: every correlation of the two systems that may lie behind them."""

from tellapart.claims.claim import Claim
from tellapart.claims.context import Context, context
from tellapart.claims.interval_pvalues import interval_pvalues
from tellapart.claims.intervals import interval_level
from tellapart.claims.means import MeanPair, mean_pvalues, means
from tellapart.claims.pvalues import PValues
from tellapart.claims.spreads import DifferenceSpread
from tellapart.evidence import BenchmarkCorrelation, Spread
from tellapart.results.audit import Supposed
from tellapart.results.note import Note
from tellapart.verbs.audit.evaluations import Evaluation, OfMeans, OfUnknownSpread
from tellapart.verbs.audit.findings import Expectation, Findings
from tellapart.verbs.audit.printed_intervals import another_interval, said_by_interval
from tellapart.verbs.audit.question import AuditQuestion, Criterion


def audit_means(claim: Claim, question: AuditQuestion) -> Findings:
    """What two means on the same items can support, by the paired t test."""
    said, pair, criterion = context(claim, None), means(claim), question.criterion
    speaks = _speaking(question)
    supposed = _supposed(pair, speaks)
    evidence = speaks if supposed.basis == "evidence" else None
    differences = pair.differences(supposed.expected, supposed.high)
    elsewhere = another_interval(pair)
    impossible = elsewhere or _impossible(pair)
    evaluation = OfUnknownSpread(pair.items) if elsewhere else OfMeans(pair.items, differences.expected)
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
    return Supposed(*numbers, "evidence", str(evidence), evidence.among, evidence.measured)


def _impossible(pair: MeanPair) -> Note | None:
    """Why a standard error of the difference cannot stand beside the two spreads; None where it can."""
    if pair.allowed is None or pair.of_difference is None:
        return None
    least, most = pair.allowed
    return Note(
        "no_correlation_gives_this_spread",
        {"sd_difference": pair.of_difference[0], "least_sd": least, "most_sd": most},
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
    """What to say of evidence that was named and knows no correlation of such scores."""
    named = question.beliefs.named_overlap
    if evidence is None or named is None or named == evidence:
        return ()
    return (Note("evidence_not_about_means", {"evidence": named.name, "instead": str(evidence)}),)
