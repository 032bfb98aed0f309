"""Audit of two reported accuracies, over every possible 2×2 table, and the power of their evaluation."""

from collections.abc import Iterator
from typing import Any

from tellapart.answers.audit import Supposed
from tellapart.answers.parts import Note
from tellapart.claims.accuracies import AccuracyPair, ReportedOverlap, accuracies, reported_overlap
from tellapart.claims.claim import Claim, Context, context
from tellapart.claims.reported import Unit
from tellapart.claims.table_pvalues import pvalues_at, run_pvalues, share_with_pvalue, table_pvalues
from tellapart.claims.tables import Margins, PValues, RightAnswers, tables
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import UsageError
from tellapart.populations.evidence import Band, NoPrior, Overlap, others_at
from tellapart.populations.from_evidence import FromEvidence
from tellapart.populations.paired_binary import PairedBinary
from tellapart.verbs.audit.evaluations import AccuracyEvaluation, RepeatedRunsEvaluation
from tellapart.verbs.audit.findings import Expectation, Findings
from tellapart.verbs.audit.question import AuditQuestion, Criterion

MOST_TRIED = 1_000
"""Runs up to which accuracies that are no counts of items are tried as means."""


def audit_accuracies(claim: Claim, question: AuditQuestion, shared: Unit | None) -> Findings:
    """The audit of two accuracies on the same items; `shared` is the unit of the other claims of a table."""
    pair, criterion = accuracies(claim, shared), question.criterion
    said, known = context(claim, pair.unit), reported_overlap(claim, pair)
    a, b = float(pair.a.value), float(pair.b.value)
    _check_effect(said, min(a, b))
    # Studies are planned from the worse system upwards, and evidence is asked at its accuracy, as `plan` asks it.
    overlap = known or question.priors.overlap(min(a, b))
    supposed = _supposed(overlap, a, b)
    evaluation = _evaluation(pair, _population(overlap, min(a, b)), supposed.expected)
    margins = Margins(pair.answers, RightAnswers.of(pair.a, pair.answers), RightAnswers.of(pair.b, pair.answers))
    impossible = _impossible(pair, margins, known)
    pvalues = None if impossible else _pvalues(pair, margins, known, supposed, criterion)
    return Findings(
        claim=claim,
        context=said,
        criterion=criterion,
        evaluation=evaluation,
        a=a,
        b=b,
        runs=pair.runs,
        effect=float(pair.b.value - pair.a.value),
        pvalues=pvalues,
        impossible=impossible,
        supposed=supposed,
        overlap=overlap if isinstance(overlap, Overlap) else None,
        expectation=_expectation(claim, said, evaluation, question),
        remarks=(
            *_remarks(pair, margins, known),
            *([] if pair.runs > 1 else _other_boards(overlap, margins, pvalues, criterion)),
        ),
        implied=None if pair.runs > 1 else _implied(said, margins, pvalues, criterion),
    )


def _evaluation(pair: AccuracyPair, population: PairedBinary, share: float) -> AccuracyEvaluation:
    if pair.runs == 1:
        return AccuracyEvaluation(pair.items, population, share)
    return RepeatedRunsEvaluation(pair.items, population, share, pair.runs)


def _pvalues(
    pair: AccuracyPair, margins: Margins, known: ReportedOverlap | None, supposed: Supposed, criterion: Criterion
) -> PValues:
    """Of every table by McNemar's test; of every split of the runs, where there are several, by the paired t test."""
    shares = Band(supposed.expected, supposed.low, supposed.high)
    if pair.runs == 1:
        return table_pvalues(criterion.test, margins, known, shares)
    return run_pvalues(pair, margins, shares, 1.0 if known is None else known.high_rounded)


def _check_effect(said: Context, worse: float) -> None:
    if said.effect is not None and said.effect > 1.0 - worse:
        raise UsageError(f"effect is {said.effect:.6g}; an accuracy of {worse:.6g} leaves at most {1.0 - worse:.6g}")


def _supposed(overlap: ReportedOverlap | Overlap, a: float, b: float) -> Supposed:
    """The overlap at the claimed gap: as reported, else as past pairs suggest."""
    band = overlap.discordance(a, b)
    numbers = ("discordance", band.expected, band.low, band.high)
    if isinstance(overlap, NoPrior):
        return Supposed(*numbers, "nothing known", str(overlap), "")
    if isinstance(overlap, Overlap):
        return Supposed(*numbers, "evidence", str(overlap), overlap.among)
    return Supposed(*numbers, "reported", "reported", "")


