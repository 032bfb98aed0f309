"""One file per interval; importing this room registers them all."""

from tellapart.intervals import (  # noqa: F401  (registration)
    agresti_coull,
    bonett_price,
    bootstrap,
    clopper_pearson,
    cluster_t,
    hodges_lehmann,
    jeffreys,
    newcombe,
    newcombe_independent,
    student_t,
    tango,
    wald,
    welch_t,
    wilson,
)
from tellapart.intervals.interval import INTERVALS, Interval

__all__ = ["INTERVALS", "Interval"]
