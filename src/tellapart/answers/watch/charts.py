"""Chart of a watch: the evidence of a loss over time, below the line that raises the alarm."""

from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import WIDTH, Picture, alt, over
from tellapart.answers.watch import Watch

MOST_POINTS = 400
"""Groups that are drawn: of more, evenly spaced ones and the last."""


def evidence(answer: Watch) -> str:
    return (
        f"{answer.headline[:1].upper()}{answer.headline[1:]}. The line is the evidence of a loss at the end of each group; the dashed one, at "
        f"{answer.line:g}, raises the alarm."
    )


def _evidence_rows(answer: Watch) -> Rows:
    step = max(1, len(answer.groups) // MOST_POINTS)
    shown = [one for place, one in enumerate(answer.groups, 1) if place % step == 0 or place == len(answer.groups)]
    return [
        {"group": one.group, "first item": one.first, "evidence": one.evidence, "effect": one.effect} for one in shown
    ]


def _draw_evidence(answer: Watch, rows: Rows) -> Picture:
    base = over(rows)
    x = alt.X("first item:Q", title="first item of the group", axis=alt.Axis(tickCount=5))
    y = alt.Y(
        "evidence:Q", title="evidence of a loss", scale=alt.Scale(type="log"), axis=alt.Axis(tickCount=5, format="~g")
    )
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y)
    rule = base.mark_rule(style="ink", strokeDash=[4, 3], strokeWidth=1).encode(y=alt.datum(answer.line))
    return alt.layer(rule, line).properties(width=WIDTH, height=170)


CHARTS = (Drawing("evidence", "Evidence of a loss over time", evidence, _evidence_rows, _draw_evidence),)
