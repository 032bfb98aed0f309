"""Which of two was better: votes between systems, beside `Scores` and `Ratings`. Those between two systems are a `VotePair`."""

from tellapart.votes.pair import VotePair
from tellapart.votes.rows import NOBODY, TIES
from tellapart.votes.table import Votes

__all__ = ["NOBODY", "TIES", "VotePair", "Votes"]
