"""What a method looks at: real and simulated samples become the same summaries, so every statistic is written once.

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
    average_runs,
    contributions,
    item_contributions,
    needed_by_both,
    seen_as,
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
    "average_runs",
    "coding",
    "coding_of",
    "contributions",
    "count",
    "item_contributions",
    "needed_by_both",
    "right",
    "seen_as",
]
