"""The audit of two means with their spread: every correlation of the two systems that may lie behind them."""

from tellapart.claims.claim import Claim
from tellapart.claims.context import Context, context
from tellapart.claims.means import MeanPair, mean_pvalues, means
from tellapart.evidence import BenchmarkCorrelation
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
    differences, impossible = pair.differences(supposed.expected), _impossible(pair)
    evaluation = OfMeans(pair.items, differences.expected)
    return Findings(
        claim=claim,
        context=said,
        criterion=criterion,
        evaluation=evaluation,
        a=float(pair.a.value),
        b=float(pair.b.value),
        effect=float(pair.b.value - pair.a.value),
        pvalues=None if impossible else mean_pvalues(pair, differences),
        impossible=impossible,
        supposed=supposed,
        overlap=evidence,
        expectation=_expectation(said, evaluation, criterion),
        remarks=_remarks(evidence, question),
    )


def _speaking(question: AuditQuestion) -> BenchmarkCorrelation:
    """The evidence on correlations: what was named, where it is on correlations."""
    named = question.beliefs.named_overlap
    return named if isinstance(named, BenchmarkCorrelation) else BenchmarkCorrelation()


def _supposed(pair: MeanPair, evidence: BenchmarkCorrelation) -> Supposed:
    """The correlation that was reported, else that of past pairs; the standard error of the difference needs neither."""
    known, band = pair.correlation, evidence.correlation
    if pair.of_difference is not None:
        return Supposed("correlation", band.expected, band.low, band.high, "not needed", "not needed")
    if known is not None:
        return Supposed("correlation", known.middle, known.low, known.high, "reported", "reported")
    return Supposed("correlation", band.expected, band.low, band.high, "evidence", str(evidence))


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


def _remarks(evidence: BenchmarkCorrelation | None, question: AuditQuestion) -> tuple[Note, ...]:
    """What to say of evidence that was named and knows no correlation of such scores."""
    named = question.beliefs.named_overlap
    if evidence is None or named is None or named == evidence:
        return ()
    return (Note("evidence_not_about_means", {"evidence": named.name, "instead": str(evidence)}),)
