"""Data rows behind the charts of a plan, and the chart of power by cost in a search among rating designs."""

from collections.abc import Callable
from typing import Any, Literal

from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.theme import BLUE, GREEN, ORANGE, WIDE, WIDTH, Picture, alt, over
from tellapart.answers.plan import Plan, PlanRow, PowerPoint, captions
from tellapart.answers.plan.captions import DESIGNS
from tellapart.answers.plan.grid import GridAxis, grid_axes, has_given_tests, varying_options
from tellapart.foundation.formatting import thousands

# The rows behind the charts of a plan: which of its numbers each shows, and what tells the studies of a
# grid apart.

Axis = Literal["items", "effect", "raters"]
FEWEST = 3
"""Points of a curve."""


def power_rows(along: Axis, answer: Plan) -> Rows:
    if answer.curve is not None:
        return _points([one for one in answer.curve if one.over == along])
    if any(getattr(row, along) is None for row in answer.rows):
        return []
    setting = _line_settings(answer, (along,))
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
    return {"setting": setting, **_row_numbers(row), "_panel": panel}


def _points(curve: list[PowerPoint]) -> Rows:
    """Each with the number of evaluations it was simulated from, where any was."""
    simulated = any(one.replicates is not None for one in curve)
    from_so_many = [{"replicates": known(one.replicates)} if simulated else {} for one in curve]
    return [
        {"setting": "", **_row_numbers(one), **number, "_panel": ""}
        for one, number in zip(curve, from_so_many, strict=True)
    ]


def _row_numbers(one: PlanRow | PowerPoint) -> dict[str, float | None]:
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


def error_rows(field: str, answer: Plan) -> Rows:
    along = longest(answer)
    rows = power_rows(along, answer)
    return rows if sum(bool(row[field]) for row in rows) >= FEWEST else []


def longest(answer: Plan) -> Axis:
    """The axis of type M and type S: the first over which power can be drawn."""
    axes: tuple[Axis, ...] = ("items", "effect", "raters")
    return next((along for along in axes if power_rows(along, answer)), "items")


def reach_rows(answer: Plan) -> Rows:
    if answer.solved_for == "power":
        return []
    setting = _line_settings(answer, ("items", "effect"))
    rows = [_studied(row, *setting(row)) for row in answer.rows]
    return _with_curves(rows, "effect" if answer.solved_for == "items" else "items")


def solved_rows(answer: Plan) -> Rows:
    """The answers of a grid over one thing that differs, where no other chart has a line: of numbers the one with most values."""
    axes = grid_axes(answer)
    drawn = [
        power_rows("items", answer),
        power_rows("effect", answer),
        power_rows("raters", answer),
        reach_rows(answer),
    ]
    if len(answer.rows) < 2 or not axes or any(drawn):
        return []
    along = max(
        axes, key=lambda name: (_is_number(answer, axes[name]), len({str(axes[name](row)) for row in answer.rows}))
    )
    return [
        {
            along: axes[along](row),
            answer.solved_for: getattr(row, answer.solved_for),
            "setting": ", ".join(
                f"{name} = {_setting_value(axis(row))}" for name, axis in axes.items() if name != along
            ),
            "_along": along,
        }
        for row in answer.rows
    ]


def _is_number(answer: Plan, axis: GridAxis) -> bool:
    return all(isinstance(axis(row), int | float) for row in answer.rows)


def _line_settings(answer: Plan, along: tuple[str, ...]) -> Callable[[PlanRow], tuple[str, str]]:
    """The settings that distinguish the studies of a grid: the panel of each, and its line."""
    names = [name for name in varying_options(answer) if name not in along]
    fixed = [name for name in ("items", "effect") if name not in along]
    fixed += ["test"] if has_given_tests(answer) else []
    fixed = [name for name in fixed if len({getattr(row, name) for row in answer.rows}) > 1]

    def setting(row: PlanRow) -> tuple[str, str]:
        parts = [f"{name} = {_setting_value(row.options.get(name))}" for name in names]
        parts += [f"{name} = {_setting_value(getattr(row, name))}" for name in fixed]
        return (parts[0], ", ".join(parts[1:])) if len(parts) > 1 else ("", "".join(parts))

    return setting


def _setting_value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return thousands(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


LOOKS = {"crossed": (BLUE, "circle"), "alone": (ORANGE, "square"), "shared": (GREEN, "triangle-up")}


def _cost_rows(answer: Plan) -> Rows:
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
    base, looks = over(rows), _design_looks(rows)
    x = alt.X("cost:Q", title="cost", axis=alt.Axis(tickCount=5, format=",~f"), scale=alt.Scale(zero=False))
    y = alt.Y("power:Q", title="power", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5, format="%"))
    line = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, color=looks["color"])
    points = base.mark_point(filled=True, size=40, opacity=1).encode(x=x, y=y, **looks)
    layers = [line, *_given_limits(base, answer), points, *_best(base, answer)]
    return alt.layer(*layers).properties(width=WIDTH, height=170)


def _design_looks(rows: Rows) -> dict[str, Any]:
    kinds = [kind for kind, name in DESIGNS.items() if any(row["design"] == name for row in rows)]
    names, (colours, shapes) = [DESIGNS[kind] for kind in kinds], zip(*map(LOOKS.get, kinds), strict=True)
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1, columns=1, labelLimit=WIDE * 6)
    return {
        "color": alt.Color("design:N", scale=alt.Scale(domain=names, range=list(colours)), legend=legend),
        "shape": alt.Shape("design:N", scale=alt.Scale(domain=names, range=list(shapes)), legend=legend),
    }


def _given_limits(base: "alt.Chart", answer: Plan) -> "list[alt.Chart]":
    """The given limit: the budget, or the power."""
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


COST = Drawing("cost", "Power over what ratings cost", captions.cost, _cost_rows, _picture)
