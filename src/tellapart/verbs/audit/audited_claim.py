"""The answer for each audited claim, built from its findings, and the summary of all claims."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tellapart.answers.audit import AmongMany, AuditedClaim, AuditSummary, BestSeed, LeaveOneOut
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import DataError
from tellapart.numerics.linearity import LeastSquares, least_squares
from tellapart.numerics.null_laws.studentized_range import expected_maximum
from tellapart.verbs.audit.evaluations import AccuracyEvaluation
from tellapart.verbs.audit.findings import Expectation, Findings, notes

# What choosing does to a claim: being the best of several systems, or of several runs of one.


def among_many(found: Findings) -> AmongMany | None:
    """The claim against each of the other systems, which share the level.

    Bonferroni divides the level by their number, and so does Holm's (1979) first step, which the best of them must pass. Two
    systems are one comparison, which shares with nobody.
    """
    systems = found.context.systems
    if systems is None or systems < 3 or not found.evaluation.known:
        return None
    criterion = found.criterion.among(systems - 1)
    return AmongMany(
        systems,
        systems - 1,
        criterion.alpha,
        found.verdict_at(criterion.alpha),
        found.evaluation.smallest(criterion),
        found.evaluation.detectable(criterion),
    )


def best_seed(found: Findings) -> BestSeed | None:
    """The expected gain of the best of several runs over their mean, for runs that scatter normally.

    The expected maximum of so many standard normals, times their standard deviation: what to take off a reported best before
    it is compared with a single run.
    """
    seeds, sd = found.context.seeds, found.context.seed_sd
    if seeds is None or seeds < 2:
        return None
    deviations, size = expected_maximum(seeds), abs(found.effect)
    enough = size / deviations if found.effect else None
    if sd is None:
        return BestSeed(seeds, deviations, enough, None, None)
    return BestSeed(seeds, deviations, enough, deviations * sd, max(size - deviations * sd, 0.0))


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


# A table of claims as a whole: how many could have shown what they claim.


def summary(found: Sequence[Findings], bad_rows: int, left_out: LeaveOneOut | None) -> AuditSummary:
    verdicts, sizes = Counter(f.verdict for f in found), Counter(f.size for f in found)
    powered, significant = ([i for i, f in enumerate(found) if holds(f)] for holds in (_powered, _significant))
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


# A table of claims about itself: each gain predicted from all other claims, which no claim does for itself.

FEWEST = 8
"""Claims below which predicting each from the others says nothing."""

All = tuple[Findings, ...]


def with_predictions(found: All) -> tuple[All, LeaveOneOut | None]:
    """Each gain predicted by a line through all other claims: baseline and, where there are several, dataset.

    Where that errs no more than the mean of the others does, it is the gain that is plausible; a claim that says its own
    keeps it. None where the claims do not determine a line. Card et al. (2020), table 10.
    """
    about = [i for i, one in enumerate(found) if isinstance(one.evaluation, AccuracyEvaluation)]
    if len(about) < FEWEST:
        return found, None
    baseline, gain = _gains([found[i] for i in about])
    fit = _fit([found[i] for i in about], baseline, gain)
    if fit is None:
        return found, None
    taken = fit.prediction_error <= _error_of_the_mean(gain)
    told = LeaveOneOut(int(np.isfinite(fit.predicted).sum()), taken, fit.r_squared, fit.prediction_error)
    if not taken:
        return found, told
    changed = list(found)
    for i, before, predicted in zip(about, baseline, fit.predicted, strict=True):
        if np.isfinite(predicted) and found[i].expectation.basis != "given":
            changed[i] = replace(found[i], expectation=_expected(found[i], float(before), float(predicted)))
    return tuple(changed), told


def _gains(found: Sequence[Findings]) -> tuple[FloatArray, FloatArray]:
    """Baselines and gains; the system that is better in most claims is the new one in all of them."""
    a, b = (np.array([getattr(f, side) for f in found]) for side in ("a", "b"))
    # Differences of printed numbers: what floats add to them is no variation.
    gains = np.round(b - a, 12)
    return (a, gains) if (gains >= 0.0).sum() * 2 >= len(found) else (b, -gains)


def _fit(found: Sequence[Findings], baseline: FloatArray, gain: FloatArray) -> LeastSquares | None:
    names = sorted({f.claim.dataset or "" for f in found})
    columns = [np.ones_like(baseline), baseline]
    several = [np.array([float((f.claim.dataset or "") == name) for f in found]) for name in names[1:]]
    # With nearly as many datasets as claims nothing is left to fit a line to; then baselines alone must do.
    for design in (columns + several, columns):
        try:
            return least_squares(np.column_stack(design), gain)
        except DataError:
            continue
    return None


def _error_of_the_mean(gain: FloatArray) -> float:
    """The root mean square error of each gain predicted by the mean of the others."""
    rows = len(gain)
    return float(np.sqrt(((gain - gain.mean()) ** 2).mean())) * rows / (rows - 1.0)


def _expected(found: Findings, baseline: float, gain: float) -> Expectation:
    assert isinstance(found.evaluation, AccuracyEvaluation), "gains are predicted for accuracies only"
    gain = min(gain, 1.0 - baseline)
    return Expectation(gain, "other claims", None, found.evaluation.over(baseline).rates(gain, found.criterion))
