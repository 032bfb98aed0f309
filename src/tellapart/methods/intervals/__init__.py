"""Confidence intervals, one per file; those that invert a test are beside it in `methods/significance`.

A new file in either folder is all that a new interval takes.
"""

from pathlib import Path

from tellapart.methods.intervals.interval import INTERVALS, Interval

INTERVALS.lies_in(__name__, __path__)
INTERVALS.lies_also_in(
    "tellapart.methods.significance",
    [str(Path(folder).with_name("significance")) for folder in __path__],
    files={"hodges_lehmann": "wilcoxon", "student_t": "paired_t"},
)

__all__ = ["INTERVALS", "Interval"]
