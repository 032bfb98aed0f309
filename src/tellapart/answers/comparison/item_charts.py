"""Charts of the items, ratings or votes behind a comparison, and captions of its other charts."""

from typing import Any

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.groups import drift_sentence
from tellapart.answers.comparison.judged import labels_alone
from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import (
    BLUE,
    ORANGE,
    PALE,
    WIDTH,
    Picture,
    alt,
    digits,
    in_lines,
    label,
    lines,
    over,
)
from tellapart.foundation.formatting import (
    amount,
    confidence,
    number,
    one_line,
    percent,
    thousands,
)

# What the charts of a comparison find.


def difference(answer: Comparison) -> str:
    a, b = _item_names(answer)
    found = answer.interval
    unit = answer.unit
    side = "excludes" if found.low > 0.0 or found.high < 0.0 else "holds"
    bounds = unit.confidence_interval(found.level, found.low, found.high)
    about = "" if found.target == "mean difference" else f" for the {found.target}"
    effect = unit.difference(answer.effect, unit.places(found.low, found.high))
    said = f"{b} − {a} is {effect}; its {bounds}{about} {side} 0."
    return " ".join(filter(None, [said, labels_alone(answer), _margin(answer), _comparison_reach(answer)]))


def _item_names(answer: Comparison) -> tuple[str, str]:
    return one_line(answer.a.name), one_line(answer.b.name)


def _margin(answer: Comparison) -> str:
    return "" if answer.margin is None else f"The margin is ±{answer.unit.as_given(answer.margin)}."


def _comparison_reach(answer: Comparison) -> str:
    found = answer.detectable
    if found is None:
        return ""
    return f"A true difference of {answer.unit.size(found.effect)} would be found with {percent(found.power)} power."


def judge(answer: Comparison) -> str:
    assert answer.judged is not None, "it is drawn"
    seen = answer.judged.correlation["differences"]
    together = "" if seen is None else f" Over items they correlate by {number(seen.value, 2)}."
    return f"Differences on {amount(answer.judged.labels, 'labelled item')}, the larger the more lie there.{together}"


def items(answer: Comparison) -> str:
    found, (a, b) = answer.difference_bins, _item_names(answer)
    assert found is not None, "it is drawn"
    of = amount(answer.items, "item")
    return (
        f"Of {of}, {b} scores higher than {a} on {thousands(found.higher)} and lower on {thousands(found.lower)}; "
        f"on {thousands(found.ties)} both score the same."
    )


def scores(answer: Comparison) -> str:
    a, b = _item_names(answer)
    together = "" if answer.correlation is None else f" Their correlation is {number(answer.correlation, 2)}."
    return f"Above the diagonal {b} scores higher than {a}, below it lower; darker cells hold more items.{together}"


def counts(answer: Comparison) -> str:
    found, (a, b) = answer.counts, _item_names(answer)
    assert found is not None, "it is drawn"
    return (
        f"{b} alone is right on {amount(found.only_b, 'item')} and {a} alone on {thousands(found.only_a)}; both are right on "
        f"{thousands(found.both_right)} and both wrong on {thousands(found.both_wrong)}. Areas are in proportion."
    )


def datasets(answer: Comparison) -> str:
    assert answer.across_datasets is not None, "it is drawn"
    return f"{answer.across_datasets.sentence} Lines are the intervals of each dataset at the level of its {answer.across_datasets.correction_label} step."


def groups(answer: Comparison) -> str:
    return f"{drift_sentence(answer)} Lines are {confidence(answer.alpha)} intervals of each group alone."


def votes(answer: Comparison) -> str:
    found, (a, b) = answer.votes, _item_names(answer)
    assert found is not None, "it is drawn"
    return f"{thousands(found.wins_b)} votes went to {b}, {thousands(found.wins_a)} to {a}, and {thousands(found.ties)} were ties."


def spread(answer: Comparison) -> str:
    assert answer.ratings is not None, "it is drawn"
    shares = answer.ratings.shares
    return (
        f"Of the variance of the difference, {percent(shares['raters'], 2)} would go with more raters, {percent(shares['items'], 2)} "
        f"with more items and {percent(shares['rest'], 2)} with more ratings of either kind."
    )


# Charts of the items behind a comparison: their differences, and both scores of each.

SIDES = {"B lower": ORANGE, "tie": PALE, "B higher": BLUE}


def _bin_rows(answer: Comparison) -> Rows:
    found = answer.difference_bins
    if found is None:
        return []
    bins = zip(found.edges, found.edges[1:], found.items, strict=False)
    rows = [_bin("B higher" if low >= 0.0 else "B lower", low, high, items) for low, high, items in bins if items]
    return [*rows, _bin("tie", 0.0, 0.0, found.ties)] if found.ties else rows


def _bin(side: str, low: float, high: float, items: int) -> dict[str, object]:
    return {"side": side, "from": low, "to": high, "items": items}


