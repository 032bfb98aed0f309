"""Every public answer type, and nothing else."""

from tellapart.results.answer import Answer
from tellapart.results.comparison import Comparison
from tellapart.results.leaderboard import Leaderboard

__all__ = ["Answer", "Comparison", "Leaderboard"]
