"""One sentence to quote a claim: what it says, what can be said of it, and what its items could have shown."""

from tellapart.wording import percent, significant, thousands
from tellapart.words.audit.claim import ClaimInAudit

EXAGGERATION = 1.05
"""Mean exaggeration from which on it is worth a clause."""

_OPEN = {
    "likely": "probably significant, but not certainly",
    "undecidable": "cannot be decided from these numbers",
    "unlikely": "possibly significant, but it is unlikely",
}


def sentence(subject: ClaimInAudit) -> str:
    return f"{_claim(subject)}: {_verdict(subject)}.{_items(subject)}"


def _claim(subject: ClaimInAudit) -> str:
    claim = subject.claim
    name = f"{claim.name}: " if claim.name else ""
    on = f" on {claim.dataset}" if claim.dataset else ""
    size = f"{thousands(claim.items)} items, {subject.difference(claim.effect)}"
    return f"{name}{claim.printed_b} vs {claim.printed_a}{on} ({size})"


def _verdict(subject: ClaimInAudit) -> str:
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


def _items(subject: ClaimInAudit) -> str:
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
    of = (
        f" Of right-or-wrong scores {items}"
        if claim.impossible is not None and not subject.of_means
        else f" {items}"
    )
    detected = f"{subject.size(claim.detectable)} with {target} power{_times(subject)}"
    return f"{of} items detect {detected}{_plausible(subject)}."


def _times(subject: ClaimInAudit) -> str:
    """The claim beside what is detectable."""
    ratio = subject.claim.ratio
    return "" if ratio is None else f" (the claim is {significant(ratio)} times that)"


def _plausible(subject: ClaimInAudit) -> str:
    claim = subject.claim
    if claim.plausible_effect is None or claim.power is None:
        return ""
    exaggerates = claim.type_m is not None and claim.type_m >= EXAGGERATION
    looks = f" and, when found, look {significant(claim.type_m)} times too large" if exaggerates else ""
    often = percent(round(claim.power, 3))
    return f"; a plausible {subject.size(claim.plausible_effect)} would be found {often} of the time{looks}"
