"""Summaries of a sample that tests and intervals are computed from, shared by real and simulated samples.

One file per summary; all arrays are batch-first, `(*batch, item)` or `(*batch,)`.
"""

from tellapart.data.summaries.counts import (
    CODINGS,
    Coding,
    Discordance,
    Proportion,
    SeparateCounts,
    coding,
    coding_of,
    count,
    right,
)
from tellapart.data.summaries.differences import (
    Aggregation,
    Differences,
    Independent,
    Parts,
    Summary,
    as_needed,
    average_runs,
    common_summary,
    contributions,
    item_contributions,
)

__all__ = [
    "CODINGS",
    "Aggregation",
    "Coding",
    "Differences",
    "Discordance",
    "Independent",
    "Parts",
    "Proportion",
    "SeparateCounts",
    "Summary",
    "as_needed",
    "average_runs",
    "coding",
    "coding_of",
    "common_summary",
    "contributions",
    "count",
    "item_contributions",
    "right",
]
