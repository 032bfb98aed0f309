"""Charts of all pairs of a leaderboard, as matrices."""

from typing import Any

from tellapart.answers.drawing import Drawing, Rows
from tellapart.answers.drawing.theme import BLUE, ORANGE, PALE, WIDTH, Picture, alt, height, in_lines, label, over
from tellapart.answers.leaderboard import Leaderboard
from tellapart.foundation.formatting import amount, number, one_line, percent, thousands

# What the charts of a leaderboard find.

MOST_IN_MATRIX = 60
"""Systems of a matrix: more could not be read."""


def means(answer: Leaderboard) -> str:
    found, level = answer.separation, percent(answer.interval.joint_level)
    first = one_line(answer.systems[0].name)
    tiers = "one tier" if found.tiers == 1 else f"{amount(found.tiers, 'tier')}, which colours and shapes tell apart"
    return (
        f"From {first} down, {amount(found.systems, 'system')} in {tiers}. Lines are {level} "
        "intervals that hold for all means together."
    )


def ranks(answer: Leaderboard) -> str:
    found = answer.separation
    who = "1 system" if found.may_be_best == 1 else amount(found.may_be_best, "system")
    return (
        f"Lines are the ranks that significant pairs leave open; {who} of {thousands(found.systems)} may be the best."
    )


def baseline(answer: Leaderboard) -> str:
    found, base = answer.separation, one_line(str(answer.baseline))
    margin = "" if answer.margin is None else f" Dashed lines are the margin, ±{answer.margin:g}."
    return (
        f"Beside {base}, {thousands(found.better or 0)} are better, {thousands(found.worse or 0)} worse and "
        f"{thousands(found.not_told_apart or 0)} not told apart; intervals hold for all together.{margin}"
    )


def pairs(answer: Leaderboard) -> str:
    found = answer.separation
    said = f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')} are told apart at {percent(answer.alpha)} for all together"
    return f"{said}. Rows and columns go from the best rank down.{_board_cut(answer)}"


def correlations(answer: Leaderboard) -> str:
    found = answer.correlations
    assert found is not None, "it is drawn"
    return (
        f"Correlations of two systems lie between {number(found.low, 2)} and {number(found.high, 2)}, with a median of "
        f"{number(found.median, 2)}; blue is above 0, orange below, and darker farther from it.{_board_cut(answer)}"
    )


def _board_cut(answer: Leaderboard) -> str:
    if len(answer.systems) <= MOST_IN_MATRIX:
        return ""
    return f" Shown are the first {MOST_IN_MATRIX} of {thousands(len(answer.systems))} systems; the JSON has all."


LARGE_NAMES = 20
"""Up to this many systems, names have the usual size; beyond, they are small, in columns just wide enough."""
SMALL, NARROW = 8, 11
"""The size of small letters, and the column that a line of them needs."""
NUMBERED = 10
"""Up to this many systems, cells show their numbers."""
ABOVE = 40
"""Characters of a line above a column, which stands upright; where columns are many, as beside rows."""
LINE = 60
"""Characters of a name before it is broken: rows are many, and low."""
FAINT = 0.04
"""How much of its colour a correlation of nothing has: the page shows through, by day and by night."""


def _board_places(answer: Leaderboard) -> dict[str, int]:
    return {one.name: place for place, one in enumerate(answer.systems[:MOST_IN_MATRIX])}


def _board_named(first: str, second: str, above: int) -> dict[str, str]:
    labels = {"_first": label(one_line(first), LINE), "_second": label(one_line(second), above)}
    return {"first": first, "second": second} | labels


def _board_above(answer: Leaderboard) -> int:
    return ABOVE if len(_board_places(answer)) <= LARGE_NAMES else LINE


def _board_pair_rows(answer: Leaderboard) -> Rows:
    """Each pair once, the system of the better rank first."""
    places = _board_places(answer)
    rows: Rows = []
    for pair in answer.pairs if answer.baseline is None else ():
        if pair.a in places and pair.b in places:
            first, second = sorted((pair.a, pair.b), key=places.__getitem__)
            better = {"b better": pair.b, "a better": pair.a}.get(pair.verdict)
            found = {first: "first better", second: "second better"}.get(str(better), "not told apart")
            rows.append(
                _board_named(first, second, _board_above(answer)) | {"adjusted p": pair.adjusted_pvalue, "found": found}
            )
    return rows


