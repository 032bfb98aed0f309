"""Charts of a comparison by people: how votes fell, and what the uncertainty comes from."""

from typing import Any

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows
from tellapart.charts.labels import in_lines, label
from tellapart.charts.theme import BLUE, ORANGE, PALE, WIDTH
from tellapart.results.comparison import Comparison
from tellapart.wording import one_line


def _vote_rows(answer: Comparison) -> Rows:
    found = answer.votes
    if found is None:
        return []
    fell = (
        (one_line(answer.a.name), "A", found.wins_a),
        ("tie", "tie", found.ties),
        (one_line(answer.b.name), "B", found.wins_b),
    )
    return [{"for": whom, "votes": votes, "_label": label(whom), "_side": side} for whom, side, votes in fell]


def _votes(_answer: Comparison, rows: Rows) -> Picture:
    scale = alt.Scale(domain=["A", "tie", "B"], range=[ORANGE, PALE, BLUE])
    return _bars(rows, "votes", alt.Color("_side:N", scale=scale, legend=None), ",d")


_SOURCES = {
    "raters": "more raters",
    "items": "more items",
    "rest": "more ratings",
}


def _share_rows(answer: Comparison) -> Rows:
    shares = {} if answer.ratings is None else answer.ratings.shares
    return [
        {"reduced by": _SOURCES.get(name, name), "share of the variance": share, "_label": label(_SOURCES.get(name, name))}
        for name, share in shares.items()
    ]  # fmt: skip


def _shares(_answer: Comparison, rows: Rows) -> Picture:
    return _bars(rows, "share of the variance", alt.value(BLUE), ".0%")


def _bars(rows: Rows, field: str, color: Any, form: str) -> Picture:
    base = over(rows)
    axis = alt.Axis(**in_lines(), ticks=False, domain=False)
    y = alt.Y("_label:N", title=None, sort=None, axis=axis)
    x = alt.X(f"{field}:Q", title=field, axis=alt.Axis(tickCount=5, format=form), scale=alt.Scale(zero=True))
    bars = base.mark_bar(height=16, opacity=0.9).encode(x=x, y=y, color=color)
    words = base.mark_text(style="words", align="left", dx=4)
    return alt.layer(
        bars, words.encode(x=f"{field}:Q", y=y, text=alt.Text(f"{field}:Q", format=form))
    ).properties(width=WIDTH, height=alt.Step(30))


PEOPLE_CHARTS = (
    Drawing("votes", "How votes fell", _vote_rows, _votes),
    Drawing("spread", "Where the uncertainty comes from", _share_rows, _shares),
)
