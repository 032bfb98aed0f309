"""One system by itself, with an interval, and the detectable gain of a further one: the verb `score`."""

from tellapart.verbs.score.one_system import ScoreQuestion
from tellapart.verbs.score.verb import score, scored

__all__ = ["ScoreQuestion", "score", "scored"]
