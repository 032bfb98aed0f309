"""Charts of a comparison: its difference first, then differences by dataset and group, and charts of the items."""

from tellapart.answers.comparison import Comparison, item_charts
from tellapart.answers.comparison.family_charts import FAMILY_CHARTS, KINDS, VERDICTS, difference_title
from tellapart.answers.comparison.item_charts import ITEM_CHARTS, PEOPLE_CHARTS
from tellapart.answers.comparison.judged import by_labels, judged_estimates
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import (
    BLUE,
    GREEN,
    ORANGE,
    PALE,
    WIDTH,
    Picture,
    alt,
    among,
    digits,
    in_lines,
    in_unit,
    label,
    lines,
    over,
)
from tellapart.foundation.formatting import one_line, percent


def _difference_rows(answer: Comparison) -> Rows:
    found, level = answer.interval, f"{percent(answer.interval.level)} CI"
    rows = [_axis_line("difference", level, found.low, found.high, answer.effect)]
    if by_labels(answer):
        rows = [
            _axis_line(name, level if low is not None else "no interval", low, high, effect)
            for name, effect, (low, high) in judged_estimates(answer)
        ]
    if answer.margin is not None:
        rows.append(_axis_line("margin", "", -answer.margin, answer.margin))
    if answer.detectable is not None:
        least = answer.detectable
        rows.append(_axis_line("detectable", f"{percent(least.power)} power", -least.effect, least.effect))
    return rows


def _axis_line(
    what: str, of_what: str, low: float | None, high: float | None, value: float | None = None
) -> dict[str, object]:
    return {
        "shown": f"{what}\n{of_what}" if of_what else what,
        "_what": what,
        "low": known(low),
        "value": known(value),
        "high": known(high),
    }


def _comparison_difference(answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    order = [row["shown"] for row in rows]
    axis = alt.Axis(**in_lines(), ticks=False, domain=False)
    y = alt.Y("shown:N", sort=order, title=None, axis=axis)
    kinds = [row["_what"] for row in rows]
    colours = alt.Scale(domain=order, range=[_COLOURS.get(k, BLUE) for k in kinds])
    dashes = alt.Scale(domain=order, range=[[4, 3] if k == "detectable" else [1, 0] for k in kinds])
    color = alt.Color("shown:N", legend=None, scale=colours)
    dash = alt.StrokeDash("shown:N", legend=None, scale=dashes)
    x = alt.X(
        "low:Q",
        title=difference_title(answer),
        axis=alt.Axis(tickCount=5, grid=False, **digits(rows, "low", "high"), **in_unit(answer.unit)),
    )
    bars = base.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q", y=y, color=color, strokeDash=dash)
    tick = base.mark_tick(thickness=2, size=12, opacity=1)
    ends = [tick.encode(x=alt.X(f"{end}:Q"), y=y, color=color) for end in ("low", "high")]
    point = base.mark_point(filled=True, size=90, opacity=1).encode(x="value:Q", y=y, color=color)
    zero = base.mark_rule(style="ink", strokeWidth=1).encode(x=alt.datum(0))
    return alt.layer(zero, bars, *ends, point).properties(width=WIDTH, height=34 * len(rows))


_COLOURS = {"margin": GREEN, "detectable": ORANGE, "labels alone": PALE, "judge alone": PALE}


def _dataset_rows(answer: Comparison) -> Rows:
    return [
        {
            "dataset": one.dataset,
            "items": one.items,
            "difference": one.effect,
            "low": known(one.interval.low),
            "high": known(one.interval.high),
            "adjusted p": one.adjusted_pvalue,
            "verdict": VERDICTS.get(one.verdict, "not told apart"),
            "_label": label(one_line(one.dataset), among(len(answer.datasets or ()))),
        }
        for one in answer.datasets or ()
    ]


def _draw_comparison_datasets(answer: Comparison, rows: Rows) -> Picture:
    forest = Forest(
        difference_title(answer),
        "dataset",
        "difference",
        by="verdict",
        kinds=KINDS,
        colours=(BLUE, ORANGE, PALE),
        shapes=("circle", "square", "diamond"),
        marks=(0.0,),
        unit=answer.unit,
    )
    return forest.drawn(rows)


def _group_rows(answer: Comparison) -> Rows:
    return [
        {
            "group": one.label,
            "items": one.items,
            "difference": one.effect,
            "low": known(one.interval.low),
            "high": known(one.interval.high),
            "change": one.change,
            "adjusted p": one.adjusted_pvalue,
            "_label": label(one_line(one.label), among(len(answer.groups or ()))),
        }
        for one in answer.groups or ()
    ]


def _draw_groups(answer: Comparison, rows: Rows) -> Picture:
    return Forest(difference_title(answer), "group", "difference", marks=(0.0,), unit=answer.unit).drawn(rows)


def _place_rows(answer: Comparison) -> Rows:
    places = () if answer.judged is None else answer.judged.places
    return [{"judge": judge, "people": people, "items": items} for judge, people, items in places]


def _draw_places(answer: Comparison, rows: Rows) -> Picture:
    base, names = over(rows), f"{one_line(answer.b.name)} − {one_line(answer.a.name)}"
    x, y = (
        field(
            f"{who}:Q",
            title=lines(f"{who}: {names}", 44),
            axis=alt.Axis(tickCount=5, grid=False, **digits(rows, who)),
            scale=alt.Scale(padding=20),
        )
        for field, who in ((alt.X, "judge"), (alt.Y, "people"))
    )
    size = alt.Size("items:Q", legend=None, scale=alt.Scale(rangeMin=30, rangeMax=600))
    points = base.mark_circle(color=BLUE, opacity=0.6).encode(x=x, y=y, size=size)
    counts = base.mark_text(style="words", align="left", dx=14).encode(x=x, y=y, text="items:Q")
    return alt.layer(points, *([counts] if len(rows) <= FEW_PLACES else [])).properties(width=WIDTH, height=210)


FEW_PLACES = 25
"""Places on a chart of labels that are few enough to say how many items lie at each."""


CHARTS = (
    Drawing(
        "difference",
        "The difference, and what these items could find",
        item_charts.difference,
        _difference_rows,
        _comparison_difference,
    ),
    Drawing("judge", "What the judge and people see on labelled items", item_charts.judge, _place_rows, _draw_places),
    *ITEM_CHARTS,
    Drawing(
        "datasets",
        "The difference on each dataset alone",
        item_charts.datasets,
        _dataset_rows,
        _draw_comparison_datasets,
    ),
    Drawing("groups", "The difference in each group alone", item_charts.groups, _group_rows, _draw_groups),
    *FAMILY_CHARTS,
    *PEOPLE_CHARTS,
)
