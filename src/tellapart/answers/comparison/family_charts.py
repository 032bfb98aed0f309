"""Charts of what is judged together: slices beside the whole, several measures in standard errors, and one question at several moments."""

import math
from collections.abc import Iterable
from typing import Any

from tellapart.answers.comparison import Comparison, SequentialPoint
from tellapart.answers.comparison.parts import MeasureResult, SliceResult
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import BLUE, GREEN, ORANGE, PALE, WIDTH, Picture, alt, among, label, lines, over
from tellapart.foundation.formatting import one_line, percent
from tellapart.foundation.formatting.units import RAW

KINDS = ("B better", "A better", "not told apart")
VERDICTS = {"b better": "B better", "a better": "A better"}


def slices(_: Comparison) -> str:
    return (
        "Each line is the interval of a slice at the level of its correction, the hollow point its effect shrunk towards the others, and the "
        "dashed line the difference on all items."
    )


def _slice_rows(answer: Comparison) -> Rows:
    judged = [one for one in answer.slices or () if one.judged and one.measure is None]
    several = len({one.column for one in judged}) > 1
    return [_slice_row(one, several=several, longest=among(len(judged))) for one in judged]


def _slice_row(one: SliceResult, *, several: bool, longest: int) -> dict[str, object]:
    name = f"{one.column}: {one.slice}" if several else one.slice
    assert one.interval is not None
    return {
        "slice": name,
        "items": one.items,
        "difference": one.effect,
        "low": known(one.interval.low),
        "high": known(one.interval.high),
        "shrunk": known(one.shrunk),
        "adjusted p": one.adjusted_pvalue,
        "verdict": VERDICTS.get(one.verdict, "not told apart"),
        "_label": label(one_line(name), longest),
    }


def difference_title(answer: Comparison) -> list[str]:
    """The axis title of a difference, in the user's words."""
    what = answer.measure if answer.metric == "mean" else answer.metric
    between = f"{one_line(answer.b.name)} − {one_line(answer.a.name)}{answer.unit.heading}"
    return [*lines(one_line(what), 44), *lines(between, 44)]


def _draw_slices(answer: Comparison, rows: Rows) -> Picture:
    forest = Forest(
        difference_title(answer),
        "slice",
        "difference",
        by="verdict",
        kinds=KINDS,
        colours=(BLUE, ORANGE, PALE),
        marks=(0.0,),
        margins=(answer.effect,),
        unit=answer.unit,
    )
    y = alt.Y("_label:N", sort=[str(row["_label"]) for row in rows], title=None)
    shrunk = over(rows).mark_point(filled=False, size=44, opacity=1, color=GREEN).encode(x="shrunk:Q", y=y)
    return alt.layer(forest.drawn(rows), shrunk)


def measures(_: Comparison) -> str:
    return "Differences in standard errors of each measure, towards better on the right; each label says the difference in units of the measure."


def _measure_rows(answer: Comparison) -> Rows:
    return [_measure_row(one) for one in answer.measures or () if one.in_errors is not None]


def _measure_row(one: MeasureResult) -> dict[str, object]:
    """Bounds and effect in standard errors, counted towards better."""
    assert one.in_errors is not None
    low, value, high = one.in_errors
    places = RAW.places(one.interval.low, one.interval.high)
    return {
        "measure": one.measure,
        "items": one.items,
        "difference": one.effect,
        "standard errors": known(value),
        "low": known(low),
        "high": known(high),
        "verdict": VERDICTS.get(one.verdict, "not told apart"),
        "_label": f"{label(one_line(one.measure))}\n{RAW.difference(one.effect, places)}",
    }


def _draw_measures(answer: Comparison, rows: Rows) -> Picture:
    title = [
        *lines(f"{one_line(answer.b.name)} beside {one_line(answer.a.name)}, towards better", 44),
        "standard errors",
    ]
    return Forest(
        title, "measure", "standard errors", by="verdict", kinds=KINDS, colours=(BLUE, ORANGE, PALE), marks=(0.0,)
    ).drawn(rows)


