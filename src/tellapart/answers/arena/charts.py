"""Charts of an arena leaderboard from votes: ratings, possible ranks, and who beats whom by how much."""

from typing import Any

from tellapart.answers.arena import Arena
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import (
    BLUE,
    ORANGE,
    PALE,
    WIDTH,
    Picture,
    alt,
    among,
    height,
    in_lines,
    label,
    over,
)
from tellapart.answers.leaderboard.charts import BEST, board_rank_rows, draw_board_ranks
from tellapart.foundation.formatting import amount, one_line, percent, thousands

MOST_IN_MATRIX = 60
"""Systems of the matrix of wins: more could not be read."""
LONGEST_NAME = 40
"""Characters of a name before it is broken."""


def _rating_rows(answer: Arena) -> Rows:
    return [
        {
            "system": one.name,
            "rating": one.mean,
            "low": known(one.low),
            "high": known(one.high),
            "_best": BEST[0] if one.may_be_best else BEST[1],
            "_label": label(one_line(one.name), among(len(answer.systems))),
        }
        for one in answer.systems
    ]


def _arena_ratings(answer: Arena, rows: Rows) -> Picture:
    title = "rating (Elo)" if answer.model.scale == "elo" else "strength (logit)"
    shapes = ("circle", "square")
    return Forest([title], "system", "rating", by="_best", kinds=BEST, colours=(BLUE, PALE), shapes=shapes).drawn(rows)


def _rating_finding(answer: Arena) -> str:
    return (
        f"{thousands(answer.separation.may_be_best)} of {amount(answer.separation.systems, 'system')} may be the best. Lines are "
        f"{percent(1.0 - answer.alpha)} intervals that hold for all ratings together; the pairs decide who is told apart."
    )


def _rank_finding(answer: Arena) -> str:
    found = answer.separation
    return f"Lines are the ranks that {thousands(found.told_apart)} significant of {amount(found.pairs, 'pair')} leave open."


def _win_rows(answer: Arena) -> Rows:
    found = answer.matrix
    names = found.systems[:MOST_IN_MATRIX]
    return [
        {
            "system": name,
            "over": other,
            "points": found.points[i][j],
            "votes": found.votes[i][j],
            "_row": label(one_line(name), LONGEST_NAME),
            "_column": label(one_line(other), LONGEST_NAME),
        }
        for i, name in enumerate(names)
        for j, other in enumerate(names)
        if found.votes[i][j]
    ]


def _arena_wins(answer: Arena, rows: Rows) -> Picture:
    names = [label(one_line(name), LONGEST_NAME) for name in answer.matrix.systems[:MOST_IN_MATRIX]]
    bare: dict[str, Any] = {"ticks": False, "domain": False, "grid": False, "labelOverlap": False}
    side = max(14, min(36, WIDTH // len(names)))
    scale = alt.Scale(domain=[0.0, 0.5, 1.0], range=[ORANGE, "rgba(128,128,128,0.08)", BLUE], interpolate="rgb")
    key = alt.Legend(orient="bottom", title="share of points", format="%", gradientLength=WIDTH)
    cells = over(rows).transform_calculate(share="datum.points / datum.votes").mark_rect(aria=False).encode(
        x=alt.X("_column:N", sort=names, title=None, axis=alt.Axis(**in_lines(), **bare, orient="top", labelAngle=-90)),
        y=alt.Y("_row:N", sort=names, title=None, axis=alt.Axis(**in_lines(), **bare)),
        fill=alt.Fill("share:Q", scale=scale, legend=key),
    )  # fmt: skip
    return alt.layer(cells).properties(width=alt.Step(side), height=alt.Step(max(side, height(names))))


def _win_finding(answer: Arena) -> str:
    cut = (
        ""
        if len(answer.systems) <= MOST_IN_MATRIX
        else f" Shown are the first {MOST_IN_MATRIX} systems; the JSON has all."
    )
    return f"The share of points that the row's system won from the column's, a tie counting half.{cut}"


CHARTS = (
    Drawing(
        "ratings", "Every system, with intervals that hold together", _rating_finding, _rating_rows, _arena_ratings
    ),
    Drawing("ranks", "The ranks that these votes leave open", _rank_finding, board_rank_rows, draw_board_ranks),
    Drawing("wins", "Points won from each other", _win_finding, _win_rows, _arena_wins, ("system", "over", "points")),
)
"""What `--chart` takes, the most telling first."""
