"""Leaderboards of many systems on the same items: the verb `rank`.

`verb` tells the story: `prepared_board` closes gaps and unifies scales, `pair_decisions` tests the pairs jointly, or as `compare` does
where there is only one, `ranked_board` draws the rank sets, tiers and intervals from them.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.verbs.arena.verb import arena
    from tellapart.verbs.compare.systems import plain_scores, refuse_one_system
    from tellapart.verbs.counted_answers import with_metric_details
    from tellapart.verbs.deviations import board_beside_plan
    from tellapart.verbs.rank.across_datasets import dataset_results
    from tellapart.verbs.rank.question import RankQuestion
    from tellapart.verbs.rank.seed_pairs import pair_tests_with_seeds, seed_mean_bounds
    from tellapart.verbs.rank.single_pair import pair_margin_pvalues, single_pair_test
    from tellapart.verbs.rank.slices import rank_slices
    from tellapart.verbs.rank.verb import leaderboard, rank, ranked
    from tellapart.verbs.slice_columns import refuse_judgements

__all__ = [
    "RankQuestion",
    "arena",
    "board_beside_plan",
    "dataset_results",
    "leaderboard",
    "pair_margin_pvalues",
    "pair_tests_with_seeds",
    "plain_scores",
    "rank",
    "rank_slices",
    "ranked",
    "refuse_judgements",
    "refuse_one_system",
    "seed_mean_bounds",
    "single_pair_test",
    "with_metric_details",
]

__getattr__ = lazy_names(__name__)
