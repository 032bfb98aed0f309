"""Sentences about an evidence fit: the fitted lines, and what could not be fitted."""

from dataclasses import replace

from tellapart.answers.evidence_fit import EvidenceFit, Fit
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import number, significant
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[EvidenceFit] = NoteTexts()


def with_texts(answer: EvidenceFit) -> EvidenceFit:
    fits = (answer.overlap, answer.gain, answer.spread, answer.contributions)
    lines = [_fitted_line(fit) for fit in fits if fit is not None]
    return replace(
        answer,
        overlap=_with_option(answer.overlap),
        gain=_with_option(answer.gain),
        spread=_with_option(answer.spread),
        contributions=_with_option(answer.contributions),
        headline="evidence of your own" if lines else "too few results for evidence of your own",
        sentence=" ".join(lines) or "Nothing is fitted to these results: the notes say what they lack.",
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _with_option(fit: Fit | None) -> Fit | None:
    return None if fit is None else replace(fit, option=f"{option('evidence')} for {fit.response}")


def _fitted_line(fit: Fit) -> str:
    if fit.response == "contributions":
        share, scale = (significant(fit.coefficients[name], 3) for name in ("zero_share", "scale"))
        pairs = "one pair" if fit.observations == 1 else f"medians of {fit.observations} pairs"
        return f"A share of {share} of the items contributes nothing to a difference, and the others on a scale of {scale} ({pairs})."
    if fit.r_squared is None or fit.prediction_error is None:
        *others, last = (f"{name.replace('_', ' ')} {value:.4g}" for name, value in fit.coefficients.items())
        return f"Scores have {', '.join(others)} and {last} (medians of the systems and of {_pair_count(fit.observations)})."
    intercept, *rest = fit.coefficients.items()
    terms = "".join(f" {'−' if value < 0 else '+'} {abs(value):.4g} · {name}" for name, value in rest)
    return (
        f"{fit.response} = {intercept[1]:.4g}{terms} ({fit.observations} results, R² {number(fit.r_squared, 3)}, "
        f"leave-one-out error {significant(fit.prediction_error)})."
    ).replace("= -", "= −")


def _pair_count(count: int) -> str:
    return f"{count} pair{'s' if count > 1 else ''}"


NOTES.plain(
    no_overlap_reported="no column agreement or discordance: only gains are fitted",
    systems_left_out=(
        "pairs share systems, so the error of the agreement is for the pairs of a left-out system; that of gains is "
        "for a left-out pair"
    ),
    gains_of_pairs="gains are of the better of every two systems over the other, whichever came first; a next version may gain less",
    one_pair="a single pair does not show how pairs vary, so the band is that one number",
    items_taken_alone="documents are ignored: delta_laplace takes items as independent; a plan from a pilot of the same files uses documents",
    pilot_knows_more=(
        "for systems like these a plan from a pilot of the same files is better: it knows the actual shape. The scale "
        "goes with the metric (of BLEU it is about 0.7), so it says little about systems that are much better or worse"
    ),
)


@NOTES
def overlap_not_fitted(_: EvidenceFit, problem: str) -> str:
    return f"overlap is not fitted: {problem}"


@NOTES
def pairs_of_systems(_: EvidenceFit, systems: int, pairs: int) -> str:
    return f"{systems} systems, {_pair_count(pairs)} that share{'s' if pairs == 1 else ''} enough items; every pair is in the JSON"


@NOTES
def gains_not_fitted(_: EvidenceFit, problem: str) -> str:
    return f"gains are not fitted: {problem}"


@NOTES
def spread_not_fitted(_: EvidenceFit, problem: str) -> str:
    return f"spread and correlation are not fitted: {problem}"


@NOTES
def columns_not_used(_: EvidenceFit, columns: list[str]) -> str:
    return f"columns not used: {', '.join(columns)}"


@NOTES
def pairs_alike(_: EvidenceFit, pairs: int) -> str:
    return f"{_pair_count(pairs)} left out: no two items differ, or all that do by the same amount"


@NOTES
def pairs_not_additive(_: EvidenceFit, pairs: int, below: float) -> str:
    return (
        f"{_pair_count(pairs)} with an additivity below {below:g}: many items swapped together do not change the metric by the sum of what "
        "each changes alone, as where a brevity penalty sets in, and a plan by delta_laplace is off there"
    )
