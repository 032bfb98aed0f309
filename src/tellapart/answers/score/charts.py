"""Chart of single systems: means with their intervals, per dataset where there are several."""

from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import Picture, among, label
from tellapart.answers.score import ScoreReport
from tellapart.foundation.formatting import one_line, percent

MOST_ROWS = 60
"""Means that are drawn one below the other."""


def means(answer: ScoreReport) -> str:
    """The finding of the chart."""
    return f"{answer.headline}. Lines are {percent(answer.level)} intervals, each of one mean by itself."


def _mean_rows(answer: ScoreReport) -> Rows:
    several = len(answer.systems) > 1
    found = [(one.name, one.mean, one.interval) for one in answer.systems]
    found += [
        (f"{one.name}: {part.dataset}" if several else part.dataset, part.mean, part.interval)
        for one in answer.systems
        for part in one.datasets
        if part.interval is not None
    ]
    length = among(len(found[:MOST_ROWS]))
    return [
        {"name": name, "value": mean, "low": bounds.low, "high": bounds.high, "_label": label(one_line(name), length)}
        for name, mean, bounds in found[:MOST_ROWS]
    ]


def _drawn_means(answer: ScoreReport, rows: Rows) -> Picture:
    title = answer.measure if answer.metric == "mean" else answer.metric
    return Forest([one_line(title) + answer.unit.score_heading], "name", "value", unit=answer.unit).drawn(rows)


CHARTS = (Drawing("means", "Each by itself", means, _mean_rows, _drawn_means),)
