"""Comparison of two systems by human judgement: ratings by several raters, or votes.

`verb.py` runs it; `methods.py` chooses the methods and refuses what they cannot compare, `analysis.py` has the numbers,
`votes.py` and `orders.py` count votes, `answer.py` builds the answer, `notes.py` its notes.
"""

from tellapart.verbs.compare.raters_and_votes.verb import comparison_by_people

__all__ = ["comparison_by_people"]
