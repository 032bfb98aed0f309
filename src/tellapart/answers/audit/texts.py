"""Sentences about an audit: a headline, one result sentence per claim, and counts for a table of claims."""

from dataclasses import replace

from tellapart.answers.audit import Audit, AuditedClaim, AuditSummary, LeaveOneOut
from tellapart.answers.audit.claim_texts import IMPOSSIBLE, ClaimInAudit
from tellapart.answers.audit.notes import CLAIM_NOTES, NOTES
from tellapart.foundation.formatting import percent, points, significant, thousands

# One sentence to quote a claim: what it says, what can be said of it, and what its items could have shown.

EXAGGERATION = 1.05
"""Mean exaggeration from which on it is worth a clause."""

_OPEN = {
    "likely": "probably significant, but not certainly",
    "undecidable": "cannot be decided from these numbers",
    "unlikely": "unlikely to be significant",
}


def sentence(subject: ClaimInAudit) -> str:
    return f"{_claim_in_words(subject)}: {_claim_verdict(subject)}.{_audit_items(subject)}"


def _claim_in_words(subject: ClaimInAudit) -> str:
    claim = subject.claim
    name = f"{claim.name}: " if claim.name else ""
    on = f" on {claim.dataset}" if claim.dataset else ""
    size = f"{thousands(claim.items)} items, {subject.difference(claim.effect)}"
    return f"{name}{claim.printed_b} vs {claim.printed_a}{on} ({size})"


def _claim_verdict(subject: ClaimInAudit) -> str:
    claim = subject.claim
    if claim.impossible is not None:
        return claim.impossible.text
    unrounded = (claim.p_low, claim.p_high) == (claim.p_low_rounded, claim.p_high_rounded)
    rounding = "" if unrounded else ", rounding included"
    if claim.verdict == "certain":
        p = subject.pvalue(claim.p_high_rounded)
        return f"significant {subject.whatever} ({p} at most{rounding}; {claim.test_label})"
    if claim.verdict == "not significant":
        p = subject.pvalue(claim.p_low_rounded)
        return f"not significant {subject.whatever} ({p} at least{rounding}; {claim.test_label})"
    low, high = subject.allowed()
    said = (
        f"{subject.pvalue(claim.p_expected)} {subject.at_most}{subject.where}, between {low} and {high} over all that the numbers allow "
        f"({claim.test_label})"
    )
    return f"{_OPEN[claim.verdict]}: {said}"


def _audit_items(subject: ClaimInAudit) -> str:
    claim = subject.claim
    items, target = thousands(claim.items), percent(subject.audit.target_power)
    if claim.size is None:
        return ""
    if claim.detectable is None:
        allowed = " that the reported overlap allows" if claim.supposed.basis == "reported" else ""
        return f" {items} items find no difference{allowed} with {target} power."
    if claim.detectable == 0.0:
        return f" Without any spread {items} items find every difference."
    # Scores that are no counts of right answers may be no such scores at all.
    of = f" Of right-or-wrong scores {items}" if claim.impossible is not None and not subject.of_means else f" {items}"
    detected = f"{subject.size(claim.detectable)} with {target} power{_audit_times(subject)}"
    return f"{of} items detect {detected}{_plausible_text(subject)}."


def _audit_times(subject: ClaimInAudit) -> str:
    """The claim beside what is detectable."""
    ratio = subject.claim.ratio
    return "" if ratio is None else f" (the claim is {significant(ratio)} times that)"


def _plausible_text(subject: ClaimInAudit) -> str:
    claim = subject.claim
    if claim.plausible_effect is None or claim.power is None:
        return ""
    exaggerates = claim.type_m is not None and claim.type_m >= EXAGGERATION
    looks = f" and, when found, look {significant(claim.type_m)} times too large" if exaggerates else ""
    often = percent(round(claim.power, 3))
    return f"; a plausible {subject.size(claim.plausible_effect)} would be found {often} of the time{looks}"


_HEADLINES = {
    "certain": "certain: significant whatever lies behind the printed numbers",
    "likely": "likely significant, but the printed numbers do not settle it",
    "undecidable": "undecidable: the printed numbers do not tell",
}


def with_texts(answer: Audit) -> Audit:
    claims = tuple(_claim_text(answer, claim) for claim in answer.claims)
    single = claims[0] if len(claims) == 1 else None
    return replace(
        answer,
        claims=claims,
        headline=_audit_counts(answer.summary) if single is None else _audit_headline(answer, single),
        sentence=_audit_summary_text(answer.summary) if single is None else single.sentence,
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _claim_text(answer: Audit, claim: AuditedClaim) -> AuditedClaim:
    impossible = None if claim.impossible is None else IMPOSSIBLE.with_text(claim, claim.impossible)
    subject = ClaimInAudit(answer, replace(claim, impossible=impossible))
    return replace(subject.claim, sentence=sentence(subject), notes=CLAIM_NOTES.with_texts(subject, claim.notes))


def _audit_headline(answer: Audit, claim: AuditedClaim) -> str:
    subject = ClaimInAudit(answer, claim)
    if claim.verdict == "not significant":
        return f"not significant {subject.whatever}"
    if claim.verdict == "unlikely":
        return f"unlikely to be significant {subject.where}"
    if claim.impossible is not None:
        return _impossible_claim_text(claim, claim.impossible.code)
    return _HEADLINES[claim.verdict]


def _impossible_claim_text(claim: AuditedClaim, code: str) -> str:
    if code != "no_whole_number_of_right_answers":
        return "impossible as printed"
    runs = "" if claim.runs == 1 else f" items in {thousands(claim.runs)} runs"
    return f"not possible as counts of {thousands(claim.items)}{runs}"


def _audit_counts(told: AuditSummary) -> str:
    """How many there are of each verdict, without those that no claim has."""
    counts = {
        "certain": told.certain,
        "likely": told.likely,
        "undecidable": told.undecidable,
        "unlikely": told.unlikely,
        "not significant": told.not_significant,
        "impossible": told.impossible,
    }
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    return f"{told.claims} claims: {said}"


def _audit_summary_text(told: AuditSummary) -> str:
    return (
        f"Of {_audit_counts(told)}. {told.below} of {told.claims} differences {'is' if told.below == 1 else 'are'} smaller than the items can "
        f"reliably detect; {told.powered} of {told.claims} tests had enough power for a plausible difference"
        f"{_audit_predicted(told.leave_one_out)}."
    )


def _audit_predicted(told: LeaveOneOut | None) -> str:
    if told is None or not told.taken:
        return ""
    error = significant(points(told.prediction_error))
    return f" (predicted from the other claims, with an error of {error} points)"
