"""Charts of planned labels: the half width with and without the judge."""

from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import BLUE, ORANGE, WIDTH, Picture, alt, over
from tellapart.answers.judged_plan import JudgedPlan
from tellapart.foundation.formatting import significant, thousands


def _labels_finding(answer: JudgedPlan) -> str:
    row = answer.rows[0]
    labels, worth = thousands(row.labels), thousands(round(row.worth))
    return f"{labels} labels bound the difference within ±{significant(row.half_width)} with the judge; alone it takes {worth}."


_WAYS = ("labels and judge", "labels alone")


def _width_rows(answer: JudgedPlan) -> Rows:
    return [
        {"labels": point.labels, "half width": width, "by": way}
        for point in answer.curve
        for way, width in zip(_WAYS, (point.half_width, point.labels_alone), strict=True)
    ]


def _draw_widths(_: JudgedPlan, rows: Rows) -> Picture:
    x = alt.X("labels:Q", title="labels", scale=alt.Scale(type="log", nice=False))
    y = alt.Y("half width:Q", title="half width of the interval")
    colour = alt.Color("by:N", title=None, scale=alt.Scale(domain=list(_WAYS), range=[BLUE, ORANGE]))
    drawn = over(rows).mark_line(aria=False).encode(x=x, y=y, color=colour)
    picture: Picture = drawn.properties(width=WIDTH, height=170)
    return picture


CHARTS = (Drawing("labels", "What labels tell with and without the judge", _labels_finding, _width_rows, _draw_widths),)
