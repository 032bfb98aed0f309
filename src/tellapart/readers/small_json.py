"""JSON files that are read as a whole: they only describe another one, or hold little beside scores."""

import json
from typing import Any

from tellapart.errors import ReadError
from tellapart.readers.json_walk import walking
from tellapart.readers.origin import Origin

MOST_BYTES = 64 << 20
"""A larger file is no description of a run, and is not read to find that out."""


def small_json(origin: Origin | None) -> Any:
    """What a file that describes another one holds, or None where it is no JSON or too large for a description."""
    if origin is None:
        return None
    try:
        with origin.binary() as file:
            content = file.read(MOST_BYTES + 1)
        return json.loads(content) if len(content) <= MOST_BYTES else None
    except (ReadError, ValueError, RecursionError):
        return None


def document(origin: Origin) -> dict[str, Any]:
    """The one object that a file holds, or a refusal with the place of the fault."""
    with walking(origin) as walk:
        found = walk.value()
        walk.finish()
    if not isinstance(found, dict):
        raise ReadError(f"{origin.name}: found no JSON object; wanted one")
    return found


def objects_in(found: Any) -> list[dict[str, Any]]:
    """The objects of an array, or none where it is none."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def under(found: Any, *path: str) -> Any:
    """What lies under a path of keys, or None."""
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found
