"""Charts of a gate: the effect of each check with its bounds, beside the margin."""

from dataclasses import replace

from tellapart.answers.comparison.family_charts import SEQUENTIAL_CHARTS
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import GREEN, ORANGE, PALE, Picture, among, label, lines
from tellapart.answers.gate import Gate
from tellapart.foundation.formatting import one_line, percent

# What the charts of a gate find.


def checks(answer: Gate) -> str:
    return (
        f"{answer.headline[:1].upper()}{answer.headline[1:]}. The dashed line is the margin, a loss of {answer.comparison.unit.as_given(answer.margin)}; each bound "
        f"holds at {percent(answer.level)}."
    )


KINDS = ("pass", "fail", "undetermined")


def _check_rows(answer: Gate) -> Rows:
    if answer.comparison.decision is not None:  # each rule in a unit of its own
        return []
    length = among(len(answer.checks))
    return [
        {
            "check": one.dataset or "all items",
            "items": one.items,
            "effect": one.effect,
            "low": known(one.low),
            "high": known(one.high),
            "verdict": one.verdict,
            "_label": label(one_line(one.dataset or "all items"), length),
        }
        for one in answer.checks
    ]


def _draw_gate_checks(answer: Gate, rows: Rows) -> Picture:
    better = f"{one_line(answer.candidate)} beside {one_line(answer.baseline)}, towards better{answer.comparison.unit.heading}"
    return Forest(
        [*lines(one_line(answer.measure), 44), *lines(better, 44)],
        "check",
        "effect",
        by="verdict",
        kinds=KINDS,
        colours=(GREEN, ORANGE, PALE),
        marks=(0.0,),
        margins=(-answer.margin,),
        unit=answer.comparison.unit,
    ).drawn(rows)


def _of_comparison(chart: Drawing) -> Drawing:
    """A chart of the comparison behind the gate."""
    return replace(
        chart,
        caption=lambda answer: chart.caption(answer.comparison),
        rows=lambda answer: chart.rows(answer.comparison),
        picture=lambda answer, rows: chart.picture(answer.comparison, rows),
    )


CHARTS = (
    Drawing("checks", "Each check beside the margin", checks, _check_rows, _draw_gate_checks),
    *map(_of_comparison, SEQUENTIAL_CHARTS),
)