def looks(_: Any) -> str:
    return "At each look the p-value of the items so far must reach the dashed boundary for a claim. The line is what was found, smaller p-values higher up."


def _look_rows(answer: Comparison) -> Rows:
    found = answer.sequential
    return [] if found is None or found.kind != "looks" else look_rows(found.path)


def look_rows(path: Iterable[SequentialPoint]) -> Rows:
    return [{"items": one.items, "p must be at most": one.nominal, "p": one.pvalue} for one in path]


def draw_looks(_: Any, rows: Rows) -> Picture:
    """The boundary, and the p-values of the looks that were made."""
    base = over(rows)
    x = alt.X("items:Q", title="items", axis=alt.Axis(tickCount=5, format=",d"), scale=alt.Scale(zero=True))
    least = min(row[name] for row in rows for name in ("p must be at most", "p") if row[name] is not None)
    powers = [10.0**power for power in range(math.floor(math.log10(least)), 1)]
    scale = alt.Scale(type="log", reverse=True, domain=[powers[0], 1.0])
    axis = alt.Axis(values=powers, format="~g", labelOverlap=True)
    y = alt.Y("p must be at most:Q", title="p-value of these items alone", scale=scale, axis=axis)
    boundary = base.mark_line(strokeDash=[4, 3], strokeWidth=1.4, color=ORANGE).encode(x=x, y=y)
    levels = base.mark_point(shape="square", filled=True, size=40, opacity=1, color=ORANGE).encode(x=x, y=y)
    made = base.transform_filter("isValid(datum.p)")
    path = made.mark_line(strokeWidth=1.8, color=BLUE).encode(x=x, y="p:Q")
    points = made.mark_point(filled=True, size=60, opacity=1, color=BLUE).encode(x=x, y="p:Q")
    return alt.layer(boundary, levels, path, points).properties(width=WIDTH, height=170)


def moments(answer: Comparison) -> str:
    found = answer.sequential
    of = "true difference" if found is None or found.benchmark_items is None else "difference on the whole benchmark"
    return (
        f"The band is the confidence sequence: in {percent(answer.interval.level)} of such evaluations the {of} lies in it at every moment. The line is "
        "the difference on the items so far."
    )


def _moment_rows(answer: Comparison) -> Rows:
    found = answer.sequential
    if found is None or found.kind != "anytime":
        return []
    return [{"items": one.items, "difference": one.effect, "low": one.low, "high": one.high} for one in found.path]


def _draw_moments(answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    x = alt.X("items:Q", title="items", axis=alt.Axis(tickCount=5, format=",d"))
    title = lines(f"{one_line(answer.b.name)} − {one_line(answer.a.name)}", 30)
    # The first bounds are as wide as can be, and would leave no room for the others.
    widest = rows[len(rows) // 2]
    scale = alt.Scale(domain=[min(widest["low"], 0.0), max(widest["high"], 0.0)], nice=True)
    y = alt.Y("low:Q", title=title, axis=alt.Axis(tickCount=5), scale=scale)
    band = base.mark_area(opacity=0.25, interpolate="step-after", color=BLUE, clip=True).encode(x=x, y=y, y2="high:Q")
    line = base.mark_line(strokeWidth=1.8, color=BLUE, clip=True).encode(x=x, y="difference:Q")
    zero = base.mark_rule(style="ink", strokeWidth=1).encode(y=alt.datum(0))
    return alt.layer(band, zero, line).properties(width=WIDTH, height=170)


SEQUENTIAL_CHARTS = (
    Drawing("looks", "P-value and boundary at each look", looks, _look_rows, draw_looks),
    Drawing("moments", "The confidence sequence over the items", moments, _moment_rows, _draw_moments),
)
FAMILY_CHARTS = (
    *SEQUENTIAL_CHARTS,
    Drawing("measures", "Every measure in its standard errors", measures, _measure_rows, _draw_measures),
    Drawing("slices", "The difference on each slice, beside the whole", slices, _slice_rows, _draw_slices),
)
