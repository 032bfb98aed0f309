"""How charts look: colours that the colour-blind tell apart, and sizes that can be read at column width (85 mm) and on a slide."""

from typing import Any

from tellapart.charts.altair import Picture, alt

INK, PALE = "#1b1b1b", "#6b6b6b"
BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER = "#56B4E9", "#E69F00"
"""Okabe and Ito (2008)."""

CYCLE = (BLUE, ORANGE, GREEN, PINK, SKY, AMBER)
"""One after the other where there are many, each with a shape of its own, for colour alone tells nothing in print."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def turned(shapes: tuple[str, ...], place: int) -> str:
    """The shape of this place: each round of the colours has the shapes one further on, so that thirty-six looks differ."""
    return shapes[(place + place // len(shapes)) % len(shapes)]


WIDTH = 240
"""Of the frame. With its labels a chart is then about 320 wide, which is 85 mm."""
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


def themed(picture: Picture, ink: str = INK, background: str = "white") -> Picture:
    """The picture in the looks of the house; a page gives its own ink, so that it is seen by day and by night."""
    picture.config = alt.Config(**config(ink, background))
    return picture


def config(ink: str, background: str) -> dict[str, Any]:
    """What Vega-Lite calls a theme. Marks name a style of it rather than an ink."""
    pale = ink if ink == "currentColor" else PALE
    lines = {
        "domainColor": ink,
        "tickColor": ink,
        "gridColor": ink,
        "gridOpacity": 0.12,
        "labelColor": ink,
        "titleColor": ink,
    }
    words = {"labelLimit": 0, "titleLimit": 0, "labelFontSize": 10, "titleFontSize": 11}
    return {
        "font": FONT,
        "background": background,
        "padding": 6,
        "view": {"stroke": None},
        "axis": {**lines, **words, "titleFontWeight": "normal", "labelFlush": False, "tickSize": 4},
        "header": {
            "labelColor": ink,
            "titleColor": ink,
            "labelFontSize": 10,
            "titleFontSize": 11,
            "labelLimit": 0,
        },
        "legend": {
            "labelColor": ink,
            "titleColor": ink,
            **words,
            "titleFontWeight": "normal",
            "symbolStrokeWidth": 1.5,
        },
        "title": {"color": ink, "fontSize": 11, "fontWeight": "normal", "anchor": "start", "limit": 0},
        "style": {
            "ink": {"color": ink, "stroke": ink},
            "ink-fill": {"fill": ink, "stroke": None},
            "words": {"fill": ink, "fontSize": 10, "stroke": None},
            "pale": {"stroke": pale, "color": pale},
            "pale-words": {"fill": pale, "fontSize": 10, "stroke": None},
        },
    }
