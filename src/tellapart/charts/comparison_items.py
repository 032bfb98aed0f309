"""Charts of the items behind a comparison: their differences, and both scores of each."""

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.labels import digits, in_lines, label, lines
from tellapart.charts.theme import BLUE, ORANGE, PALE, WIDTH
from tellapart.results.comparison import Comparison
from tellapart.wording import one_line

SIDES = {"B lower": ORANGE, "tie": PALE, "B higher": BLUE}


def _bin_rows(answer: Comparison) -> Rows:
    found = answer.difference_bins
    if found is None:
        return []
    bins = zip(found.edges, found.edges[1:], found.items, strict=False)
    rows = [
        _bin("B higher" if low >= 0.0 else "B lower", low, high, items) for low, high, items in bins if items
    ]
    return [*rows, _bin("tie", 0.0, 0.0, found.ties)] if found.ties else rows


def _bin(side: str, low: float, high: float, items: int) -> dict[str, object]:
    return {"side": side, "from": low, "to": high, "items": items}


def _bins(answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    what = f"{one_line(answer.b.name)} − {one_line(answer.a.name)}, item by item"
    x = alt.X(
        "from:Q", title=lines(what, 44), axis=alt.Axis(tickCount=5, grid=False, **digits(rows, "from", "to"))
    )
    few = min(4, max(row["items"] for row in rows))
    y = alt.Y("items:Q", title="items", axis=alt.Axis(tickCount=few, format=",d"))
    sides = [side for side in SIDES if side in {row["side"] for row in rows}]
    scale = alt.Scale(domain=sides, range=[SIDES[side] for side in sides])
    color = alt.Color("side:N", scale=scale, legend=alt.Legend(title=None, orient="bottom"))
    bars = base.mark_bar(binSpacing=1).encode(x=x, x2="to:Q", y=y, y2=alt.datum(0), color=color)
    tied = alt.datum.side == "tie"
    ties = base.transform_filter(tied).mark_rule(strokeWidth=5, opacity=1)
    count = base.transform_filter(tied).mark_text(style="words", dy=-7)
    said = {"text": alt.Text("items:Q", format=",")}
    return alt.layer(
        bars.transform_filter(alt.datum.side != "tie"),
        ties.encode(x="from:Q", y=y, y2=alt.datum(0), color=color),
        count.encode(x="from:Q", y=y, **said),
    ).properties(width=WIDTH, height=150)


def _score_rows(answer: Comparison) -> Rows:
    found = answer.score_bins
    if found is None:
        return []
    edges = list(zip(found.edges, found.edges[1:], strict=False))
    return [
        {"A from": a[0], "A to": a[1], "B from": b[0], "B to": b[1], "items": items}
        for a, row in zip(edges, found.items, strict=True)
        for b, items in zip(edges, row, strict=True)
        if items
    ]


def _scores(answer: Comparison, rows: Rows) -> Picture:
    found = answer.score_bins
    assert found is not None, "there are rows"
    ends = [found.edges[0], found.edges[-1]]
    scale = alt.Scale(domain=ends, nice=False)
    axis = alt.Axis(tickCount=5, **digits(rows, "A from", "A to", "B from", "B to"))
    x = alt.X("A from:Q", title=lines(f"A = {one_line(answer.a.name)}", 44), scale=scale, axis=axis)
    y = alt.Y("B from:Q", title=lines(f"B = {one_line(answer.b.name)}", 34), scale=scale, axis=axis)
    shade = alt.FillOpacity(
        "items:Q", scale=alt.Scale(type="sqrt", range=[0.12, 1.0], zero=True), legend=None
    )
    cells = over(rows).mark_rect(fill=BLUE, stroke=BLUE, strokeWidth=0.5)
    diagonal = over([{"at": end} for end in ends]).mark_line(style="ink", strokeWidth=1, strokeDash=[4, 3])
    return alt.layer(
        cells.encode(x=x, x2="A to:Q", y=y, y2="B to:Q", fillOpacity=shade),
        diagonal.encode(x="at:Q", y="at:Q"),
    ).properties(width=210, height=210)


def _table_rows(answer: Comparison) -> Rows:
    found = answer.counts
    if found is None:
        return []
    cells = (
        ("right", "right", found.both_right),
        ("right", "wrong", found.only_a),
        ("wrong", "right", found.only_b),
        ("wrong", "wrong", found.both_wrong),
    )
    return [
        {"A": a, "B": b, "items": items, "_a": _of(answer.a.name, a), "_b": _of(answer.b.name, b), "_who": _WHO[a, b]}
        for a, b, items in cells
    ]  # fmt: skip


def _of(name: str, verdict: str) -> str:
    return label(f"{one_line(name)} {verdict}", 18)


_WHO = {
    ("right", "right"): "both alike",
    ("wrong", "wrong"): "both alike",
    ("right", "wrong"): "A alone is right",
    ("wrong", "right"): "B alone is right",
}


def _table(_answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    above = alt.Axis(
        **(in_lines() | {"labelOffset": 0}), orient="top", ticks=False, domain=False, labelAngle=0
    )
    left = alt.Axis(**in_lines(), ticks=False, domain=False)
    x = alt.X("_b:N", title=None, sort=None, axis=above)
    y = alt.Y("_a:N", title=None, sort=None, axis=left)
    scale = alt.Scale(
        domain=["A alone is right", "B alone is right", "both alike"], range=[ORANGE, BLUE, PALE]
    )
    color = alt.Color(
        "_who:N", scale=scale, legend=alt.Legend(title=None, orient="bottom", columns=2, symbolType="square")
    )
    size = alt.Size("items:Q", legend=None, scale=alt.Scale(range=[0, 6400], zero=True))
    squares = base.mark_square(opacity=0.35).encode(x=x, y=y, size=size, color=color)
    counts = base.mark_text(style="words", fontSize=13).encode(x=x, y=y, text=alt.Text("items:Q", format=","))
    return alt.layer(squares, counts).properties(width=alt.Step(100), height=alt.Step(90))


ITEM_CHARTS = (
    Drawing("items", "How items differ", _bin_rows, _bins),
    Drawing("scores", "Both scores of every item", _score_rows, _scores),
    Drawing("counts", "Which system was right on which items", _table_rows, _table),
)
