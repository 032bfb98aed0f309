"""One file an interval; importing this room registers them all."""

from tellapart.intervals import student_t  # noqa: F401  (registration)
from tellapart.intervals.interval import INTERVALS, Interval

__all__ = ["INTERVALS", "Interval"]
