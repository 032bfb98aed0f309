"""The chart of a search among designs of ratings: what power less and more money would buy."""

from typing import Any

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.labels import WIDE
from tellapart.charts.theme import BLUE, GREEN, ORANGE, WIDTH
from tellapart.results.plan import Plan
from tellapart.words.captions.plan import DESIGNS

LOOKS = {"crossed": (BLUE, "circle"), "alone": (ORANGE, "square"), "shared": (GREEN, "triangle-up")}


def _rows(answer: Plan) -> Rows:
    if answer.searched is None:
        return []
    return [
        {
            "design": DESIGNS[one.kind],
            "cost": one.cost,
            "power": one.power,
            "raters": one.raters,
            "raters per item": one.per_item,
            "items": one.items,
        }
        for one in answer.searched.for_costs
    ]


def _picture(answer: Plan, rows: Rows) -> Picture:
    base, looks = over(rows), _looks(rows)
    x = alt.X("cost:Q", title="cost", axis=alt.Axis(tickCount=5, format=",~f"), scale=alt.Scale(zero=False))
    y = alt.Y(
        "power:Q", title="power", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5, format="%")
    )
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, color=looks["color"])
    points = base.mark_point(filled=True, size=40, opacity=1).encode(x=x, y=y, **looks)
    layers = [line, *_limits(base, answer), points, *_best(base, answer)]
    return alt.layer(*layers).properties(width=WIDTH, height=170)


def _looks(rows: Rows) -> dict[str, Any]:
    kinds = [kind for kind, name in DESIGNS.items() if any(row["design"] == name for row in rows)]
    names, (colours, shapes) = [DESIGNS[kind] for kind in kinds], zip(*map(LOOKS.get, kinds), strict=True)
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1, columns=1, labelLimit=WIDE * 6)
    return {
        "color": alt.Color("design:N", scale=alt.Scale(domain=names, range=list(colours)), legend=legend),
        "shape": alt.Shape("design:N", scale=alt.Scale(domain=names, range=list(shapes)), legend=legend),
    }


def _limits(base: "alt.Chart", answer: Plan) -> "list[alt.Chart]":
    """What was given: the budget, or the power."""
    rule = base.mark_rule(style="ink", strokeDash=[4, 3], strokeWidth=1)
    searched = answer.searched
    if searched is None or (searched.budget is None and searched.power is None):
        return []
    if searched.budget is not None:
        return [rule.encode(x=alt.datum(searched.budget))]
    return [rule.encode(y=alt.datum(searched.power))]


def _best(base: "alt.Chart", answer: Plan) -> "list[alt.Chart]":
    """A ring around the design that was chosen, where it has a price."""
    first = answer.rows[0]
    if first.cost is None:
        return []
    ring = base.mark_point(style="ink", size=140, filled=False, strokeWidth=1.5, opacity=1)
    return [ring.encode(x=alt.datum(first.cost), y=alt.datum(first.power))]


COST = Drawing("cost", "Power over what ratings cost", _rows, _picture)