def _draw_board_pairs(answer: Leaderboard, rows: Rows) -> Picture:
    kinds = [kind for kind in _KINDS if kind in {row["found"] for row in rows}]
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1)
    color = alt.Color(
        "found:N", scale=alt.Scale(domain=kinds, range=[_KINDS[kind][0] for kind in kinds]), legend=legend
    )
    shape = alt.Shape(
        "found:N", scale=alt.Scale(domain=kinds, range=[_KINDS[kind][1] for kind in kinds]), legend=legend
    )
    width, size = _board_steps(answer)
    signs = over(rows).mark_point(filled=True, opacity=0.9, aria=False, size=(0.8 * min(width, 36)) ** 2)
    picture: Picture = signs.encode(**_board_axes(answer), color=color, shape=shape).properties(**size)
    return picture


_KINDS = {
    "first better": (BLUE, "square"),
    "not told apart": (PALE, "circle"),
    "second better": (ORANGE, "triangle-down"),
}


def _correlation_rows(answer: Leaderboard) -> Rows:
    if answer.correlations is None:
        return []
    names, above = list(_board_places(answer)), _board_above(answer)
    return [
        _board_named(first, second, above) | {"correlation": answer.correlations.matrix[i][j]}
        for i, first in enumerate(names)
        for j, second in enumerate(names)
        if i < j
    ]


def _board_correlations(answer: Leaderboard, rows: Rows) -> Picture:
    """With numbers in the cells where they are few, else with a key to the colours."""
    base, axes, numbered = over(rows), _board_axes(answer), len(_board_places(answer)) <= NUMBERED
    scale = alt.Scale(domain=[-1, -1e-6, 0, 1], range=[ORANGE, _faint(ORANGE), _faint(BLUE), BLUE], interpolate="rgb")
    key = alt.Legend(orient="bottom", title="correlation", values=[-1, -0.5, 0, 0.5, 1], gradientLength=WIDTH)
    fill = alt.Fill("correlation:Q", scale=scale, legend=None if numbered else key)
    cells = base.mark_rect(aria=False).encode(**axes, fill=fill)
    _, size = _board_steps(answer)
    if not numbered:
        return alt.layer(cells).properties(**size)
    numbers = base.mark_text(style="words").encode(**axes, text=alt.Text("correlation:Q", format=".2f"))
    return alt.layer(cells, numbers).properties(**size)


def _faint(colour: str) -> str:
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{FAINT})"


def _board_axes(answer: Leaderboard) -> dict[str, Any]:
    """Systems from the best rank down, at the side and above."""
    names = [label(one_line(name), LINE) for name in _board_places(answer)]
    columns = [label(one_line(name), _board_above(answer)) for name in _board_places(answer)]
    bare: dict[str, Any] = {"ticks": False, "domain": False, "grid": False, "labelOverlap": False}
    if len(names) > LARGE_NAMES:
        bare["labelFontSize"] = SMALL
    above = alt.Axis(**in_lines(), **bare, orient="top", labelAngle=-90)
    return {
        "x": alt.X("_second:N", sort=columns[1:], title=None, axis=above),
        "y": alt.Y("_first:N", sort=names[:-1], title=None, axis=alt.Axis(**in_lines(), **bare)),
    }


def _board_steps(answer: Leaderboard) -> tuple[int, dict[str, Any]]:
    """How wide a column is, and with the height of a row, both as a name needs."""
    names, above = [one_line(name) for name in _board_places(answer)], _board_above(answer)
    few = len(names) <= LARGE_NAMES
    width = max(min(36, WIDTH // len(names)), height(names[1:], 0, above) if few else _room(names[1:]))
    rows = max(_room(names), min(width, 36))
    return width, {"width": alt.Step(width), "height": alt.Step(rows)}


def _room(names: list[str]) -> int:
    """The room that these names need in lines of full length; small names of one line need less."""
    found = height(names, 0, LINE)
    return found if found > height([""], 0, LINE) else NARROW


MATRIX_CHARTS = (
    Drawing(
        "pairs",
        "Which pairs these items tell apart",
        pairs,
        _board_pair_rows,
        _draw_board_pairs,
        ("first", "second", "found"),
    ),
    Drawing(
        "correlations",
        "How alike systems score, item by item",
        correlations,
        _correlation_rows,
        _board_correlations,
        ("first", "second", "correlation"),
    ),
)
