"""The sheet of evidence that was fitted."""

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.evidence_fit import EvidenceFit
from tellapart.wording import number, significant


def sheet(answer: EvidenceFit) -> Sheet:
    fits = [fit for fit in (answer.overlap, answer.gain) if fit is not None]
    rows = tuple(
        (
            fit.response,
            ", ".join(f"{name} {value:.4g}" for name, value in fit.coefficients.items()),
            number(fit.r_squared, 3),
            significant(fit.residual_sd, 3),
            significant(fit.prediction_error, 3),
            str(fit.observations),
            f"{fit.accuracy_low:.3g}–{fit.accuracy_high:.3g}",
        )
        for fit in fits
    )
    columns = ("fitted", "coefficients", "R²", "residual sd", "leave-one-out error", "results", "accuracies")
    return Sheet(
        headline="evidence of your own",
        mood="even",
        grids=(Grid(columns, rows),),
        facts=tuple((f"--evidence for {fit.response}", f'"{fit.evidence}"') for fit in fits),
        remarks=(("Notes", answer.notes),),
        sentence=answer.sentence,
        signature=answer.signature,
    )
