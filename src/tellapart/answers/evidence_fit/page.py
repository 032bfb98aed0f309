"""Page of an evidence fit: the fitted lines, and the pairs of systems behind them."""

from tellapart.answers.evidence_fit import EvidenceFit, Fit, SeenPair, SwappedPair
from tellapart.answers.page import BLANK, Cell, Column, Grid, Page, Row
from tellapart.answers.parts import texts
from tellapart.foundation.formatting import number, signed_short, significant, thousands

COLUMNS = (
    Column("fitted", "name"),
    Column("coefficients", "words"),
    Column("R²", "number"),
    Column("residual sd", "number"),
    Column("leave-one-out error", "number"),
    Column("results", "number"),
    Column("accuracies", "interval"),
)

SWAPPED = (
    Column("A", "name"),
    Column("B", "name"),
    Column("items", "number"),
    Column("effect", "number"),
    Column("zero share", "number"),
    Column("scale", "number"),
    Column("by likelihood", "number"),
    Column("additivity", "number"),
)
SEEN = (
    Column("A", "name"),
    Column("B", "name"),
    Column("items", "number"),
    Column("mean of A", "number"),
    Column("mean of B", "number"),
    Column("B − A", "number"),
    Column("correlation", "number"),
)
DISCORDANT = Column("discordance", "number")
"""Of right or wrong alone."""
MOST_SHOWN = 20
"""Pairs; all are in the JSON."""


def make_page(answer: EvidenceFit) -> Page:
    every = (answer.overlap, answer.gain, answer.spread, answer.contributions)
    fits = [fit for fit in every if fit is not None]
    grids = (*((Grid(COLUMNS, tuple(map(_fit_row, fits))),) if fits else ()), *_pair_grids(answer))
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(SWAPPED, tuple(map(_seen_pair_row, answer.swaps[:MOST_SHOWN]))),) if answer.swaps else grids,
        facts=tuple((fit.option, f'"{fit.evidence}"') for fit in fits),
        remarks=(("Notes", texts(answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _pair_grids(answer: EvidenceFit) -> tuple[Grid, ...]:
    """The overlap of every two systems, as far as a page holds it."""
    shown = answer.pairs[:MOST_SHOWN]
    more = "" if len(shown) == len(answer.pairs) else f", the first {len(shown)} of {len(answer.pairs)}"
    if not shown:
        return ()
    columns = SEEN if shown[0].discordance is None else (*SEEN, DISCORDANT)
    rows = tuple(_seen_pair(pair)[: len(columns)] for pair in shown)
    return (Grid(columns, rows, f"every two systems{more}"),)


def _seen_pair(pair: SeenPair) -> Row:
    known = (
        BLANK if value is None else Cell(number(value, 3), (value,)) for value in (pair.correlation, pair.discordance)
    )
    return (
        Cell(pair.a),
        Cell(pair.b),
        Cell(thousands(pair.items), (pair.items,)),
        *(Cell(significant(mean, 3), (mean,)) for mean in (pair.mean_a, pair.mean_b)),
        Cell(signed_short(pair.gain), (pair.gain,)),
        *known,
    )


def _fit_row(fit: Fit) -> Row:
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


def _seen_pair_row(pair: SwappedPair) -> Row:
    scales = (
        BLANK if scale is None else Cell(significant(scale, 3), (scale,))
        for scale in (pair.scale, pair.likelihood_scale)
    )
    return (
        Cell(pair.a),
        Cell(pair.b),
        Cell(thousands(pair.items), (pair.items,)),
        Cell(signed_short(pair.effect), (pair.effect,)),
        Cell(number(pair.zero_share, 3), (pair.zero_share,)),
        *scales,
        Cell(number(pair.additivity, 4), (pair.additivity,)),
    )
