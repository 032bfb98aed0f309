"""Charts of parts that are judged together: the slices of a comparison beside the whole, and several measures in standard errors."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import MeasureResult, SliceResult
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import BLUE, GREEN, ORANGE, PALE, Picture, alt, among, label, lines, over
from tellapart.foundation.formatting import one_line
from tellapart.foundation.formatting.units import RAW

KINDS = ("B better", "A better", "not told apart")
VERDICTS = {"b better": "B better", "a better": "A better"}


def slices(_: Comparison) -> str:
    return (
        "Each line is the interval of a slice at the level of its correction, the hollow point its effect shrunk towards the others, and the "
        "dashed line the difference on all items."
    )


def _slice_rows(answer: Comparison) -> Rows:
    judged = [one for one in answer.slices or () if one.judged]
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


def _draw_slices(answer: Comparison, rows: Rows) -> Picture:
    what = answer.measure if answer.metric == "mean" else answer.metric
    title = [*lines(one_line(what), 44), *lines(f"{one_line(answer.b.name)} − {one_line(answer.a.name)}", 44)]
    forest = Forest(
        title,
        "slice",
        "difference",
        by="verdict",
        kinds=KINDS,
        colours=(BLUE, ORANGE, PALE),
        marks=(0.0,),
        margins=(answer.effect,),
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


FAMILY_CHARTS = (
    Drawing("measures", "Every measure in its standard errors", measures, _measure_rows, _draw_measures),
    Drawing("slices", "The difference on each slice, beside the whole", slices, _slice_rows, _draw_slices),
)
