"""What a method looks at: real and simulated samples become the same summaries, so every statistic is written once.

One file per summary; all arrays are batch-first, `(*batch, item)` or `(*batch,)`.
"""

from tellapart.summaries.contributions import average_runs, contributions, item_contributions
from tellapart.summaries.differences import Differences
from tellapart.summaries.discordance import Discordance
from tellapart.summaries.independent import Independent
from tellapart.summaries.parts import Parts, needed_by_both, seen_as
from tellapart.summaries.proportion import Proportion
from tellapart.summaries.right_or_wrong import CODINGS, Coding, coding, coding_of, count, right
from tellapart.summaries.separate_counts import SeparateCounts
from tellapart.summaries.summary import Aggregation, Summary

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
