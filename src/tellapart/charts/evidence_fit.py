"""Charts of fitted evidence: every pair of systems that it comes from."""

from tellapart.charts.altair import Picture, alt, over
from tellapart.charts.drawing import Drawing, Rows, known
from tellapart.charts.theme import BLUE, ORANGE, WIDTH
from tellapart.results.evidence_fit import EvidenceFit


def _pair_rows(answer: EvidenceFit) -> Rows:
    return [
        {
            "A": one.a,
            "B": one.b,
            "items": one.items,
            "gain": one.gain,
            "correlation": known(one.correlation),
            "discordance": known(one.discordance),
        }
        for one in answer.pairs
    ]


def _pairs(_answer: EvidenceFit, rows: Rows) -> Picture:
    """Right or wrong is planned by discordance, and numbers by correlation."""
    counted = any(row["discordance"] is not None for row in rows)
    field, colour, shape = ("discordance", ORANGE, "square") if counted else ("correlation", BLUE, "circle")
    x = alt.X("gain:Q", title="gain: mean of B − mean of A", axis=alt.Axis(tickCount=5))
    y = alt.Y(f"{field}:Q", title=field, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    points = over(rows).mark_point(filled=True, size=40, opacity=0.8, color=colour, shape=shape, aria=False)
    picture: Picture = points.encode(x=x, y=y).properties(width=WIDTH, height=170)
    return picture


CHARTS = (Drawing("pairs", "Every pair that was seen", _pair_rows, _pairs),)
