"""Charts of all pairs of a leaderboard, as matrices."""

from typing import Any

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.labels import height, in_lines, label
from tellapart.charts.theme import BLUE, ORANGE, PALE, WIDTH
from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import one_line
from tellapart.words.captions.leaderboard import MOST_IN_MATRIX

NAMED_ABOVE = 20
"""Up to so many systems are named above the columns too; more are in the order of the rows."""
NUMBERED = 10
"""Up to so many systems have their numbers written in the cells."""
ABOVE = 40
"""Characters of a line above a column, which stands upright."""
LINE = 60
"""Characters of a name before it is broken: rows are many, and low."""


def _places(answer: Leaderboard) -> dict[str, int]:
    return {one.name: place for place, one in enumerate(answer.systems[:MOST_IN_MATRIX])}


def _named(first: str, second: str) -> dict[str, str]:
    labels = {"_first": label(one_line(first), LINE), "_second": label(one_line(second), ABOVE)}
    return {"first": first, "second": second} | labels


def _pair_rows(answer: Leaderboard) -> Rows:
    """Each pair once, the system of the better rank first."""
    places = _places(answer)
    rows: Rows = []
    for pair in answer.pairs if answer.baseline is None else ():
        if pair.a in places and pair.b in places:
            first, second = sorted((pair.a, pair.b), key=places.__getitem__)
            better = {"b better": pair.b, "a better": pair.a}.get(pair.verdict)
            found = {first: "first better", second: "second better"}.get(str(better), "not told apart")
            rows.append(_named(first, second) | {"adjusted p": pair.adjusted_pvalue, "found": found})
    return rows


def _pairs(answer: Leaderboard, rows: Rows) -> Picture:
    kinds = [kind for kind in _KINDS if kind in {row["found"] for row in rows}]
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1)
    color = alt.Color(
        "found:N", scale=alt.Scale(domain=kinds, range=[_KINDS[kind][0] for kind in kinds]), legend=legend
    )
    shape = alt.Shape(
        "found:N", scale=alt.Scale(domain=kinds, range=[_KINDS[kind][1] for kind in kinds]), legend=legend
    )
    width, size = _steps(answer)
    signs = over(rows).mark_point(filled=True, opacity=0.9, aria=False, size=(0.8 * min(width, 36)) ** 2)
    picture: Picture = signs.encode(**_axes(answer), color=color, shape=shape).properties(**size)
    return picture


_KINDS = {
    "first better": (BLUE, "square"),
    "not told apart": (PALE, "circle"),
    "second better": (ORANGE, "triangle-down"),
}


def _correlation_rows(answer: Leaderboard) -> Rows:
    if answer.correlations is None:
        return []
    names = list(_places(answer))
    return [
        _named(first, second) | {"correlation": answer.correlations.matrix[i][j]}
        for i, first in enumerate(names)
        for j, second in enumerate(names)
        if i < j
    ]


def _correlations(answer: Leaderboard, rows: Rows) -> Picture:
    base, axes = over(rows), _axes(answer)
    shade = alt.FillOpacity(
        "correlation:Q", scale=alt.Scale(domain=[-1, 0, 1], range=[1, 0.04, 1]), legend=None
    )
    sign = alt.condition(alt.datum.correlation < 0, alt.value(ORANGE), alt.value(BLUE))
    cells = base.mark_rect(aria=False).encode(**axes, fillOpacity=shade, fill=sign)
    _, size = _steps(answer)
    if len(_places(answer)) > NUMBERED:
        return alt.layer(cells).properties(**size)
    numbers = base.mark_text(style="words").encode(**axes, text=alt.Text("correlation:Q", format=".2f"))
    return alt.layer(cells, numbers).properties(**size)


def _axes(answer: Leaderboard) -> dict[str, Any]:
    """Systems from the best rank down, at the side and, where they are few, above."""
    names = [label(one_line(name), LINE) for name in _places(answer)]
    bare: dict[str, Any] = {"ticks": False, "domain": False, "grid": False}
    columns = [label(one_line(name), ABOVE) for name in _places(answer)]
    above = (
        alt.Axis(**in_lines(), **bare, orient="top", labelAngle=-90) if len(names) <= NAMED_ABOVE else None
    )
    return {
        "x": alt.X("_second:N", sort=columns[1:], title=None, axis=above),
        "y": alt.Y("_first:N", sort=names[:-1], title=None, axis=alt.Axis(**in_lines(), **bare)),
    }


def _steps(answer: Leaderboard) -> tuple[int, dict[str, Any]]:
    """How wide a column is, and with the height of a row, which a name needs."""
    names = list(_places(answer))
    width = max(5, min(36, WIDTH // len(names)))
    if len(names) <= NAMED_ABOVE:
        width = max(width, height(names[1:], 0, ABOVE))
    rows = max(height(names, 11, LINE), min(width, 36))
    return width, {"width": alt.Step(width), "height": alt.Step(rows)}


MATRIX_CHARTS = (
    Drawing("pairs", "Which pairs these items tell apart", _pair_rows, _pairs, ("first", "second", "found")),
    Drawing(
        "correlations",
        "How alike systems score, item by item",
        _correlation_rows,
        _correlations,
        ("first", "second", "correlation"),
    ),
)
