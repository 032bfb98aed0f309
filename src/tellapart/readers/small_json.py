"""A JSON file that is read as a whole because it only describes another one."""

import json
from typing import Any

from tellapart.errors import ReadError
from tellapart.readers.origin import Origin

MOST_BYTES = 64 << 20


def small_json(origin: Origin) -> Any:
    """What the file holds, or None where it is no JSON or too large for a description."""
    try:
        with origin.binary() as file:
            content = file.read(MOST_BYTES + 1)
        return json.loads(content) if len(content) <= MOST_BYTES else None
    except (ReadError, ValueError, RecursionError):
        return None
