"""Charts of a description: score distributions by system, and scored, missing and failed rows by file."""

from tellapart.answers.description import DescribedMean, Description
from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import (
    BLUE,
    ORANGE,
    PALE,
    WIDTH,
    Picture,
    alt,
    among,
    digits,
    height,
    in_lines,
    label,
    over,
)
from tellapart.foundation.formatting import amount, minus, one_line, significant, thousands

# What the charts of a description find.

MOST_MEANS = 60
"""Systems that are drawn one below the other."""
MOST_FILES = 60


def measured(answer: Description) -> tuple[DescribedMean, ...]:
    """The means of one measure: the primary one where a file says so, else the first that has any."""
    there = {one.measure for one in answer.means}
    ordered = sorted((one for one in answer.measures if one.name in there), key=lambda one: not one.primary)
    return tuple(one for one in answer.means if one.measure == ordered[0].name) if ordered else ()


def drawn_means(answer: Description) -> tuple[DescribedMean, ...]:
    return measured(answer)[:MOST_MEANS]


def is_right_or_wrong(answer: Description) -> bool:
    """Of the measure that is drawn; several runs of an item make shares of its own."""
    drawn = measured(answer)[0].measure
    kinds = {one.name: one.kind for one in answer.measures}
    return kinds[drawn] == "right or wrong" and answer.runs == 1


def scores(answer: Description) -> str:
    means = measured(answer)
    highest = max(means, key=lambda one: one.mean)
    lowest = min(means, key=lambda one: one.mean)
    ends = f"{_description_number(lowest.mean)} ({one_line(lowest.system)}) to {_description_number(highest.mean)} ({one_line(highest.system)})"
    where = f"from {ends}" if lowest is not highest else f"at {_description_number(highest.mean)}"
    marked = "" if is_right_or_wrong(answer) else " (diamonds)"
    said = f"Means{marked} of {one_line(means[0].measure)} lie {where}."
    how = (
        "Every item is right or wrong."
        if is_right_or_wrong(answer)
        else "Thin lines are all items, thick ones the middle half of them, with the median across."
    )
    return f"{said} {how}{_description_cut(len(means), MOST_MEANS, 'means')}{_description_others(answer)}"


def _description_number(value: float) -> str:
    return minus(significant(value, 4))


def _description_others(answer: Description) -> str:
    more = len({one.measure for one in answer.means}) - 1
    return f" {amount(more, 'more measure')} in the table below." if more > 0 else ""


def _description_cut(count: int, most: int, what: str) -> str:
    return f" Shown are the first {most} of {thousands(count)} {what}; the JSON has all." if count > most else ""


def files(answer: Description) -> str:
    rows, scored, missing, errors = (answer.total(name) for name in ("rows", "scored", "missing", "errors"))
    said = (
        f"Of {amount(rows, 'row')} in {amount(len(answer.sources), 'file')}, {thousands(scored)} are scored, {thousands(missing)} missing "
        f"and {thousands(errors)} errors."
    )
    return f"{said}{_description_cut(len(answer.sources), MOST_FILES, 'files')}"


_FIELDS = ("mean", "lowest", "lower_quartile", "median", "upper_quartile", "highest")


def _described_score_rows(answer: Description) -> Rows:
    means = drawn_means(answer)
    length = among(len(means))
    return [
        {
            "system": _who(one),
            "items": one.items,
            **{name.replace("_", " "): getattr(one, name) for name in _FIELDS},
            "_label": label(_who(one), length),
        }
        for one in means
    ]


def _who(one: DescribedMean) -> str:
    """A system, and on what: means of one measure differ in these."""
    where = [f"{axis}={value}" for axis, value in one.where.items()]
    return one_line(": ".join([one.system, *filter(None, [", ".join([*filter(None, [one.dataset]), *where])])]))


