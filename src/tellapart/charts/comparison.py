"""Charts of a comparison."""

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.labels import in_lines, lines
from tellapart.charts.theme import BLUE, GREEN, ORANGE, WIDTH
from tellapart.results.comparison import Comparison
from tellapart.wording import one_line, percent


def _difference_rows(answer: Comparison) -> Rows:
    found = answer.interval
    rows = [_line(f"difference\n{percent(found.level)} CI", found.low, answer.effect, found.high)]
    if answer.margin is not None:
        rows.append(_line("margin", -answer.margin, None, answer.margin))
    if answer.detectable is not None:
        reach = answer.detectable
        rows.append(_line(f"detectable\n{percent(reach.power)} power", -reach.effect, None, reach.effect))
    return rows


def _line(what: str, low: float, value: float | None, high: float) -> dict[str, object]:
    return {"shown": what, "low": low, "value": value, "high": high}


def _difference(answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    order = [row["shown"] for row in rows]
    y = alt.Y("shown:N", sort=order, title=None, axis=alt.Axis(**in_lines(), ticks=False, domain=False))
    x = alt.X("low:Q", title=difference_title(answer), axis=alt.Axis(tickCount=5, grid=False))
    kinds = [row["shown"].split("\n")[0] for row in rows]
    color = alt.Color(
        "shown:N", legend=None, scale=alt.Scale(domain=order, range=[_COLOURS[k] for k in kinds])
    )
    bars = base.mark_rule(strokeWidth=3).encode(
        x=x, x2="high:Q", y=y, color=color,
        strokeDash=alt.StrokeDash("shown:N", legend=None, scale=alt.Scale(domain=order, range=[_DASHES[k] for k in kinds])),
    )  # fmt: skip
    ends = [
        base.mark_tick(thickness=2, size=12, opacity=1).encode(x=alt.X(f"{end}:Q"), y=y, color=color)
        for end in ("low", "high")
    ]
    point = base.mark_point(filled=True, size=90, opacity=1).encode(x="value:Q", y=y, color=color)
    zero = base.mark_rule(style="ink", strokeWidth=1).encode(x=alt.datum(0))
    return alt.layer(zero, bars, *ends, point).properties(width=WIDTH, height=34 * len(rows))


_COLOURS = {"difference": BLUE, "margin": GREEN, "detectable": ORANGE}
_DASHES = {"difference": [1, 0], "margin": [1, 0], "detectable": [4, 3]}


def difference_title(answer: Comparison) -> list[str]:
    """What the axis of a difference is about, in the user's words."""
    what = answer.measure if answer.metric == "mean" else answer.metric
    return [*lines(one_line(what), 44), *lines(f"{one_line(answer.b.name)} − {one_line(answer.a.name)}", 44)]


CHARTS = (
    Drawing(
        "difference", "The difference, and what these items could have found", _difference_rows, _difference
    ),
)
