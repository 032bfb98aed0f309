"""Charts of a plan: power by items, effect or raters, sign and magnitude errors, and detectable effects."""

from functools import partial
from typing import Any

from tellapart.answers.comparison import SequentialPoint
from tellapart.answers.comparison.family_charts import draw_looks, look_rows
from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import BLUE, CYCLE, SHAPES, WIDTH, Picture, alt, lines, over, turned
from tellapart.answers.plan import Plan, captions
from tellapart.answers.plan.captions import ceiling
from tellapart.answers.plan.chart_rows import COST, Axis, error_rows, longest, power_rows, reach_rows, solved_rows

FACET_WIDTH = 130
"""Pixels of one of two panels beside each other."""


def _draw_power(along: Axis, answer: Plan, rows: Rows) -> Picture:
    base = _based(rows)
    x, looks = _along(along, answer, rows), _setting_looks(rows)
    y = alt.Y("power:Q", title="power", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5, format="%"))
    band = base.mark_area(opacity=0.2, aria=False).encode(
        x=x, y=alt.Y("power low:Q", title="power", scale=alt.Scale(domain=[0, 1])), y2="power high:Q", **_colour(looks)
    )
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    points = base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)
    marks = [*_target_rule(base, answer), *_ceiling(base, along, answer)]
    return _panels([band, *marks, line, points, *_solved_ring(base, along, answer)], rows)


def _target_rule(base: "alt.Chart", answer: Plan) -> "list[alt.Chart]":
    if answer.target_power is None:
        return []
    return [base.mark_rule(style="ink", strokeDash=[4, 3], strokeWidth=1).encode(y=alt.datum(answer.target_power))]


def _ceiling(base: "alt.Chart", along: Axis, answer: Plan) -> "list[alt.Chart]":
    """The bound that more items, or more raters, alone cannot exceed, where there is one study."""
    most = ceiling(answer, along)
    if most is None:
        return []
    return [base.mark_rule(style="ink", strokeDash=[1, 3], strokeWidth=1.2).encode(y=alt.datum(most))]


def _solved_ring(base: "alt.Chart", along: Axis, answer: Plan) -> "list[alt.Chart]":
    """A ring around what was solved, where there is one study."""
    if answer.curve is None:
        return []
    first = answer.rows[0]
    ring = base.mark_point(style="ink", size=140, filled=False, strokeWidth=1.5, opacity=1)
    return [ring.encode(x=alt.datum(getattr(first, along)), y=alt.datum(first.power))]


def _draw_errors(field: str, title: list[str], answer: Plan, rows: Rows) -> Picture:
    base, x, looks = _based(rows), _along(longest(answer), answer, rows), _setting_looks(rows)
    y = alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=field == "type S"), axis=alt.Axis(tickCount=5))
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    return _panels([line, base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)], rows)


def _draw_reach(_answer: Plan, rows: Rows) -> Picture:
    base, looks = _based(rows), _setting_looks(rows)
    ticks = alt.Axis(tickCount=5, format=",d", labelOverlap=True)
    small = alt.Axis(tickCount=4, format="~g", labelOverlap=True)
    x = alt.X("items:Q", title="items", scale=alt.Scale(type="log", nice=False), axis=ticks)
    y = alt.Y("effect:Q", title="effect", scale=alt.Scale(type="log", nice=False), axis=small)
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    return _panels([line, base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)], rows)


def _draw_solved(answer: Plan, rows: Rows) -> Picture:
    base, looks, along = over(rows), _setting_looks(rows), rows[0]["_along"]
    number = all(isinstance(row[along], int | float) for row in rows)
    kind, shape = ("Q", {"scale": alt.Scale(zero=False, nice=True)}) if number else ("N", {"sort": None})
    x = alt.X(f"{along}:{kind}", title=along.replace("_", " "), **shape)
    title = answer.rows[0].counts if answer.solved_for == "items" else answer.solved_for
    y = alt.Y(f"{answer.solved_for}:Q", title=title, axis=alt.Axis(tickCount=5))
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    points = base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)
    return alt.layer(*([line] if number else []), points).properties(width=WIDTH, height=170)


def _based(rows: Rows) -> "alt.Chart":
    """Panels take their data from what they are panels of."""
    return alt.Chart() if _panelled(rows) else over(rows)


def _panelled(rows: Rows) -> bool:
    return len({row["_panel"] for row in rows}) > 1


def _panels(layers: "list[alt.Chart]", rows: Rows) -> Picture:
    if not _panelled(rows):
        return alt.layer(*layers).properties(width=WIDTH, height=170)
    small = alt.layer(*layers, data={"values": rows}).properties(width=FACET_WIDTH, height=110)
    order = list(dict.fromkeys(row["_panel"] for row in rows))
    return small.facet(alt.Facet("_panel:N", title=None, sort=order), columns=2)


def _along(along: Axis, answer: Plan, rows: Rows) -> "alt.X":
    title = answer.rows[0].counts if along == "items" else along
    ticks = 3 if _panelled(rows) else 5
    counted = {"format": "~g"} if along == "effect" else {"format": ",d", "tickMinStep": 1}
    axis = alt.Axis(tickCount=ticks, **counted)
    return alt.X(f"{along}:Q", title=title, axis=axis, scale=alt.Scale(zero=False, nice=True))


def _setting_looks(rows: Rows) -> dict[str, Any]:
    names = list(dict.fromkeys(row["setting"] for row in rows))
    if len(names) < 2:
        return {"color": alt.value(BLUE)}
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1, columns=1 if max(map(len, names)) > 24 else 2)
    colours = [CYCLE[i % len(CYCLE)] for i in range(len(names))]
    shapes = [turned(SHAPES, i) for i in range(len(names))]
    return {
        "color": alt.Color("setting:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
        "shape": alt.Shape("setting:N", scale=alt.Scale(domain=names, range=shapes), legend=legend),
    }


def _colour(looks: dict[str, Any]) -> dict[str, Any]:
    return {"color": looks["color"]}


def _planned_looks(answer: Plan) -> Rows:
    row = answer.rows[0]
    alone = len(answer.rows) == 1
    return look_rows(map(SequentialPoint, row.items_at_looks or (), row.nominal or ())) if alone else []


_M = "type M: how far a found effect is exaggerated"
_S = "type S: share of findings with the wrong sign"

CHARTS = (
    COST,
    Drawing("looks", "The boundary at each look", captions.looks, _planned_looks, draw_looks),
    Drawing(
        "power",
        "Power over the number of items",
        captions.power,
        partial(power_rows, "items"),
        partial(_draw_power, "items"),
    ),
    Drawing(
        "power_by_effect",
        "Power over the effect",
        captions.power_by_effect,
        partial(power_rows, "effect"),
        partial(_draw_power, "effect"),
    ),
    Drawing(
        "power_by_raters",
        "Power over the number of raters",
        captions.power_by_raters,
        partial(power_rows, "raters"),
        partial(_draw_power, "raters"),
    ),
    Drawing("detectable", "Which effect so many items detect", captions.detectable, reach_rows, _draw_reach),
    Drawing("solved", "The answers of a grid", captions.solved, solved_rows, _draw_solved),
    Drawing(
        "type_m",
        "How far found effects are exaggerated",
        captions.type_m,
        partial(error_rows, "type M"),
        partial(_draw_errors, "type M", lines(_M, 30)),
    ),
    Drawing(
        "type_s",
        "How often found effects have the wrong sign",
        captions.type_s,
        partial(error_rows, "type S"),
        partial(_draw_errors, "type S", lines(_S, 30)),
    ),
)
