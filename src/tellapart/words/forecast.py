"""What is said of the time that an answer will take."""

from tellapart.doors import option
from tellapart.results.forecast import Forecast, Quicker
from tellapart.wording import thousands

_UNITS = ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute"), (1.0, "second"))


def said(forecast: Forecast) -> str:
    """One line: the time, what takes it, and which options would be quicker."""
    why = f"{forecast.test} is simulated {thousands(forecast.replicates)} times on about {thousands(forecast.items)} items"
    ways = " or ".join(_way(way) for way in forecast.quicker)
    return f"this takes about {duration(forecast.seconds)}: {why}" + (
        f"; a first answer comes sooner with {ways}" if ways else ""
    )


def _way(way: Quicker) -> str:
    return f"{option(way.option, way.value)} (about {duration(way.seconds)})"


def duration(seconds: float) -> str:
    """A time as people say it, in its largest unit.

    >>> duration(0.2), duration(59.7), duration(170), duration(7_000), duration(200_000)
    ('1 second', '1 minute', '3 minutes', '2 hours', '2 days')
    """
    size, unit = next((size, unit) for size, unit in _UNITS if round(seconds) >= size or size == 1.0)
    count = max(1, round(seconds / size))
    return f"{thousands(count)} {unit}{'' if count == 1 else 's'}"
