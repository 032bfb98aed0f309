"""The audit of two accuracies: every table they leave possible, and what so many items could show."""

from collections.abc import Iterator

from tellapart.errors import UsageError
from tellapart.evidence import Band
from tellapart.planning.axis import EffectAxis
from tellapart.planning.budget import Budget
from tellapart.planning.power import power_of
from tellapart.planning.solve import solve
from tellapart.planning.study import Study
from tellapart.populations import PairedBinary
from tellapart.results.audit import Supposed
from tellapart.verbs.audit_claim import AccuracyPair, Claim, Context, accuracies, context
from tellapart.verbs.audit_findings import Expectation, Findings, PValues, Question
from tellapart.verbs.audit_numbers import Unit
from tellapart.verbs.audit_overlap import KnownOverlap, known_overlap
from tellapart.verbs.audit_tables import Counts, Margins, pvalue_at, pvalue_range, share_with_pvalue, tables
from tellapart.verbs.from_evidence import FromEvidence
from tellapart.wording import significant, thousands


def audit_accuracies(claim: Claim, question: Question, company: Unit | None) -> Findings:
    """What two accuracies on the same items can support; `company` is the unit of the other claims of a table."""
    pair = accuracies(claim, company)
    said, known = context(claim, pair.unit), known_overlap(claim, pair)
    a, b = float(pair.a.value), float(pair.b.value)
    _check_effect(said, min(a, b))
    design, supposed = _supposed(a, b, known, question)
    margins = Margins(pair.items, Counts.of(pair.a, pair.items), Counts.of(pair.b, pair.items))
    impossible = _impossible(pair, margins, known)
    pvalues = None if impossible else _pvalues(margins, known, supposed.expected, question)
    return Findings(
        claim, said, question, pair.items, a, b, float(pair.b.value - pair.a.value), pvalues, impossible, supposed,
        detectable(design, pair.items, question), _expectation(claim, said, design, pair.items, question),
        tuple(_remarks(pair, margins, known)), _implied(said, margins, pvalues, question), design=design,
    )  # fmt: skip


def _check_effect(said: Context, worse: float) -> None:
    if said.effect is not None and said.effect > 1.0 - worse:
        raise UsageError(
            f"effect is {said.effect:.6g}; above an accuracy of {worse:.6g} at most {1.0 - worse:.6g} is left"
        )


def _supposed(
    a: float, b: float, known: KnownOverlap | None, question: Question
) -> tuple[PairedBinary, Supposed]:
    """The population that a study from the worse accuracy upwards would have met, and the overlap at the claimed gap."""
    worse = min(a, b)
    if known is not None:
        option = {known.kind: 0.5 * (known.low + known.high)}
        return PairedBinary(accuracy=worse, **option), _as_supposed(known.discordance(a, b), "reported")
    evidence = question.beliefs.overlap(worse)
    band = evidence.discordance(a, b)
    return FromEvidence(accuracy=worse, evidence=evidence), _as_supposed(band, str(evidence))


def _as_supposed(band: Band, source: str) -> Supposed:
    return Supposed("discordance", band.expected, band.low, band.high, source)


def _impossible(pair: AccuracyPair, margins: Margins, known: KnownOverlap | None) -> str:
    """Why no table can have been behind the numbers; empty where one can."""
    for value, counts in ((pair.a, margins.a), (pair.b, margins.b)):
        if not counts.possible:
            return (
                f"no whole number of right answers out of {thousands(pair.items)} rounds to {value.text}: it is no accuracy on "
                "so many items (a mean over runs, another metric, other items), or a misprint"
            )
    if known is not None and not tables(known.applied(margins)[1]).any:
        found = tables(margins)
        least, most = (significant(float(x) / pair.items, 3) for x in (found.fewest.min(), found.most.max()))
        return f"no table has these accuracies and this overlap; they leave a discordance between {least} and {most}"
    return ""


def _pvalues(margins: Margins, known: KnownOverlap | None, share: float, question: Question) -> PValues:
    reported, rounded = (margins.settled, margins) if known is None else known.applied(margins)
    inside, around = tables(reported), tables(rounded)
    possible = pvalue_range(question.test, around)
    at_reported = pvalue_range(question.test, inside) if inside.any else possible
    return PValues.nested(at_reported, possible, pvalue_at(question.test, margins, share))


def detectable(design: PairedBinary, items: int, question: Question) -> float | None:
    """The smallest effect that so many items find with the wanted power; None if they find none."""
    try:
        study = Study(design, question.test, items, question.alpha)
        return solve(EffectAxis(study, question.power, Budget())).effect
    except UsageError:
        return None


def _expectation(
    claim: Claim, said: Context, design: PairedBinary, items: int, question: Question
) -> Expectation:
    """How a plausible gain over the worse system would fare; from outside the claim, never the claimed one."""
    if said.effect is not None:
        return expected_of(design, said.effect, "given", items, question)
    baseline = design.accuracy or 0.0
    gain = question.beliefs.gain(baseline, claim.dataset)
    return expected_of(design, gain.gain(baseline).expected, str(gain), items, question)


def expected_of(
    design: PairedBinary, effect: float, source: str, items: int, question: Question
) -> Expectation:
    """The power for an effect that was expected; none for one that is 0, or that cannot be with the overlap."""
    if effect <= 0.0:
        return Expectation(effect, source, None, None, None)
    try:
        found = power_of(Study(design.with_effect(effect), question.test, items, question.alpha), Budget())
    except UsageError:
        return Expectation(effect, source, None, None, None)
    return Expectation(effect, source, found.power, found.type_s, found.type_m)


def _remarks(pair: AccuracyPair, margins: Margins, known: KnownOverlap | None) -> Iterator[str]:
    around = None if known is None else tables(known.applied(margins)[1])
    if around is not None and around.widened and around.any:
        yield "no whole number of items has exactly the reported overlap; the numbers next to it were taken"
    if pair.guessed:
        yield f"{pair.a.text} and {pair.b.text} are read as {pair.unit}s, like the other rows; a column unit would say so"
    if pair.a.half != pair.b.half:
        fine = max(pair.a.decimals, pair.b.decimals)
        yield (
            f"{pair.a.text} and {pair.b.text} have different decimals; if trailing zeros were lost, give decimals {fine}"
        )


def _implied(said: Context, margins: Margins, pvalues: PValues | None, question: Question) -> float | None:
    """The discordance that a reported p-value would need, where it is one of those that are possible."""
    reported = said.reported_p
    if reported is None or pvalues is None or not reported.plain:
        return None
    middle = 0.5 * (reported.low + reported.high)
    if not (pvalues.low <= middle <= pvalues.high and pvalues.low < pvalues.high):
        return None
    return share_with_pvalue(question.test, margins, middle)
