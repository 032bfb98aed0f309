"""Charts of a plan: power over items, over the effect and over raters, how found effects mislead, and what so many items detect."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows, known
from tellapart.charts.labels import lines
from tellapart.charts.plan_costs import COST
from tellapart.charts.theme import BLUE, CYCLE, SHAPES, WIDTH, turned
from tellapart.results.plan import Plan, PlanRow, PowerPoint
from tellapart.wording import thousands
from tellapart.words.captions.plan import ceiling

Axis = Literal["items", "effect", "raters"]
FEWEST = 3
"""Points of a curve."""
FACET_WIDTH = 130


def _varying(answer: Plan) -> list[str]:
    """Options whose values differ between the studies of a grid, in their order."""
    names = dict.fromkeys(name for row in answer.rows for name in row.options)
    return [name for name in names if len({str(row.options.get(name)) for row in answer.rows}) > 1]


def _tests_were_asked(answer: Plan) -> bool:
    """Whether tests are an axis of the grid, and not what suits each of its studies."""
    given = [name for name in ("items", "effect") if name != answer.solved_for]
    studies = {str((row.options, *(getattr(row, name) for name in given))) for row in answer.rows}
    return len(studies) < len(answer.rows)


def _settings(answer: Plan, along: tuple[str, ...]) -> Callable[[PlanRow], tuple[str, str]]:
    """What tells the studies of a grid apart beside the axis: the panel that one is drawn in, and its line."""
    names = [name for name in _varying(answer) if name not in along]
    fixed = [name for name in ("items", "effect") if name not in along]
    fixed += ["test"] if _tests_were_asked(answer) else []
    fixed = [name for name in fixed if len({getattr(row, name) for row in answer.rows}) > 1]

    def setting(row: PlanRow) -> tuple[str, str]:
        parts = [f"{name} = {_said(row.options.get(name))}" for name in names]
        parts += [f"{name} = {_said(getattr(row, name))}" for name in fixed]
        return (parts[0], ", ".join(parts[1:])) if len(parts) > 1 else ("", "".join(parts))

    return setting


def _said(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return thousands(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _power_rows(along: Axis, answer: Plan) -> Rows:
    if answer.curve is not None:
        return _points([one for one in answer.curve if one.over == along])
    if any(getattr(row, along) is None for row in answer.rows):
        return []
    setting = _settings(answer, (along,))
    rows = [_studied(row, *setting(row)) for row in answer.rows]
    return [] if answer.solved_for == along else _with_curves(rows, along)


def _with_curves(rows: Rows, along: str) -> Rows:
    """Those of settings that have enough points for a line, one setting after the other in the order of the grid."""
    lines: dict[tuple[str, str], Rows] = {}
    for row in rows:
        lines.setdefault((row["_panel"], row["setting"]), []).append(row)
    long = [line for line in lines.values() if len({row[along] for row in line}) >= FEWEST]
    return [row for line in long for row in sorted(line, key=lambda row: float(row[along]))]


def _studied(row: PlanRow, panel: str, setting: str) -> dict[str, Any]:
    return {"setting": setting, **_numbers(row), "_panel": panel}


def _points(curve: list[PowerPoint]) -> Rows:
    """Each with the number of evaluations it was simulated from, where any was."""
    simulated = any(one.replicates is not None for one in curve)
    from_so_many = [{"replicates": known(one.replicates)} if simulated else {} for one in curve]
    return [
        {"setting": "", **_numbers(one), **number, "_panel": ""}
        for one, number in zip(curve, from_so_many, strict=True)
    ]


def _numbers(one: PlanRow | PowerPoint) -> dict[str, float | None]:
    return {
        **({} if one.raters is None else {"raters": one.raters}),
        "items": one.items,
        "effect": one.effect,
        "power": one.power,
        "power low": one.power_low,
        "power high": one.power_high,
        "type M": known(one.type_m),
        "type S": known(one.type_s),
    }


def _power(along: Axis, answer: Plan, rows: Rows) -> Picture:
    base = _based(rows)
    x, looks = _along(along, answer, rows), _looks(rows)
    y = alt.Y(
        "power:Q", title="power", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5, format="%")
    )
    band = base.mark_area(opacity=0.2, aria=False).encode(
        x=x,
        y=alt.Y("power low:Q", title="power", scale=alt.Scale(domain=[0, 1])),
        y2="power high:Q",
        **_colour(looks),
    )
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    points = base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)
    marks = [*_target(base, answer), *_ceiling(base, along, answer)]
    return _panels([band, *marks, line, points, *_solved(base, along, answer)], rows)


def _target(base: "alt.Chart", answer: Plan) -> "list[alt.Chart]":
    if answer.target_power is None:
        return []
    return [
        base.mark_rule(style="ink", strokeDash=[4, 3], strokeWidth=1).encode(y=alt.datum(answer.target_power))
    ]


def _ceiling(base: "alt.Chart", along: Axis, answer: Plan) -> "list[alt.Chart]":
    """What more items, or more raters, alone could not exceed, where there is one study."""
    most = ceiling(answer, along)
    if most is None:
        return []
    return [base.mark_rule(style="ink", strokeDash=[1, 3], strokeWidth=1.2).encode(y=alt.datum(most))]


def _solved(base: "alt.Chart", along: Axis, answer: Plan) -> "list[alt.Chart]":
    """A ring around what was solved, where there is one study."""
    if answer.curve is None:
        return []
    first = answer.rows[0]
    ring = base.mark_point(style="ink", size=140, filled=False, strokeWidth=1.5, opacity=1)
    return [ring.encode(x=alt.datum(getattr(first, along)), y=alt.datum(first.power))]


def _error_rows(field: str, answer: Plan) -> Rows:
    along = _longest(answer)
    rows = _power_rows(along, answer)
    return rows if sum(bool(row[field]) for row in rows) >= FEWEST else []


def _longest(answer: Plan) -> Axis:
    """What type M and type S are drawn over: the first that power can be drawn over."""
    axes: tuple[Axis, ...] = ("items", "effect", "raters")
    return next((along for along in axes if _power_rows(along, answer)), "items")


def _errors(field: str, title: list[str], answer: Plan, rows: Rows) -> Picture:
    base, x, looks = _based(rows), _along(_longest(answer), answer, rows), _looks(rows)
    y = alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=field == "type S"), axis=alt.Axis(tickCount=5))
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    return _panels([line, base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)], rows)


def _reach_rows(answer: Plan) -> Rows:
    if answer.solved_for == "power":
        return []
    setting = _settings(answer, ("items", "effect"))
    rows = [_studied(row, *setting(row)) for row in answer.rows]
    return _with_curves(rows, "effect" if answer.solved_for == "items" else "items")


def _reach(_answer: Plan, rows: Rows) -> Picture:
    base, looks = _based(rows), _looks(rows)
    ticks = alt.Axis(tickCount=5, format=",d", labelOverlap=True)
    small = alt.Axis(tickCount=4, format="~g", labelOverlap=True)
    x = alt.X("items:Q", title="items", scale=alt.Scale(type="log", nice=False), axis=ticks)
    y = alt.Y("effect:Q", title="effect", scale=alt.Scale(type="log", nice=False), axis=small)
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, **_colour(looks))
    return _panels([line, base.mark_point(filled=True, size=36, opacity=1).encode(x=x, y=y, **looks)], rows)


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


def _looks(rows: Rows) -> dict[str, Any]:
    names = list(dict.fromkeys(row["setting"] for row in rows))
    if len(names) < 2:
        return {"color": alt.value(BLUE)}
    legend = alt.Legend(
        title=None, orient="bottom", symbolOpacity=1, columns=1 if max(map(len, names)) > 24 else 2
    )
    colours = [CYCLE[i % len(CYCLE)] for i in range(len(names))]
    shapes = [turned(SHAPES, i) for i in range(len(names))]
    return {
        "color": alt.Color("setting:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
        "shape": alt.Shape("setting:N", scale=alt.Scale(domain=names, range=shapes), legend=legend),
    }


def _colour(looks: dict[str, Any]) -> dict[str, Any]:
    return {"color": looks["color"]}


_M = "type M: how far a found effect is exaggerated"
_S = "type S: share of findings with the wrong sign"

CHARTS = (
    COST,
    Drawing(
        "power", "Power over the number of items", partial(_power_rows, "items"), partial(_power, "items")
    ),
    Drawing(
        "power_by_effect", "Power over the effect", partial(_power_rows, "effect"), partial(_power, "effect")
    ),
    Drawing(
        "power_by_raters",
        "Power over the number of raters",
        partial(_power_rows, "raters"),
        partial(_power, "raters"),
    ),
    Drawing("detectable", "Which effect so many items detect", _reach_rows, _reach),
    Drawing(
        "type_m",
        "How far found effects are exaggerated",
        partial(_error_rows, "type M"),
        partial(_errors, "type M", lines(_M, 30)),
    ),
    Drawing(
        "type_s",
        "How often found effects have the wrong sign",
        partial(_error_rows, "type S"),
        partial(_errors, "type S", lines(_S, 30)),
    ),
)
