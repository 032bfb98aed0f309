"""How long work may take: `90`, `10m`, `1.5h`."""

import re

from tellapart.doors import option
from tellapart.errors import UsageError

UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
LONGEST = 366 * 86400.0
"""Seconds beyond which a limit is a slip."""


class TimeUp(Exception):
    """The time that was given is over."""


def seconds_of(limit: float | str | None) -> float | None:
    """A limit in seconds; what is none is refused by name.

    >>> seconds_of("10m"), seconds_of("1.5h"), seconds_of(90), seconds_of(None)
    (600.0, 5400.0, 90.0, None)
    """
    if limit is None:
        return None
    seconds = _spelled(limit) if isinstance(limit, str) else _number(limit)
    if not 0.0 < seconds <= LONGEST:
        raise UsageError(
            f"{option('time_limit')} is {limit!r}; it should be a time above 0 and up to a year, such as 90s, 10m or 1.5h"
        )
    return seconds


def _spelled(limit: str) -> float:
    found = re.fullmatch(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([smhd]?)\s*", limit, re.ASCII)
    return float(found[1]) * UNITS[found[2]] if found else 0.0


def _number(limit: object) -> float:
    return float(limit) if isinstance(limit, int | float) and not isinstance(limit, bool) else 0.0
