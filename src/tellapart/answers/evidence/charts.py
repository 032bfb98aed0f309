"""Chart of the listed evidence: the range of accuracies that each piece covers."""

from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import BLUE, ORANGE, WIDTH, Picture, alt, among, height, in_lines, label, over
from tellapart.answers.evidence import EvidenceList

# What the chart of the evidence there is finds.


def accuracies(answer: EvidenceList) -> str:
    first = f"{answer.default_overlaps[0]} comes first for an overlap"
    gain = f"{answer.default_gain} is the evidence for a gain on an unknown dataset"
    return f"Bars are the accuracies that each was seen at. Where none is named, {first} at accuracies within its bar, and {gain}."


COLOURS = {"overlap": BLUE, "gain": ORANGE}
"""Colours by kind of evidence on right-or-wrong answers; other evidence has no accuracies to show."""


def _accuracy_rows(answer: EvidenceList) -> Rows:
    seen = [one for one in answer.rows if one.kind in COLOURS]
    return [
        {
            "evidence": one.name,
            "on": one.kind,
            "low": one.accuracy_low,
            "high": one.accuracy_high,
            "_label": label(f"{one.name} ({one.kind})", among(len(seen))),
        }
        for one in seen
    ]


def _draw_accuracies(_answer: EvidenceList, rows: Rows) -> Picture:
    names = [str(row["_label"]) for row in rows]
    axis = alt.Axis(**in_lines(), ticks=False, domain=False, labelPadding=8)
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    picture: Picture = over(rows).mark_bar(size=8).encode(
        x=alt.X("low:Q", title="accuracy", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
        x2="high:Q",
        y=alt.Y("_label:N", sort=names, title=None, axis=axis),
        color=alt.Color("on:N", scale=scale, legend=None),
    ).properties(width=WIDTH, height=alt.Step(height(names, 16, among(len(rows)))))  # fmt: skip
    return picture


CHARTS = (Drawing("accuracies", "At which accuracies evidence was seen", accuracies, _accuracy_rows, _draw_accuracies),)
