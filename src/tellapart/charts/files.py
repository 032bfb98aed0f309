"""Charts as files: SVG, PNG and PDF by vl-convert, without a browser and without a network."""

import json
from collections.abc import Callable
from typing import Any

from tellapart.charts.altair import Picture, required

SHARPNESS = 4.0
"""Times the 96 dots per inch of a screen."""


def _svg(spec: dict[str, Any]) -> bytes:
    text: str = required("vl_convert").vegalite_to_svg(spec)
    return text.encode()


def _png(spec: dict[str, Any]) -> bytes:
    data: bytes = required("vl_convert").vegalite_to_png(spec, scale=SHARPNESS)
    return data


def _pdf(spec: dict[str, Any]) -> bytes:
    data: bytes = required("vl_convert").vegalite_to_pdf(spec)
    return data


def _json(spec: dict[str, Any]) -> bytes:
    return (json.dumps(spec, indent=2, ensure_ascii=False) + "\n").encode()


SUFFIXES: dict[str, Callable[[dict[str, Any]], bytes]] = {
    ".svg": _svg,
    ".png": _png,
    ".pdf": _pdf,
    ".json": _json,
}
"""What a chart is written as, by how its file is called."""


def written(picture: Picture, suffix: str) -> bytes:
    """A picture as the content of a file with this suffix."""
    return SUFFIXES[suffix](picture.to_dict())
