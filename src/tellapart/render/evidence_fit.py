"""The sheet of evidence that was fitted."""

from tellapart.render import cells
from tellapart.render.grid import Cell, Column, Grid, Row
from tellapart.render.sheet import Sheet
from tellapart.results.evidence_fit import EvidenceFit, Fit

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
    fits = [fit for fit in (answer.overlap, answer.gain) if fit is not None]
    return Sheet(
        headline="evidence of your own",
        mood="even",
        grids=(Grid(COLUMNS, tuple(map(_row, fits))),),
        facts=tuple((f"--evidence for {fit.response}", f'"{fit.evidence}"') for fit in fits),
        remarks=(("Notes", answer.notes),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _row(fit: Fit) -> Row:
    coefficients = ", ".join(f"{name} {value:.4g}" for name, value in fit.coefficients.items())
    return (
        cells.words(fit.response),
        Cell(coefficients, tuple(fit.coefficients.values())),
        cells.number(fit.r_squared, 3),
        cells.significant(fit.residual_sd, 3),
        cells.significant(fit.prediction_error, 3),
        cells.value(fit.observations, str(fit.observations)),
        Cell(f"{fit.accuracy_low:.3g}–{fit.accuracy_high:.3g}", (fit.accuracy_low, fit.accuracy_high)),
    )
