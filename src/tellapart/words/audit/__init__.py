"""What an audit says in words: one sentence to quote per claim, a headline, and a table of claims in numbers."""

from dataclasses import replace

from tellapart.results.audit import Audit, AuditedClaim, AuditSummary, LeaveOneOut
from tellapart.wording import points, significant, thousands
from tellapart.words.audit.claim import ClaimInAudit
from tellapart.words.audit.impossible import IMPOSSIBLE
from tellapart.words.audit.notes import CLAIM_NOTES, NOTES
from tellapart.words.audit.sentence import sentence

_HEADLINES = {
    "certain": "certain: significant whatever lies behind the printed numbers",
    "likely": "likely significant, but the printed numbers do not settle it",
    "undecidable": "undecidable: the printed numbers do not tell",
}


def told(answer: Audit) -> Audit:
    claims = tuple(_claim(answer, claim) for claim in answer.claims)
    single = claims[0] if len(claims) == 1 else None
    return replace(
        answer,
        claims=claims,
        headline=_counts(answer.summary) if single is None else _headline(answer, single),
        sentence=_summary(answer.summary) if single is None else single.sentence,
        notes=NOTES.told(answer, answer.notes),
    )


def _claim(answer: Audit, claim: AuditedClaim) -> AuditedClaim:
    impossible = None if claim.impossible is None else IMPOSSIBLE.tell(claim, claim.impossible)
    subject = ClaimInAudit(answer, replace(claim, impossible=impossible))
    return replace(subject.claim, sentence=sentence(subject), notes=CLAIM_NOTES.told(subject, claim.notes))


def _headline(answer: Audit, claim: AuditedClaim) -> str:
    subject = ClaimInAudit(answer, claim)
    if claim.verdict == "not significant":
        return f"not significant {subject.whatever}"
    if claim.verdict == "unlikely":
        return f"unlikely: not significant {subject.where}, and far from it"
    if claim.impossible is not None:
        return _impossible(claim, claim.impossible.code)
    return _HEADLINES[claim.verdict]


def _impossible(claim: AuditedClaim, code: str) -> str:
    if code != "no_whole_number_of_right_answers":
        return "impossible as printed"
    runs = "" if claim.runs == 1 else f" items in {thousands(claim.runs)} runs"
    return f"not possible as counts of {thousands(claim.items)}{runs}"


def _counts(told: AuditSummary) -> str:
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


def _summary(told: AuditSummary) -> str:
    return (
        f"Of {_counts(told)}; {told.below} claim less than their items detect, {told.borderline} up to half as much again, "
        f"{told.above} more; {told.powered} had enough power for a plausible difference{_predicted(told.leave_one_out)}."
    )


def _predicted(told: LeaveOneOut | None) -> str:
    if told is None or not told.taken:
        return ""
    error = significant(points(told.prediction_error))
    return f" (predicted from the other claims, with an error of {error} points)"
