"""The one table: who scored what on which item. Everything read becomes `Scores`; two of its systems are a `Pair`."""

from tellapart.pair import Pair
from tellapart.scores.pairing import Missing
from tellapart.scores.table import Column, Scores

__all__ = ["Column", "Missing", "Pair", "Scores"]
