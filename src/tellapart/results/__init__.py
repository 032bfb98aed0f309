"""Every public answer type, and nothing else."""

from tellapart.results.answer import Answer
from tellapart.results.comparison import Comparison

__all__ = ["Answer", "Comparison"]
