"""Charts of an audit: p-values by assumed overlap, and claimed gains beside detectable effects."""

from tellapart.answers.audit import Audit
from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import BLUE, CYCLE, GREEN, ORANGE, PALE, WIDTH, Picture, alt, among, label, over
from tellapart.foundation.formatting import amount, one_line, percent, thousands

# What the charts of an audit find.

MOST_CLAIMS = 100
"""Claims that are drawn one below the other."""


def pvalues(answer: Audit) -> str:
    found = answer.summary
    said = (
        f"Of {amount(found.claims, 'claim')}, {found.certain} certain, {found.likely} likely, {found.undecidable} undecidable, "
        f"{found.unlikely} unlikely, {found.not_significant} not significant and {found.impossible} impossible."
    )
    more = len(answer.claims) > MOST_CLAIMS
    cut = f" Shown are the first {MOST_CLAIMS} of {thousands(len(answer.claims))}." if more else ""
    return f"{said} Lines range over every overlap, points stand at the supposed one; below 0.000001 all are drawn alike.{cut}"


def sizes(answer: Audit) -> str:
    found = answer.summary
    return (
        f"{found.above} of {amount(found.claims, 'claim')} lie above what their items detect with {percent(answer.target_power)} power, "
        f"{found.borderline} near it and {found.below} below."
    )


VERDICTS = ("certain", "likely", "undecidable", "unlikely", "not significant", "impossible")


def _range_rows(answer: Audit) -> Rows:
    length = among(len(answer.claims))
    return [
        {
            "claim": one.name,
            "p low": known(one.p_low_rounded if one.p_low_rounded is not None else one.p_low),
            "p expected": known(one.p_expected),
            "p high": known(one.p_high_rounded if one.p_high_rounded is not None else one.p_high),
            "verdict": one.verdict,
            "_label": _numbered_claims(place, one.name, length),
        }
        for place, one in enumerate(answer.claims[:MOST_CLAIMS], 1)
    ]


def _numbered_claims(place: int, name: str, length: int) -> str:
    """Claims may share a name, and rows of a chart may not."""
    return label(f"{place} {one_line(name)}".strip(), length)


def _draw_claim_ranges(answer: Audit, rows: Rows) -> Picture:
    return Forest(
        ["p-value over every overlap of the two systems", "(rounding included; line at alpha)"],
        "claim",
        "p expected",
        by="verdict",
        kinds=VERDICTS,
        colours=(GREEN, BLUE, PALE, CYCLE[5], ORANGE, CYCLE[3]),
        marks=(answer.alpha,),
        low="p low",
        high="p high",
        log=True,
    ).drawn(rows)


def _claim_size_rows(answer: Audit) -> Rows:
    return [
        {"claim": one.name, "detectable": one.detectable, "claimed": abs(one.effect), "size": one.size}
        for one in answer.claims
        if known(one.detectable) is not None
    ]


def _draw_claim_sizes(_answer: Audit, rows: Rows) -> Picture:
    domain = ["above", "borderline", "below"]
    legend = alt.Legend(title="claimed effect beside the detectable", orient="bottom")
    color = alt.Color("size:N", scale=alt.Scale(domain=domain, range=[BLUE, PALE, ORANGE]), legend=legend)
    shape = alt.Shape(
        "size:N", scale=alt.Scale(domain=domain, range=["triangle-up", "circle", "triangle-down"]), legend=legend
    )
    farthest = max([*(row["detectable"] for row in rows), *(row["claimed"] for row in rows)])
    scale = alt.Scale(zero=True, nice=True)
    points = over(rows).mark_point(filled=True, size=50, opacity=0.9).encode(
        x=alt.X("detectable:Q", title="detectable effect", scale=scale, axis=alt.Axis(tickCount=5)),
        y=alt.Y("claimed:Q", title="claimed effect (size)", scale=scale, axis=alt.Axis(tickCount=5)),
        color=color,
        shape=shape,
    )  # fmt: skip
    ends = over([{"at": 0.0}, {"at": farthest}])
    line = ends.mark_line(style="ink", strokeWidth=1, strokeDash=[4, 3]).encode(x="at:Q", y="at:Q")
    return alt.layer(line, points).properties(width=WIDTH, height=190)


CHARTS = (
    Drawing("pvalues", "How significant each claim can be", pvalues, _range_rows, _draw_claim_ranges),
    Drawing("sizes", "What is claimed beside what could be found", sizes, _claim_size_rows, _draw_claim_sizes),
)
