"""Sentences of the notes of an audit and of its claims."""

from typing import Any

from tellapart.answers.audit import Audit
from tellapart.answers.audit.claim_texts import ClaimInAudit, read_otherwise
from tellapart.answers.reading_texts import STOPPED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import percent, significant, thousands
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[Audit] = NoteTexts(STOPPED)
CLAIM_NOTES: NoteTexts[ClaimInAudit] = NoteTexts()


@NOTES
def columns_not_used(_: Audit, columns: list[str]) -> str:
    return f"columns not used: {', '.join(columns)}"


@NOTES
def evidence_cited(_: Audit, evidence: str, source: str, uncertainty: str, caution: str) -> str:
    return "; ".join([f"{evidence}: {source}", uncertainty, *([caution] if caution else [])])


CLAIM_NOTES.plain(
    taken_as_accuracies=(
        "fractions are read as shares of right answers; for means of other scores, such as similarities or nDCG, give "
        f"{option('sd')}, {option('se')} or {option('ci')}"
    ),
    correlation_of_right_or_wrong="that correlation was measured on right-or-wrong scores; give the correlation of these if you can",
    no_plausible_effect=f"no evidence says what difference of such scores is plausible; give {option('effect')} for power and its errors",
    overlap_between_whole_numbers="no whole number of items has exactly the reported overlap; the numbers next to it were taken",
)


@CLAIM_NOTES
def evidence_out_of_range(_: ClaimInAudit, evidence: str, accuracy: float, low: float, high: float) -> str:
    return f"accuracy {accuracy:g} lies outside the range that {evidence} covers ({low:g} to {high:g})"


@CLAIM_NOTES
def plausible_effect_impossible(subject: ClaimInAudit) -> str:
    claim = subject.claim
    assert claim.plausible_effect is not None, "an effect that cannot be is an effect"
    other = "" if claim.plausible_basis == "given" else f"; give {option('effect')}"
    return (
        f"a plausible difference of {subject.size(claim.plausible_effect)} is impossible with the reported overlap, "
        f"so no power is given{other}"
    )


@CLAIM_NOTES
def no_gain_expected(subject: ClaimInAudit) -> str:
    others = subject.claim.plausible_basis == "other claims"
    source = "a line through the other claims" if others else subject.claim.plausible_source
    return f"{source} expects no gain at this accuracy, so no power is given; give {option('effect')}"


@CLAIM_NOTES
def means_over_runs(subject: ClaimInAudit, runs: int, answers: int) -> str:
    return (
        f"the accuracies are taken as means over {thousands(runs)} runs of every item, counts of {thousands(answers)}, "
        f"and judged by the {subject.claim.test_label} on the items' means. Past pairs are single runs, and means over "
        "runs scatter less: p at their overlap and the detectable effect are upper limits, power is a lower one"
    )


@CLAIM_NOTES
def interval_implies(  # noqa: PLR0913, PLR0917  (what an interval can say)
    _: ClaimInAudit,
    interval: str,
    level: float,
    se: float,
    sd: float,
    correlation: float | None,
    discordance: float | None,
) -> str:
    takes = "" if correlation is None else f", a correlation of {significant(correlation)} beside the two spreads"
    if discordance is not None:
        takes = f"; right-or-wrong answers would have to differ on a share of {significant(discordance)} of the items for that"
    return (
        f"the {percent(level)} interval {interval} implies a standard error of {significant(se)} and differences of items with an sd of "
        f"{significant(sd)}{takes}"
    )


@CLAIM_NOTES
def interval_elsewhere(  # noqa: PLR0913, PLR0917  (where an interval lies, and what it may be instead)
    subject: ClaimInAudit, interval: str, middle: float, excludes_zero: bool, reading: str | None, instead: str | None
) -> str:
    itself = "excludes 0" if excludes_zero else "does not exclude 0"
    return (
        f"the interval {interval} lies around {significant(middle)}, not around the difference of {subject.claim.printed_b} and "
        f"{subject.claim.printed_a}: an interval with arms of different length, such as a bootstrap's, another interval, other numbers, "
        f"or a mistake{read_otherwise('ci', reading, instead)}. p-values are over both of its arms; by itself it {itself}"
    )