def _population(overlap: ReportedOverlap | Overlap, worse: float) -> PairedBinary:
    """The population of a study from the worse accuracy upwards."""
    if isinstance(overlap, Overlap):
        return FromEvidence(accuracy=worse, evidence=overlap)
    said: dict[str, Any] = {overlap.kind: overlap.middle}
    return PairedBinary(accuracy=worse, **said)


def _impossible(pair: AccuracyPair, margins: Margins, known: ReportedOverlap | None) -> Note | None:
    """Why no table can have been behind the numbers; None where one can."""
    for value, counts in ((pair.a, margins.a), (pair.b, margins.b)):
        if not counts.possible:
            said = {"accuracy": value.text, "answers": pair.answers, "enough_runs": _enough_runs(pair)}
            return Note("no_whole_number_of_right_answers", said)
    if known is None or tables(known.limit_margins(margins)[1]).any:
        return None
    found = tables(margins)
    least, most = (float(x) / pair.items for x in (found.fewest.min(), found.most.max()))
    return Note("no_table_with_this_overlap", {"least_discordance": least, "most_discordance": most})


def _enough_runs(pair: AccuracyPair) -> int | None:
    """Over how few runs of every item both accuracies can be means; None where it takes more than anybody makes."""
    for runs in range(2, MOST_TRIED + 1):
        answers = runs * pair.items
        if all(RightAnswers.of(value, answers).possible for value in (pair.a, pair.b)):
            return runs
    return None


def _expectation(claim: Claim, said: Context, evaluation: AccuracyEvaluation, question: AuditQuestion) -> Expectation:
    """How a plausible gain over the worse system would fare; from outside the claim, never the claimed one."""
    criterion = question.criterion
    if said.effect is not None:
        return Expectation(said.effect, "given", None, evaluation.rates(said.effect, criterion))
    baseline = evaluation.population.accuracy or 0.0
    evidence = question.priors.gain(baseline, claim.dataset)
    gain = evidence.gain(baseline).expected
    return Expectation(gain, "evidence", evidence, evaluation.rates(gain, criterion))


def _remarks(pair: AccuracyPair, margins: Margins, known: ReportedOverlap | None) -> Iterator[Note]:
    printed = {"a": pair.a.text, "b": pair.b.text}
    if pair.runs > 1:
        yield Note("means_over_runs", {"runs": pair.runs, "answers": pair.answers})
    around = None if known is None else tables(known.limit_margins(margins)[1])
    if around is not None and around.widened and around.any:
        yield Note("overlap_between_whole_numbers")
    if pair.guessed:
        yield Note("unit_of_other_rows", {**printed, "unit": pair.unit})
    if pair.a.half != pair.b.half:
        yield Note("decimals_differ", {**printed, "decimals": max(pair.a.decimals, pair.b.decimals)})


def _other_boards(
    overlap: ReportedOverlap | Overlap, margins: Margins, pvalues: PValues | None, criterion: Criterion
) -> Iterator[Note]:
    """Boards seen near these accuracies, at whose overlap the claim would be decided otherwise."""
    if pvalues is None or isinstance(overlap, ReportedOverlap | NoPrior):
        return
    a, b = (side.nearest / margins.items for side in (margins.a, margins.b))
    shares = {one.label: one.discordance(a, b).expected for one in others_at(overlap, a, b)}
    if not shares:
        return
    found = pvalues_at(criterion.test, *((margins, share) for share in shares.values()))
    at = dict(zip(shares, found, strict=True))
    decided = bool(rejects(pvalues.expected, criterion.alpha))
    if others := [name for name, p in at.items() if bool(rejects(p, criterion.alpha)) != decided]:
        said = [{"evidence": name, "discordance": shares[name], "pvalue": at[name]} for name in others]
        yield Note("other_boards_decide_otherwise", {"others": said})


def _implied(said: Context, margins: Margins, pvalues: PValues | None, criterion: Criterion) -> float | None:
    """The discordance that a reported p-value would need, where it is one of those that are possible."""
    reported = said.reported_p
    if reported is None or pvalues is None or not reported.plain:
        return None
    # A reported p of 0.04 is anything that rounds to it; "< 0.05" names no overlap.
    middle = 0.5 * (reported.low + reported.high)
    if not (pvalues.low <= middle <= pvalues.high and pvalues.low < pvalues.high):
        return None
    return share_with_pvalue(criterion.test, margins, middle)
