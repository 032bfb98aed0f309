"""Strengths of systems that were compared two at a time: Bradley–Terry fits, their covariance, and whether they exist.

`votes` holds the votes as arrays, `bradley_terry` fits strengths (ties as half a win, or Davidson's ties; an effect of being shown first;
Firth's penalty where somebody won or lost everything), `covariance` says how sure they are when votes of a rater or an item go together, and
`connection` who can be held against whom at all.
"""
