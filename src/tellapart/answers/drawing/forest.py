"""Forest plots: estimates with their intervals, one row each."""

from dataclasses import dataclass
from typing import Any

from tellapart.answers.drawing import Rows
from tellapart.answers.drawing.theme import CYCLE, SHAPES, WIDTH, Picture, alt, digits, in_lines, in_unit, over, turned
from tellapart.foundation.formatting.units import RAW, Unit


@dataclass(frozen=True)
class Forest:
    """Which fields of the rows are shown: names at the left, `low` to `high` as a line, `value` as a point.

    `by` names the field whose values, of those in `kinds`, have a colour and a shape each; `marks` are where lines
    stand, `margins` where dashed ones do.
    """

    title: list[str]
    name: str
    value: str
    by: str | None = None
    kinds: tuple[str, ...] = ()
    colours: tuple[str, ...] = CYCLE
    shapes: tuple[str, ...] = SHAPES
    marks: tuple[float, ...] = ()
    zero: bool = False
    margins: tuple[float, ...] = ()
    ticks: tuple[float, ...] = ()
    log: bool = False
    low: str = "low"
    high: str = "high"
    legend: str | None = None
    unit: Unit = RAW

    def drawn(self, rows: Rows) -> Picture:
        """The picture; rows stand in the order that they have."""
        base, names = over(rows), [str(row["_label"]) for row in rows]
        axis = alt.Axis(**in_lines(), ticks=False, domain=False, labelPadding=8)
        y = alt.Y("_label:N", sort=names, title=None, axis=axis, scale=alt.Scale(paddingOuter=0.4))
        x = alt.X(f"{self.low}:Q", title=self.title, scale=self._forest_scale(), axis=self._forest_axis(rows))
        looks = self._forest_looks(rows)
        lines = base.mark_rule(strokeWidth=1.6).encode(x=x, x2=f"{self.high}:Q", y=y, color=looks["color"])
        points = base.mark_point(filled=True, size=44, opacity=1).encode(x=f"{self.value}:Q", y=y, **looks)
        rule = base.mark_rule(style="ink", strokeWidth=1)
        dashed = base.mark_rule(style="ink", strokeWidth=1, strokeDash=[4, 3])
        marks = [rule.encode(x=alt.datum(mark)) for mark in self.marks]
        marks += [dashed.encode(x=alt.datum(mark)) for mark in self.margins]
        step = max([16, *(12 * (name.count("\n") + 1) + 4 for name in names)])
        return alt.layer(*marks, lines, points).properties(width=WIDTH, height=alt.Step(step))

    def _forest_scale(self) -> "alt.Scale":
        if not self.log:
            return alt.Scale(zero=self.zero, nice=True)
        # Below a millionth nobody asks how far.
        return alt.Scale(type="log", domain=[1e-6, 1.0], clamp=True)

    def _forest_axis(self, rows: Rows) -> "alt.Axis":
        if self.log:
            return alt.Axis(values=[1e-6, 1e-4, 0.01, 1.0], format="~g")
        if self.ticks:
            return alt.Axis(values=list(self.ticks), format="d")
        return alt.Axis(tickCount=5, **digits(rows, self.low, self.value, self.high), **in_unit(self.unit))

    def _forest_looks(self, rows: Rows) -> dict[str, Any]:
        """A colour and a shape per kind, the same in every chart."""
        if self.by is None:
            return {"color": alt.value(self.colours[0])}
        there = {row[self.by] for row in rows}
        places = [place for place, kind in enumerate(self.kinds) if kind in there]
        domain = [self.kinds[place] for place in places]
        colours = [self.colours[place % len(self.colours)] for place in places]
        shapes = [turned(self.shapes, place) for place in places]
        columns = 3 if len(domain) > 4 else 2
        legend = alt.Legend(title=self.legend, orient="bottom", columns=columns) if len(domain) > 1 else None
        return {
            "color": alt.Color(f"{self.by}:N", scale=alt.Scale(domain=domain, range=colours), legend=legend),
            "shape": alt.Shape(f"{self.by}:N", scale=alt.Scale(domain=domain, range=shapes), legend=legend),
        }