@CLAIM_NOTES
def certain_without_rounding(subject: ClaimInAudit) -> str:
    claim = subject.claim
    more = "More decimals" if subject.of_means else "Exact counts"
    return (
        f"taken as exact, the numbers would be significant {subject.whatever} ({subject.pvalue(claim.p_high)} at most); as rounded they "
        f"allow {subject.pvalue(claim.p_high_rounded)}. {more} would settle it"
    )


@CLAIM_NOTES
def unit_of_other_rows(_: ClaimInAudit, a: str, b: str, unit: str) -> str:
    return f"{a} and {b} are read as {unit}s, like the other rows; add a column unit to say so"


@CLAIM_NOTES
def decimals_differ(_: ClaimInAudit, a: str, b: str, decimals: int) -> str:
    return f"{a} and {b} have different decimals; if trailing zeros were lost, give decimals {decimals}"


@CLAIM_NOTES
def evidence_not_about_means(_: ClaimInAudit, evidence: str, instead: str) -> str:
    return f"{evidence} is about right and wrong answers; for means {instead} is used"


@CLAIM_NOTES
def other_boards_decide_otherwise(subject: ClaimInAudit, others: list[dict[str, Any]]) -> str:
    said = "; ".join(
        f"{one['evidence']} has a discordance of {significant(one['discordance'])}, {subject.pvalue(one['pvalue'])}"
        for one in others
    )
    return f"other boards would decide otherwise: {said}. Name the one whose systems are most like these with {option('evidence')}"


@CLAIM_NOTES
def among_many(subject: ClaimInAudit) -> str:
    many, items = subject.claim.among_many, thousands(subject.claim.items)
    assert many is not None, "the claim is one among many"
    smallest, detected = ("none" if x is None else subject.size(x) for x in (many.smallest, many.detectable))
    return (
        f"among {thousands(many.systems)} systems, {thousands(many.comparisons)} comparisons share the level ({many.alpha:.4g} each, Bonferroni or "
        f"Holm's first step): then {many.verdict}; the smallest difference that survives is {subject.at_most}{smallest}, and {items} "
        f"items detect {detected}{' or less' if subject.claim.runs > 1 and many.detectable is not None else ''}"
    )


@CLAIM_NOTES
def best_seed(subject: ClaimInAudit) -> str:
    best = subject.claim.best_seed
    assert best is not None, "the best of several runs was reported"
    by_chance = f"the best of {thousands(best.seeds)} runs lies {best.deviations:.3f} standard deviations above their mean by chance"
    if best.inflation is not None:
        left = subject.size(best.left) if best.left else "nothing"
        return f"{by_chance}, here {subject.size(best.inflation)}: of the difference {left} is left"
    assert best.enough is not None, "without a difference there is nothing to explain"
    return f"{by_chance}: runs that scatter by {subject.size(best.enough)} would explain the whole difference"


@CLAIM_NOTES
def reported_p_impossible(subject: ClaimInAudit, reported: str) -> str:
    low, high = subject.allowed()
    return f"the reported {reported} is impossible: these numbers allow {low} to {high}; another test, other numbers, or a mistake"


@CLAIM_NOTES
def reported_p_possible(subject: ClaimInAudit, reported: str) -> str:
    low, high = subject.allowed()
    return f"the reported {reported} is possible: these numbers allow {low} to {high}"


@CLAIM_NOTES
def reported_p_implies_discordance(subject: ClaimInAudit, reported: str, discordance: float) -> str:
    supposed = subject.claim.supposed
    usual = f"; {percent(supposed.expected, 2)} is usual among {supposed.among}" if supposed.among else ""
    return f"the reported {reported} requires that the systems differ on {percent(discordance, 2)} of the items{usual}"
