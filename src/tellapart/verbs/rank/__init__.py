"""Many systems on the same items."""

from tellapart.verbs.rank.among import saying_how_to_quote
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.verb import leaderboard, rank

__all__ = ["RankQuestion", "leaderboard", "rank", "saying_how_to_quote"]
