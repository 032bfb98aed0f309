"""What an audit says in words: one sentence to quote a claim, and the notes that limit it."""

from collections.abc import Iterator
from decimal import Decimal

from tellapart.decision import rejects
from tellapart.evidence import EVIDENCE, Evidence
from tellapart.results.audit import AuditedClaim, AuditSummary, LeaveOneOut
from tellapart.verbs.audit_findings import Findings, PValues
from tellapart.wording import bare_pvalue, percent, pvalue, signed, significant, thousands

NOT_EVIDENCE = ("reported", "not needed", "given")
"""Where a supposition can come from besides evidence."""


def sentence(found: Findings) -> str:
    """The claim, what can be said of it, and what its items could have shown."""
    return f"{_claim(found)}: {_verdict(found)}.{_items(found)}"


def _claim(found: Findings) -> str:
    claim = found.claim
    a, b = (x if x is not None else y for x, y in ((claim.correct_a, claim.a), (claim.correct_b, claim.b)))
    name = f"{claim.name}: " if claim.name else ""
    on = f" on {claim.dataset}" if claim.dataset else ""
    return f"{name}{b} vs {a}{on} ({thousands(found.items)} items, {difference(found, found.effect)})"


def difference(found: Findings, value: float) -> str:
    """A signed difference: points of accuracy, or the units of a mean."""
    scaled = value if found.of_means else 100.0 * value
    shown = signed(scaled, _decimals(scaled))
    return f"Δ = {shown}" if found.of_means else f"{shown} points"


def size(found: Findings, value: float) -> str:
    """A difference without sign."""
    return significant(value) if found.of_means else f"{significant(100.0 * value)} points"


def _decimals(value: float) -> int:
    """Decimals that show six digits, as far as they are not zeros."""
    exponent = Decimal(f"{value:.6g}").normalize().as_tuple().exponent
    return max(-int(exponent), 1)


def _verdict(found: Findings) -> str:
    p, alpha = found.pvalues, found.question.alpha
    if p is None:
        return f"impossible as printed; {found.impossible}"
    test = "paired t" if found.of_means else found.question.test.label
    rounding = "" if (p.low, p.high) == (p.low_rounded, p.high_rounded) else ", rounding included"
    if found.verdict == "certain":
        return f"significant {_whatever(found)} ({pvalue(p.high_rounded, alpha)} at most{rounding}; {test})"
    if found.verdict == "implausible":
        return (
            f"not significant {_whatever(found)} ({pvalue(p.low_rounded, alpha)} at least{rounding}; {test})"
        )
    likely = f"{pvalue(p.expected, alpha)} {_where(found)}, {_between(p, alpha)} ({test})"
    if found.verdict == "likely":
        return f"probably significant, but not certainly: {likely}"
    return f"cannot be decided from these numbers: {likely}"


def _whatever(found: Findings) -> str:
    return _where(found) if found.supposed.source in NOT_EVIDENCE else f"whatever the {_overlap(found)}"


def _where(found: Findings) -> str:
    if found.supposed.source == "reported":
        return f"at the reported {_overlap(found)}"
    if found.supposed.source == "not needed":
        return "at the reported standard error"
    return f"at the {_overlap(found)} usual for such systems"


def _overlap(found: Findings) -> str:
    return "correlation" if found.of_means else "overlap"


def _between(p: PValues, alpha: float) -> str:
    low, high = (bare_pvalue(x, alpha) for x in (p.low_rounded, p.high_rounded))
    return f"between {low} and {high} over all that the numbers allow"


def _items(found: Findings) -> str:
    items, target = thousands(found.items), percent(found.question.power)
    if found.detectable is None:
        allowed = " that the reported overlap allows" if found.supposed.source == "reported" else ""
        return f" {items} items find no difference{allowed} with {target} power."
    if found.detectable == 0.0:
        return f" Without any spread {items} items find every difference."
    said = f" {items} items detect {size(found, found.detectable)} with {target} power"
    expected = found.expectation
    if expected.effect is None or expected.power is None:
        return f"{said}."
    looks = (
        f" and, when found, look {significant(expected.type_m)} times too large"
        if expected.type_m is not None and expected.type_m >= 1.05
        else ""
    )
    return f"{said}; a plausible {size(found, expected.effect)} would be found {percent(round(expected.power, 3))} of the time{looks}."


def notes(found: Findings) -> tuple[str, ...]:
    said = [*_range(found), *_plausible(found), *_rounding(found), *found.remarks]
    return (*said, *_many(found), *_seeds(found), *_reported_p(found))


def evidence_used(found: Findings) -> list[Evidence]:
    """The evidence that spoke for a claim: on its overlap and on a plausible difference."""
    named = (found.supposed.source, found.expectation.source or "given")
    return [EVIDENCE.parse(source) for source in named if source not in NOT_EVIDENCE]


