"""Comparison of two systems: `verb.py` runs it, and `answer.py` builds its answer."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.verb import compare, comparison

if TYPE_CHECKING:  # what few comparisons need is imported when it is first used
    from tellapart.verbs.anytime import at_any_time, refuse_people
    from tellapart.verbs.compare.by_workers import compare_with_workers
    from tellapart.verbs.compare.datasets import compare_datasets
    from tellapart.verbs.compare.groups import GroupedPair, compare_groups
    from tellapart.verbs.compare.judged import comparison_by_labels, judged_analysis
    from tellapart.verbs.compare.judged_report import judge_report
    from tellapart.verbs.compare.looks import comparison_at_look, look_answer
    from tellapart.verbs.compare.measures import compare_measures
    from tellapart.verbs.compare.next_plans import next_plan
    from tellapart.verbs.compare.planned import (
        detectable_apart,
        detectable_by_resamples,
        effect_by_counts,
        items_apart,
        items_apart_within,
        items_by_counts,
        items_for_effect,
        items_for_margin,
        shares_within_margin,
    )
    from tellapart.verbs.compare.raters_and_votes import comparison_by_people
    from tellapart.verbs.compare.seeds import (
        seed_answer,
        seeded_error,
        seeded_systems,
        seeds_detectable,
        seeds_needed,
        seeds_needed_within,
    )
    from tellapart.verbs.compare.sequential import anytime_systems, sequential_notes, sequential_result
    from tellapart.verbs.compare.slices import compare_slices
    from tellapart.verbs.counted_answers import metric_details
    from tellapart.verbs.deviations import comparison_beside_plan
    from tellapart.verbs.looks import has_looks
    from tellapart.verbs.slice_columns import refuse_judgements
    from tellapart.verbs.workers import current_runner

__all__ = [
    "CompareQuestion",
    "GroupedPair",
    "anytime_systems",
    "at_any_time",
    "compare",
    "compare_datasets",
    "compare_groups",
    "compare_measures",
    "compare_slices",
    "compare_with_workers",
    "comparison",
    "comparison_at_look",
    "comparison_beside_plan",
    "comparison_by_labels",
    "comparison_by_people",
    "current_runner",
    "detectable_apart",
    "detectable_by_resamples",
    "effect_by_counts",
    "has_looks",
    "items_apart",
    "items_apart_within",
    "items_by_counts",
    "items_for_effect",
    "items_for_margin",
    "judge_report",
    "judged_analysis",
    "look_answer",
    "metric_details",
    "next_plan",
    "refuse_judgements",
    "refuse_people",
    "seed_answer",
    "seeded_error",
    "seeded_systems",
    "seeds_detectable",
    "seeds_needed",
    "seeds_needed_within",
    "sequential_notes",
    "sequential_result",
    "shares_within_margin",
]
__getattr__ = lazy_names(__name__)
