"""A table of claims as a whole: how many could have shown what they claim."""

from collections import Counter
from collections.abc import Sequence

from tellapart.decision import rejects
from tellapart.results.audit import AuditSummary, LeaveOneOut
from tellapart.verbs.audit.findings import Findings


def summary(found: Sequence[Findings], bad_rows: int, left_out: LeaveOneOut | None) -> AuditSummary:
    verdicts, sizes = Counter(f.verdict for f in found), Counter(f.size for f in found)
    powered, significant = (
        [i for i, f in enumerate(found) if holds(f)] for holds in (_powered, _significant)
    )
    return AuditSummary(
        claims=len(found),
        bad_rows=bad_rows,
        certain=verdicts["certain"],
        likely=verdicts["likely"],
        undecidable=verdicts["undecidable"],
        unlikely=verdicts["unlikely"],
        not_significant=verdicts["not significant"],
        impossible=verdicts["impossible"],
        below=sizes["below"],
        borderline=sizes["borderline"],
        above=sizes["above"],
        powered=len(powered),
        significant=len(significant),
        powered_and_significant=len({*powered} & {*significant}),
        leave_one_out=left_out,
    )


def _powered(found: Findings) -> bool:
    rates = found.expectation.rates
    return rates is not None and rates.power >= found.criterion.power


def _significant(found: Findings) -> bool:
    return found.pvalues is not None and bool(rejects(found.pvalues.expected, found.criterion.alpha))
