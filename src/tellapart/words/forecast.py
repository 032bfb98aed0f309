"""What is said of the time that an answer will take."""

from tellapart.doors import option
from tellapart.results.forecast import Forecast, Quicker
from tellapart.wording import duration, thousands


def said(forecast: Forecast) -> str:
    """One line: the time, what takes it, and which options would be quicker."""
    why = f"{forecast.test} is simulated {thousands(forecast.replicates)} times on about {thousands(forecast.items)} items"
    ways = " or ".join(_way(way) for way in forecast.quicker)
    return f"this takes about {duration(forecast.seconds)}: {why}" + (
        f"; a first answer comes sooner with {ways}" if ways else ""
    )


def _way(way: Quicker) -> str:
    return f"{option(way.option, way.value)} (about {duration(way.seconds)})"
