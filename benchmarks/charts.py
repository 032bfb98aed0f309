"""Charts and reports beside what they may take: 0.3 seconds a chart, 2 seconds a report of 44 systems, 5 of 200."""

from functools import partial

from benchmarks._clock import seconds
from benchmarks.leaderboard import right_or_wrong
from tellapart import compare, rank
from tellapart.answers.answer import Answer
from tellapart.answers.drawing import chart, names
from tellapart.answers.drawing.files import written
from tellapart.render.html import report

A_CHART, A_REPORT, A_LARGE_REPORT = 0.3, 2.0, 5.0
BOARDS = ((44, 1319, A_REPORT), (200, 300, A_LARGE_REPORT))


def rows() -> list[tuple[str, float, float, str]]:
    """The peer is the limit itself, so that what counts is that the ratio is 1 or more."""
    found = []
    for systems, items, limit in BOARDS:
        board = rank(right_or_wrong(systems, items), resamples=1000)
        for name in names(board) if systems == 44 else ():
            drawn = seconds(partial(_svg, board, name), repeats=3)
            found.append((f"{name} of {systems} systems to SVG (0.3 s)", drawn, A_CHART, "1x"))
        whole = seconds(partial(report, board), repeats=2)
        found.append((f"report of {systems} systems x {items:,} items ({limit:g} s)", whole, limit, "1x"))
    pair = compare(right_or_wrong(2, 1319))
    drawn = seconds(partial(_svg, pair), repeats=3)
    return [("difference of a comparison to SVG (0.3 s)", drawn, A_CHART, "1x"), *found]


def _svg(answer: Answer, name: str | None = None) -> bytes:
    return written(chart(answer, name), ".svg")
