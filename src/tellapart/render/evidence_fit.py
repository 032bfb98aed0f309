"""The sheet of evidence that was fitted."""

from tellapart.render.grid import BLANK, Cell, Column, Grid, Row
from tellapart.render.sheet import Sheet
from tellapart.results.evidence_fit import EvidenceFit, Fit
from tellapart.results.note import texts
from tellapart.wording import number, significant

COLUMNS = (
    Column("fitted", "name"),
    Column("coefficients", "words"),
    Column("R²", "number"),
    Column("residual sd", "number"),
    Column("leave-one-out error", "number"),
    Column("results", "number"),
    Column("accuracies", "interval"),
)


def sheet(answer: EvidenceFit) -> Sheet:
    fits = [fit for fit in (answer.overlap, answer.gain, answer.spread) if fit is not None]
    return Sheet(
        headline=answer.headline,
        mood="even",
        grids=(Grid(COLUMNS, tuple(map(_row, fits))),),
        facts=tuple((fit.option, f'"{fit.evidence}"') for fit in fits),
        remarks=(("Notes", texts(answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _row(fit: Fit) -> Row:
    coefficients = ", ".join(f"{name} {value:.4g}" for name, value in fit.coefficients.items())
    return (
        Cell(fit.response),
        Cell(coefficients, tuple(fit.coefficients.values())),
        BLANK if fit.r_squared is None else Cell(number(fit.r_squared, 3), (fit.r_squared,)),
        *(
            BLANK if error is None else Cell(significant(error, 3), (error,))
            for error in (fit.residual_sd, fit.prediction_error)
        ),
        Cell(str(fit.observations), (fit.observations,)),
        Cell(f"{fit.accuracy_low:.3g}–{fit.accuracy_high:.3g}", (fit.accuracy_low, fit.accuracy_high)),
    )