def _bins(answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    what = f"{one_line(answer.b.name)} − {one_line(answer.a.name)}, item by item"
    x = alt.X("from:Q", title=lines(what, 44), axis=alt.Axis(tickCount=5, grid=False, **digits(rows, "from", "to")))
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


def _score_bin_rows(answer: Comparison) -> Rows:
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


def _draw_score_bins(answer: Comparison, rows: Rows) -> Picture:
    found = answer.score_bins
    assert found is not None, "there are rows"
    ends = [found.edges[0], found.edges[-1]]
    scale = alt.Scale(domain=ends, nice=False)
    axis = alt.Axis(tickCount=5, **digits(rows, "A from", "A to", "B from", "B to"))
    x = alt.X("A from:Q", title=lines(f"A = {one_line(answer.a.name)}", 44), scale=scale, axis=axis)
    y = alt.Y("B from:Q", title=lines(f"B = {one_line(answer.b.name)}", 34), scale=scale, axis=axis)
    shade = alt.FillOpacity("items:Q", scale=alt.Scale(type="sqrt", range=[0.12, 1.0], zero=True), legend=None)
    cells = over(rows).mark_rect(fill=BLUE, stroke=BLUE, strokeWidth=0.5)
    diagonal = over([{"at": end} for end in ends]).mark_line(style="ink", strokeWidth=1, strokeDash=[4, 3])
    return alt.layer(
        cells.encode(x=x, x2="A to:Q", y=y, y2="B to:Q", fillOpacity=shade), diagonal.encode(x="at:Q", y="at:Q")
    ).properties(width=210, height=210)


def _win_table_rows(answer: Comparison) -> Rows:
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
        {"A": a, "B": b, "items": items, "_a": _item_or_prompt(answer.a.name, a), "_b": _item_or_prompt(answer.b.name, b), "_who": _WHO[a, b]}
        for a, b, items in cells
    ]  # fmt: skip


def _item_or_prompt(name: str, verdict: str) -> str:
    return label(f"{one_line(name)} {verdict}", 18)


_WHO = {
    ("right", "right"): "both alike",
    ("wrong", "wrong"): "both alike",
    ("right", "wrong"): "A alone is right",
    ("wrong", "right"): "B alone is right",
}


def _draw_win_table(_answer: Comparison, rows: Rows) -> Picture:
    base = over(rows)
    above = alt.Axis(**(in_lines() | {"labelOffset": 0}), orient="top", ticks=False, domain=False, labelAngle=0)
    left = alt.Axis(**in_lines(), ticks=False, domain=False)
    x = alt.X("_b:N", title=None, sort=None, axis=above)
    y = alt.Y("_a:N", title=None, sort=None, axis=left)
    scale = alt.Scale(domain=["A alone is right", "B alone is right", "both alike"], range=[ORANGE, BLUE, PALE])
    color = alt.Color(
        "_who:N", scale=scale, legend=alt.Legend(title=None, orient="bottom", columns=2, symbolType="square")
    )
    size = alt.Size("items:Q", legend=None, scale=alt.Scale(range=[0, 6400], zero=True))
    squares = base.mark_square(opacity=0.35).encode(x=x, y=y, size=size, color=color)
    counts = base.mark_text(style="words", fontSize=13).encode(x=x, y=y, text=alt.Text("items:Q", format=","))
    return alt.layer(squares, counts).properties(width=alt.Step(100), height=alt.Step(90))


ITEM_CHARTS = (
    Drawing("items", "How items differ", items, _bin_rows, _bins),
    Drawing("scores", "Both scores of every item", scores, _score_bin_rows, _draw_score_bins),
    Drawing("counts", "Which system was right on which items", counts, _win_table_rows, _draw_win_table),
)


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


def _draw_votes(_answer: Comparison, rows: Rows) -> Picture:
    scale = alt.Scale(domain=["A", "tie", "B"], range=[ORANGE, PALE, BLUE])
    return _bars(rows, "votes", alt.Color("_side:N", scale=scale, legend=None), ",d")


_SOURCES = {"raters": "more raters", "items": "more items", "rest": "more ratings"}


def _share_rows(answer: Comparison) -> Rows:
    shares = {} if answer.ratings is None else answer.ratings.shares
    return [
        {"reduced by": _SOURCES.get(name, name), "share of the variance": share, "_label": label(_SOURCES.get(name, name))}
        for name, share in shares.items()
    ]  # fmt: skip


def _bin_shares(_answer: Comparison, rows: Rows) -> Picture:
    return _bars(rows, "share of the variance", alt.value(BLUE), ".0%")


def _bars(rows: Rows, field: str, color: Any, form: str) -> Picture:
    base = over(rows)
    axis = alt.Axis(**in_lines(), ticks=False, domain=False)
    y = alt.Y("_label:N", title=None, sort=None, axis=axis)
    x = alt.X(f"{field}:Q", title=field, axis=alt.Axis(tickCount=5, format=form), scale=alt.Scale(zero=True))
    bars = base.mark_bar(height=16, opacity=0.9).encode(x=x, y=y, color=color)
    words = base.mark_text(style="words", align="left", dx=4)
    return alt.layer(bars, words.encode(x=f"{field}:Q", y=y, text=alt.Text(f"{field}:Q", format=form))).properties(
        width=WIDTH, height=alt.Step(30)
    )


PEOPLE_CHARTS = (
    Drawing("votes", "How votes fell", votes, _vote_rows, _draw_votes),
    Drawing("spread", "Where the uncertainty comes from", spread, _share_rows, _bin_shares),
)
