"""One interval per file, registered beside its definition: a new file here is all that a new interval takes."""

from tellapart.methods.intervals.interval import INTERVALS, Interval

INTERVALS.lies_in(__name__, __path__)

__all__ = ["INTERVALS", "Interval"]
