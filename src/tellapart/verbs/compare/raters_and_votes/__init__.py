"""Comparison of two systems by human judgement: ratings by several raters, or votes.

`verb.py` tells the story; `analysis.py` has the numbers, `methods.py` what they are judged by, `answer.py` puts them together,
`votes.py` counts votes, `refusals.py` says what cannot be compared.
"""

from tellapart.verbs.compare.raters_and_votes.verb import comparison_by_people

__all__ = ["comparison_by_people"]
