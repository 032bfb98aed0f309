"""Charts of a calibration: test sizes and interval coverages, each with its simulation error band."""

from typing import get_args

from tellapart.answers.calibration import Calibrated, Calibration, Promise, Rate
from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import BLUE, ORANGE, PALE, WIDE, WIDTH, Picture, alt, height, in_lines, label, over
from tellapart.foundation.formatting import percent, thousands

# What the charts of a calibration find.


def sizes(answer: Calibration) -> str:
    return f"Promised is at most {percent(answer.alpha)}, where the line stands. {_defaults(answer)}"


def coverages(answer: Calibration) -> str:
    return f"Promised is {percent(answer.level)}, where the line stands. {_defaults(answer)}"


def _defaults(answer: Calibration) -> str:
    found = answer.defaults
    return (
        f"Of the defaults {thousands(found.get('holds', 0))} scenarios are shown to hold, {thousands(found.get('fails', 0))} fail, and of "
        f"{thousands(found.get('not shown', 0))} neither is shown; lines are 99.9 % bands of the simulation."
    )


def _rejection_rows(answer: Calibration) -> Rows:
    return [_rate_row(one, one.test, one.size) for one in answer.rows if one.test is not None and one.size is not None]


def _coverage_rows(answer: Calibration) -> Rows:
    return [_rate_row(one, one.interval, one.coverage) for one in answer.rows]


def _rate_row(one: Calibrated, method: str, rate: Rate) -> dict[str, object]:
    return {
        "method": method,
        "scenario": one.scenario,
        "items": one.items,
        "share": rate.share,
        "low": rate.low,
        "high": rate.high,
        "verdict": one.verdict,
        "_label": label(method, WIDE),
    }


def _draw_rejections(answer: Calibration, rows: Rows) -> Picture:
    return _strips(rows, "size: how often it rejects where it must not", answer.alpha)


def _coverages(answer: Calibration, rows: Rows) -> Picture:
    return _strips(rows, "coverage: how often it holds the truth", answer.level)


def _strips(rows: Rows, title: str, promised: float) -> Picture:
    """All scenarios of a method beside each other on its line, with what is promised as a mark."""
    names = list(dict.fromkeys(str(row["_label"]) for row in rows))
    domain = [*get_args(Promise)]
    color = alt.Color(
        "verdict:N",
        scale=alt.Scale(domain=domain, range=[BLUE, PALE, ORANGE]),
        legend=alt.Legend(title=None, orient="bottom", symbolOpacity=1),
    )
    shape = alt.Shape("verdict:N", scale=alt.Scale(domain=domain, range=["circle", "diamond", "triangle-up"]))
    axis = alt.Axis(**in_lines(), ticks=False, domain=False, labelPadding=8)
    y = alt.Y("_label:N", sort=names, title=None, axis=axis)
    x = alt.X("low:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    base = over(rows)
    bands = base.mark_rule(strokeWidth=1, opacity=0.35, aria=False).encode(x=x, x2="high:Q", y=y, color=color)
    points = base.mark_point(filled=True, size=22, opacity=0.8, aria=False)
    mark = base.mark_rule(style="ink", strokeWidth=1).encode(x=alt.datum(promised))
    return alt.layer(mark, bands, points.encode(x="share:Q", y=y, color=color, shape=shape)).properties(
        width=WIDTH, height=alt.Step(height([str(row["method"]) for row in rows], 16, WIDE))
    )


CHARTS = (
    Drawing("sizes", "How often tests reject where they must not", sizes, _rejection_rows, _draw_rejections),
    Drawing("coverages", "How often intervals hold the truth", coverages, _coverage_rows, _coverages),
)
