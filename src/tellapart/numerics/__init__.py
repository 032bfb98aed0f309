"""Null distributions, resampling, mixed models and linear algebra as pure functions of arrays, batch first.

They know no test and no alpha. Each says when it is exact, and how far off it is when it is not.
"""
