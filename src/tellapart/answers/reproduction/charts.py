"""Charts of a reproduction: recomputed numbers against published numbers."""

from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.theme import BLUE, ORANGE, PALE, WIDTH, Picture, alt, over
from tellapart.answers.reproduction import Reproduction
from tellapart.foundation.formatting import thousands

# What the charts of a reproduction find.


def cells(answer: Reproduction) -> str:
    counted = ", ".join(f"{thousands(count)} {name}" for name, count in answer.counts.items())
    return f"Of the numbers published: {counted}. On the diagonal ours is the same; axes are logarithmic but near 0."


VERDICTS = ["agrees", "differs by rounding", "differs"]
TICKS = [-1.0, 0.0, 0.1, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]


def _cell_rows(answer: Reproduction) -> Rows:
    return [
        {"table": table.name, "cell": cell.label, "published": cell.published, "ours": cell.ours, "verdict": cell.verdict}
        for table in answer.tables
        for cell in table.cells
        if not isinstance(cell.published, str) and known(cell.ours) is not None and cell.verdict in VERDICTS
    ]  # fmt: skip


def _draw_cells(_answer: Reproduction, rows: Rows) -> Picture:
    ends = [row[side] for row in rows for side in ("published", "ours")]
    # From shares to numbers of items on one axis; near 0 it is straight, so that 0 and what is below have their place.
    scale = alt.Scale(type="symlog", constant=0.1, nice=False)
    legend = alt.Legend(title=None, orient="bottom")
    color = alt.Color("verdict:N", scale=alt.Scale(domain=VERDICTS, range=[BLUE, PALE, ORANGE]), legend=legend)
    shape = alt.Shape(
        "verdict:N", scale=alt.Scale(domain=VERDICTS, range=["circle", "diamond", "triangle-up"]), legend=legend
    )
    axis = alt.Axis(format="~s", values=TICKS, grid=False)
    points = over(rows).mark_point(size=26, opacity=0.8, aria=False).encode(
        x=alt.X("published:Q", title="published", scale=scale, axis=axis),
        y=alt.Y("ours:Q", title="ours", scale=scale, axis=axis),
        color=color,
        shape=shape,
    )  # fmt: skip
    line = over([{"at": min(ends)}, {"at": max(ends)}]).mark_line(style="ink", strokeWidth=1, strokeDash=[4, 3])
    return alt.layer(line.encode(x="at:Q", y="at:Q"), points).properties(width=WIDTH, height=WIDTH)


CHARTS = (Drawing("cells", "Our numbers against those published", cells, _cell_rows, _draw_cells),)
