"""Charts of fitted evidence: every pair of systems behind the fit, by means or by swaps of items."""

from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.theme import BLUE, GREEN, ORANGE, WIDTH, Picture, alt, over
from tellapart.answers.evidence_fit import EvidenceFit
from tellapart.foundation.formatting import amount, percent, significant

# What the charts of fitted evidence find.


def pairs(answer: EvidenceFit) -> str:
    return (
        f"Each point is one of {amount(len(answer.pairs), 'pair')} of systems, on the items that both were scored on."
    )


def swaps(answer: EvidenceFit) -> str:
    each = f"Each point is one of {amount(answer.swapped_pairs, 'pair')} of systems, one item of which is swapped between them at a time."
    if answer.contributions is None:
        return each
    said = answer.contributions.coefficients
    shares = f"{percent(said['zero_share'], 3)} of the items change nothing, and the others by a scale of {significant(said['scale'], 3)}"
    return f"{each} The dashed lines are what a plan takes from them: {shares}."


def _fitted_pair_rows(answer: EvidenceFit) -> Rows:
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


def _draw_pairs(_answer: EvidenceFit, rows: Rows) -> Picture:
    """Right or wrong is planned by discordance, and numbers by correlation."""
    counted = any(row["discordance"] is not None for row in rows)
    field, colour, shape = ("discordance", ORANGE, "square") if counted else ("correlation", BLUE, "circle")
    x = alt.X("gain:Q", title="gain: mean of B − mean of A", axis=alt.Axis(tickCount=5))
    y = alt.Y(f"{field}:Q", title=field, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5))
    points = over(rows).mark_point(filled=True, size=40, opacity=0.8, color=colour, shape=shape, aria=False)
    picture: Picture = points.encode(x=x, y=y).properties(width=WIDTH, height=170)
    return picture


def _swap_rows(answer: EvidenceFit) -> Rows:
    """Of pairs of which some swap changes anything."""
    return [
        {
            "A": one.a,
            "B": one.b,
            "items": one.items,
            "effect": one.effect,
            "zero share": one.zero_share,
            "scale": one.scale,
            "by likelihood": known(one.likelihood_scale),
            "additivity": known(one.additivity),
        }
        for one in answer.swaps
        if known(one.scale) is not None
    ]


def _draw_swaps(answer: EvidenceFit, rows: Rows) -> Picture:
    """The assumptions of a plan for a metric that is no mean: how many items matter, and by how much."""
    base, still, wide = over(rows), "share of items whose swap changes nothing", "scale of the other swaps"
    room = alt.Scale(zero=False, padding=8)
    x = alt.X("zero share:Q", title=still, axis=alt.Axis(tickCount=5, format="~%"), scale=room)
    y = alt.Y("scale:Q", title=wide, axis=alt.Axis(tickCount=5, format="~g"), scale=room)
    points = base.mark_point(filled=True, size=40, opacity=0.8, color=GREEN, shape="triangle-up", aria=False)
    rule = base.mark_rule(style="ink", strokeDash=[4, 3], strokeWidth=1, aria=False)
    taken = {} if answer.contributions is None else answer.contributions.coefficients
    rules = [
        rule.encode(**{axis: alt.datum(taken[name])})
        for axis, name in (("x", "zero_share"), ("y", "scale"))
        if name in taken
    ]
    return alt.layer(points.encode(x=x, y=y), *rules).properties(width=WIDTH, height=170)


CHARTS = (
    Drawing("pairs", "Every pair that was seen", pairs, _fitted_pair_rows, _draw_pairs),
    Drawing("swaps", "What swapping single items changes", swaps, _swap_rows, _draw_swaps),
)
