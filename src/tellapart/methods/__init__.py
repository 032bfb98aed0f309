"""Significance tests, intervals, effect sizes and coefficients of agreement: one method per file, pure functions of a summary.

A method is a frozen dataclass in its kind's registry: fields are options, and `str()` is the spelling that the command line accepts, JSON
stores and reports print. No kind of method imports another.
"""
