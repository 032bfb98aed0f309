"""One system by itself: its mean or metric with an interval, and what another would have to reach."""

from tellapart.verbs.score.one_system import ScoreQuestion
from tellapart.verbs.score.verb import score, scored

__all__ = ["ScoreQuestion", "score", "scored"]
