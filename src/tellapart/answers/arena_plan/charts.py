"""Charts of a planned arena: votes against the gap that they find."""

from tellapart.answers.arena_plan import ArenaPlan
from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import BLUE, WIDTH, Picture, alt, over
from tellapart.foundation.formatting import amount


def _votes_finding(answer: ArenaPlan) -> str:
    return f"Each point is one of {amount(len(answer.rows), 'design')} in the table."


def _votes_rows(answer: ArenaPlan) -> Rows:
    return [{"gap": row.gap, "votes": row.votes, "power": row.power} for row in answer.rows]


def _draw_votes_by_gap(answer: ArenaPlan, rows: Rows) -> Picture:
    """Both axes by factors, since half the gap takes four times the votes."""
    x = alt.X(
        "gap:Q",
        title="lead (points)" if answer.top is not None else "gap (points)",
        scale=alt.Scale(type="log", nice=False),
    )
    y = alt.Y("votes:Q", title="votes", scale=alt.Scale(type="log"))
    points = over(rows).mark_point(filled=True, size=60, color=BLUE, aria=False)
    picture: Picture = points.encode(x=x, y=y).properties(width=WIDTH, height=170)
    return picture


CHARTS = (Drawing("votes", "Votes and the gap that they find", _votes_finding, _votes_rows, _draw_votes_by_gap),)
