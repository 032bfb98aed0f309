"""Two systems on the same items."""

from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.verb import compare, comparison

__all__ = ["CompareQuestion", "compare", "comparison"]
