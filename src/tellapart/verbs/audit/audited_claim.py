"""A claim's part of the answer, made of what was found."""

from tellapart.results.audit import AuditedClaim
from tellapart.verbs.audit.findings import Findings
from tellapart.verbs.audit.notes import notes
from tellapart.verbs.audit.selection import among_many, best_seed


def audited_claim(found: Findings) -> AuditedClaim:
    claim, p, expected = found.claim, found.pvalues, found.expectation
    return AuditedClaim(
        name=claim.name or "",
        items=found.items,
        a=found.a,
        b=found.b,
        printed_a=str(claim.a if claim.correct_a is None else claim.correct_a),
        printed_b=str(claim.b if claim.correct_b is None else claim.correct_b),
        effect=found.effect,
        p_low=None if p is None else p.low,
        p_expected=None if p is None else p.expected,
        p_high=None if p is None else p.high,
        p_low_rounded=None if p is None else p.low_rounded,
        p_high_rounded=None if p is None else p.high_rounded,
        detectable=found.detectable,
        ratio=found.ratio,
        size=found.size,
        power=None if expected.rates is None else expected.rates.power,
        type_s=None if expected.rates is None else expected.rates.type_s,
        type_m=None if expected.rates is None else expected.rates.type_m,
        verdict=found.verdict,
        notes=notes(found),
        kind=found.kind,
        test=found.test,
        test_label=found.test_label,
        plausible_effect=expected.effect,
        plausible_basis=expected.basis,
        plausible_source=expected.source,
        supposed=found.supposed,
        runs=found.runs,
        impossible=found.impossible,
        line=found.line,
        dataset=claim.dataset,
        among_many=among_many(found),
        best_seed=best_seed(found),
    )