def citation(evidence: Evidence) -> str:
    caution = f"; {evidence.caution}" if evidence.caution else ""
    return f"{evidence.name}: {evidence.source}; {evidence.uncertainty}{caution}"


def _range(found: Findings) -> Iterator[str]:
    if not evidence_used(found):
        return
    if found.of_means:
        yield "that correlation was measured on right-or-wrong scores; give the correlation of these if you can"
        return
    worse = min(found.a, found.b)
    yield from (_outside(e, worse) for e in evidence_used(found) if not e.covers(worse))


def _outside(evidence: Evidence, accuracy: float) -> str:
    low, high = evidence.accuracies
    return f"accuracy {accuracy:g} lies outside what {evidence.label} was seen at ({low:g} to {high:g})"


def _plausible(found: Findings) -> Iterator[str]:
    expected = found.expectation
    if expected.effect is None:
        yield "no evidence says what difference of such scores is plausible; give --effect for power and its errors"
    elif expected.power is None and expected.effect > 0.0:
        other = "" if expected.source == "given" else "; give --effect"
        yield (
            f"a difference of {size(found, expected.effect)}, which is plausible, cannot be with the reported overlap, so no power "
            f"is given{other}"
        )
    elif expected.power is None:
        yield f"{expected.source} expects no gain at this accuracy, so no power is given; give --effect"


def _rounding(found: Findings) -> Iterator[str]:
    p, alpha = found.pvalues, found.question.alpha
    if p is None or found.verdict == "certain":
        return
    if rejects(p.high, alpha):
        more = "More decimals" if found.of_means else "Exact counts"
        yield (
            f"taken as exact, the numbers would be significant {_whatever(found)} ({pvalue(p.high, alpha)} at most); as rounded they "
            f"allow {pvalue(p.high_rounded, alpha)}. {more} would settle it"
        )


def _many(found: Findings) -> Iterator[str]:
    many = found.among_many
    if many is None:
        return
    smallest, detected = ("none" if x is None else size(found, x) for x in (many.smallest, many.detectable))
    yield (
        f"among {thousands(many.systems)} systems, {thousands(many.comparisons)} comparisons share the level ({many.alpha:.4g} each, Bonferroni or "
        f"Holm's first step): then {many.verdict}; the smallest difference that survives is {smallest}, and {thousands(found.items)} "
        f"items detect {detected}"
    )


def _seeds(found: Findings) -> Iterator[str]:
    best = found.best_seed
    if best is None:
        return
    by_chance = f"the best of {thousands(best.seeds)} runs lies {best.deviations:.3f} standard deviations above their mean by chance"
    if best.inflation is not None:
        left = max(abs(found.effect) - best.inflation, 0.0)
        yield f"{by_chance}, here {size(found, best.inflation)}: of the difference {size(found, left) if left else 'nothing'} is left"
    elif best.enough is not None:
        yield f"{by_chance}: runs that scatter by {size(found, best.enough)} would explain the whole difference"


def _reported_p(found: Findings) -> Iterator[str]:
    said, p = found.context.reported_p, found.pvalues
    if said is None or p is None:
        return
    low, high = (bare_pvalue(x, found.question.alpha) for x in (p.low_rounded, p.high_rounded))
    if said.low > p.high_rounded or said.high < p.low_rounded:
        yield f"the reported {said.text} cannot be: these numbers allow {low} to {high}; another test, other numbers, or a mistake"
        return
    if found.implied is None:
        yield f"the reported {said.text} is possible: these numbers allow {low} to {high}"
        return
    usual = (
        "" if found.supposed.source == "reported" else f"; usual is {significant(found.supposed.expected)}"
    )
    yield f"the reported {said.text} takes systems that differ on a share of {significant(found.implied)} of the items{usual}"


def summary_sentence(claims: tuple[AuditedClaim, ...], told: AuditSummary) -> str:
    if told.claims == 1:
        return claims[0].sentence
    counts = (
        f"Of {told.claims} claims: {told.certain} certain, {told.likely} likely, {told.undecidable} undecidable from their numbers, "
        f"{told.implausible} implausible; {told.powered} had enough power for a plausible difference, and {told.below_detectable} claim less "
        "than their items detect."
    )
    return counts + (_left_out(told.leave_one_out) if told.leave_one_out else "")


def _left_out(told: LeaveOneOut) -> str:
    powered, found = (percent(round(x / told.claims, 2)) for x in (told.powered, told.significant))
    return (
        f" With each gain predicted from the other claims, {powered} of {told.claims} were adequately powered and {found} would be significant "
        "at the overlap usual for such systems."
    )
