"""Who rated what how: the table beside `Scores` where several people, or judge models, judged. Two of its systems are a `RatedPair`."""

from tellapart.ratings.pair import RatedPair
from tellapart.ratings.table import Ratings

__all__ = ["RatedPair", "Ratings"]
