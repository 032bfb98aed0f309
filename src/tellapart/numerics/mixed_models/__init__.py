"""Variance components of evaluations that cross raters and items: what spreads between raters, between items, and the rest.

`differences.py` fits paired differences `(*batch, rater, item)`, in closed form where nothing is missing (`balanced.py`), else by
REML (`gapped.py`); `single.py` fits single ratings. `reference_law.py` says what the ratio of an effect and its error is held against.
Everything is batch-first, and knows no test and no alpha.
"""
