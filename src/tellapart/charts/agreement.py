"""Charts of agreement: every coefficient, and judges beside people."""

from tellapart.charts.altair import Picture
from tellapart.charts.drawing import Drawing, Rows, known
from tellapart.charts.forest import Forest
from tellapart.charts.labels import among, label
from tellapart.charts.theme import BLUE, ORANGE
from tellapart.results.agreement import Agreement, AgreementValue
from tellapart.wording import one_line


def _value(one: AgreementValue) -> dict[str, float | None]:
    return {"value": known(one.value), "low": known(one.low), "high": known(one.high)}


def _coefficient_rows(answer: Agreement) -> Rows:
    return [
        {"coefficient": one.label, **_value(one), "_label": label(one.label)} for one in answer.coefficients
    ]


def _coefficients(_answer: Agreement, rows: Rows) -> Picture:
    return Forest(["agreement"], "coefficient", "value", marks=(0.0,)).drawn(rows)


def _judge_rows(answer: Agreement) -> Rows:
    length = among(len(answer.judges))
    return [
        {
            "rater": one.rater,
            "who": who,
            **_value(found),
            "_label": label(f"{one_line(one.rater)}: {who}", length),
        }
        for one in answer.judges
        for who, found in (("with people", one.agreement), ("people among themselves", one.people))
        if found is not None
    ]


def _judges(_answer: Agreement, rows: Rows) -> Picture:
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
    Drawing("coefficients", "How far raters agree", _coefficient_rows, _coefficients),
    Drawing("judges", "Judges beside people", _judge_rows, _judges),
)
