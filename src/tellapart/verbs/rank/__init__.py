"""Many systems on the same items: which can these items tell apart, and where may each one stand?"""

from tellapart.verbs.rank.verb import rank

__all__ = ["rank"]
