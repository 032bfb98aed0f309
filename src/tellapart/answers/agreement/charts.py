"""Charts of inter-rater agreement: every coefficient, and judges beside people."""

from tellapart.answers.agreement import Agreement, AgreementValue
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import BLUE, ORANGE, Picture, among, label
from tellapart.foundation.formatting import amount, number, one_line, percent, thousands

# What the charts of agreement find.


def coefficients(answer: Agreement) -> str:
    first = answer.coefficients[0]
    return (
        f"{first.label} is {number(first.value, 2)} over {amount(answer.units, 'unit')} and {thousands(answer.raters)} raters. Lines are "
        f"{percent(answer.level)} intervals by resampled units; 0 is what chance gives to those coefficients that allow for it."
    )


def judges(answer: Agreement) -> str:
    return (
        f"{amount(len(answer.judges), 'judge')} held against people on the same units; lines are {percent(answer.level)} intervals. A judge "
        "that agrees with people as far as they do with each other lies beside them."
    )


def _coefficient_bounds(one: AgreementValue) -> dict[str, float | None]:
    return {"value": known(one.value), "low": known(one.low), "high": known(one.high)}


def _coefficient_rows(answer: Agreement) -> Rows:
    return [
        {"coefficient": one.label, **_coefficient_bounds(one), "_label": label(one.label)}
        for one in answer.coefficients
    ]


def _draw_coefficients(_answer: Agreement, rows: Rows) -> Picture:
    return Forest(["agreement"], "coefficient", "value", marks=(0.0,)).drawn(rows)


def _judge_rows(answer: Agreement) -> Rows:
    length = among(len(answer.judges))
    return [
        {
            "rater": one.rater,
            "who": who,
            **_coefficient_bounds(found),
            "_label": label(f"{one_line(one.rater)}: {who}", length),
        }
        for one in answer.judges
        for who, found in (("with people", one.agreement), ("people among themselves", one.people))
        if found is not None
    ]


def _draw_judges(_answer: Agreement, rows: Rows) -> Picture:
    return Forest(
        ["agreement"],
        "rater",
        "value",
        by="who",
        kinds=("with people", "people among themselves"),
        colours=(BLUE, ORANGE),
        marks=(0.0,),
    ).drawn(rows)


CHARTS = (
    Drawing("coefficients", "How far raters agree", coefficients, _coefficient_rows, _draw_coefficients),
    Drawing("judges", "Judges beside people", judges, _judge_rows, _draw_judges),
)
