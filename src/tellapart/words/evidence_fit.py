"""What a fit of evidence says in words: the lines it found, and what it could not fit."""

from dataclasses import replace

from tellapart.doors import option
from tellapart.results.evidence_fit import EvidenceFit, Fit
from tellapart.wording import number, significant
from tellapart.words.sayings import Sayings

NOTES: Sayings[EvidenceFit] = Sayings()


def told(answer: EvidenceFit) -> EvidenceFit:
    lines = (_line(fit) for fit in (answer.overlap, answer.gain, answer.spread) if fit is not None)
    return replace(
        answer,
        overlap=_with_option(answer.overlap),
        gain=_with_option(answer.gain),
        spread=_with_option(answer.spread),
        headline="evidence of your own",
        sentence=" ".join(lines),
        notes=NOTES.told(answer, answer.notes),
    )


def _with_option(fit: Fit | None) -> Fit | None:
    return None if fit is None else replace(fit, option=f"{option('evidence')} for {fit.response}")


def _line(fit: Fit) -> str:
    if fit.r_squared is None or fit.prediction_error is None:
        told = " and ".join(f"{name} {value:.4g}" for name, value in fit.coefficients.items())
        return f"Scores have {told} (medians of the systems and of {fit.observations} pairs)."
    intercept, *rest = fit.coefficients.items()
    terms = "".join(f" {'−' if value < 0 else '+'} {abs(value):.4g} · {name}" for name, value in rest)
    return (
        f"{fit.response} = {intercept[1]:.4g}{terms} ({fit.observations} results, R² {number(fit.r_squared, 3)}, "
        f"leave-one-out error {significant(fit.prediction_error)})."
    ).replace("= -", "= −")


@NOTES
def no_overlap_reported(_: EvidenceFit) -> str:
    return "no column agreement or discordance: only gains are fitted"


@NOTES
def overlap_not_fitted(_: EvidenceFit, problem: str) -> str:
    return f"overlap is not fitted: {problem}"


@NOTES
def pairs_of_systems(_: EvidenceFit, systems: int, pairs: int) -> str:
    return f"{systems} systems, {pairs} pairs that share enough items; every pair is in the JSON"


@NOTES
def systems_left_out(_: EvidenceFit) -> str:
    return (
        "pairs share systems, so that the error of the agreement is that of predicting the pairs of a system that was left out; "
        "that of gains is of a pair left out"
    )


@NOTES
def gains_of_pairs(_: EvidenceFit) -> str:
    return "gains are of the better of every two systems over the other, whichever came first; a next version may gain less"


@NOTES
def gains_not_fitted(_: EvidenceFit, problem: str) -> str:
    return f"gains are not fitted: {problem}"


@NOTES
def columns_not_used(_: EvidenceFit, columns: list[str]) -> str:
    return f"columns not used: {', '.join(columns)}"