def _draw_described_scores(answer: Description, rows: Rows) -> Picture:
    names = [str(row["_label"]) for row in rows]
    axis = alt.Axis(**in_lines(), ticks=False, domain=False, labelPadding=8)
    y = alt.Y("_label:N", sort=names, title=None, axis=axis, scale=alt.Scale(paddingOuter=0.4))
    layers = _description_shares if is_right_or_wrong(answer) else _description_spreads
    return alt.layer(*layers(rows, y, one_line(drawn_means(answer)[0].measure))).properties(
        width=WIDTH, height=alt.Step(height(names, 18, among(len(rows))))
    )


def _description_shares(rows: Rows, y: "alt.Y", measure: str) -> "list[alt.Chart]":
    """Right or wrong has no more to show than how many are right."""
    scale = alt.Scale(domain=[0, 1])
    x = alt.X("mean:Q", title=[measure, "share right"], scale=scale, axis=alt.Axis(tickCount=5, format="%"))
    return [over(rows).mark_bar(color=BLUE, size=9, aria=False).encode(x=x, y=y)]


def _description_spreads(rows: Rows, y: "alt.Y", measure: str) -> "list[alt.Chart]":
    """From the lowest to the highest a thin line, over the middle half a thick one, the median across it, the mean as a point."""
    base = over(rows)
    axis = alt.Axis(tickCount=5, **digits(rows, "lowest", "highest"))
    x = alt.X("lowest:Q", title=measure, scale=alt.Scale(zero=False, nice=True), axis=axis)
    ends = base.mark_rule(style="pale", strokeWidth=1.2).encode(x=x, x2="highest:Q", y=y)
    half = base.mark_rule(color=BLUE, strokeWidth=7, opacity=0.35).encode(
        x="lower quartile:Q", x2="upper quartile:Q", y=y
    )
    median = base.mark_tick(color=BLUE, thickness=2, size=11, opacity=1).encode(x="median:Q", y=y)
    mean = base.mark_point(color=ORANGE, shape="diamond", filled=True, size=44, opacity=1)
    return [ends, half, median, mean.encode(x="mean:Q", y=y)]


_MARKS = {"scored": BLUE, "missing": PALE, "errors": ORANGE}


def _file_rows(answer: Description) -> Rows:
    """Only where there is something to tell: several files, or rows without a score."""
    files = answer.sources
    if len(files) == 1 and files[0].scored == files[0].rows:
        return []
    length = among(len(files))
    return [
        {"file": one.file, "scored": one.scored, "missing": one.missing, "errors": one.errors,
         "_label": label(f"{place} {one_line(one.file)}" if len(files) > 1 else one_line(one.file), length)}
        for place, one in enumerate(files[:MOST_FILES], 1)
    ]  # fmt: skip


def _draw_files(_answer: Description, rows: Rows) -> Picture:
    names = [str(row["_label"]) for row in rows]
    kinds = [kind for kind in _MARKS if any(row[kind] for row in rows)]
    axis = alt.Axis(**in_lines(), ticks=False, domain=False, labelPadding=8)
    color = alt.Color(
        "key:N",
        sort=kinds,
        scale=alt.Scale(domain=kinds, range=[_MARKS[kind] for kind in kinds]),
        legend=alt.Legend(title=None, orient="bottom"),
    )
    bars = over(rows).transform_fold([*kinds]).transform_calculate(place=f"indexof({kinds}, datum.key)")
    picture: Picture = bars.mark_bar(stroke="white", strokeWidth=0.5, aria=False).encode(
        x=alt.X("value:Q", title="rows", axis=alt.Axis(tickCount=5, format=",d", tickMinStep=1)),
        y=alt.Y("_label:N", sort=names, title=None, axis=axis),
        color=color,
        order=alt.Order("place:Q"),
    ).properties(width=WIDTH, height=alt.Step(height(names, 18, among(len(rows)))))  # fmt: skip
    return picture


CHARTS = (
    Drawing("scores", "How the scores of every system lie", scores, _described_score_rows, _draw_described_scores),
    Drawing("files", "What of every file is scored", files, _file_rows, _draw_files),
)
