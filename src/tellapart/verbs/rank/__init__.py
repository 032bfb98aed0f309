"""Many systems on the same items."""

from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.verb import leaderboard, rank

__all__ = ["RankQuestion", "leaderboard", "rank"]
