"""An endless stream of scores, watched for a loss: the verb `watch`."""

from tellapart.verbs.watch.question import WatchQuestion
from tellapart.verbs.watch.verb import watch, watched

__all__ = ["WatchQuestion", "watch", "watched"]
