"""What an audit says in words: one sentence to quote per claim, a headline, and a table of claims in numbers."""

from dataclasses import replace

from tellapart.results.audit import Audit, AuditedClaim, AuditSummary, LeaveOneOut
from tellapart.wording import percent
from tellapart.words.audit.claim import ClaimInAudit
from tellapart.words.audit.impossible import IMPOSSIBLE
from tellapart.words.audit.notes import CLAIM_NOTES, NOTES
from tellapart.words.audit.sentence import sentence

_HEADLINES = {
    "certain": "certain: significant whatever lies behind the printed numbers",
    "likely": "likely significant, but the printed numbers do not settle it",
    "undecidable": "undecidable: the printed numbers do not tell",
    "implausible": "implausible: the printed numbers do not support it",
}


def told(answer: Audit) -> Audit:
    claims = tuple(_claim(answer, claim) for claim in answer.claims)
    single = claims[0] if len(claims) == 1 else None
    return replace(
        answer,
        claims=claims,
        headline=_counts(answer.summary) if single is None else _HEADLINES[single.verdict],
        sentence=_summary(answer.summary) if single is None else single.sentence,
        notes=NOTES.told(answer, answer.notes),
    )


def _claim(answer: Audit, claim: AuditedClaim) -> AuditedClaim:
    impossible = None if claim.impossible is None else IMPOSSIBLE.tell(claim, claim.impossible)
    subject = ClaimInAudit(answer, replace(claim, impossible=impossible))
    return replace(subject.claim, sentence=sentence(subject), notes=CLAIM_NOTES.told(subject, claim.notes))


def _counts(told: AuditSummary) -> str:
    return (
        f"{told.claims} claims: {told.certain} certain, {told.likely} likely, {told.undecidable} undecidable, "
        f"{told.implausible} implausible"
    )


def _summary(told: AuditSummary) -> str:
    counts = (
        f"Of {told.claims} claims: {told.certain} certain, {told.likely} likely, {told.undecidable} undecidable from their numbers, "
        f"{told.implausible} implausible; {told.powered} had enough power for a plausible difference, and {told.below_detectable} claim less "
        "than their items detect."
    )
    return counts + (_left_out(told.leave_one_out) if told.leave_one_out else "")


def _left_out(told: LeaveOneOut) -> str:
    powered, found = (percent(round(share, 2)) for share in (told.powered_share, told.significant_share))
    return (
        f" With each gain predicted from the other claims, {powered} of {told.claims} were adequately powered and {found} would be significant "
        "at the overlap usual for such systems."
    )
