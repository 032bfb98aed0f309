"""Export of charts to SVG, PNG and PDF by vl-convert, without a browser or network access."""

import json
from collections.abc import Callable
from typing import Any

from tellapart.answers.drawing.theme import Picture, no_room, ready, required
from tellapart.foundation.errors import DataError
from tellapart.foundation.formatting import printable

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


SUFFIXES: dict[str, Callable[[dict[str, Any]], bytes]] = {".svg": _svg, ".png": _png, ".pdf": _pdf, ".json": _json}
"""Writers of charts, by suffix of the file name."""


def written(picture: Picture, suffix: str) -> bytes:
    """A picture as the content of a file with this suffix."""
    if suffix != ".json" and (why := no_room()):
        raise DataError(f"no chart was drawn: {why}")
    spec = picture.to_dict(validate=False)  # its parts were looked at as they were made
    return SUFFIXES[suffix](spec if suffix == ".json" else _drawable(spec))


def in_notebook(picture: Picture, *_: Any, **__: Any) -> dict[str, str]:
    """What a notebook shows of a picture: vl-convert's SVG, as on pages. Altair's own display fetches its scripts from elsewhere."""
    return {"image/svg+xml": written(picture, ".svg").decode()}


def warm() -> None:
    """Draw nothing once, where anything can be drawn: the first picture takes longest."""
    if ready():
        _svg({"data": {"values": []}, "mark": "point"})


def _drawable(spec: dict[str, Any]) -> dict[str, Any]:
    """Marks are not described one by one: what would describe them is an expression of their names, in which a backslash acts."""
    shown: dict[str, Any] = _printable_rows(spec)
    return {**shown, "config": {**shown.get("config", {}), "aria": False}}


def _printable_rows(part: Any) -> Any:
    """Names as they are drawn: no XML can hold what acts on a terminal. Line ends are those of labels; the JSON keeps true names."""
    if isinstance(part, str):
        return "\n".join(map(printable, part.split("\n")))
    if isinstance(part, dict):
        return {_printable_rows(key): _printable_rows(value) for key, value in part.items()}
    return [_printable_rows(one) for one in part] if isinstance(part, list) else part
